//! Rule application by single pushout, where erasing takes precedence.
//!
//! Edges are erased first, then nodes with any edges they have left. Then nodes and edges are
//! created. An edge that is both erased and created remains. A created edge is dropped if one
//! of its ends was erased, and a node merged with an erased node is erased too.

use super::matching::Proof;
use super::{LabelRef, Rule};
use crate::graph::{GONE, Graph};
use crate::value::Item;
use crate::vocabulary::{LabelId, TypeId, Vocabulary};

#[derive(Default)]
struct Delta {
    erase_edges: Vec<(LabelId, Item, Item)>,
    erase_nodes: Vec<Item>,
    new_nodes: Vec<(Item, TypeId)>,
    new_edges: Vec<(LabelId, Item, Item)>,
    merges: Vec<(Item, Item)>,
}

/// The result of applying a match, other than the graph.
pub struct Applied {
    /// The items in the slots of the root, including created nodes.
    pub slots: Box<[Item]>,
    /// The merged nodes, each with the node that it became part of.
    pub merged: Vec<(Item, Item)>,
}

/// Applies a match to a graph.
pub fn apply(rule: &Rule, graph: &mut Graph, proof: &Proof, vocabulary: &Vocabulary) -> Applied {
    if !rule.modifying {
        return Applied { slots: proof.slots.clone(), merged: Vec::new() };
    }
    let mut delta = Delta::default();
    let mut taken = Vec::new();
    let slots = collect(rule, graph, proof, &[], &mut taken, &mut delta);
    for (label, a, b) in &delta.erase_edges {
        graph.remove_edge(*label, *a, *b);
    }
    for node in &delta.erase_nodes {
        graph.remove_node(*node);
    }
    for (node, kind) in &delta.new_nodes {
        graph.add_node(*node, *kind);
    }
    for (label, a, b) in &delta.new_edges {
        if there(graph, *a) && there(graph, *b) {
            graph.add_edge(*label, *a, *b);
        }
    }
    let merged = merge(graph, &delta, vocabulary);
    Applied { slots, merged }
}

#[inline]
fn there(graph: &Graph, item: Item) -> bool {
    item.is_value() || (item.is_node() && graph.type_of(item) != GONE)
}

/// Applies a match of a rule that [`Rule::is_simple`]. Created nodes are stored in its slots.
pub fn apply_simple(rule: &Rule, graph: &mut Graph, slots: &mut [Item]) {
    let level = &rule.levels[0];
    let mut taken = Vec::new();
    for &(slot, _) in &level.new_nodes {
        slots[slot] = graph.free_number(&taken);
        if level.new_nodes.len() > 1 {
            taken.push(slots[slot]);
        }
    }
    let image = |label: LabelRef, slots: &[Item]| match label {
        LabelRef::Fixed(label) => label,
        LabelRef::Variable(slot) => slots[slot].0,
    };
    for &(label, a, b) in &level.erase_edges {
        graph.remove_edge(image(label, slots), slots[a], slots[b]);
    }
    for &slot in &level.erase_nodes {
        graph.remove_node(slots[slot]);
    }
    for &(slot, kind) in &level.new_nodes {
        graph.add_node(slots[slot], kind);
    }
    for &(label, a, b) in &level.new_edges {
        if there(graph, slots[a]) && there(graph, slots[b]) {
            graph.add_edge(image(label, slots), slots[a], slots[b]);
        }
    }
}

/// Merges nodes. A node that is merged with an erased one is erased too.
fn merge(next: &mut Graph, delta: &Delta, vocabulary: &Vocabulary) -> Vec<(Item, Item)> {
    let mut merged: Vec<(Item, Item)> = Vec::new();
    let find = |merged: &[(Item, Item)], mut item: Item| {
        while let Some((_, to)) = merged.iter().find(|(from, _)| *from == item) {
            item = *to;
        }
        item
    };
    for &(a, b) in &delta.merges {
        let (a, b) = (find(&merged, a), find(&merged, b));
        if a == b || !a.is_node() || !b.is_node() {
            continue;
        }
        let (keep, gone) = (a.min(b), a.max(b));
        merged.push((gone, keep));
        let (kind, other) = (next.type_of(keep), next.type_of(gone));
        if kind == GONE || other == GONE {
            next.remove_node(keep);
            next.remove_node(gone);
            continue;
        }
        if kind == 0 || vocabulary.below(kind)[other as usize] {
            next.set_type(keep, other);
        }
        next.merge(gone, keep);
    }
    merged
}

/// Collects what a proof erases and creates. `above` contains the items of the parent level,
/// including the nodes it creates.
fn collect(
    rule: &Rule,
    graph: &Graph,
    proof: &Proof,
    above: &[Item],
    taken: &mut Vec<Item>,
    delta: &mut Delta,
) -> Box<[Item]> {
    let level = &rule.levels[proof.level];
    let mut slots = proof.slots.clone();
    for (slot, &item) in above.iter().enumerate() {
        if slots[slot] == Item::NONE {
            slots[slot] = item;
        }
    }
    for &(slot, kind) in &level.new_nodes {
        let node = graph.free_number(taken);
        taken.push(node);
        slots[slot] = node;
        delta.new_nodes.push((node, kind));
    }
    let image = |label: LabelRef| match label {
        LabelRef::Fixed(label) => label,
        LabelRef::Variable(slot) => slots[slot].0,
    };
    let edge = |&(label, a, b): &(LabelRef, usize, usize)| (image(label), slots[a], slots[b]);
    delta.erase_nodes.extend(level.erase_nodes.iter().map(|&slot| slots[slot]));
    delta.erase_edges.extend(level.erase_edges.iter().map(edge));
    delta.new_edges.extend(level.new_edges.iter().map(edge));
    delta.merges.extend(level.merges.iter().map(|&(a, b)| (slots[a], slots[b])));
    for child in &proof.children {
        collect(rule, graph, child, &slots, taken, delta);
    }
    slots
}
