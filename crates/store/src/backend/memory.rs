//! A store in memory, which lasts as long as it is open.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arena::{End, MatchRecord, StepRecord};

use super::{Absent, Backend, Opened};
use crate::batch::{Change, Opening, created, free_name};
use crate::error::StoreError;
use crate::history::{Query, Summary};
use crate::series::{Member, Series};

/// The path that stands for a store in memory.
pub(super) const PATH: &str = ":memory:";

/// A store in memory.
#[derive(Default)]
struct Memory {
    contents: Mutex<Contents>,
}

/// Opens an empty store.
pub(super) fn open(absent: Absent) -> Result<Box<dyn Backend>, StoreError> {
    match absent {
        Absent::Create => Ok(Box::new(Memory::default())),
        Absent::Refuse => {
            let cause = "a store in memory is empty when a program starts".to_string();
            Err(StoreError::Open { place: PATH.to_string(), cause })
        }
    }
}

#[derive(Default)]
struct Contents {
    series: BTreeMap<String, Series>,
    /// In the order in which they were appended. The maps below hold places in this list.
    matches: Vec<Match>,
    by_key: BTreeMap<String, usize>,
    by_id: BTreeMap<String, Vec<usize>>,
    by_number: BTreeMap<(String, u64), usize>,
    /// The rule sheets, each only once.
    sheets: BTreeSet<Arc<str>>,
}

struct Match {
    key: String,
    opening: MatchRecord,
    series: Option<(String, u64)>,
    sheet: Option<Arc<str>>,
    steps: BTreeMap<usize, StepRecord>,
    end: Option<End>,
}

impl Memory {
    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Backend for Memory {
    fn append(&self, batch: &[Change<'_>]) -> Result<Vec<String>, StoreError> {
        let mut contents = self.contents();
        let mut begun = Vec::new();
        for (done, change) in batch.iter().enumerate() {
            if let Err(error) = contents.apply(*change, &mut begun) {
                contents.undo(&batch[..done], begun);
                return Err(error);
            }
        }
        Ok(begun)
    }

    fn matches(&self, query: &Query) -> Result<Vec<Summary>, StoreError> {
        let contents = self.contents();
        let selected = contents.matches.iter().rev().filter(|one| one.is_selected(query));
        let mut list: Vec<Summary> =
            selected.take(query.limit.unwrap_or(usize::MAX)).map(Match::summary).collect();
        list.reverse();
        Ok(list)
    }

    fn keys_of(&self, match_id: &str) -> Result<Vec<String>, StoreError> {
        let contents = self.contents();
        let places = contents.by_id.get(match_id).into_iter().flatten();
        Ok(places.map(|&place| contents.matches[place].key.clone()).collect())
    }

    fn keys_like(&self, beginning: &str, most: usize) -> Result<Vec<String>, StoreError> {
        let contents = self.contents();
        let keys = contents.by_key.range(beginning.to_string()..).map(|(key, _)| key);
        Ok(keys.take_while(|key| key.starts_with(beginning)).take(most).cloned().collect())
    }

    fn opened(&self, key: &str) -> Result<Opened, StoreError> {
        let contents = self.contents();
        let found = contents.with_key(key)?;
        let (record, series, end) = (found.opening.clone(), found.series.clone(), found.end.clone());
        Ok(Opened { record, series, end })
    }

    fn steps(&self, key: &str) -> Result<Vec<StepRecord>, StoreError> {
        Ok(self.contents().with_key(key)?.steps.values().cloned().collect())
    }

    fn sheet(&self, key: &str) -> Result<Option<String>, StoreError> {
        Ok(self.contents().with_key(key)?.sheet.as_deref().map(str::to_string))
    }

    fn series(&self, name: &str) -> Result<Series, StoreError> {
        self.contents().series.get(name).cloned().ok_or_else(|| unknown(name))
    }

    fn series_like(&self, beginning: &str) -> Result<Vec<Series>, StoreError> {
        let contents = self.contents();
        let mut list: Vec<Series> =
            contents.series.values().filter(|series| series.name.starts_with(beginning)).cloned().collect();
        // The order of names is kept where the rest is the same.
        list.sort_by_key(|series| (series.created, series.name.chars().count()));
        Ok(list)
    }

    fn members(&self, series: &str) -> Result<Vec<Member>, StoreError> {
        let contents = self.contents();
        let numbers = (series.to_string(), 0)..=(series.to_string(), u64::MAX);
        let member = |((_, number), &place): (&(String, u64), &usize)| {
            let found = &contents.matches[place];
            Member { number: *number, key: found.key.clone(), finished: found.end.is_some() }
        };
        Ok(contents.by_number.range(numbers).map(member).collect())
    }
}

impl Contents {
    /// Makes one change, or fails and changes nothing.
    fn apply(&mut self, change: Change<'_>, begun: &mut Vec<String>) -> Result<(), StoreError> {
        match change {
            Change::Series(series) => {
                let name = free_name(&series.name, |name| Ok(self.series.contains_key(name)))?;
                self.series.insert(name.clone(), Series { name: name.clone(), ..series.clone() });
                begun.push(name);
            }
            Change::Open(opening) => begun.push(self.begin(opening)?),
            Change::Step(of, number, step) => {
                let key = of.key(begun);
                let steps = &mut self.with_key_mut(key)?.steps;
                if steps.contains_key(&number) {
                    return Err(StoreError::Taken { what: format!("step {number} of `{key}`") });
                }
                steps.insert(number, step.clone());
            }
            Change::End(of, close) => {
                let key = of.key(begun);
                let end = &mut self.with_key_mut(key)?.end;
                if end.is_some() {
                    return Err(StoreError::Taken { what: format!("the end of `{key}`") });
                }
                *end = Some(close.end.clone());
            }
        }
        Ok(())
    }

    fn begin(&mut self, opening: &Opening) -> Result<String, StoreError> {
        let (record, entry) = (&opening.record, &opening.entry);
        let place = self.matches.len();
        if let Some((name, at)) = &entry.series {
            if !self.series.contains_key(name) {
                return Err(unknown(name));
            }
            if self.by_number.contains_key(&(name.clone(), *at)) {
                return Err(StoreError::Taken { what: format!("match {at} of series `{name}`") });
            }
            self.by_number.insert((name.clone(), *at), place);
        }
        let key = free_name(&record.match_id, |key| Ok(self.by_key.contains_key(key)))?;
        self.by_key.insert(key.clone(), place);
        self.by_id.entry(record.match_id.clone()).or_default().push(place);
        let sheet = entry.sheet.as_ref().map(|text| self.shared(text));
        self.matches.push(Match {
            key: key.clone(),
            opening: record.clone(),
            series: entry.series.clone(),
            sheet,
            steps: BTreeMap::new(),
            end: None,
        });
        Ok(key)
    }

    /// Takes back the changes of a batch that failed later on, the last one first.
    fn undo(&mut self, changes: &[Change<'_>], mut begun: Vec<String>) {
        for change in changes.iter().rev() {
            match *change {
                Change::Series(_) => {
                    begun.pop().and_then(|name| self.series.remove(&name));
                }
                Change::Open(_) => {
                    begun.pop();
                    self.forget_last();
                }
                Change::Step(of, number, _) => {
                    let _ = self.with_key_mut(of.key(&begun)).map(|found| found.steps.remove(&number));
                }
                Change::End(of, _) => {
                    let _ = self.with_key_mut(of.key(&begun)).map(|found| found.end = None);
                }
            }
        }
    }

    fn forget_last(&mut self) {
        let Some(last) = self.matches.pop() else { return };
        self.by_key.remove(&last.key);
        self.by_id.get_mut(&last.opening.match_id).and_then(Vec::pop);
        if let Some(at) = &last.series {
            self.by_number.remove(at);
        }
    }

    /// Returns the copy of a rule sheet that all matches share.
    fn shared(&mut self, text: &Arc<str>) -> Arc<str> {
        if let Some(known) = self.sheets.get(text) {
            return Arc::clone(known);
        }
        self.sheets.insert(Arc::clone(text));
        Arc::clone(text)
    }

    fn with_key(&self, key: &str) -> Result<&Match, StoreError> {
        self.by_key.get(key).map(|&place| &self.matches[place]).ok_or_else(|| unknown(key))
    }

    fn with_key_mut(&mut self, key: &str) -> Result<&mut Match, StoreError> {
        self.by_key.get(key).map(|&place| &mut self.matches[place]).ok_or_else(|| unknown(key))
    }
}

impl Match {
    fn is_selected(&self, query: &Query) -> bool {
        let series = self.series.as_ref().map(|(name, _)| name);
        query.game.as_ref().is_none_or(|game| *game == self.opening.game)
            && (query.series.is_none() || query.series.as_ref() == series)
            && (!query.finished || self.end.is_some())
    }

    fn summary(&self) -> Summary {
        Summary {
            key: self.key.clone(),
            game: self.opening.game.clone(),
            series: self.series.as_ref().map(|(name, _)| name.clone()),
            players: self.opening.player_names_from_host.clone(),
            roles: self.opening.roles.clone(),
            created: created(&self.opening),
            steps: self.steps.last_key_value().map_or(0, |(number, _)| *number),
            end: self.end.clone(),
        }
    }
}

fn unknown(name: &str) -> StoreError {
    StoreError::Unknown { name: name.to_string() }
}
