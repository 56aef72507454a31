//! The only place in this crate that reads the clock.
//!
//! Measured times are either reported ([`Figures`](crate::Figures), [`RuleCost`](crate::RuleCost)), or choose
//! among evaluators that give the same answers: how many games share a block (`lanes/calibrate.rs`), when
//! steps are made in lanes (`lanes/steps.rs`), and how single states are evaluated (`scalar/mod.rs`).
//! Answers, facts and refusals do not depend on time: they follow from counted work. Deadlines that are
//! handed in ([`game::Deadline`]) only abort computations.

use std::time::{Duration, Instant};

/// Measures elapsed time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stopwatch(Instant);

impl Stopwatch {
    /// Starts to measure.
    pub fn start() -> Stopwatch {
        Stopwatch(Instant::now())
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
