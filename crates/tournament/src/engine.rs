//! The loop that plays matches: on all cores, each as soon as there is room for it.
//!
//! Everything that plays many matches goes through [`play_all`]; callers differ only in where
//! a match begins and in what they do with one that has ended.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use arena::{Ending, Event, Journal, MatchRecord, StepRecord, Watch};
use game::StopToken;

use super::plan::Planned;
use super::ready::Ready;
use super::replies::Replies;
use super::result::MatchResult;
use super::run::{Progress, RunError, RunOptions};
use super::tables::Tables;

/// What was played of a match before, and where the rest is written.
pub(super) struct Begun {
    pub past: Vec<StepRecord>,
    pub journal: Box<dyn Journal>,
}

/// A match that was played, or interrupted.
pub struct Played {
    /// Which match of the plan it is.
    pub planned: Planned,
    /// What came of it.
    pub record: MatchRecord,
    /// How long replies took, by seat.
    pub replies: Vec<Replies>,
}

/// Who is told of a run. Every method may be called from any thread.
pub trait Watcher: Sync {
    /// Tells how far the run has come, a few times a second.
    fn progress(&self, _progress: &Progress) {}

    /// Tells of a match that has ended, in this run or in an earlier one.
    fn finished(&self, _result: &MatchResult, _replies: &[Replies]) {}

    /// Whether [`Watcher::step`] is wanted; what is only for spectators is not worked out for nobody.
    fn wants_steps(&self) -> bool {
        false
    }

    /// Tells that the `count`-th step of a match was made; `worker` is the number of its thread.
    fn step(&self, _worker: usize, _planned: Planned, _count: usize, _step: &StepRecord) {}

    /// Tells that a thread has nothing left to play.
    fn rests(&self, _worker: usize) {}
}

/// Is told nothing.
pub struct Quiet;

impl Watcher for Quiet {}

/// Is told how far a run has come.
pub struct OnProgress<F>(pub F);

impl<F: Fn(&Progress) + Sync> Watcher for OnProgress<F> {
    fn progress(&self, progress: &Progress) {
        (self.0)(progress);
    }
}

/// Plays matches in order, as many at a time as fill the cores, until `done` says that it is
/// enough or the stop token is raised. `begin` opens a match, and `done` takes each one that has
/// ended. An error, or a thread that panics, ends the others too.
pub(super) fn play_all<E: From<RunError> + Send>(
    ready: &Ready,
    open: &[Planned],
    options: &RunOptions,
    watcher: &dyn Watcher,
    begin: &(dyn Fn(Planned) -> Result<Begun, E> + Sync),
    done: &(dyn Fn(Played) -> Result<ControlFlow<()>, E> + Sync),
) -> Result<(), E> {
    let tables = Tables::new(ready, open, options.jobs);
    let (next, enough) = (AtomicUsize::new(0), StopToken::default());
    let over = || options.stop.is_stopped() || enough.is_stopped();
    let play = |worker: usize, planned: Planned| -> Result<Option<Played>, E> {
        if over() {
            return Ok(None);
        }
        let Begun { past, mut journal } = begin(planned)?;
        let mut count = 0;
        let mut step = |event: Event<'_>| {
            if let Event::Step { step, .. } = event {
                count += 1;
                watcher.step(worker, planned, count, step);
            }
        };
        let watch: Watch<'_> = if watcher.wants_steps() { Some(&mut step) } else { None };
        let played = ready.play(planned, &past, &mut *journal, &options.stop, watch);
        played.map(Some).map_err(|error| E::from(RunError::from(error)))
    };
    let work = |worker: usize| -> Result<(), E> {
        while let Some(&planned) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
            if over() {
                break;
            }
            let Some(played) = tables.sit(planned, || play(worker, planned))? else { break };
            match &played.record.ending {
                Ending::Open => break,
                Ending::Interrupted { .. } if options.stop.is_stopped() => break,
                Ending::Interrupted { reason } => {
                    return Err(RunError::Match { number: planned.number, reason: reason.clone() }.into());
                }
                _ => {
                    if done(played)?.is_break() {
                        enough.stop();
                    }
                }
            }
        }
        watcher.rests(worker);
        Ok(())
    };
    let safe = |worker: usize| {
        let ended = catch_unwind(AssertUnwindSafe(|| work(worker)));
        let ended = ended.unwrap_or_else(|_| Err(RunError::Panicked.into()));
        if ended.is_err() {
            // The others need not go on.
            next.store(usize::MAX / 2, Ordering::Relaxed);
        }
        ended
    };
    let ended: Vec<Result<(), E>> = std::thread::scope(|scope| {
        let safe = &safe;
        let threads: Vec<_> = (0..tables.threads).map(|worker| scope.spawn(move || safe(worker))).collect();
        let broken = |_| Err(RunError::Panicked.into());
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(broken)).collect()
    });
    ended.into_iter().collect()
}
