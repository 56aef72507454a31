//! Series of matches that belong together: a plan, and what has been played of it.

use std::time::{SystemTime, UNIX_EPOCH};

use arena::MatchRecord;

use crate::batch::Change;
use crate::error::StoreError;
use crate::store::Store;

/// A series of matches.
#[derive(Debug, Clone)]
pub struct Series {
    /// Its name.
    pub name: String,
    /// When it began, in milliseconds since 1970.
    pub created: u64,
    /// The plan of what is to be played, in the format chosen by the caller.
    pub plan: serde_json::Value,
}

/// A match of a series that has begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its number in the series.
    pub number: u64,
    /// The key under which it is stored.
    pub key: String,
    /// Whether it has ended.
    pub finished: bool,
}

impl Store {
    /// Begins a series and returns its name: the requested one, with a number appended if it is taken.
    pub fn begin_series(&self, name: &str, plan: &serde_json::Value) -> Result<String, StoreError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as u64);
        self.add_series(&Series { name: name.to_string(), created: now, plan: plan.clone() })
    }

    /// Adds a series and returns its name, with a number appended if the requested one is taken.
    pub(crate) fn add_series(&self, series: &Series) -> Result<String, StoreError> {
        let names = self.backend().append(&[Change::Series(series)])?;
        Ok(names.into_iter().next().expect("a series that begins has a name"))
    }

    /// Returns the series with this name, or the one to which the match with this key belongs.
    pub fn series(&self, name: &str) -> Result<Series, StoreError> {
        if let Some(series) = self.series_named(name)? {
            return Ok(series);
        }
        match self.backend().opened(name)?.series {
            Some((series, _)) => self.backend().series(&series),
            None => Err(StoreError::Unknown { name: name.to_string() }),
        }
    }

    /// Returns the series whose names have this prefix, in the order in which they began.
    pub fn series_like(&self, beginning: &str) -> Result<Vec<Series>, StoreError> {
        self.backend().series_like(beginning)
    }

    /// Returns the matches of a series that have begun, by number.
    pub fn members(&self, series: &str) -> Result<Vec<Member>, StoreError> {
        self.backend().members(series)
    }

    /// Returns the series with exactly this name, or `None`.
    pub fn series_named(&self, name: &str) -> Result<Option<Series>, StoreError> {
        match self.backend().series(name) {
            Ok(series) => Ok(Some(series)),
            Err(StoreError::Unknown { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Calls `show` with every finished match of a series and its number, in the order of numbers.
    pub fn each_finished(
        &self,
        series: &str,
        mut show: impl FnMut(u64, MatchRecord),
    ) -> Result<(), StoreError> {
        for member in self.members(series)?.into_iter().filter(|member| member.finished) {
            let opened = self.backend().opened(&member.key)?;
            show(member.number, self.whole(&member.key, opened)?);
        }
        Ok(())
    }
}
