//! Scratch memory for questions about single states.
//!
//! An evaluator remembers the state of the previous question, so that only what differs is evaluated for the
//! next one. Whoever asks hands it in.

use std::sync::atomic::{AtomicU64, Ordering};

use super::values::{Events, Values};
use crate::lanes::{LaneState, Single};

/// What is known about the states queried last.
#[derive(Default)]
pub(crate) struct Evaluator {
    owner: u64,
    /// The values of each net, created on first use.
    pub values: Vec<Option<Values>>,
    /// The net that was queried last, and the index of its values.
    pub last: usize,
    pub slot: usize,
    /// The memory of the programs of lanes.
    pub single: Option<Single>,
    /// The state that they were last run for, if nets are used too.
    pub ran: Option<LaneState>,
    /// The number of fluents that differed from state to state, and the number of states.
    pub differed: (u64, u64),
}

impl Evaluator {
    /// Resets the counts of what states and moves change.
    pub fn count_anew(&mut self) {
        self.differed = (0, 0);
        self.values.iter_mut().flatten().for_each(|values| values.events = Events::default());
    }

    /// Returns the number of wires that flipped since the last reset.
    pub fn events(&self) -> Events {
        let mut all = Events::default();
        for values in self.values.iter().flatten() {
            all.entering += values.events.entering;
            all.moving += values.events.moving;
        }
        all
    }
}

/// The owner of evaluators.
pub(crate) struct Owner(u64);

impl Owner {
    /// Creates a unique owner.
    pub fn new() -> Owner {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Owner(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Makes an evaluator this owner's. What it knew about the states of another one is forgotten.
    #[inline]
    pub fn claim(&self, evaluator: &mut Evaluator) {
        if evaluator.owner != self.0 {
            *evaluator = Evaluator { owner: self.0, ..Evaluator::default() };
        }
    }
}
