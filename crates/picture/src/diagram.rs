//! States as diagrams: nodes and edges.
//!
//! Nodes are placed where their description says. The edges that no rule changes are the board and are
//! drawn as thin lines; edges that change have a label. The things on a node are drawn as pieces.

use std::collections::BTreeSet;
use std::fmt::Write;

use library::{Diagram, DiagramEdge, DiagramNode, Diagrams};

use super::View;
use super::look::Look;
use super::svg::{N, escaped, label, whole};

/// The maximum number of nodes; larger graphs are drawn as tables.
pub(crate) const MOST_NODES: usize = 600;
/// The maximum number of edges that are drawn.
const MOST_EDGES: usize = 4_000;
/// Half the side of a node.
const HALF: f64 = 27.0;

/// Draws a state, and returns its width and height.
pub(crate) fn draw(out: &mut String, diagram: &Diagram, look: &Look, view: &View) -> (f64, f64) {
    let mut places = places(&diagram.nodes);
    let end = |of: fn(&(f64, f64)) -> f64, pick: fn(f64, f64) -> f64, start: f64| {
        places.iter().map(of).fold(start, pick)
    };
    let (left, top) = (end(|p| p.0, f64::min, f64::MAX), end(|p| p.1, f64::min, f64::MAX));
    let (right, bottom) = (end(|p| p.0, f64::max, f64::MIN), end(|p| p.1, f64::max, f64::MIN));
    let margin = HALF + 22.0;
    for place in &mut places {
        *place = (place.0 - left + margin, place.1 - top + margin);
        if view.turned {
            *place = (right - left + 2.0 * margin - place.0, bottom - top + 2.0 * margin - place.1);
        }
    }
    edges(out, diagram, &places);
    for (node, &place) in diagram.nodes.iter().zip(&places) {
        self::node(out, look, view, node, place);
    }
    (right - left + 2.0 * margin, bottom - top + 2.0 * margin)
}

/// Returns the nodes whose facts differ.
pub(crate) fn changed(diagrams: &dyn Diagrams, before: &[String], after: &[String]) -> Vec<String> {
    let (before, after): (BTreeSet<&String>, BTreeSet<&String>) =
        (before.iter().collect(), after.iter().collect());
    let changed = before.symmetric_difference(&after);
    let nodes: BTreeSet<String> = changed.flat_map(|fact| diagrams.nodes_of_fact(fact)).collect();
    nodes.into_iter().collect()
}

/// Returns the positions of the nodes, scaled to leave room for them.
fn places(nodes: &[DiagramNode]) -> Vec<(f64, f64)> {
    let places: Vec<(f64, f64)> =
        nodes.iter().map(|node| (clean(node.place.0), clean(node.place.1))).collect();
    let mut nearest = f64::MAX;
    for (at, a) in places.iter().enumerate() {
        for b in &places[..at] {
            let distance = (a.0 - b.0).hypot(a.1 - b.1);
            if distance > 1.0 {
                nearest = nearest.min(distance);
            }
        }
    }
    let scale = if nearest < f64::MAX { (80.0 / nearest).clamp(0.2, 4.0) } else { 1.0 };
    places.into_iter().map(|(x, y)| (x * scale, y * scale)).collect()
}

/// Converts a coordinate to one that can be drawn, whatever the file contains.
fn clean(value: f32) -> f64 {
    if value.is_finite() { f64::from(value).clamp(-20_000.0, 20_000.0) } else { 0.0 }
}

fn edges(out: &mut String, diagram: &Diagram, places: &[(f64, f64)]) {
    for DiagramEdge { from, to, name, changes } in diagram.edges.iter().take(MOST_EDGES) {
        // An edge to or from a player is drawn as a piece.
        if diagram.nodes[*from].is_role || diagram.nodes[*to].is_role {
            continue;
        }
        let ((x1, y1), (x2, y2)) = (places[*from], places[*to]);
        let (class, colour, wide) =
            if *changes { ("edge changing", "#7a5c2e", 2.5) } else { ("edge", "#c9bda6", 2.0) };
        let _ = write!(
            out,
            "<g class=\"{class}\"><title>{}</title><line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\" stroke=\"{colour}\" \
             stroke-width=\"{wide}\"/>",
            escaped(name),
            N(x1),
            N(y1),
            N(x2),
            N(y2)
        );
        if *changes {
            label(
                out,
                ((x1 + x2) / 2.0, (y1 + y2) / 2.0 - 7.0),
                11.0,
                "class=\"edge-name\" fill=\"#7a5c2e\"",
                name,
            );
        }
        out.push_str("</g>\n");
    }
}

fn node(out: &mut String, look: &Look, view: &View, node: &DiagramNode, (x, y): (f64, f64)) {
    let DiagramNode { name, things, values, .. } = node;
    let told = if things.is_empty() { String::new() } else { format!(": {}", things.join(", ")) };
    let changed = if view.changed.contains(name) { " changed" } else { "" };
    let marked = if view.marked.contains(name) { " marked" } else { "" };
    let _ = write!(
        out,
        "<g class=\"cell node{changed}{marked}\" data-cell=\"{}\" tabindex=\"-1\"><title>{}</title>",
        whole(name),
        escaped(&format!("{name}{told}"))
    );
    let role = node.is_role.then(|| look.role(name)).flatten();
    let fill = match (changed, marked) {
        (" changed", _) => "#f7d98a",
        (_, " marked") => "#b9d8b7",
        _ => "#f1e7d3",
    };
    let _ = match role {
        Some((fill, _)) => write!(
            out,
            "<circle class=\"square\" cx=\"{}\" cy=\"{}\" r=\"{}\" fill=\"{fill}\" stroke=\"#8b7d63\" \
             stroke-width=\"1.5\"/>",
            N(x),
            N(y),
            N(HALF * 0.8)
        ),
        None => write!(
            out,
            "<rect class=\"square\" x=\"{}\" y=\"{}\" width=\"{2}\" height=\"{2}\" rx=\"8\" fill=\"{fill}\" \
             stroke=\"#bda986\" stroke-width=\"1.5\"/>",
            N(x - HALF),
            N(y - HALF),
            N(2.0 * HALF)
        ),
    };
    out.push_str("</g>\n");
    if role.is_none() {
        let count = things.len().clamp(1, 4) as f64;
        for (number, thing) in things.iter().take(4).enumerate() {
            let dx = (number as f64 - (count - 1.0) / 2.0) * (2.0 * HALF / count);
            look.piece(thing).draw(out, thing, name, (x + dx, y), 2.0 * HALF / count.sqrt(), None);
        }
    }
    let small = "class=\"coordinate\" fill=\"#8a8478\"";
    let mut said: Vec<&str> = Vec::new();
    if role.is_some() {
        said.extend(things.iter().map(String::as_str));
    }
    said.extend(values.iter().map(String::as_str));
    let below = if said.is_empty() { name.clone() } else { format!("{name}: {}", said.join(", ")) };
    label(out, (x, y + HALF + 8.0), 11.0, small, &below);
}
