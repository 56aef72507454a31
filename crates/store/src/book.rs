//! Recording of a single match.

use std::sync::Arc;

use arena::{Journal, JournalError, MatchRecord, StepRecord};
use rusqlite::{Connection, OptionalExtension, TransactionBehavior, params};

use crate::error::StoreError;
use crate::store::Store;

/// What is stored about a match in addition to its record.
#[derive(Debug, Clone, Default)]
pub struct Entry {
    /// The series it belongs to, and its number in the series.
    pub series: Option<(String, u64)>,
    /// Its rule sheet.
    pub sheet: Option<Arc<str>>,
}

/// A journal that writes one match to a store.
pub struct Book {
    store: Arc<Store>,
    entry: Entry,
    row: Option<i64>,
    key: String,
}

impl Book {
    /// Creates a journal for a match that has not begun.
    pub fn new(store: &Arc<Store>, entry: Entry) -> Book {
        Book { store: Arc::clone(store), entry, row: None, key: String::new() }
    }

    /// Creates a journal for a match that was interrupted.
    pub fn again(store: &Arc<Store>, key: &str) -> Result<Book, StoreError> {
        let row = store.row(key)?;
        Ok(Book { store: Arc::clone(store), entry: Entry::default(), row: Some(row), key: key.to_string() })
    }

    /// Returns the key under which the match is stored; empty before it begins.
    pub fn key(&self) -> &str {
        &self.key
    }

    fn begin(&mut self, record: &MatchRecord) -> Result<(), StoreError> {
        let mut connection = self.store.connection();
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (row, key) = insert(&change, record, &self.entry)?;
        change.commit()?;
        (self.row, self.key) = (Some(row), key);
        Ok(())
    }

    fn write(&self, number: usize, step: &StepRecord) -> Result<(), StoreError> {
        let row = self.row.expect("a match begins before its first step");
        insert_step(&self.store.connection(), row, number, step)
    }

    fn end(&self, record: &MatchRecord) -> Result<(), StoreError> {
        let row = self.row.expect("a match begins before its end");
        insert_end(&self.store.connection(), row, record)
    }
}

impl Journal for Book {
    fn open(&mut self, record: &MatchRecord) -> Result<(), JournalError> {
        // A match that was interrupted before its first step already has a row.
        if self.row.is_some() {
            return Ok(());
        }
        self.begin(record).map_err(JournalError::new)
    }

    fn step(&mut self, number: usize, step: &StepRecord) -> Result<(), JournalError> {
        self.write(number, step).map_err(JournalError::new)
    }

    fn close(&mut self, record: &MatchRecord) -> Result<(), JournalError> {
        self.end(record).map_err(JournalError::new)
    }
}

/// Inserts the opening of a match under an unused key.
pub(crate) fn insert(
    connection: &Connection,
    record: &MatchRecord,
    entry: &Entry,
) -> Result<(i64, String), StoreError> {
    let sheet = match &entry.sheet {
        None => None,
        Some(text) => {
            connection
                .prepare_cached("INSERT OR IGNORE INTO sheets (text) VALUES (?1)")?
                .execute([&**text])?;
            let mut find = connection.prepare_cached("SELECT id FROM sheets WHERE text = ?1")?;
            Some(find.query_row([&**text], |row| row.get::<_, i64>(0))?)
        }
    };
    let key = free(connection, "SELECT 1 FROM matches WHERE key = ?1", &record.match_id)?;
    let opening = serde_json::to_string(&MatchRecord { rule_sheet: None, ..record.opening() })?;
    let created = record.times.as_ref().map_or(0, |times| times.start_time);
    let (series, number) =
        entry.series.clone().map_or((None, None), |(name, at)| (Some(name), Some(at as i64)));
    connection
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
            created as i64,
            sheet,
            opening
        ])?;
    Ok((connection.last_insert_rowid(), key))
}

pub(crate) fn insert_step(
    connection: &Connection,
    row: i64,
    number: usize,
    step: &StepRecord,
) -> Result<(), StoreError> {
    let text = serde_json::to_string(step)?;
    let mut insert =
        connection.prepare_cached("INSERT INTO steps (match, number, step) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![row, number as i64, text])?;
    Ok(())
}

pub(crate) fn insert_end(connection: &Connection, row: i64, record: &MatchRecord) -> Result<(), StoreError> {
    let text = serde_json::to_string(&record.end())?;
    let finished = record.times.as_ref().and_then(|times| times.state_times.last()).copied().unwrap_or(0);
    let mut insert =
        connection.prepare_cached("INSERT INTO ends (match, finished, end) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![row, finished as i64, text])?;
    Ok(())
}

/// Returns the name itself or, if it is taken, the name with a number: `name~2`.
pub(crate) fn free(connection: &Connection, taken: &str, name: &str) -> Result<String, StoreError> {
    let mut find = connection.prepare_cached(taken)?;
    for number in 1u64.. {
        let key = if number == 1 { name.to_string() } else { format!("{name}~{number}") };
        if find.query_row([&key], |_| Ok(())).optional()?.is_none() {
            return Ok(key);
        }
    }
    unreachable!("there is always another number")
}
