//! Proofs that undeclared fluents and moves never come up.
//!
//! Grounding within declared bounds leaves out the consequences of all other fluents and moves. That is
//! correct as long as no stray ever holds: a stray that depends on the state alone must not hold in any state
//! that satisfies the facts, and one that depends on the moves must not hold after legal moves in a state
//! that is not terminal. The facts and this are proven together, by one induction over the steps of a match.

use super::facts::Facts;
use super::simulate::Simulation;
use super::window::{Made, Window};
use super::{Allowed, Circuit, Lit};
use crate::making::Stopped;

/// The maximum number of nodes of a window.
const WINDOW: usize = 2_000;
/// The maximum number of conflicts of one query.
const CONFLICTS: u32 = 300;
/// The maximum number of literals that all queries together may visit.
const WORK: u64 = 200_000_000;

/// The maximum number of steps of sixty-four random games, and the approximate number of nodes evaluated in
/// them.
const STEPS: usize = 200;
const MOST_LOOKS: usize = 10_000_000;

/// The wires of strays.
#[derive(Debug, Clone, Default)]
pub(crate) struct StrayWires {
    /// Fluents that would hold next.
    pub next: Vec<Lit>,
    /// Moves that would be legal.
    pub legal: Vec<Lit>,
}

impl StrayWires {
    /// Returns `true` if a stray comes up in random games, so that no proof is possible.
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

/// Returns `true` if it is proven that no stray ever holds.
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
    // A move can be legal, or appear to be, even in a terminal state.
    if !refute_all(&strays.legal, None)? {
        return Ok(false);
    }
    if strays.next.iter().all(|&lit| lit == Lit::FALSE) {
        return Ok(true);
    }
    let made = Made::new(aig, &outputs.legal, outputs.terminal);
    refute_all(&strays.next, Some(&made))
}
