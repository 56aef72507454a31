//! States and state spaces as text, for Graphviz, and as pictures.

use std::fmt::Write;

use crate::explore::Explorer;
use crate::grammar::Grammar;
use crate::graph::{Edge, Graph};
use crate::value::Item;
use crate::vocabulary::FLAG;

/// Returns what is written at a node: its name and type, and its flags and attributes.
fn heading(grammar: &Grammar, graph: &Graph, node: Item) -> (String, Vec<String>) {
    let kind = grammar.vocabulary.type_name(graph.type_of(node));
    let name = grammar.node_name(node);
    let title = if kind.is_empty() { name } else { format!("{name}: {kind}") };
    let mut details = Vec::new();
    for Edge { label, b, .. } in graph.edges().filter(|edge| edge.a == node) {
        let text = grammar.vocabulary.name(label);
        if label & FLAG != 0 {
            details.push(text.to_string());
        } else if b.is_value() {
            details.push(format!("{text}={}", grammar.item_text(b)));
        }
    }
    details.sort();
    (title, details)
}

/// Returns the edges between nodes, sorted.
fn links(graph: &Graph) -> Vec<Edge> {
    let mut links: Vec<Edge> = graph.edges().filter(|e| e.label & FLAG == 0 && e.b.is_node()).collect();
    links.sort_by_key(|edge| (edge.a, edge.label, edge.b));
    links
}

/// Returns a graph as text: a line per node, with its edges below.
pub fn text(grammar: &Grammar, graph: &Graph) -> String {
    let mut out = String::new();
    let links = links(graph);
    for node in graph.nodes() {
        let (title, details) = heading(grammar, graph, node);
        let _ = writeln!(out, "{title}{}{}", if details.is_empty() { "" } else { "  " }, details.join("  "));
        for edge in links.iter().filter(|edge| edge.a == node) {
            let _ =
                writeln!(out, "    {} -> {}", grammar.vocabulary.name(edge.label), grammar.node_name(edge.b));
        }
    }
    out
}

/// A node of a graph with everything at it, as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DrawnNode {
    /// The name.
    pub name: String,
    /// The type; empty if it has none.
    pub kind: String,
    /// Flags and attributes, sorted.
    pub details: Vec<String>,
    /// The edges to other nodes: label and name.
    pub edges: Vec<(String, String)>,
}

/// Returns the nodes of a graph.
pub fn nodes(grammar: &Grammar, graph: &Graph) -> Vec<DrawnNode> {
    let links = links(graph);
    let edge = |edge: &Edge| (grammar.vocabulary.name(edge.label).to_string(), grammar.node_name(edge.b));
    let node = |node: Item| DrawnNode {
        name: grammar.node_name(node),
        kind: grammar.vocabulary.type_name(graph.type_of(node)).to_string(),
        details: heading(grammar, graph, node).1,
        edges: links.iter().filter(|edge| edge.a == node).map(edge).collect(),
    };
    graph.nodes().map(node).collect()
}

fn quoted(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

/// Returns a graph in the DOT language of Graphviz.
pub fn dot(grammar: &Grammar, graph: &Graph) -> String {
    let mut out = String::from("digraph state {\n  node [shape=box];\n");
    for node in graph.nodes() {
        let (title, details) = heading(grammar, graph, node);
        let lines: Vec<String> = std::iter::once(title).chain(details).map(|line| quoted(&line)).collect();
        let _ = writeln!(out, "  {} [label=\"{}\"];", node.0, lines.join("\\n"));
    }
    for edge in links(graph) {
        let label = quoted(grammar.vocabulary.name(edge.label));
        let _ = writeln!(out, "  {} -> {} [label=\"{label}\"];", edge.a.0, edge.b.0);
    }
    out.push_str("}\n");
    out
}

/// Returns a state space in the DOT language of Graphviz. Final states have a double border.
pub fn dot_space(explorer: &Explorer<'_>) -> String {
    let mut out = String::from("digraph states {\n  node [shape=circle];\n");
    for (number, state) in explorer.states.iter().enumerate() {
        let shape = if state.is_final { " [shape=doublecircle]" } else { "" };
        let _ = writeln!(out, "  {number}{shape};");
    }
    for arrow in &explorer.arrows {
        let _ = writeln!(out, "  {} -> {} [label=\"{}\"];", arrow.source, arrow.target, quoted(&arrow.label));
    }
    out.push_str("}\n");
    out
}

/// Returns a state space in the Aldebaran format: a header, then a line per transition.
pub fn aldebaran(explorer: &Explorer<'_>) -> String {
    let mut out = format!("des (0, {}, {})\n", explorer.arrows.len(), explorer.states.len());
    for arrow in &explorer.arrows {
        let _ = writeln!(out, "({}, \"{}\", {})", arrow.source, quoted(&arrow.label), arrow.target);
    }
    out
}

/// The maximum number of nodes for the force-directed layout.
const MAX_SPRINGS: usize = 400;

/// Returns where nodes are drawn: the position in their file, or else a force-directed layout
/// in the manner of Fruchterman and Reingold.
pub fn places(grammar: &Grammar, graph: &Graph, nodes: &[Item]) -> Vec<(f32, f32)> {
    let count = nodes.len().max(1) as f32;
    let side = 130.0;
    let radius = side * count / 6.0 + side;
    let mut fixed = Vec::new();
    let mut places: Vec<(f32, f32)> = Vec::new();
    for (at, node) in nodes.iter().enumerate() {
        let known = grammar.places.get(node.index()).copied().flatten();
        fixed.push(known.is_some());
        let angle = at as f32 / count * std::f32::consts::TAU;
        places.push(known.unwrap_or((radius * angle.cos(), radius * angle.sin())));
    }
    if nodes.len() > MAX_SPRINGS {
        let columns = count.sqrt().ceil() as usize;
        return (0..nodes.len())
            .map(|at| ((at % columns) as f32 * side, (at / columns) as f32 * side))
            .collect();
    }
    let place_of = |item: Item| nodes.binary_search(&item).ok();
    let springs: Vec<(usize, usize)> =
        links(graph).iter().filter(|e| e.a != e.b).filter_map(|e| place_of(e.a).zip(place_of(e.b))).collect();
    for round in 0..200 {
        let heat = side * (1.0 - round as f32 / 200.0) / 4.0;
        let mut pull = vec![(0.0f32, 0.0f32); nodes.len()];
        for a in 0..nodes.len() {
            for b in 0..a {
                let (dx, dy) = (places[a].0 - places[b].0, places[a].1 - places[b].1);
                let distance = (dx * dx + dy * dy).max(1.0);
                let force = side * side / distance;
                pull[a] = (pull[a].0 + dx * force / side, pull[a].1 + dy * force / side);
                pull[b] = (pull[b].0 - dx * force / side, pull[b].1 - dy * force / side);
            }
        }
        for &(a, b) in &springs {
            let (dx, dy) = (places[a].0 - places[b].0, places[a].1 - places[b].1);
            let distance = (dx * dx + dy * dy).sqrt().max(1.0);
            let force = distance / side / 2.0;
            pull[a] = (pull[a].0 - dx * force, pull[a].1 - dy * force);
            pull[b] = (pull[b].0 + dx * force, pull[b].1 + dy * force);
        }
        for (at, (dx, dy)) in pull.into_iter().enumerate().filter(|(at, _)| !fixed[*at]) {
            let length = (dx * dx + dy * dy).sqrt().max(0.01);
            let step = length.min(heat) / length;
            places[at] = (places[at].0 + dx * step, places[at].1 + dy * step);
        }
    }
    places
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// Returns a graph as an SVG picture.
pub fn svg(grammar: &Grammar, graph: &Graph) -> String {
    let nodes: Vec<Item> = graph.nodes().collect();
    let places = places(grammar, graph, &nodes);
    let headings: Vec<(String, Vec<String>)> =
        nodes.iter().map(|node| heading(grammar, graph, *node)).collect();
    let size = |(title, details): &(String, Vec<String>)| {
        let widest = details.iter().map(String::len).chain([title.len()]).max().unwrap_or(0);
        (widest as f32 * 6.5 + 12.0, (details.len() + 1) as f32 * 14.0 + 8.0)
    };
    let fold =
        |f: fn(f32, f32) -> f32, start: f32, of: fn(&(f32, f32)) -> f32| places.iter().map(of).fold(start, f);
    let (left, top) = (fold(f32::min, 0.0, |p| p.0) - 80.0, fold(f32::min, 0.0, |p| p.1) - 60.0);
    let (right, bottom) = (fold(f32::max, 0.0, |p| p.0) + 80.0, fold(f32::max, 0.0, |p| p.1) + 60.0);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left:.0} {top:.0} {:.0} {:.0}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<defs><marker id=\"tip\" viewBox=\"0 0 8 8\" refX=\"7\" \
         refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8z\"/></marker></defs>\n",
        right - left,
        bottom - top
    );
    for edge in links(graph) {
        let (Ok(a), Ok(b)) = (nodes.binary_search(&edge.a), nodes.binary_search(&edge.b)) else { continue };
        let (from, mut to) = (places[a], places[b]);
        let label = escaped(grammar.vocabulary.name(edge.label));
        if a == b {
            let _ = writeln!(
                out,
                "<text x=\"{:.0}\" y=\"{:.0}\">{label} (loop)</text>",
                from.0 + 30.0,
                from.1 - 16.0
            );
            continue;
        }
        // The arrow ends at the border of the box.
        let (w, h) = size(&headings[b]);
        let (dx, dy) = (from.0 - to.0, from.1 - to.1);
        let reach = (w / 2.0 / dx.abs().max(0.01)).min(h / 2.0 / dy.abs().max(0.01)).min(1.0);
        to = (to.0 + dx * reach, to.1 + dy * reach);
        let _ = writeln!(
            out,
            "<line x1=\"{:.0}\" y1=\"{:.0}\" x2=\"{:.0}\" y2=\"{:.0}\" stroke=\"#888\" marker-end=\"url(#tip)\"/>\
             <text x=\"{:.0}\" y=\"{:.0}\" fill=\"#555\" font-size=\"9\">{label}</text>",
            from.0,
            from.1,
            to.0,
            to.1,
            (from.0 + to.0) / 2.0,
            (from.1 + to.1) / 2.0
        );
    }
    for (at, place) in places.iter().enumerate() {
        let (w, h) = size(&headings[at]);
        let (x, y) = (place.0 - w / 2.0, place.1 - h / 2.0);
        let _ = writeln!(
            out,
            "<rect x=\"{x:.0}\" y=\"{y:.0}\" width=\"{w:.0}\" height=\"{h:.0}\" rx=\"4\" fill=\"#fff\" stroke=\"#333\"/>"
        );
        let (title, details) = &headings[at];
        for (line, text) in std::iter::once(title).chain(details).enumerate() {
            let weight = if line == 0 { " font-weight=\"bold\"" } else { "" };
            let ly = y + 15.0 + line as f32 * 14.0;
            let _ =
                writeln!(out, "<text x=\"{:.0}\" y=\"{ly:.0}\"{weight}>{}</text>", x + 6.0, escaped(text));
        }
    }
    out.push_str("</svg>\n");
    out
}
