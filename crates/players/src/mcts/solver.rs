//! Proven bounds, from terminal nodes upwards.
//!
//! Every node has a lower and an upper bound for the goal of each role (score-bounded search, Cazenave and
//! Saffidine 2010). A role that chooses gets at least the best lower and at most the best upper bound of its
//! moves. What the others get depends on the game. If two roles have a constant sum, the one that chooses
//! also minimises for the other. Otherwise the others may get whatever a move leads to that the choosing role
//! could still prefer. Chance averages. If several roles choose at once, a role is guaranteed the best of its
//! moves against all answers.

use std::hash::Hash;

use super::select::Path;
use super::tree::{Bounds, Inner, Kind, NONE, NodeId, Tree};

/// The number of cells of a joint choice above which nothing is proven there.
const CELLS: usize = 1024;

/// Propagates bounds from the last node of a path to the first.
pub(super) fn propagate<S: Clone + Eq + Hash>(tree: &mut Tree<S>, path: &Path, shared_sum: bool) {
    for (number, &id) in path.nodes.iter().rev().enumerate() {
        let changed = refresh(tree, id, shared_sum);
        if !changed && number > 0 {
            return;
        }
    }
}

/// Computes the bounds of a node from those of its children. Returns `true` if they changed.
pub(super) fn refresh<S: Clone + Eq + Hash>(tree: &mut Tree<S>, id: NodeId, shared_sum: bool) -> bool {
    let Some(inner) = tree.inner(id) else { return false };
    if tree.nodes[id as usize].solved {
        return false;
    }
    let below = match &inner.joint {
        None => single(tree, inner, shared_sum),
        Some(_) => several(tree, inner, shared_sum),
    };
    let before = &mut tree.bounds[id as usize * tree.roles..][..tree.roles];
    let mut changed = false;
    for (old, new) in before.iter_mut().zip(&below) {
        let low = old.low.max(new.low);
        let both = Bounds { low, high: old.high.min(new.high).max(low) };
        changed |= both != *old;
        *old = both;
    }
    let solved = before.iter().all(|bounds| bounds.is_exact());
    let distance = if solved { distance(tree, id) } else { 0 };
    let node = &mut tree.nodes[id as usize];
    (node.solved, node.distance) = (solved, distance);
    if let Kind::Inner(inner) = &mut node.kind {
        inner.has_bounds = true;
    }
    changed
}

/// Returns the bounds if one role chooses, or chance.
fn single<S: Clone + Eq + Hash>(tree: &Tree<S>, inner: &Inner, shared_sum: bool) -> Vec<Bounds> {
    let choice = &inner.choices[0];
    let mover = choice.role.index();
    let of = |child: NodeId, role: usize| if child == NONE { Bounds::OPEN } else { tree.bounds(child, role) };
    let children = || choice.edges.iter().map(|edge| edge.child);
    if choice.is_chance {
        return (0..tree.roles).map(|role| average(children().map(|child| of(child, role)))).collect();
    }
    let own = highest(children().map(|child| of(child, mover)));
    // If a move cannot be improved on, the others get what it leads to.
    let settled = children().any(|child| of(child, mover).low >= own.high);
    let others = |role: usize| {
        if shared_sum && !tree.chance[role] {
            return lowest(children().map(|child| of(child, role)));
        }
        let kept = children().filter(|&child| {
            let bounds = of(child, mover);
            if settled { bounds.low >= own.high } else { bounds.high >= own.low }
        });
        widest(kept.map(|child| of(child, role)))
    };
    (0..tree.roles).map(|role| if role == mover { own } else { others(role) }).collect()
}

/// Returns the bounds if several roles choose at the same time.
fn several<S: Clone + Eq + Hash>(tree: &Tree<S>, inner: &Inner, shared_sum: bool) -> Vec<Bounds> {
    let open = vec![Bounds::OPEN; tree.roles];
    let Some(joint) = &inner.joint else { return open };
    let sizes: Vec<usize> = inner.choices.iter().map(|choice| choice.edges.len()).collect();
    let cells = sizes.iter().try_fold(1usize, |cells, &size| cells.checked_mul(size));
    let Some(cells) = cells.filter(|&cells| cells <= CELLS) else { return open };
    // Bounds by cell; the index in the last choice varies fastest.
    let mut nodes = vec![NONE; cells];
    for (picks, &node) in joint {
        let cell = picks.iter().zip(&sizes).fold(0, |cell, (&place, &size)| cell * size + place as usize);
        nodes[cell] = node;
    }
    let of = |cell: usize, role: usize| match nodes[cell] {
        NONE => Bounds::OPEN,
        node => tree.bounds(node, role),
    };
    (0..tree.roles)
        .map(|role| {
            let all = widest((0..cells).map(|cell| of(cell, role)));
            let Some(number) = inner.choices.iter().position(|choice| choice.role.index() == role) else {
                return all;
            };
            let stride: usize = sizes[number + 1..].iter().product();
            let place = |cell: usize| cell / stride % sizes[number];
            let mine = |wanted: usize| (0..cells).filter(move |&cell| place(cell) == wanted);
            let sure =
                (0..sizes[number]).map(|wanted| lowest(mine(wanted).map(|cell| of(cell, role))).low).max();
            // Against a single opponent with opposite interests, each of its moves is an upper limit.
            let high = if shared_sum && inner.choices.len() == 2 && inner.deciders == 2 {
                let answer = |cell: usize| if number == 0 { cell % sizes[1] } else { cell / sizes[1] };
                let against = |wanted: usize| (0..cells).filter(move |&cell| answer(cell) == wanted);
                let limit = |wanted: usize| highest(against(wanted).map(|cell| of(cell, role))).high;
                (0..sizes[1 - number]).map(limit).min().unwrap_or(all.high)
            } else {
                all.high
            };
            Bounds { low: sure.unwrap_or(0).max(all.low), high: high.min(all.high) }
        })
        .collect()
}

/// Returns the number of steps to the end: the choosing role hurries to good results and delays bad ones.
fn distance<S: Clone + Eq + Hash>(tree: &Tree<S>, id: NodeId) -> u16 {
    let Some(inner) = tree.inner(id) else { return 0 };
    let choice = &inner.choices[0];
    let role = choice.role.index();
    let best = tree.bounds(id, role);
    let nodes = super::tree::children(&tree.nodes[id as usize].kind);
    let solved = |node: &NodeId| tree.nodes[*node as usize].solved;
    let steps = |node: NodeId| tree.nodes[node as usize].distance;
    let found = if inner.joint.is_none() && !choice.is_chance {
        let good = nodes.iter().copied().filter(solved).filter(|&node| tree.bounds(node, role) == best);
        if best.low >= 50 { good.map(steps).min() } else { good.map(steps).max() }
    } else {
        nodes.iter().copied().filter(solved).map(steps).max()
    };
    found.unwrap_or(0).saturating_add(1)
}

fn highest(all: impl Iterator<Item = Bounds>) -> Bounds {
    all.fold(Bounds { low: 0, high: 0 }, |a, b| Bounds { low: a.low.max(b.low), high: a.high.max(b.high) })
}

fn lowest(all: impl Iterator<Item = Bounds>) -> Bounds {
    all.fold(Bounds { low: 100, high: 100 }, |a, b| Bounds {
        low: a.low.min(b.low),
        high: a.high.min(b.high),
    })
}

fn widest(all: impl Iterator<Item = Bounds>) -> Bounds {
    all.reduce(|a, b| Bounds { low: a.low.min(b.low), high: a.high.max(b.high) }).unwrap_or(Bounds::OPEN)
}

fn average(all: impl Iterator<Item = Bounds>) -> Bounds {
    let (mut low, mut high, mut count) = (0u64, 0u64, 0u64);
    for bounds in all {
        low += u64::from(bounds.low);
        high += u64::from(bounds.high);
        count += 1;
    }
    let count = count.max(1);
    Bounds { low: (low / count) as u8, high: high.div_ceil(count) as u8 }
}
