//! Which states a net handles, and which are left to the programs of lanes.
//!
//! The cost of a net grows with the difference from the previous state, that of the programs does not. The
//! limit is estimated from the number of wires that flip, not from fluents: if the rules keep a history,
//! making a move flips thousands of wires. Each state then differs from the last in more fluents the longer
//! the history is, but their cost is still small compared with that of the move.

use std::time::Duration;

use super::evaluator::Evaluator;

/// How far from known states a net is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reach {
    /// States that differ from the known ones in more fluents are left to the programs.
    pub far: u32,
    /// States that differ in at most this many fluents may belong to the same line of play.
    pub near: u32,
}

/// States that differ in fewer fluents are never far.
const LEAST_FAR: u32 = 6;
/// States that differ from one that the programs were run for by at most `far` divided by this are near:
/// following them is cheap, and play may well continue there.
const NEAR_PART: u32 = 2;

impl Reach {
    /// Returns a reach for which no state is far.
    pub fn everywhere() -> Reach {
        Reach { far: u32::MAX, near: LEAST_FAR }
    }

    /// Computes the reach from the times of a step and from what a walk changed. Half of the break-even
    /// distance counts as far, because a state that is jumped to is often only evaluated once. A change that
    /// is usual within a line of play is never far.
    pub fn of(evaluator: &Evaluator, programs: Duration, net: Duration) -> Reach {
        let (fluents, states) = evaluator.differed;
        let usual = fluents as f64 / states.max(1) as f64;
        let events = evaluator.events();
        // The fraction of the net's time that is spent on states, not on moves.
        let entering = events.entering.max(1) as f64 / (events.entering + events.moving).max(1) as f64;
        let entering = net.as_secs_f64().max(1e-9) * entering;
        let break_even = usual * programs.as_secs_f64() / entering;
        let far = ((break_even / 2.0).max(4.0 * usual) as u32).max(LEAST_FAR);
        let near = ((2.0 * usual) as u32).max(LEAST_FAR).max(far / NEAR_PART);
        Reach { far, near }
    }
}
