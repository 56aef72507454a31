//! A series in the store: the matches already played, and where to continue.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use arena::{Journal, MatchRecord, NoJournal, StepRecord};
use store::{Book, Entry, Ledger, Member, Store, StoreError};

use super::engine::Begun;
use super::match_spec::MatchSpec;
use super::plan::{Plan, Planned};
use super::replies::Replies;
use super::result::MatchResult;

/// Where matches are stored.
#[derive(Clone)]
pub enum Keep {
    /// Nowhere; an interrupted run starts over.
    Nothing,
    /// In a series of a store.
    Series(Arc<Store>, String),
}

/// Why a series cannot be continued.
#[derive(Debug, thiserror::Error)]
pub enum KeptError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The rules have changed since its matches were played.
    #[error("The rules of {game} have changed since {series} was begun, so it cannot be continued.")]
    RulesChanged {
        /// The game.
        game: String,
        /// The series.
        series: String,
    },
}

/// A match that is a series of its own.
pub struct Single {
    /// The steps that were already made.
    pub past: Vec<StepRecord>,
    /// Where its steps are written, each at once.
    pub journal: Box<dyn Journal>,
    /// The record, if the match has already ended.
    pub done: Option<MatchRecord>,
}

impl Keep {
    /// Begins a series under this name, or a similar one if it is taken.
    pub fn begin(store: Arc<Store>, name: &str, spec: &MatchSpec) -> Result<Keep, StoreError> {
        let series = store.begin_series(name, &serde_json::to_value(spec)?)?;
        Ok(Keep::Series(store, series))
    }

    /// Continues a series of matches. Fails if its first match was played by a different rule sheet.
    pub fn resume(store: Arc<Store>, series: &str, game: &str, sheet: &str) -> Result<Keep, KeptError> {
        if let Some(member) = store.members(series)?.first()
            && store.kept(&member.key)?.sheet.is_some_and(|kept| kept != sheet)
        {
            return Err(KeptError::RulesChanged { game: game.to_string(), series: series.to_string() });
        }
        Ok(Keep::Series(store, series.to_string()))
    }

    /// Returns the name of the series by which it can be resumed, if there is one and its store outlives the
    /// program.
    pub fn series(&self) -> Option<&str> {
        match self {
            Keep::Series(store, series) if store.lasts() => Some(series),
            Keep::Nothing | Keep::Series(..) => None,
        }
    }

    /// Returns the only match of a series.
    pub fn single(&self, sheet: &Arc<str>) -> Result<Single, StoreError> {
        let Keep::Series(store, series) = self else {
            return Ok(Single { past: Vec::new(), journal: Box::new(NoJournal), done: None });
        };
        let Some(member) = store.members(series)?.into_iter().find(|member| member.number == 0) else {
            let entry = Entry { series: Some((series.clone(), 0)), sheet: Some(Arc::clone(sheet)) };
            return Ok(Single { past: Vec::new(), journal: Box::new(Book::new(store, entry)), done: None });
        };
        let done = member.finished.then(|| store.kept(&member.key)).transpose()?.map(|kept| kept.record);
        let journal = Box::new(Book::again(store, &member.key)?);
        Ok(Single { past: store.steps(&member.key)?, journal, done })
    }
}

/// The stored part of a run, and where the rest is written.
pub(super) struct Kept {
    /// The store and its ledger; `None` if nothing is stored.
    place: Option<(Arc<Store>, Arc<Ledger>)>,
    /// The matches that have begun but not ended, by number.
    begun: BTreeMap<u64, Member>,
}

impl Kept {
    /// Opens a series, and calls `show` with each match that has ended.
    pub fn open(
        keep: &Keep,
        plan: &Plan,
        matches: &[Planned],
        mut show: impl FnMut(MatchResult, &[Replies]),
    ) -> Result<Kept, StoreError> {
        let Keep::Series(store, series) = keep else {
            return Ok(Kept { place: None, begun: BTreeMap::new() });
        };
        store.each_finished(series, |number, record| {
            let Some(planned) = matches.get(number as usize) else { return };
            if let Some(result) = MatchResult::of(plan, *planned, &record) {
                show(result, &replies(plan, *planned, &record));
            }
        })?;
        let members = store.members(series)?.into_iter().filter(|member| !member.finished);
        let begun = members.map(|member| (member.number, member)).collect();
        Ok(Kept { place: Some((Arc::clone(store), Ledger::new(store, series))), begun })
    }

    /// Returns the steps already made of a match that has not ended, and its journal.
    pub fn begin(&self, planned: Planned, sheet: &Arc<str>) -> Result<Begun, StoreError> {
        let Some((store, ledger)) = &self.place else {
            return Ok(Begun { past: Vec::new(), journal: Box::new(NoJournal) });
        };
        match self.begun.get(&planned.number) {
            None => {
                let sheet = Some(Arc::clone(sheet)).filter(|sheet| !sheet.is_empty());
                let journal = Box::new(ledger.page(planned.number, sheet));
                Ok(Begun { past: Vec::new(), journal })
            }
            Some(member) => {
                let past = store.steps(&member.key)?;
                Ok(Begun { past, journal: Box::new(ledger.again(planned.number, &member.key)?) })
            }
        }
    }

    /// Writes everything that is not written yet.
    pub fn flush(&self) -> Result<(), StoreError> {
        self.place.as_ref().map_or(Ok(()), |(_, ledger)| ledger.flush())
    }
}

/// Returns how long replies took in a stored match, by seat.
fn replies(plan: &Plan, planned: Planned, record: &MatchRecord) -> Vec<Replies> {
    let cell = &plan.cells[planned.cell];
    let play_clock = Duration::from_millis(plan.budgets[cell.budget].play_clock);
    let seats = plan.games[cell.game].seats().into_iter();
    seats.map(|role| Replies::of(record, role, play_clock)).collect()
}
