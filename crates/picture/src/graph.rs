//! States of graph grammars: nodes and edges.
//!
//! Nodes lie where their file says. Edges that no rule changes are the board:
//! thin lines. Flags of a node, and edges that tie it to a player, are drawn as
//! pieces on it; other edges that come and go are arrows with their names.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use ::graph::{FLAG, Graph, GraphGame, Item, draw};
use game::Game;

use super::View;
use super::look::Look;
use super::svg::{N, escaped, label, whole};
use crate::board::fluent::split;

/// Graphs with more nodes are drawn as tables.
pub(crate) const MOST_NODES: usize = 600;
/// Edges that are drawn.
const MOST_EDGES: usize = 4_000;
/// Half the side of a node.
const HALF: f64 = 27.0;

/// Draws a state; gives width and height. None if the facts are no state of the game.
pub(crate) fn draw(
    out: &mut String,
    game: &GraphGame,
    look: &Look,
    facts: &[String],
    view: &View,
) -> Option<(f64, f64)> {
    let state = game.state(facts).ok()?;
    let graph = state.graph();
    let nodes: Vec<Item> = graph.nodes().collect();
    if nodes.is_empty() || nodes.len() > MOST_NODES {
        return None;
    }
    let mut places = places(game, graph, &nodes);
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
    let marks = Marks::of(game, graph);
    edges(out, game, graph, &nodes, &places, &marks);
    for (node, &place) in nodes.iter().zip(&places) {
        self::node(out, game, look, view, *node, place, &marks);
    }
    Some((right - left + 2.0 * margin, bottom - top + 2.0 * margin))
}

/// The nodes that a move names.
pub(crate) fn cells(game: &GraphGame, mv: &str) -> Vec<String> {
    let (_, arguments) = split(mv);
    let is_node = |name: &&&str| game.grammar().find_node(name).is_some();
    arguments.iter().filter(is_node).map(|name| name.to_string()).collect()
}

/// The nodes about which facts changed.
pub(crate) fn changed(game: &GraphGame, before: &[String], after: &[String]) -> Vec<String> {
    let (before, after): (BTreeSet<&String>, BTreeSet<&String>) =
        (before.iter().collect(), after.iter().collect());
    let mut nodes = BTreeSet::new();
    for fact in before.symmetric_difference(&after) {
        let (name, arguments) = split(fact);
        // Who is to move changes with every step.
        let skip = usize::from(matches!(name, "flag" | "edge" | "node"));
        let named = arguments.into_iter().skip(skip).filter(|name| game.grammar().find_node(name).is_some());
        nodes.extend(named.filter(|node| !game.roles().iter().any(|role| role == node)).map(str::to_string));
    }
    nodes.into_iter().collect()
}

/// Where nodes are: as the file says, with room for them.
fn places(game: &GraphGame, graph: &Graph, nodes: &[Item]) -> Vec<(f64, f64)> {
    let raw = draw::places(game.grammar(), graph, nodes);
    let places: Vec<(f64, f64)> = raw.iter().map(|&(x, y)| (clean(x), clean(y))).collect();
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

/// A coordinate as it can be drawn, whatever the file has.
fn clean(value: f32) -> f64 {
    if value.is_finite() { f64::from(value).clamp(-20_000.0, 20_000.0) } else { 0.0 }
}

/// What lies on nodes.
struct Marks {
    /// Names of things, by node.
    things: BTreeMap<Item, Vec<String>>,
    /// Names and numbers, by node.
    values: BTreeMap<Item, Vec<String>>,
    roles: Vec<Item>,
}

impl Marks {
    fn of(game: &GraphGame, graph: &Graph) -> Marks {
        let grammar = game.grammar();
        let roles: Vec<Item> = game.roles().iter().filter_map(|role| grammar.find_node(role)).collect();
        let mut things: BTreeMap<Item, Vec<String>> = BTreeMap::new();
        let mut values: BTreeMap<Item, Vec<String>> = BTreeMap::new();
        for edge in graph.changing() {
            let name = grammar.vocabulary.name(edge.label);
            if edge.label & FLAG == 0 && edge.b.is_value() {
                values.entry(edge.a).or_default().push(format!("{name} {}", grammar.item_text(edge.b)));
            } else if edge.label & FLAG != 0 {
                things.entry(edge.a).or_default().push(name.to_string());
            } else if roles.contains(&edge.b) && !roles.contains(&edge.a) {
                things.entry(edge.a).or_default().push(grammar.node_name(edge.b));
            } else if roles.contains(&edge.a) && edge.b.is_node() && !roles.contains(&edge.b) {
                things.entry(edge.b).or_default().push(grammar.node_name(edge.a));
            }
        }
        for things in things.values_mut() {
            things.retain(|thing| !matches!(thing.as_str(), "free" | "empty" | "blank"));
            things.sort();
        }
        Marks { things, values, roles }
    }
}

fn edges(
    out: &mut String,
    game: &GraphGame,
    graph: &Graph,
    nodes: &[Item],
    places: &[(f64, f64)],
    marks: &Marks,
) {
    let grammar = game.grammar();
    let changing: Vec<_> = graph.changing().to_vec();
    let mut links: Vec<_> = graph
        .edges()
        .filter(|edge| edge.label & FLAG == 0 && edge.b.is_node() && edge.a != edge.b)
        .map(|edge| (changing.contains(&edge), edge.a, edge.b, edge.label))
        .collect();
    links.sort_unstable();
    links.dedup();
    for (moves, a, b, name) in links.into_iter().take(MOST_EDGES) {
        let (Ok(from), Ok(to)) = (nodes.binary_search(&a), nodes.binary_search(&b)) else { continue };
        let of_player = marks.roles.contains(&a) || marks.roles.contains(&b);
        if of_player {
            continue;
        }
        let ((x1, y1), (x2, y2)) = (places[from], places[to]);
        let (class, colour, wide) =
            if moves { ("edge changing", "#7a5c2e", 2.5) } else { ("edge", "#c9bda6", 2.0) };
        let name = grammar.vocabulary.name(name);
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
        if moves {
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

fn node(
    out: &mut String,
    game: &GraphGame,
    look: &Look,
    view: &View,
    node: Item,
    (x, y): (f64, f64),
    marks: &Marks,
) {
    let name = game.grammar().node_name(node);
    let things = marks.things.get(&node).map(Vec::as_slice).unwrap_or_default();
    let told = if things.is_empty() { String::new() } else { format!(": {}", things.join(", ")) };
    let changed = if view.changed.contains(&name) { " changed" } else { "" };
    let marked = if view.marked.contains(&name) { " marked" } else { "" };
    let _ = write!(
        out,
        "<g class=\"cell node{changed}{marked}\" data-cell=\"{}\" tabindex=\"-1\"><title>{}</title>",
        whole(&name),
        escaped(&format!("{name}{told}"))
    );
    let role = marks.roles.contains(&node).then(|| look.role(&name)).flatten();
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
            look.piece(thing).draw(out, thing, &name, (x + dx, y), 2.0 * HALF / count.sqrt(), None);
        }
    }
    let small = "class=\"coordinate\" fill=\"#8a8478\"";
    let mut said: Vec<&str> = Vec::new();
    if role.is_some() {
        said.extend(things.iter().map(String::as_str));
    }
    said.extend(marks.values.get(&node).into_iter().flatten().map(String::as_str));
    let below = if said.is_empty() { name } else { format!("{name}: {}", said.join(", ")) };
    label(out, (x, y + HALF + 8.0), 11.0, small, &below);
}
