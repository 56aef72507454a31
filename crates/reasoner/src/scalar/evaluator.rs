//! Scratch memory: one evaluator for each thread and game.
//!
//! An evaluator belongs to the thread that queries, so that a query needs no atomic operation and finds the
//! state of the previous query. A thread keeps the evaluators of the games it queried last and drops the
//! others.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::values::{Events, Values};
use crate::lanes::{LaneState, Single};

/// The number of games whose evaluators a thread keeps.
const KEPT: usize = 4;

thread_local! {
    static OWN: RefCell<Vec<Evaluator>> = const { RefCell::new(Vec::new()) };
}

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

    /// Calls `question` with the evaluator of this thread.
    #[inline]
    pub fn with<T>(&self, question: impl FnOnce(&mut Evaluator) -> T) -> T {
        OWN.with(|own| {
            let mut list = own.borrow_mut();
            if list.first().is_none_or(|e| e.owner != self.0) {
                self.bring_forward(&mut list);
            }
            question(&mut list[0])
        })
    }

    #[cold]
    fn bring_forward(&self, list: &mut Vec<Evaluator>) {
        let own = match list.iter().position(|e| e.owner == self.0) {
            Some(place) => list.remove(place),
            None => Evaluator { owner: self.0, ..Evaluator::default() },
        };
        list.insert(0, own);
        list.truncate(KEPT);
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        // Other threads release their memory when they query other games, or end.
        let _ = OWN.try_with(|own| {
            if let Ok(mut list) = own.try_borrow_mut() {
                list.retain(|e| e.owner != self.0);
            }
        });
    }
}
