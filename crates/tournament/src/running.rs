//! A tournament in the background, for programs that do other things meanwhile.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use arena::StepRecord;
use game::StopToken;

use super::engine::Watcher;
use super::kept::Keep;
use super::plan::Planned;
use super::ready::Ready;
use super::replies::Replies;
use super::result::{MatchResult, Results};
use super::run::{Progress, RunError, RunOptions, run};

/// A tournament that is being played.
pub struct Running {
    stop: StopToken,
    latest: Arc<Mutex<Option<Progress>>>,
    thread: JoinHandle<Result<Results, RunError>>,
}

/// Starts playing a plan. The watcher gets progress reports a few times a second.
pub fn start(
    ready: Arc<Ready>,
    keep: Keep,
    options: RunOptions,
    watcher: impl Watcher + Send + 'static,
) -> Running {
    let stop = options.stop.clone();
    let latest: Arc<Mutex<Option<Progress>>> = Arc::default();
    let kept = Arc::clone(&latest);
    let thread = std::thread::spawn(move || run(&ready, &keep, &options, &Latest { kept, watcher }));
    Running { stop, latest, thread }
}

/// Keeps the latest progress, and forwards everything to another watcher.
struct Latest<W> {
    kept: Arc<Mutex<Option<Progress>>>,
    watcher: W,
}

impl<W: Watcher> Watcher for Latest<W> {
    fn progress(&self, progress: &Progress) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(progress.clone());
        self.watcher.progress(progress);
    }

    fn finished(&self, result: &MatchResult, replies: &[Replies]) {
        self.watcher.finished(result, replies);
    }

    fn wants_steps(&self) -> bool {
        self.watcher.wants_steps()
    }

    fn step(&self, worker: usize, planned: Planned, count: usize, step: &StepRecord) {
        self.watcher.step(worker, planned, count, step);
    }

    fn rests(&self, worker: usize) {
        self.watcher.rests(worker);
    }
}

impl Running {
    /// Returns the latest progress, or `None` before the first report.
    pub fn progress(&self) -> Option<Progress> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Interrupts it. Matches in progress finish their move and can be continued later.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Returns `true` if nothing is being played any more.
    pub fn is_over(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits until it is over.
    pub fn wait(self) -> Result<Results, RunError> {
        self.thread.join().unwrap_or(Err(RunError::Panicked))
    }
}
