//! Scratch memory: one evaluator for each thread and game.
//!
//! An evaluator stays with the thread that asks, so that a question costs no
//! atomic operation and finds the state it was asked about last. A thread keeps
//! the evaluators of the games it asked last and forgets the others.

use std::cell::RefCell;
use std::sync::atomic::{AtomicU64, Ordering};

use super::values::{Events, Values};
use crate::lanes::{LaneState, Single};

/// Games whose evaluators a thread keeps.
const KEPT: usize = 4;

thread_local! {
    static OWN: RefCell<Vec<Evaluator>> = const { RefCell::new(Vec::new()) };
}

/// What is known about the states asked about last.
#[derive(Default)]
pub(crate) struct Evaluator {
    owner: u64,
    /// Values for each net, made when first needed.
    pub values: Vec<Option<Values>>,
    /// The net that was asked last, and which values are its own.
    pub last: usize,
    pub slot: usize,
    /// Memory of the programs of lanes.
    pub single: Option<Single>,
    /// The state that they were run for last, where nets are used too.
    pub ran: Option<LaneState>,
    /// Fluents that differed from state to state, and how many states there were.
    pub differed: (u64, u64),
}

impl Evaluator {
    /// Counts from here on what states and moves change.
    pub fn count_anew(&mut self) {
        self.differed = (0, 0);
        self.values.iter_mut().flatten().for_each(|values| values.events = Events::default());
    }

    /// What turned over since then.
    pub fn events(&self) -> Events {
        let mut all = Events::default();
        for values in self.values.iter().flatten() {
            all.entering += values.events.entering;
            all.moving += values.events.moving;
        }
        all
    }
}

/// Whose evaluators they are.
pub(crate) struct Owner(u64);

impl Owner {
    /// One that no other equals.
    pub fn new() -> Owner {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        Owner(NEXT.fetch_add(1, Ordering::Relaxed))
    }

    /// Lends this thread's evaluator.
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
        // The memory of other threads goes when they ask about other games, or end.
        let _ = OWN.try_with(|own| {
            if let Ok(mut list) = own.try_borrow_mut() {
                list.retain(|e| e.owner != self.0);
            }
        });
    }
}
