//! Fluents that never change.
//!
//! Ternary simulation from the initial state: a fluent keeps its known value as
//! long as the next state gives it that value whatever the unknown ones are.

use super::{Aig, Circuit, Lit, Node};

/// Gate evaluations after which the search for constants gives up.
const MAX_WORK: usize = 400_000_000;

/// Known values of the nodes of a graph, given known values of fluents; moves are unknown.
pub(crate) fn ternary(aig: &Aig, known: &[Option<bool>], values: &mut Vec<Option<bool>>) {
    values.clear();
    values.resize(aig.len(), None);
    let read = |values: &[Option<bool>], lit: Lit| values[lit.node()].map(|v| v != lit.is_inverted());
    for number in 0..aig.len() {
        values[number] = match aig.node(number) {
            Node::False => Some(false),
            Node::Fluent(f) => known[f as usize],
            Node::Set(_) => None,
            // What a region comes to is not looked into.
            Node::Latch(..) => None,
            Node::And(a, b) => match (read(values, a), read(values, b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
        };
    }
}

/// For each fluent the value it has in every reachable state, if there is one.
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
