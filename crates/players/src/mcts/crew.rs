//! Playouts on several threads.
//!
//! One thread owns the graph: it collects batches of leaves and processes their results, while the crew plays
//! them out. Batches are processed in the order in which they were submitted, and the number in progress
//! depends on the size of the crew, so that results depend on that size and not on which thread was faster.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::{Duration, Instant};

use game::{Deadline, Fault, Game, Outcomes, Playouts, Seed, Start};

use super::select::Path;

/// How long the leader waits before it checks whether to stop.
const LOOK: Duration = Duration::from_millis(2);

/// Leaves that are played out together.
pub(super) struct Batch<S> {
    pub paths: Vec<Path>,
    pub starts: Vec<Start<S>>,
    pub per_leaf: u32,
    pub first_index: u64,
    pub max_steps: u32,
    pub trace: bool,
    pub deadline: Deadline,
    pub stop: Deadline,
    /// The time it took to collect its leaves.
    pub sought: Duration,
}

/// A batch and its results.
pub(super) struct Played<S> {
    pub batch: Batch<S>,
    pub outcomes: Result<Outcomes, Fault>,
    /// The time of the playouts alone.
    pub took: Duration,
    /// Whether the deadline may have cut playouts short.
    pub stopped: bool,
}

/// A batch with its number.
type Task<S> = (u64, Batch<S>);

impl<S> Batch<S> {
    /// Plays out all leaves.
    pub fn play<G: Game<State = S>>(self, game: &G, scratch: &mut G::Scratch, seed: Seed) -> Played<S>
    where
        S: Clone,
    {
        let began = Instant::now();
        let request = Playouts {
            first_index: self.first_index,
            max_steps: self.max_steps,
            trace: self.trace,
            deadline: self.deadline.clone(),
            stop: self.stop.clone(),
            ..Playouts::new(&self.starts, seed)
        };
        let outcomes = game.playouts(scratch, &request);
        let stopped = self.stop.is_over();
        Played { batch: self, outcomes, took: began.elapsed(), stopped }
    }
}

/// Threads that play out batches, as seen by the thread that leads them.
///
/// They persist from move to move: when time is up, the leader answers without the batches still in progress,
/// and processes them during its next move.
pub(super) struct Crew<S> {
    tasks: Sender<Task<S>>,
    results: Receiver<(u64, Option<Played<S>>)>,
    early: BTreeMap<u64, Option<Played<S>>>,
    given: u64,
    taken: u64,
}

impl<S: Send + Clone + 'static> Crew<S> {
    /// Starts this many threads, or as many as possible. Fails if not even one can be started.
    pub fn new<G>(game: &Arc<G>, seed: Seed, size: usize) -> Result<Crew<S>, Fault>
    where
        G: Game<State = S> + 'static,
    {
        let (tasks, inbox) = channel();
        let (outbox, results) = channel();
        let inbox = Arc::new(Mutex::new(inbox));
        for number in 0..size {
            let (game, inbox, outbox) = (Arc::clone(game), Arc::clone(&inbox), outbox.clone());
            let thread = Builder::new().name(format!("playouts-{number}"));
            match thread.spawn(move || work(&*game, seed, &inbox, &outbox)) {
                Err(error) if number == 0 => {
                    return Err(Fault::Budget(format!("cannot start a thread: {error}")));
                }
                _ => {}
            }
        }
        Ok(Crew { tasks, results, early: BTreeMap::new(), given: 0, taken: 0 })
    }

    /// Returns the number of batches in progress.
    pub fn busy(&self) -> u64 {
        self.given - self.taken
    }

    pub fn give(&mut self, batch: Batch<S>) {
        // A failed send is detected when the result is awaited.
        let _ = self.tasks.send((self.given, batch));
        self.given += 1;
    }

    /// Waits for the oldest batch. Returns `None` if it is not finished in time.
    pub fn take(&mut self, until: &Deadline) -> Result<Option<Played<S>>, Fault> {
        let broken = || Fault::BadState("a playout thread failed".to_string());
        while !self.early.contains_key(&self.taken) {
            let patience = until.remaining().map_or(LOOK, |left| left.min(LOOK));
            match self.results.recv_timeout(patience) {
                Ok((number, played)) => drop(self.early.insert(number, played)),
                Err(RecvTimeoutError::Disconnected) => return Err(broken()),
                Err(RecvTimeoutError::Timeout) if until.is_over() => return Ok(None),
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let played = self.early.remove(&self.taken).flatten();
        self.taken += 1;
        played.map(Some).ok_or_else(broken)
    }
}

/// Plays out batches until the leader is gone.
fn work<G: Game>(
    game: &G,
    seed: Seed,
    inbox: &Mutex<Receiver<Task<G::State>>>,
    outbox: &Sender<(u64, Option<Played<G::State>>)>,
) {
    let mut scratch = game.scratch();
    loop {
        let task = match inbox.lock() {
            Ok(inbox) => inbox.recv(),
            Err(_) => return,
        };
        let Ok((number, batch)) = task else { return };
        let played = catch_unwind(AssertUnwindSafe(|| batch.play(game, &mut scratch, seed))).ok();
        if outbox.send((number, played)).is_err() {
            return;
        }
    }
}
