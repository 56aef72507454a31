//! What must hold in every state in which a match ends with a role's best goal.
//!
//! Both wires, terminal and the goal, are assumed to hold, and the consequences are propagated gate by gate
//! down to the fluents. Disjunctions stay open, so this finds what all such states have in common. If these
//! fluents alone make the circuit say yes, they are also sufficient.

use game::{Aim, FluentId, Goal, RoleId};
use rustc_hash::FxHashMap;

use super::Support;
use super::still::{Stillness, moves_of};
use crate::circuit::{Aig, Circuits, Lit, Node};

/// The maximum number of passes over all gates.
const ROUNDS: usize = 64;

/// Returns the aims of all roles for which something must hold.
pub(super) fn aims(circuits: &Circuits) -> Vec<Aim> {
    let outputs = &circuits.general.outputs;
    let roles = RoleId::all(outputs.goals.len());
    roles.zip(&outputs.goals).filter_map(|(role, goals)| aim(circuits, role, goals)).collect()
}

fn aim(circuits: &Circuits, role: RoleId, goals: &[(Goal, Lit)]) -> Option<Aim> {
    let (aig, outputs) = (&circuits.general.aig, &circuits.general.outputs);
    let possible = goals.iter().filter(|(_, wire)| *wire != Lit::FALSE);
    let &(goal, wire) = possible.max_by_key(|(goal, _)| *goal)?;
    let wires = [outputs.terminal, wire];
    let all = implied(aig, &wires)?;
    let mut fluents = Vec::new();
    for (node, value) in all.iter().enumerate() {
        if let (Node::Fluent(fluent), Some(value)) = (aig.node(node), value) {
            fluents.push((FluentId(fluent), *value));
        }
    }
    fluents.sort_unstable();
    if fluents.is_empty() {
        return None;
    }
    let enough = suffices(aig, &wires, &fluents);
    Some(Aim { role, goal, by_step: by_step(circuits, &fluents), fluents, enough })
}

/// Returns the values that nodes must have for some wires to hold, or `None` if they cannot all hold.
fn implied(aig: &Aig, wires: &[Lit]) -> Option<Vec<Option<bool>>> {
    let mut values: Vec<Option<bool>> = vec![None; aig.len()];
    values[Lit::FALSE.node()] = Some(false);
    let mut cone = vec![false; aig.len()];
    wires.iter().for_each(|wire| cone[wire.node()] = true);
    for node in (0..aig.len()).rev() {
        if let (true, Node::And(a, b)) = (cone[node], aig.node(node)) {
            cone[a.node()] = true;
            cone[b.node()] = true;
        }
    }
    for &wire in wires {
        set(&mut values, wire, true)?;
    }
    for _ in 0..ROUNDS {
        let mut changed = false;
        for node in (0..aig.len()).rev() {
            let (true, Node::And(a, b)) = (cone[node], aig.node(node)) else { continue };
            match values[node] {
                Some(true) => {
                    changed |= set(&mut values, a, true)?;
                    changed |= set(&mut values, b, true)?;
                }
                Some(false) if of(&values, a) == Some(true) => changed |= set(&mut values, b, false)?,
                Some(false) if of(&values, b) == Some(true) => changed |= set(&mut values, a, false)?,
                _ => {}
            }
        }
        for node in (0..aig.len()).filter(|node| cone[*node]) {
            if let Some(value) = both(aig, &values, node) {
                changed |= set(&mut values, Lit::of(node), value)?;
            }
        }
        if !changed {
            break;
        }
    }
    Some(values)
}

/// Returns `true` if the wires hold in every state in which the fluents have these values.
#[allow(clippy::needless_range_loop, reason = "nodes are numbers")]
fn suffices(aig: &Aig, wires: &[Lit], fluents: &[(FluentId, bool)]) -> bool {
    let given: FxHashMap<u32, bool> = fluents.iter().map(|(fluent, value)| (fluent.0, *value)).collect();
    let mut values: Vec<Option<bool>> = vec![None; aig.len()];
    for node in 0..aig.len() {
        values[node] = match aig.node(node) {
            Node::False => Some(false),
            Node::Fluent(fluent) => given.get(&fluent).copied(),
            Node::Set(_) | Node::Latch(..) => None,
            Node::And(..) => both(aig, &values, node),
        };
    }
    wires.iter().all(|&wire| of(&values, wire) == Some(true))
}

/// Returns the maximum number of these fluents that one step can change.
fn by_step(circuits: &Circuits, fluents: &[(FluentId, bool)]) -> Option<usize> {
    let (aig, outputs) = (&circuits.general.aig, &circuits.general.outputs);
    let mut stillness = Stillness::new(aig);
    let mut counts: FxHashMap<(u32, u32), usize> = FxHashMap::default();
    for (fluent, _) in fluents {
        let next = outputs.next[fluent.0 as usize];
        if !stillness.keeps(fluent.0, next) {
            return None;
        }
        for mv in moves_of(aig, &Support::of(aig, [next])) {
            *counts.entry(mv).or_default() += 1;
        }
    }
    let roles = outputs.legal.len() as u32;
    let most = |role: u32| counts.iter().filter(|((own, _), _)| *own == role).map(|(_, count)| *count).max();
    Some((0..roles).filter_map(most).sum())
}

fn of(values: &[Option<bool>], wire: Lit) -> Option<bool> {
    values[wire.node()].map(|value| value != wire.is_inverted())
}

/// Assigns a value to a wire. Returns whether the value is new, or `None` if it contradicts the known one.
fn set(values: &mut [Option<bool>], wire: Lit, value: bool) -> Option<bool> {
    let value = value != wire.is_inverted();
    match values[wire.node()] {
        None => {
            values[wire.node()] = Some(value);
            Some(true)
        }
        Some(known) => (known == value).then_some(false),
    }
}

/// Returns the value of a gate that follows from its inputs.
fn both(aig: &Aig, values: &[Option<bool>], node: usize) -> Option<bool> {
    let Node::And(a, b) = aig.node(node) else { return None };
    match (of(values, a), of(values, b)) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}
