//! Backpropagation from a leaf to the root.
//!
//! Values are propagated only along the path of the descent, so cycles in the graph do no harm. An edge takes
//! over the mean of its child, and with it what was learned about that state through other paths.

use super::select::Path;
use super::tree::{Kind, NodeId, Tree};

/// Adds virtual visits along a path, or removes them.
pub(super) fn mark<S>(tree: &mut Tree<S>, path: &Path, flying: bool) {
    let change = |count: &mut u32| *count = if flying { *count + 1 } else { count.saturating_sub(1) };
    let mut picks = path.picks.iter();
    for &id in &path.nodes {
        let node = &mut tree.nodes[id as usize];
        change(&mut node.flying);
        // A path may end with a choice whose node does not exist yet, or without one.
        if let Kind::Inner(inner) = &mut node.kind {
            for (choice, &place) in inner.choices.iter_mut().zip(&mut picks) {
                change(&mut choice.edges[place as usize].flying);
            }
        }
    }
}

/// Adds a value for each role, from 0 to 1, to all nodes and edges of a path.
pub(super) fn add<S: Clone + Eq + std::hash::Hash>(tree: &mut Tree<S>, path: &Path, values: &[f64]) {
    let mut picks = path.picks.as_slice();
    let last = path.nodes.len() - 1;
    for depth in (0..=last).rev() {
        let id = path.nodes[depth];
        tree.nodes[id as usize].visits += 1;
        let sums = &mut tree.sums[id as usize * values.len()..][..values.len()];
        sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        let Some(&child) = path.nodes.get(depth + 1) else { continue };
        let Some(inner) = tree.inner(id) else { continue };
        let choices = inner.choices.len();
        let (rest, own) = picks.split_at(picks.len() - choices);
        picks = rest;
        let means = if choices == 1 {
            vec![tree.mean(child, inner.choices[0].role.index())]
        } else if inner.deciders > 1 {
            learn(tree, id, child, own);
            Vec::new()
        } else {
            Vec::new()
        };
        let Kind::Inner(inner) = &mut tree.nodes[id as usize].kind else { continue };
        for (choice, &place) in inner.choices.iter_mut().zip(own) {
            let edge = &mut choice.edges[place as usize];
            edge.visits += 1;
            match means.first() {
                Some(&mean) => edge.value = mean as f32,
                None => {
                    let value = values[choice.role.index()] as f32;
                    let before = if edge.visits == 1 { value } else { edge.value };
                    edge.value = before + (value - before) / edge.visits as f32;
                }
            }
        }
    }
}

/// Updates regrets: how much better each role would have done with another move, given the moves of the
/// others.
fn learn<S: Clone + Eq + std::hash::Hash>(tree: &mut Tree<S>, id: NodeId, child: NodeId, picks: &[u32]) {
    let Some(inner) = tree.inner(id) else { return };
    let Some(joint) = &inner.joint else { return };
    let mut changes = Vec::new();
    for (number, choice) in inner.choices.iter().enumerate().filter(|(_, choice)| !choice.is_chance) {
        let role = choice.role.index();
        let got = tree.mean(child, role);
        let mut other: Box<[u32]> = picks.into();
        for place in (0..choice.edges.len() as u32).filter(|&place| place != picks[number]) {
            other[number] = place;
            if let Some(&node) = joint.get(&other)
                && (tree.nodes[node as usize].visits > 0 || tree.nodes[node as usize].solved)
            {
                changes.push((number, place as usize, tree.mean(node, role) - got));
            }
        }
    }
    let visits = f64::from(tree.nodes[id as usize].visits);
    let Kind::Inner(inner) = &mut tree.nodes[id as usize].kind else { return };
    for choice in inner.choices.iter_mut().filter(|choice| !choice.is_chance) {
        let strategy = belief::normalised(&choice.regret);
        choice.share.iter_mut().zip(strategy).for_each(|(share, p)| *share += visits * p);
    }
    for (number, place, change) in changes {
        let regret = &mut inner.choices[number].regret[place];
        *regret = (*regret + change).max(0.0);
    }
}
