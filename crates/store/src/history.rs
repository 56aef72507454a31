//! Queries about past matches.

use arena::{End, MatchRecord, StepRecord};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params_from_iter};

use crate::error::StoreError;
use crate::store::Store;

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
        let connection = self.connection();
        let (condition, values) = query.condition();
        let sql = format!(
            "SELECT key, game, series, opening, created,
                    (SELECT max(number) FROM steps WHERE steps.match = matches.id), end
             FROM matches LEFT JOIN ends ON ends.match = matches.id
             WHERE {condition} ORDER BY matches.id DESC LIMIT ?"
        );
        let limit = Value::from(query.limit.map_or(-1, |limit| limit as i64));
        let mut found = connection.prepare(&sql)?;
        let rows = found.query_and_then(params_from_iter(values.into_iter().chain([limit])), summary)?;
        let mut list: Vec<Summary> = rows.collect::<Result<_, _>>()?;
        list.reverse();
        Ok(list)
    }

    /// Returns the keys of the selected matches, in the order in which they began.
    pub fn keys(&self, query: &Query) -> Result<Vec<String>, StoreError> {
        Ok(self.history(query)?.into_iter().map(|summary| summary.key).collect())
    }

    /// Finds a match by its key, its match id (the latest of several), or a prefix that only one key has.
    pub fn find(&self, name: &str) -> Result<Kept, StoreError> {
        let key = {
            let connection = self.connection();
            let text = |row: &Row<'_>| row.get::<_, String>(0);
            let exact = "SELECT key FROM matches WHERE key = ?1";
            let latest = "SELECT key FROM matches WHERE match_id = ?1 ORDER BY id DESC LIMIT 1";
            let mut key = connection.query_row(exact, [name], text).optional()?;
            if name.ends_with('~') || key.is_none() {
                key = key.or(connection.query_row(latest, [name.trim_end_matches('~')], text).optional()?);
            }
            match key {
                Some(key) => key,
                None => {
                    let mut begin = connection
                        .prepare("SELECT key FROM matches WHERE substr(key, 1, length(?1)) = ?1 LIMIT 4")?;
                    let keys: Vec<String> = begin.query_map([name], text)?.collect::<Result<_, _>>()?;
                    match keys.as_slice() {
                        [key] => key.clone(),
                        [] => return Err(StoreError::Unknown { name: name.to_string() }),
                        several => {
                            let matches = several.join(", ");
                            return Err(StoreError::Several { name: name.to_string(), matches });
                        }
                    }
                }
            }
        };
        self.kept(&key)
    }

    /// Returns the match with this key.
    pub fn kept(&self, key: &str) -> Result<Kept, StoreError> {
        let connection = self.connection();
        let row = row_of(&connection, key)?;
        let sql = "SELECT opening, series, number, (SELECT text FROM sheets WHERE sheets.id = sheet),
                          (SELECT end FROM ends WHERE ends.match = matches.id)
                   FROM matches WHERE id = ?1";
        type Found = (String, Option<String>, Option<i64>, Option<String>, Option<String>);
        let (opening, series, number, sheet, end): Found = connection.query_row(sql, [row], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
        })?;
        let mut record: MatchRecord = serde_json::from_str(&opening)?;
        for step in steps_of(&connection, row)? {
            record.push(step);
        }
        let finished = end.is_some();
        if let Some(end) = end {
            record = record.with_end(serde_json::from_str(&end)?);
        }
        let series = series.zip(number.map(|number| number as u64));
        Ok(Kept { key: key.to_string(), series, record, sheet, finished })
    }

    /// Returns the finished steps of a match.
    pub fn steps(&self, key: &str) -> Result<Vec<StepRecord>, StoreError> {
        let connection = self.connection();
        let row = row_of(&connection, key)?;
        steps_of(&connection, row)
    }

    pub(crate) fn row(&self, key: &str) -> Result<i64, StoreError> {
        row_of(&self.connection(), key)
    }
}

impl Query {
    fn condition(&self) -> (String, Vec<Value>) {
        let mut parts = vec!["1"];
        let mut values = Vec::new();
        for (part, value) in [("game = ?", &self.game), ("series = ?", &self.series)] {
            if let Some(value) = value {
                parts.push(part);
                values.push(Value::from(value.clone()));
            }
        }
        if self.finished {
            parts.push("end IS NOT NULL");
        }
        (parts.join(" AND "), values)
    }
}

fn row_of(connection: &Connection, key: &str) -> Result<i64, StoreError> {
    let mut find = connection.prepare_cached("SELECT id FROM matches WHERE key = ?1")?;
    let found = find.query_row([key], |row| row.get(0)).optional()?;
    found.ok_or_else(|| StoreError::Unknown { name: key.to_string() })
}

pub(crate) fn steps_of(connection: &Connection, row: i64) -> Result<Vec<StepRecord>, StoreError> {
    let mut find = connection.prepare_cached("SELECT step FROM steps WHERE match = ?1 ORDER BY number")?;
    let texts = find.query_and_then([row], |row| -> Result<StepRecord, StoreError> {
        Ok(serde_json::from_str(&row.get::<_, String>(0)?)?)
    })?;
    texts.collect()
}

fn summary(row: &Row<'_>) -> Result<Summary, StoreError> {
    let opening: MatchRecord = serde_json::from_str(&row.get::<_, String>(3)?)?;
    let end: Option<String> = row.get(6)?;
    Ok(Summary {
        key: row.get(0)?,
        game: row.get(1)?,
        series: row.get(2)?,
        players: opening.player_names_from_host,
        roles: opening.roles,
        created: row.get::<_, i64>(4)? as u64,
        steps: row.get::<_, Option<i64>>(5)?.unwrap_or(0) as usize,
        end: end.map(|end| serde_json::from_str(&end)).transpose()?,
    })
}
