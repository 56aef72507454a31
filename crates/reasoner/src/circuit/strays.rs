//! Proofs that what a sheet does not declare never comes about.
//!
//! Ground rules within declared bounds leave out what other fluents and moves
//! would lead to. That is right as long as no stray ever holds: not in a state
//! that is as the facts say, or, where it depends on the moves made, not with
//! legal moves while the match goes on. Facts and this are proven together, by
//! one induction over the steps of a match.

use super::facts::Facts;
use super::simulate::Simulation;
use super::window::{Made, Window};
use super::{Allowed, Circuit, Lit};
use crate::making::Stopped;

/// Nodes of a window.
const WINDOW: usize = 2_000;
/// Conflicts of one question.
const CONFLICTS: u32 = 300;
/// Literals looked at by all questions together, at most.
const WORK: u64 = 200_000_000;

/// Steps of sixty-four random games, at most, and nodes that are evaluated in them, about.
const STEPS: usize = 200;
const MOST_LOOKS: usize = 10_000_000;

/// The wires of strays.
#[derive(Debug, Clone, Default)]
pub(crate) struct StrayWires {
    /// Fluents that would come to hold.
    pub next: Vec<Lit>,
    /// Moves that would be legal.
    pub legal: Vec<Lit>,
}

impl StrayWires {
    /// Whether random games come to a stray: then there is nothing to prove.
    pub fn come_up(&self, circuit: &Circuit, initial: &[bool]) -> bool {
        let steps = STEPS.min(MOST_LOOKS / Simulation::cost(circuit));
        let mut games = Simulation::new(circuit, initial);
        for _ in 0..steps {
            let going_on = games.look();
            let held = |list: &[Lit]| list.iter().fold(0, |all, &lit| all | games.read(lit));
            if held(&self.legal) | held(&self.next) & going_on != 0 {
                return true;
            }
            if games.looks > MOST_LOOKS {
                break;
            }
            games.step(going_on);
        }
        false
    }
}

/// Whether no stray can ever hold.
pub(crate) fn never_hold(
    circuit: &Circuit,
    strays: &StrayWires,
    facts: &Facts,
    allowed: Allowed<'_>,
) -> Result<bool, Stopped> {
    let (aig, outputs) = (&circuit.aig, &circuit.outputs);
    let mut window = Window::default();
    let mut refute_all = |lits: &[Lit], made: Option<&Made>| {
        for &lit in lits.iter().filter(|&&lit| lit != Lit::FALSE) {
            allowed.look(aig.len())?;
            if window.solver.work > WORK {
                return Ok(false);
            }
            window.open(aig, facts, made, &[lit], WINDOW);
            if !window.refute(&[lit], CONFLICTS) {
                return Ok(false);
            }
        }
        Ok(true)
    };
    // A move can be legal, or seem so, also where the match is over.
    if !refute_all(&strays.legal, None)? {
        return Ok(false);
    }
    if strays.next.iter().all(|&lit| lit == Lit::FALSE) {
        return Ok(true);
    }
    let made = Made::new(aig, &outputs.legal, outputs.terminal);
    refute_all(&strays.next, Some(&made))
}
