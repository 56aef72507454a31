//! Step counters, and how long they have no effect.
//!
//! The rules name the candidates, and the circuit is run to find their values in order. Then the cofactor of
//! every output that reads the counter is built for each value of the counter in turn. As long as the
//! cofactors are the same wires, the counter has no effect.

use game::{Clock, FluentId};
use rustc_hash::FxHashMap;

use super::Support;
use crate::circuit::{Aig, Circuits, Lit, Node};
use crate::ground::Ground;

/// The longest counter that is followed.
const LONGEST: usize = 10_000;
/// The maximum number of wires built for cofactors.
const WORK: usize = 20_000_000;

/// Returns the longest step counter, if there is one.
pub(super) fn clock(ground: &Ground, circuits: &Circuits) -> Option<Clock> {
    let mut best: Option<Clock> = None;
    for counter in ground.rules.counters() {
        let begins = format!("({} ", ground.rules.name(counter.fluent.name));
        let members: Vec<u32> = (0..ground.fluents.len() as u32)
            .filter(|&f| ground.text(ground.fluents[f as usize]).starts_with(&begins))
            .collect();
        let Some(values) = values(ground, circuits, &members) else { continue };
        if best.as_ref().is_some_and(|best| best.fluents.len() >= values.len()) {
            continue;
        }
        let free = free(circuits, &members, &values).unwrap_or(0);
        best = Some(Clock { fluents: values.into_iter().map(FluentId).collect(), free });
    }
    best
}

/// Returns the members in the order in which they hold, without repetition.
fn values(ground: &Ground, circuits: &Circuits, members: &[u32]) -> Option<Vec<u32>> {
    let outputs = &circuits.general.outputs;
    let aig = &circuits.general.aig;
    // For each member, the members whose next value reads it. Their next values may read nothing else.
    let mut follows: FxHashMap<u32, Vec<u32>> = FxHashMap::default();
    for &member in members {
        let support = Support::of(aig, [outputs.next[member as usize]]);
        if !support.sets.is_empty() || support.regions || support.fluents.iter().any(|f| !members.contains(f))
        {
            return None;
        }
        for fluent in support.fluents {
            follows.entry(fluent).or_default().push(member);
        }
    }
    let holding: Vec<u32> = members.iter().copied().filter(|&f| ground.initial[f as usize]).collect();
    let [first] = holding[..] else { return None };
    let mut found = vec![first];
    while found.len() <= LONGEST {
        let at = *found.last()?;
        let next: Vec<u32> = follows.get(&at).map_or(Vec::new(), |list| {
            list.iter().copied().filter(|&f| alone(aig, outputs.next[f as usize], at)).collect()
        });
        match next[..] {
            [] => return (found.len() > 1).then_some(found),
            [one] if !found.contains(&one) => found.push(one),
            _ => return None,
        }
    }
    None
}

/// Returns the value of a wire if only one fluent holds.
fn alone(aig: &Aig, wire: Lit, holds: u32) -> bool {
    let mut bare = Aig::new(Vec::new());
    let mut made = FxHashMap::default();
    let mut work = usize::MAX;
    let known = |fluent: u32| Some(fluent == holds);
    cofactor(aig, &mut bare, &mut made, wire, &known, &mut work) == Some(Lit::TRUE)
}

/// Returns the number of initial values of the counter that make no difference to anything else.
fn free(circuits: &Circuits, members: &[u32], values: &[u32]) -> Option<usize> {
    let outputs = &circuits.general.outputs;
    let aig = &circuits.general.aig;
    let others = (0..outputs.next.len()).filter(|f| !members.contains(&(*f as u32)));
    let wires = outputs
        .legal
        .iter()
        .flatten()
        .chain(outputs.percepts.iter().flatten())
        .chain(outputs.goals.iter().flatten().map(|(_, wire)| wire))
        .chain([&outputs.terminal])
        .copied()
        .chain(others.map(|f| outputs.next[f]));
    let reads = readers(aig, members);
    let wires: Vec<Lit> = wires.filter(|wire| reads[wire.node()]).collect();
    let mut bare = Aig::new(Vec::new());
    let mut work = WORK;
    let mut first: Option<Vec<Lit>> = None;
    for (place, &value) in values.iter().enumerate() {
        let known = |fluent: u32| members.contains(&fluent).then_some(fluent == value);
        let mut made = FxHashMap::default();
        let mut now = Vec::with_capacity(wires.len());
        for &wire in &wires {
            match cofactor(aig, &mut bare, &mut made, wire, &known, &mut work) {
                Some(lit) => now.push(lit),
                None => return Some(place.saturating_sub(1)),
            }
        }
        match &first {
            None => first = Some(now),
            Some(first) if *first != now => return Some(place),
            Some(_) => {}
        }
    }
    Some(values.len())
}

/// Returns the nodes that depend on some fluents. Nodes of regions are assumed to.
#[allow(clippy::needless_range_loop, reason = "nodes are numbers")]
fn readers(aig: &Aig, members: &[u32]) -> Vec<bool> {
    let mut reads = vec![false; aig.len()];
    for node in 0..aig.len() {
        reads[node] = match aig.node(node) {
            Node::Fluent(fluent) => members.contains(&fluent),
            Node::And(a, b) => reads[a.node()] || reads[b.node()],
            Node::Latch(..) => true,
            _ => false,
        };
    }
    reads
}

/// Builds the cofactor of a wire, with some fluents as constants. Returns `None` if it needs a region or too
/// much work. Sets of moves are represented as fluents after all others.
fn cofactor(
    aig: &Aig,
    bare: &mut Aig,
    made: &mut FxHashMap<usize, Lit>,
    wire: Lit,
    known: &dyn Fn(u32) -> Option<bool>,
    work_left: &mut usize,
) -> Option<Lit> {
    let mut work = vec![wire.node()];
    while let Some(&node) = work.last() {
        if made.contains_key(&node) {
            work.pop();
            continue;
        }
        *work_left = work_left.checked_sub(1)?;
        let lit = match aig.node(node) {
            Node::False => Lit::FALSE,
            Node::Latch(..) => return None,
            Node::Set(set) => bare.fluent(1 << 31 | set),
            Node::Fluent(fluent) => match known(fluent) {
                Some(true) => Lit::TRUE,
                Some(false) => Lit::FALSE,
                None => bare.fluent(fluent),
            },
            Node::And(a, b) => {
                if let Some(missing) = [a, b].into_iter().find(|l| !made.contains_key(&l.node())) {
                    work.push(missing.node());
                    continue;
                }
                let of = |l: Lit| made[&l.node()].invert_if(l.is_inverted());
                bare.and(of(a), of(b))
            }
        };
        made.insert(node, lit);
        work.pop();
    }
    Some(made[&wire.node()].invert_if(wire.is_inverted()))
}
