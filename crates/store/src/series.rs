//! Series of matches that belong together: a plan, and what has been played of it.

use std::time::{SystemTime, UNIX_EPOCH};

use arena::MatchRecord;
use rusqlite::{OptionalExtension, TransactionBehavior, params};

use crate::book::free;
use crate::error::StoreError;
use crate::history::steps_of;
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
        let mut connection = self.connection();
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let name = free(&change, "SELECT 1 FROM series WHERE name = ?1", name)?;
        let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_millis() as i64);
        change.execute(
            "INSERT INTO series (name, created, plan) VALUES (?1, ?2, ?3)",
            params![name, now, serde_json::to_string(plan)?],
        )?;
        change.commit()?;
        Ok(name)
    }

    /// Returns the series with this name, or the one to which the match with this key belongs.
    pub fn series(&self, name: &str) -> Result<Series, StoreError> {
        let connection = self.connection();
        let sql = "SELECT name, created, plan FROM series
                   WHERE name = ?1 OR name = (SELECT series FROM matches WHERE key = ?1)
                   ORDER BY name = ?1 DESC LIMIT 1";
        let found = connection
            .query_row(sql, [name], |row| {
                Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?, row.get::<_, String>(2)?))
            })
            .optional()?;
        let (name, created, plan) = found.ok_or_else(|| StoreError::Unknown { name: name.to_string() })?;
        Ok(Series { name, created: created as u64, plan: serde_json::from_str(&plan)? })
    }

    /// Returns the series whose names have this prefix, in the order in which they began.
    pub fn series_like(&self, beginning: &str) -> Result<Vec<Series>, StoreError> {
        let connection = self.connection();
        let mut find = connection.prepare(
            "SELECT name, created, plan FROM series
             WHERE substr(name, 1, length(?1)) = ?1 ORDER BY created, length(name), name",
        )?;
        let rows = find.query_and_then([beginning], |row| -> Result<Series, StoreError> {
            let plan = serde_json::from_str(&row.get::<_, String>(2)?)?;
            Ok(Series { name: row.get(0)?, created: row.get::<_, i64>(1)? as u64, plan })
        })?;
        rows.collect()
    }

    /// Returns the matches of a series that have begun, by number.
    pub fn members(&self, series: &str) -> Result<Vec<Member>, StoreError> {
        let connection = self.connection();
        let mut find = connection.prepare(
            "SELECT number, key, EXISTS (SELECT 1 FROM ends WHERE ends.match = matches.id)
             FROM matches WHERE series = ?1 ORDER BY number",
        )?;
        let rows = find.query_map([series], |row| {
            Ok(Member { number: row.get::<_, i64>(0)? as u64, key: row.get(1)?, finished: row.get(2)? })
        })?;
        Ok(rows.collect::<Result<_, _>>()?)
    }

    /// Returns the series with exactly this name, or `None`.
    pub fn series_named(&self, name: &str) -> Result<Option<Series>, StoreError> {
        match self.series(name) {
            Ok(series) => Ok(Some(series).filter(|series| series.name == name)),
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
        let connection = self.connection();
        let mut find = connection.prepare(
            "SELECT matches.id, number, opening, end FROM matches JOIN ends ON ends.match = matches.id
             WHERE series = ?1 ORDER BY number",
        )?;
        let mut rows = find.query([series])?;
        while let Some(row) = rows.next()? {
            let mut record: MatchRecord = serde_json::from_str(&row.get::<_, String>(2)?)?;
            for step in steps_of(&connection, row.get(0)?)? {
                record.push(step);
            }
            let end = serde_json::from_str(&row.get::<_, String>(3)?)?;
            show(row.get::<_, i64>(1)? as u64, record.with_end(end));
        }
        Ok(())
    }
}
