//! The only place in this crate that reads the clock.
//!
//! What is measured is either reported ([`Figures`](crate::Figures),
//! [`RuleCost`](crate::RuleCost)), or it chooses among evaluators that give the
//! same answers: how many games share a block (`lanes/calibrate.rs`), when steps
//! are made in lanes (`lanes/steps.rs`), and how single states are evaluated
//! (`scalar/mod.rs`). Answers, facts and refusals do not depend on it: they
//! follow from counted work. Deadlines that are handed in ([`game::Deadline`])
//! only end things.

use std::time::{Duration, Instant};

/// Measures how long something takes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Begins to measure.
    pub fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    /// The time since it was started.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
