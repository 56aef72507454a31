//! Playouts on several threads.
//!
//! One thread owns the graph: it collects batches of leaves and takes in what
//! came of them. The crew plays them out meanwhile. Batches are taken in in the
//! order in which they were given out, and as many are under way as the size of
//! the crew says, so that results depend on that size and not on who was faster.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread::Builder;
use std::time::{Duration, Instant};

use game::{Deadline, Fault, Game, Outcomes, Playouts, Seed, Start};

use super::select::Path;

/// How long the leader waits before it looks whether it is to stop.
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
    /// How long its leaves were looked for.
    pub sought: Duration,
}

/// A batch and what came of it.
pub(super) struct Played<S> {
    pub batch: Batch<S>,
    pub outcomes: Result<Outcomes, Fault>,
    /// Time of the playouts alone.
    pub took: Duration,
    /// Whether time may have cut playouts short.
    pub stopped: bool,
}

/// A batch with its number.
type Task<S> = (u64, Batch<S>);

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
            stop: self.stop.clone(),
            ..Playouts::new(&self.starts, seed)
        };
        let outcomes = game.playouts(&request);
        let stopped = self.stop.is_over();
        Played { batch: self, outcomes, took: began.elapsed(), stopped }
    }
}

/// Threads that play batches out, as the thread that leads them sees them.
///
/// They stay from move to move: when time is up the leader answers without what
/// is still under way, and takes it in during its next move.
pub(super) struct Crew<S> {
    tasks: Sender<Task<S>>,
    results: Receiver<(u64, Option<Played<S>>)>,
    early: BTreeMap<u64, Option<Played<S>>>,
    given: u64,
    taken: u64,
}

impl<S: Send + Clone + 'static> Crew<S> {
    /// So many threads, or as many as there are to be had, but one at least.
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
                Err(error) if number == 0 => return Err(Fault::Budget(format!("no thread: {error}"))),
                _ => {}
            }
        }
        Ok(Crew { tasks, results, early: BTreeMap::new(), given: 0, taken: 0 })
    }

    /// Batches under way.
    pub fn busy(&self) -> u64 {
        self.given - self.taken
    }

    pub fn give(&mut self, batch: Batch<S>) {
        // A crew that is gone shows when its result is waited for.
        let _ = self.tasks.send((self.given, batch));
        self.given += 1;
    }

    /// Waits for the oldest batch; none if it is not there in time.
    pub fn take(&mut self, until: &Deadline) -> Result<Option<Played<S>>, Fault> {
        let broken = || Fault::BadState("a playout broke down".to_string());
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

/// Plays batches out until there is nobody to give any.
fn work<G: Game>(
    game: &G,
    seed: Seed,
    inbox: &Mutex<Receiver<Task<G::State>>>,
    outbox: &Sender<(u64, Option<Played<G::State>>)>,
) {
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
}
