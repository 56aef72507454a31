//! Playing a plan on all cores, from wherever it was left.

use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use game::StopToken;
use statistics::Verdict;
use store::{Store, StoreError};

use super::engine::{Played, Watcher, play_all};
use super::kept::{Keep, Kept};
use super::plan::{Plan, PlanError, Planned};
use super::ready::Ready;
use super::replies::Replies;
use super::result::{MatchResult, Results};
use super::sequence::Sequence;
use super::standing::Standings;

/// The minimum time between two progress reports.
const PAUSE: Duration = Duration::from_millis(100);

/// How a plan is played.
#[derive(Clone)]
pub struct RunOptions {
    /// The number of cores to use. This many matches are played at the same time, and more if several
    /// together are needed to fill the lanes of a circuit.
    pub jobs: usize,
    /// Raised to interrupt the run.
    pub stop: StopToken,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions { jobs: cores(), stop: StopToken::default() }
    }
}

/// The progress of a run.
#[derive(Debug, Clone)]
pub struct Progress {
    /// The number of matches that have ended, including those of earlier runs.
    pub done: u64,
    /// The number of matches in the plan.
    pub total: u64,
    /// Matches per second, in this run.
    pub rate: f64,
    /// The estimated time for the rest.
    pub left: Option<Duration>,
    /// The standings so far.
    pub standings: Standings,
    /// The state of a sequential test.
    pub verdict: Option<Verdict>,
}

/// Why a run failed.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Matches could not be stored.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A match was interrupted by something other than the stop token.
    #[error("Match {number} was interrupted: {reason}")]
    Match {
        /// The number of the match.
        number: u64,
        /// The reason.
        reason: String,
    },
    /// A thread panicked.
    #[error("A match could not be played to its end.")]
    Panicked,
}

/// Returns the number of cores of this machine.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Returns the series that was begun with this plan, or begins a new one.
pub fn series_of(store: &Store, plan: &Plan, fresh: bool) -> Result<String, StoreError> {
    let known = if fresh { None } else { series_with(store, plan)? };
    match known {
        Some(name) => Ok(name),
        None => store.begin_series(&plan.name, &serde_json::to_value(plan)?),
    }
}

/// Returns the series that was begun with this plan, if there is one.
pub fn series_with(store: &Store, plan: &Plan) -> Result<Option<String>, StoreError> {
    let value = serde_json::to_value(plan)?;
    for number in 1u64.. {
        let name = if number == 1 { plan.name.clone() } else { format!("{}~{number}", plan.name) };
        match store.series_named(&name)? {
            None => break,
            Some(series) if series.plan == value => return Ok(Some(name)),
            Some(_) => {}
        }
    }
    Ok(None)
}

/// Returns the plan of a series, or `None` if it is not a tournament.
pub fn plan_of_series(store: &Store, series: &str) -> Result<Option<Plan>, RunError> {
    let series = store.series(series)?;
    if !Plan::is_plan(&series.plan) {
        return Ok(None);
    }
    Ok(Some(Plan::from_value(&series.plan, &series.name)?))
}

/// Plays all matches of a plan that have not ended. If the stop token is raised, what has been played so
/// far is kept, and the results are marked as incomplete.
pub fn run(
    ready: &Ready,
    keep: &Keep,
    options: &RunOptions,
    watcher: &dyn Watcher,
) -> Result<Results, RunError> {
    let plan = ready.plan();
    let matches = plan.matches();
    let mut desk = Desk::new(plan, matches.len(), watcher);
    let kept = Kept::open(keep, plan, &matches, |result, replies| desk.take(result, replies))?;
    desk.begin();
    let open: Vec<Planned> =
        matches.iter().filter(|planned| desk.results[planned.number as usize].is_none()).copied().collect();
    let desk = Mutex::new(desk);
    let begin = |planned: Planned| Ok(kept.begin(planned, ready.sheet(planned))?);
    let done = |played: Played| {
        let Some(result) = MatchResult::of(plan, played.planned, &played.record) else {
            return Ok(ControlFlow::Continue(()));
        };
        let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
        desk.take(result, &played.replies);
        Ok(if desk.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let played = play_all::<RunError>(ready, &open, options, watcher, &begin, &done);
    kept.flush()?;
    played?;
    let mut desk = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    desk.tell(true);
    Ok(desk.finish())
}

/// Collects results and reports progress.
struct Desk<'a> {
    plan: &'a Plan,
    results: Vec<Option<MatchResult>>,
    standings: Standings,
    sequence: Option<Sequence>,
    done: u64,
    before: u64,
    began: Instant,
    told: Option<Instant>,
    watcher: &'a dyn Watcher,
}

impl<'a> Desk<'a> {
    fn new(plan: &'a Plan, matches: usize, watcher: &'a dyn Watcher) -> Desk<'a> {
        Desk {
            plan,
            results: vec![None; matches],
            standings: Standings::new(plan),
            sequence: Sequence::new(plan),
            done: 0,
            before: 0,
            began: Instant::now(),
            told: None,
            watcher,
        }
    }

    fn begin(&mut self) {
        (self.before, self.began) = (self.done, Instant::now());
        self.tell(true);
    }

    fn take(&mut self, result: MatchResult, replies: &[Replies]) {
        let Some(place) = self.results.get_mut(result.number as usize).filter(|place| place.is_none()) else {
            return;
        };
        self.standings.add(self.plan, &result);
        self.watcher.finished(&result, replies);
        *place = Some(result);
        self.done += 1;
        if let Some(sequence) = &mut self.sequence {
            sequence.look(self.plan, &self.results);
        }
        self.tell(false);
    }

    fn is_decided(&self) -> bool {
        self.sequence.as_ref().is_some_and(Sequence::is_decided)
    }

    fn tell(&mut self, now: bool) {
        if !now && (self.told.is_none() || self.told.is_some_and(|told| told.elapsed() < PAUSE)) {
            return;
        }
        self.told = Some(Instant::now());
        let seconds = self.began.elapsed().as_secs_f64();
        let rate = if seconds > 0.0 { (self.done - self.before) as f64 / seconds } else { 0.0 };
        let total = self.results.len() as u64;
        let left = (rate > 0.0)
            .then(|| Duration::try_from_secs_f64((total - self.done) as f64 / rate).ok())
            .flatten();
        let verdict = self.sequence.as_ref().map(Sequence::verdict);
        let standings = self.standings.clone();
        self.watcher.progress(&Progress { done: self.done, total, rate, left, standings, verdict });
    }

    fn finish(self) -> Results {
        Sequence::results(self.sequence.as_ref(), self.results)
    }
}
