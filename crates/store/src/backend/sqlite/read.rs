//! The queries.

use arena::{MatchRecord, StepRecord};
use rusqlite::types::Value;
use rusqlite::{Connection, OptionalExtension, Row, params, params_from_iter};

use crate::backend::Opened;
use crate::error::StoreError;
use crate::history::{Query, Summary};
use crate::series::{Member, Series};

pub(super) fn matches(connection: &Connection, query: &Query) -> Result<Vec<Summary>, StoreError> {
    let (condition, values) = condition(query);
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

fn condition(query: &Query) -> (String, Vec<Value>) {
    let mut parts = vec!["1"];
    let mut values = Vec::new();
    for (part, value) in [("game = ?", &query.game), ("series = ?", &query.series)] {
        if let Some(value) = value {
            parts.push(part);
            values.push(Value::from(value.clone()));
        }
    }
    if query.finished {
        parts.push("end IS NOT NULL");
    }
    (parts.join(" AND "), values)
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

pub(super) fn keys_of(connection: &Connection, match_id: &str) -> Result<Vec<String>, StoreError> {
    let mut find = connection.prepare_cached("SELECT key FROM matches WHERE match_id = ?1 ORDER BY id")?;
    let rows = find.query_map([match_id], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn keys_like(
    connection: &Connection,
    beginning: &str,
    most: usize,
) -> Result<Vec<String>, StoreError> {
    let mut find = connection
        .prepare("SELECT key FROM matches WHERE substr(key, 1, length(?1)) = ?1 ORDER BY key LIMIT ?2")?;
    let rows = find.query_map(params![beginning, most as i64], |row| row.get(0))?;
    Ok(rows.collect::<Result<_, _>>()?)
}

pub(super) fn opened(connection: &Connection, key: &str) -> Result<Opened, StoreError> {
    let mut find = connection.prepare_cached(
        "SELECT opening, series, number, (SELECT end FROM ends WHERE ends.match = matches.id)
         FROM matches WHERE key = ?1",
    )?;
    type Found = (String, Option<String>, Option<i64>, Option<String>);
    let found: Option<Found> =
        find.query_row([key], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))).optional()?;
    let (opening, series, number, end) = found.ok_or_else(|| unknown(key))?;
    Ok(Opened {
        record: serde_json::from_str(&opening)?,
        series: series.zip(number.map(|number| number as u64)),
        end: end.map(|end| serde_json::from_str(&end)).transpose()?,
    })
}

pub(super) fn steps(connection: &Connection, key: &str) -> Result<Vec<StepRecord>, StoreError> {
    let row = row_of(connection, key)?;
    let mut find = connection.prepare_cached("SELECT step FROM steps WHERE match = ?1 ORDER BY number")?;
    let steps = find.query_and_then([row], |row| -> Result<StepRecord, StoreError> {
        Ok(serde_json::from_str(&row.get::<_, String>(0)?)?)
    })?;
    steps.collect()
}

pub(super) fn sheet(connection: &Connection, key: &str) -> Result<Option<String>, StoreError> {
    let mut find = connection.prepare_cached(
        "SELECT (SELECT text FROM sheets WHERE sheets.id = sheet) FROM matches WHERE key = ?1",
    )?;
    find.query_row([key], |row| row.get(0)).optional()?.ok_or_else(|| unknown(key))
}

pub(super) fn series(connection: &Connection, name: &str) -> Result<Series, StoreError> {
    let mut find = connection.prepare_cached("SELECT name, created, plan FROM series WHERE name = ?1")?;
    let mut found = find.query_and_then([name], one_series)?;
    found.next().unwrap_or_else(|| Err(unknown(name)))
}

pub(super) fn series_like(connection: &Connection, beginning: &str) -> Result<Vec<Series>, StoreError> {
    let mut find = connection.prepare(
        "SELECT name, created, plan FROM series
         WHERE substr(name, 1, length(?1)) = ?1 ORDER BY created, length(name), name",
    )?;
    find.query_and_then([beginning], one_series)?.collect()
}

fn one_series(row: &Row<'_>) -> Result<Series, StoreError> {
    let plan = serde_json::from_str(&row.get::<_, String>(2)?)?;
    Ok(Series { name: row.get(0)?, created: row.get::<_, i64>(1)? as u64, plan })
}

pub(super) fn members(connection: &Connection, series: &str) -> Result<Vec<Member>, StoreError> {
    let mut find = connection.prepare(
        "SELECT number, key, EXISTS (SELECT 1 FROM ends WHERE ends.match = matches.id)
         FROM matches WHERE series = ?1 ORDER BY number",
    )?;
    let rows = find.query_map([series], |row| {
        Ok(Member { number: row.get::<_, i64>(0)? as u64, key: row.get(1)?, finished: row.get(2)? })
    })?;
    Ok(rows.collect::<Result<_, _>>()?)
}

/// Returns the row of a match.
pub(super) fn row_of(connection: &Connection, key: &str) -> Result<i64, StoreError> {
    let mut find = connection.prepare_cached("SELECT id FROM matches WHERE key = ?1")?;
    find.query_row([key], |row| row.get(0)).optional()?.ok_or_else(|| unknown(key))
}

fn unknown(name: &str) -> StoreError {
    StoreError::Unknown { name: name.to_string() }
}
