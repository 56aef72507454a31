//! Fluents that never change.
//!
//! They are found by ternary simulation from the initial state. A fluent keeps its known value as long as the
//! next state gives it the same value, whatever the unknown fluents and moves are.

use super::{Aig, Circuit, Lit, Node};

/// The number of gate evaluations after which the search for constants gives up.
const MAX_WORK: usize = 400_000_000;

/// Computes the known values of the nodes of a graph from the known values of fluents. Moves are unknown.
pub(crate) fn ternary(aig: &Aig, known: &[Option<bool>], values: &mut Vec<Option<bool>>) {
    values.clear();
    values.resize(aig.len(), None);
    let read = |values: &[Option<bool>], lit: Lit| values[lit.node()].map(|v| v != lit.is_inverted());
    for number in 0..aig.len() {
        values[number] = match aig.node(number) {
            Node::False => Some(false),
            Node::Fluent(f) => known[f as usize],
            Node::Set(_) => None,
            // The fixpoint of a region is not computed.
            Node::Latch(..) => None,
            Node::And(a, b) => match (read(values, a), read(values, b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
        };
    }
}

/// Returns for each fluent the value it has in every reachable state, if it never changes.
pub(crate) fn constants(circuit: &Circuit, initial: &[bool]) -> Vec<Option<bool>> {
    let mut known: Vec<Option<bool>> = initial.iter().map(|&b| Some(b)).collect();
    let mut values = Vec::new();
    let mut work = 0;
    loop {
        work += circuit.aig.len();
        if work > MAX_WORK {
            return vec![None; initial.len()];
        }
        ternary(&circuit.aig, &known, &mut values);
        let mut changed = false;
        for (fluent, &lit) in circuit.outputs.next.iter().enumerate() {
            let next = values[lit.node()].map(|v| v != lit.is_inverted());
            if known[fluent].is_some() && known[fluent] != next {
                known[fluent] = None;
                changed = true;
            }
        }
        if !changed {
            return known;
        }
    }
}
