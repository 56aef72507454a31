//! The loop that plays matches on all cores.
//!
//! Everything that plays many matches goes through [`play_all`]. Callers differ only in how a match begins
//! and in what they do with a finished one.

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

/// The steps that were already played of a match, and the journal for the rest.
pub(super) struct Begun {
    pub past: Vec<StepRecord>,
    pub journal: Box<dyn Journal>,
}

/// A match that was played, or interrupted.
pub struct Played {
    /// The match of the plan.
    pub planned: Planned,
    /// The record of the match.
    pub record: MatchRecord,
    /// How long replies took, by seat.
    pub replies: Vec<Replies>,
}

/// An observer of a run. Every method may be called from any thread.
pub trait Watcher: Sync {
    /// Reports the progress of the run, a few times a second.
    fn progress(&self, _progress: &Progress) {}

    /// Reports a match that has ended, in this run or in an earlier one.
    fn finished(&self, _result: &MatchResult, _replies: &[Replies]) {}

    /// Returns `true` if [`Watcher::step`] should be called. Otherwise what only spectators need is not
    /// computed.
    fn wants_steps(&self) -> bool {
        false
    }

    /// Reports the `count`-th step of a match. `worker` is the number of the thread.
    fn step(&self, _worker: usize, _planned: Planned, _count: usize, _step: &StepRecord) {}

    /// Reports that a thread has nothing left to play.
    fn rests(&self, _worker: usize) {}
}

/// A watcher that ignores everything.
pub struct Quiet;

impl Watcher for Quiet {}

/// A watcher that calls a function with the progress.
pub struct OnProgress<F>(pub F);

impl<F: Fn(&Progress) + Sync> Watcher for OnProgress<F> {
    fn progress(&self, progress: &Progress) {
        (self.0)(progress);
    }
}

/// Plays matches in order, as many at a time as fill the cores, until `done` breaks or the stop token is
/// raised. `begin` opens a match, and `done` takes each one that has ended. After an error or a panic, no
/// thread begins another match.
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
        // The run may have ended while the match waited for room.
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
            // The other threads find no further match to play.
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
