//! Two roles whose goals have a constant sum.
//!
//! Each goal value of one role must be the same wire as the matching value of the other role, in the general
//! circuit or in every phase.

use game::Goal;

use crate::circuit::{Circuit, Circuits, Lit};

/// Returns the sum of the goals, if the circuits show that it is constant.
pub(super) fn constant_sum(circuits: &Circuits) -> Option<Goal> {
    let all = |sum: Goal| {
        holds(&circuits.general, sum)
            || (!circuits.special.is_empty() && circuits.special.iter().all(|circuit| holds(circuit, sum)))
    };
    let [first, second] = &circuits.general.outputs.goals[..] else { return None };
    let sums = first.iter().flat_map(|(a, _)| second.iter().map(move |(b, _)| a + b));
    let mut candidates: Vec<Goal> = sums.collect();
    candidates.sort_unstable();
    candidates.dedup();
    candidates.into_iter().take(100).find(|sum| all(*sum))
}

fn holds(circuit: &Circuit, sum: Goal) -> bool {
    let [first, second] = &circuit.outputs.goals[..] else { return false };
    let matched = |own: &[(Goal, Lit)], others: &[(Goal, Lit)]| {
        own.iter().all(|(value, wire)| {
            *wire == Lit::FALSE || others.iter().any(|(other, its)| value + other == sum && wire == its)
        })
    };
    matched(first, second) && matched(second, first)
}
