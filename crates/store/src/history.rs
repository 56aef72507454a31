//! Queries about past matches.

use arena::{End, MatchRecord, StepRecord};

use crate::backend::Opened;
use crate::error::StoreError;
use crate::store::Store;

/// The maximum number of matches that are named when a prefix is ambiguous.
const SHOWN: usize = 4;

/// A selection of matches.
#[derive(Debug, Clone, Default)]
pub struct Query {
    /// Only matches of this game.
    pub game: Option<String>,
    /// Only matches of this series.
    pub series: Option<String>,
    /// Only matches that have ended.
    pub finished: bool,
    /// The maximum number of matches; the latest ones are selected.
    pub limit: Option<usize>,
}

/// A match in a list.
#[derive(Debug, Clone)]
pub struct Summary {
    /// The key under which it is stored.
    pub key: String,
    /// The game.
    pub game: String,
    /// The series it belongs to, if any.
    pub series: Option<String>,
    /// The players, by role.
    pub players: Vec<String>,
    /// The roles.
    pub roles: Vec<String>,
    /// When it began, in milliseconds since 1970.
    pub created: u64,
    /// The number of steps made.
    pub steps: usize,
    /// How it ended, or `None` if it has not.
    pub end: Option<End>,
}

/// A stored match with its rule sheet.
#[derive(Debug, Clone)]
pub struct Kept {
    /// The key under which it is stored.
    pub key: String,
    /// The series it belongs to, and its number in the series.
    pub series: Option<(String, u64)>,
    /// The record so far.
    pub record: MatchRecord,
    /// Its rule sheet, if it was stored.
    pub sheet: Option<String>,
    /// Whether it has ended.
    pub finished: bool,
}

impl Store {
    /// Returns the selected matches, in the order in which they began.
    pub fn history(&self, query: &Query) -> Result<Vec<Summary>, StoreError> {
        self.backend().matches(query)
    }

    /// Returns the keys of the selected matches, in the order in which they began.
    pub fn keys(&self, query: &Query) -> Result<Vec<String>, StoreError> {
        Ok(self.history(query)?.into_iter().map(|summary| summary.key).collect())
    }

    /// Finds a match by its key, its match id (the latest of several), or a prefix that only one key has.
    pub fn find(&self, name: &str) -> Result<Kept, StoreError> {
        match self.kept(name) {
            Err(StoreError::Unknown { .. }) => {}
            found => return found,
        }
        if let Some(key) = self.backend().keys_of(name.trim_end_matches('~'))?.pop() {
            return self.kept(&key);
        }
        match self.backend().keys_like(name, SHOWN)?.as_slice() {
            [key] => self.kept(key),
            [] => Err(StoreError::Unknown { name: name.to_string() }),
            several => Err(StoreError::Several { name: name.to_string(), matches: several.join(", ") }),
        }
    }

    /// Returns the match with this key.
    pub fn kept(&self, key: &str) -> Result<Kept, StoreError> {
        let opened = self.backend().opened(key)?;
        let (series, finished) = (opened.series.clone(), opened.end.is_some());
        let record = self.whole(key, opened)?;
        Ok(Kept { key: key.to_string(), series, record, sheet: self.backend().sheet(key)?, finished })
    }

    /// Returns the finished steps of a match.
    pub fn steps(&self, key: &str) -> Result<Vec<StepRecord>, StoreError> {
        self.backend().steps(key)
    }

    /// Returns the record of a match with its steps. These are read after the end, so they are complete if
    /// there is an end.
    pub(crate) fn whole(&self, key: &str, opened: Opened) -> Result<MatchRecord, StoreError> {
        let mut record = opened.record;
        for step in self.backend().steps(key)? {
            record.push(step);
        }
        Ok(match opened.end {
            Some(end) => record.with_end(end),
            None => record,
        })
    }
}
