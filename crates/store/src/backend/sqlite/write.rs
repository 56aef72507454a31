//! A batch as a transaction.

use arena::StepRecord;
use rusqlite::ffi::{SQLITE_CONSTRAINT_FOREIGNKEY, SQLITE_CONSTRAINT_PRIMARYKEY, SQLITE_CONSTRAINT_UNIQUE};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use super::read::row_of;
use crate::batch::{Change, Close, Opening, created, free_name};
use crate::error::StoreError;
use crate::series::Series;

/// Writes all changes in one transaction. Dropping it, as every error does, rolls it back.
pub(super) fn append(connection: &mut Connection, batch: &[Change<'_>]) -> Result<Vec<String>, StoreError> {
    let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut begun = Vec::new();
    for part in batch {
        match *part {
            Change::Series(series) => begun.push(insert_series(&change, series)?),
            Change::Open(opening) => begun.push(insert_match(&change, opening)?),
            Change::Step(of, number, step) => insert_step(&change, of.key(&begun), number, step)?,
            Change::End(of, close) => insert_end(&change, of.key(&begun), close)?,
        }
    }
    change.commit()?;
    Ok(begun)
}

fn insert_series(connection: &Connection, series: &Series) -> Result<String, StoreError> {
    let name = free(connection, "SELECT 1 FROM series WHERE name = ?1", &series.name)?;
    let plan = serde_json::to_string(&series.plan)?;
    connection
        .prepare_cached("INSERT INTO series (name, created, plan) VALUES (?1, ?2, ?3)")?
        .execute(params![name, series.created as i64, plan])?;
    Ok(name)
}

fn insert_match(connection: &Connection, opening: &Opening) -> Result<String, StoreError> {
    let (record, entry) = (&opening.record, &opening.entry);
    let sheet = entry.sheet.as_ref().map(|text| sheet_row(connection, text)).transpose()?;
    let key = free(connection, "SELECT 1 FROM matches WHERE key = ?1", &record.match_id)?;
    let text = serde_json::to_string(record)?;
    let (series, number) = entry.series.as_ref().map(|(name, at)| (name, *at as i64)).unzip();
    let inserted = connection
        .prepare_cached(
            "INSERT INTO matches (key, match_id, series, number, game, created, sheet, opening)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        )?
        .execute(params![
            key,
            record.match_id,
            series,
            number,
            record.game,
            created(record) as i64,
            sheet,
            text
        ]);
    // The key is free, and the sheet is there, so only the place in a series can be at fault.
    match (inserted, &entry.series) {
        (Ok(_), _) => Ok(key),
        (Err(error), Some((name, _))) if code(&error) == Some(SQLITE_CONSTRAINT_FOREIGNKEY) => {
            Err(StoreError::Unknown { name: name.clone() })
        }
        (Err(error), Some((name, at))) => Err(taken(error, || format!("match {at} of series `{name}`"))),
        (Err(error), None) => Err(error.into()),
    }
}

/// Returns the row of a rule sheet. Equal texts share one.
fn sheet_row(connection: &Connection, text: &str) -> Result<i64, StoreError> {
    connection.prepare_cached("INSERT OR IGNORE INTO sheets (text) VALUES (?1)")?.execute([text])?;
    let mut find = connection.prepare_cached("SELECT id FROM sheets WHERE text = ?1")?;
    Ok(find.query_row([text], |row| row.get(0))?)
}

fn insert_step(
    connection: &Connection,
    key: &str,
    number: usize,
    step: &StepRecord,
) -> Result<(), StoreError> {
    let row = row_of(connection, key)?;
    let text = serde_json::to_string(step)?;
    let mut insert =
        connection.prepare_cached("INSERT INTO steps (match, number, step) VALUES (?1, ?2, ?3)")?;
    let inserted = insert.execute(params![row, number as i64, text]);
    inserted.map(|_| ()).map_err(|error| taken(error, || format!("step {number} of `{key}`")))
}

fn insert_end(connection: &Connection, key: &str, close: &Close) -> Result<(), StoreError> {
    let row = row_of(connection, key)?;
    let text = serde_json::to_string(&close.end)?;
    let mut insert =
        connection.prepare_cached("INSERT INTO ends (match, finished, end) VALUES (?1, ?2, ?3)")?;
    let inserted = insert.execute(params![row, close.finished as i64, text]);
    inserted.map(|_| ()).map_err(|error| taken(error, || format!("the end of `{key}`")))
}

/// Returns a name for which the query finds nothing.
fn free(connection: &Connection, query: &str, name: &str) -> Result<String, StoreError> {
    let mut find = connection.prepare_cached(query)?;
    free_name(name, |name| Ok(find.query_row([name], |_| Ok(())).optional()?.is_some()))
}

/// Returns the error of an insertion; if the row is there already, this is said of `what`.
fn taken(error: rusqlite::Error, what: impl FnOnce() -> String) -> StoreError {
    match code(&error) {
        Some(SQLITE_CONSTRAINT_UNIQUE | SQLITE_CONSTRAINT_PRIMARYKEY) => StoreError::Taken { what: what() },
        _ => error.into(),
    }
}

fn code(error: &rusqlite::Error) -> Option<i32> {
    error.sqlite_error().map(|error| error.extended_code)
}
