//! Playing a plan, on all cores, from wherever it was left.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arena::{Ending, Journal, NoJournal, StepRecord};
use game::StopToken;
use statistics::Verdict;
use store::{Ledger, Member, Store, StoreError};

use super::plan::{Plan, PlanError, Planned};
use super::ready::Ready;
use super::result::{MatchResult, Results};
use super::sequence::Sequence;
use super::standing::Standings;
use super::tables::Tables;

/// At least this long between two reports of progress.
const PAUSE: Duration = Duration::from_millis(100);

/// Where matches are kept.
#[derive(Clone)]
pub enum Keep {
    /// Nowhere: what is interrupted begins again.
    Nothing,
    /// In a series of a store.
    Series(Arc<Store>, String),
}

/// How a plan is played.
#[derive(Clone)]
pub struct RunOptions {
    /// Cores that are used: matches played side by side, and more of them where only
    /// several together fill the lanes of a circuit.
    pub jobs: usize,
    /// Raised to interrupt it.
    pub stop: StopToken,
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions { jobs: cores(), stop: StopToken::default() }
    }
}

/// How far a run has come.
#[derive(Debug, Clone)]
pub struct Progress {
    /// Matches that have ended, those of earlier runs included.
    pub done: u64,
    /// Matches of the plan.
    pub total: u64,
    /// Matches a second, in this run.
    pub rate: f64,
    /// How long the rest will take at this rate.
    pub left: Option<Duration>,
    /// Who has won how much so far.
    pub standings: Standings,
    /// Where a sequential test stands.
    pub verdict: Option<Verdict>,
}

/// Why a run broke off.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// Matches could not be kept.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A match could not be played.
    #[error("Match {number} cannot go on: {reason}")]
    Match {
        /// Its number.
        number: u64,
        /// Why.
        reason: String,
    },
}

/// How many cores this machine has.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The series that keeps this plan: the one that was begun with it, or a new one.
pub fn series_of(store: &Store, plan: &Plan, fresh: bool) -> Result<String, StoreError> {
    let known = if fresh { None } else { series_with(store, plan)? };
    match known {
        Some(name) => Ok(name),
        None => store.begin_series(&plan.name, &serde_json::to_value(plan)?),
    }
}

/// The series that was begun with this plan, if there is one.
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

/// The plan of a series, where it is a tournament's.
pub fn plan_of_series(store: &Store, series: &str) -> Result<Option<Plan>, RunError> {
    let series = store.series(series)?;
    if !Plan::is_plan(&series.plan) {
        return Ok(None);
    }
    Ok(Some(Plan::from_value(&series.plan, &series.name)?))
}

/// Plays all matches of a plan that have not ended. What has been played when the
/// stop token is raised is kept, and the results say that they are not complete.
pub fn run(
    ready: &Ready,
    keep: &Keep,
    options: &RunOptions,
    progress: &(dyn Fn(&Progress) + Sync),
) -> Result<Results, RunError> {
    let plan = ready.plan();
    let matches = plan.matches();
    let shelf = Shelf::open(keep, plan, &matches)?;
    let mut desk = Desk::new(plan, matches.len(), progress);
    for result in shelf.done {
        desk.take(result);
    }
    desk.begin();
    let open: Vec<Planned> =
        matches.iter().filter(|planned| desk.results[planned.number as usize].is_none()).copied().collect();
    let desk = Mutex::new(desk);
    let tables = Tables::new(ready, &open, options.jobs);
    let next = AtomicUsize::new(0);
    // A sequential test that is over needs no more matches.
    let enough = StopToken::default();
    let work = || -> Result<(), RunError> {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(&planned) = open.get(at) else { return Ok(()) };
            if options.stop.is_stopped() || enough.is_stopped() {
                return Ok(());
            }
            let record = tables.sit(planned, || {
                if options.stop.is_stopped() || enough.is_stopped() {
                    return Ok(None);
                }
                let (past, mut journal) = shelf.begun.open(planned, ready)?;
                Ok::<_, RunError>(Some(ready.play(planned, &past, &mut *journal, &options.stop)?))
            })?;
            let Some(record) = record else { return Ok(()) };
            match (MatchResult::of(plan, planned, &record), record.ending) {
                (Some(result), _) => {
                    let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
                    desk.take(result);
                    if desk.is_decided() {
                        enough.stop();
                    }
                }
                (None, _) if options.stop.is_stopped() => return Ok(()),
                (None, Ending::Interrupted { reason }) => {
                    return Err(RunError::Match { number: planned.number, reason });
                }
                (None, _) => return Ok(()),
            }
        }
    };
    let safe = || {
        let broken = |_| RunError::Match { number: 0, reason: "a thread broke down.".to_string() };
        let done = catch_unwind(AssertUnwindSafe(work)).map_err(broken).and_then(|done| done);
        if done.is_err() {
            // The others need not go on.
            next.store(usize::MAX / 2, Ordering::Relaxed);
        }
        done
    };
    let ended: Vec<Result<(), RunError>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..tables.threads).map(|_| scope.spawn(safe)).collect();
        let broken = |_| Err(RunError::Match { number: 0, reason: "a thread broke down.".to_string() });
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(broken)).collect()
    });
    if let Some(ledger) = &shelf.begun.ledger {
        ledger.flush()?;
    }
    ended.into_iter().collect::<Result<(), RunError>>()?;
    let mut desk = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
    desk.tell(true);
    Ok(desk.finish())
}

/// What a store has of a run, and where it takes the rest.
struct Shelf {
    done: Vec<MatchResult>,
    begun: Begun,
}

struct Begun {
    ledger: Option<Arc<Ledger>>,
    store: Option<Arc<Store>>,
    members: BTreeMap<u64, Member>,
}

impl Shelf {
    fn open(keep: &Keep, plan: &Plan, matches: &[Planned]) -> Result<Shelf, RunError> {
        let Keep::Series(store, series) = keep else {
            let begun = Begun { ledger: None, store: None, members: BTreeMap::new() };
            return Ok(Shelf { done: Vec::new(), begun });
        };
        let mut done = Vec::new();
        store.each_finished(series, |number, record| {
            let planned = matches.get(number as usize);
            done.extend(planned.and_then(|planned| MatchResult::of(plan, *planned, &record)));
        })?;
        let members = store.members(series)?.into_iter().filter(|member| !member.finished);
        let members = members.map(|member| (member.number, member)).collect();
        let (ledger, store) = (Some(Ledger::new(store, series)), Some(Arc::clone(store)));
        Ok(Shelf { done, begun: Begun { ledger, store, members } })
    }
}

impl Begun {
    /// What was played of a match, and its journal.
    fn open(&self, planned: Planned, ready: &Ready) -> Result<(Vec<StepRecord>, Box<dyn Journal>), RunError> {
        let (Some(ledger), Some(store)) = (&self.ledger, &self.store) else {
            return Ok((Vec::new(), Box::new(NoJournal)));
        };
        match self.members.get(&planned.number) {
            None => {
                let sheet = Some(Arc::clone(ready.sheet(planned))).filter(|sheet| !sheet.is_empty());
                Ok((Vec::new(), Box::new(ledger.page(planned.number, sheet))))
            }
            Some(member) => {
                let past = store.steps(&member.key)?;
                Ok((past, Box::new(ledger.again(planned.number, &member.key)?)))
            }
        }
    }
}

/// Where results come in.
struct Desk<'a> {
    plan: &'a Plan,
    results: Vec<Option<MatchResult>>,
    standings: Standings,
    sequence: Option<Sequence>,
    done: u64,
    before: u64,
    began: Instant,
    told: Option<Instant>,
    progress: &'a (dyn Fn(&Progress) + Sync),
}

impl<'a> Desk<'a> {
    fn new(plan: &'a Plan, matches: usize, progress: &'a (dyn Fn(&Progress) + Sync)) -> Desk<'a> {
        Desk {
            plan,
            results: vec![None; matches],
            standings: Standings::new(plan),
            sequence: Sequence::new(plan),
            done: 0,
            before: 0,
            began: Instant::now(),
            told: None,
            progress,
        }
    }

    fn begin(&mut self) {
        (self.before, self.began) = (self.done, Instant::now());
        self.tell(true);
    }

    fn take(&mut self, result: MatchResult) {
        let Some(place) = self.results.get_mut(result.number as usize).filter(|place| place.is_none()) else {
            return;
        };
        self.standings.add(self.plan, &result);
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
        (self.progress)(&Progress { done: self.done, total, rate, left, standings, verdict });
    }

    fn finish(self) -> Results {
        Sequence::results(self.sequence.as_ref(), self.results)
    }
}
