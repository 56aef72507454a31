//! Which states a net follows, and which it leaves to the programs of lanes.
//!
//! A net's cost grows with what differs from the state before, that of the
//! programs does not. How much may differ is reckoned from wires that turn over,
//! not from fluents: where the rules keep a history, making a move turns over
//! thousands of wires, and every state differs from the last in more fluents
//! the longer the history is, which is still little beside that.

use std::time::Duration;

use super::evaluator::Evaluator;

/// How far a net goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reach {
    /// States that differ in more fluents from those known are left to the programs.
    pub far: u32,
    /// States that differ in no more fluents may be of the same line of play.
    pub near: u32,
}

/// States that differ in fewer fluents are never far.
const LEAST_FAR: u32 = 6;
/// What a state may differ in from one that the programs were run for, as a part of
/// what is far: following that is cheap, so play may well go on there.
const NEAR_PART: u32 = 2;

impl Reach {
    /// No state is far.
    pub fn everywhere() -> Reach {
        Reach { far: u32::MAX, near: LEAST_FAR }
    }

    /// From the times of a step and from what a walk changed. Half of what the times of
    /// whole steps say is far, for a state that is jumped to is often only looked at;
    /// but never what a line of play may well change.
    pub fn of(evaluator: &Evaluator, programs: Duration, net: Duration) -> Reach {
        let (fluents, states) = evaluator.differed;
        let usual = fluents as f64 / states.max(1) as f64;
        let events = evaluator.events();
        // The part of the net's time that goes to states, not to moves.
        let entering = events.entering.max(1) as f64 / (events.entering + events.moving).max(1) as f64;
        let entering = net.as_secs_f64().max(1e-9) * entering;
        let break_even = usual * programs.as_secs_f64() / entering;
        let far = ((break_even / 2.0).max(4.0 * usual) as u32).max(LEAST_FAR);
        let near = ((2.0 * usual) as u32).max(LEAST_FAR).max(far / NEAR_PART);
        Reach { far, near }
    }
}
