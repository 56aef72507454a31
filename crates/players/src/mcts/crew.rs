//! Playouts on several threads.
//!
//! One thread owns the graph: it collects batches of leaves and takes in what
//! came of them. The crew plays them out meanwhile. Batches are taken in in the
//! order in which they were given out, and as many are under way as the size of
//! the crew says, so that results depend on that size and not on who was faster.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use game::{Deadline, Fault, Game, Outcomes, Playouts, Seed, Start};

use super::select::Path;

/// Leaves that are played out together.
pub(super) struct Batch<S> {
    pub paths: Vec<Path>,
    pub starts: Vec<Start<S>>,
    pub per_leaf: u32,
    pub first_index: u64,
    pub max_steps: u32,
    pub trace: bool,
    pub deadline: Deadline,
    /// How long its leaves were looked for.
    pub sought: Duration,
}

/// A batch and what came of it.
pub(super) struct Played<S> {
    pub batch: Batch<S>,
    pub outcomes: Result<Outcomes, Fault>,
    /// Time of the playouts alone.
    pub took: Duration,
}

impl<S> Batch<S> {
    /// Plays all leaves out.
    pub fn play<G: Game<State = S>>(self, game: &G, seed: Seed) -> Played<S>
    where
        S: Clone,
    {
        let began = Instant::now();
        let request = Playouts {
            first_index: self.first_index,
            max_steps: self.max_steps,
            trace: self.trace,
            deadline: self.deadline.clone(),
            ..Playouts::new(&self.starts, seed)
        };
        let outcomes = game.playouts(&request);
        Played { batch: self, outcomes, took: began.elapsed() }
    }
}

/// Threads that play batches out, as the thread that leads them sees them.
pub(super) struct Crew<S> {
    tasks: Sender<(u64, Batch<S>)>,
    results: Receiver<(u64, Option<Played<S>>)>,
    early: BTreeMap<u64, Option<Played<S>>>,
    given: u64,
    taken: u64,
}

impl<S> Crew<S> {
    /// Batches under way.
    pub fn busy(&self) -> u64 {
        self.given - self.taken
    }

    pub fn give(&mut self, batch: Batch<S>) {
        // A crew that is gone shows when its result is waited for.
        let _ = self.tasks.send((self.given, batch));
        self.given += 1;
    }

    /// Waits for the oldest batch.
    pub fn take(&mut self) -> Result<Played<S>, Fault> {
        let broken = || Fault::BadState("a playout broke down".to_string());
        while !self.early.contains_key(&self.taken) {
            let (number, played) = self.results.recv().map_err(|_| broken())?;
            self.early.insert(number, played);
        }
        let played = self.early.remove(&self.taken).flatten();
        self.taken += 1;
        played.ok_or_else(broken)
    }
}

/// Lets `lead` work with a crew of this size.
pub(super) fn with_crew<G: Game, R>(
    game: &G,
    seed: Seed,
    size: usize,
    lead: impl FnOnce(&mut Crew<G::State>) -> R,
) -> R {
    let (tasks, inbox) = channel::<(u64, Batch<G::State>)>();
    let (outbox, results) = channel();
    let inbox = Mutex::new(inbox);
    std::thread::scope(|scope| {
        for _ in 0..size {
            let (inbox, outbox) = (&inbox, outbox.clone());
            scope.spawn(move || {
                loop {
                    let task = match inbox.lock() {
                        Ok(inbox) => inbox.recv(),
                        Err(_) => return,
                    };
                    let Ok((number, batch)) = task else { return };
                    let played = catch_unwind(AssertUnwindSafe(|| batch.play(game, seed))).ok();
                    if outbox.send((number, played)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(outbox);
        let mut crew = Crew { tasks, results, early: BTreeMap::new(), given: 0, taken: 0 };
        let done = lead(&mut crew);
        // Without its sender the crew goes home.
        drop(crew);
        done
    })
}
