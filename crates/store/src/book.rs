//! Recording of a single match.

use std::sync::Arc;

use arena::{Journal, JournalError, MatchRecord, StepRecord};

use crate::batch::{Change, Close, Of, Opening};
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
    /// The key of the match; `None` before it begins.
    key: Option<String>,
}

impl Book {
    /// Creates a journal for a match that has not begun.
    pub fn new(store: &Arc<Store>, entry: Entry) -> Book {
        Book { store: Arc::clone(store), entry, key: None }
    }

    /// Creates a journal for a match that was interrupted.
    pub fn again(store: &Arc<Store>, key: &str) -> Result<Book, StoreError> {
        store.backend().opened(key)?;
        Ok(Book { store: Arc::clone(store), entry: Entry::default(), key: Some(key.to_string()) })
    }

    /// Returns the key under which the match is stored; empty before it begins.
    pub fn key(&self) -> &str {
        self.key.as_deref().unwrap_or_default()
    }

    fn begin(&mut self, record: &MatchRecord) -> Result<(), StoreError> {
        let opening = Opening::of(record, self.entry.clone());
        self.key = self.store.backend().append(&[Change::Open(&opening)])?.pop();
        Ok(())
    }

    /// Returns the match that the journal belongs to.
    fn of(&self) -> Of<'_> {
        Of::Key(self.key.as_deref().expect("a match begins before its steps and its end"))
    }

    fn add(&self, change: Change<'_>) -> Result<(), JournalError> {
        self.store.backend().append(&[change]).map(|_| ()).map_err(JournalError::new)
    }
}

impl Journal for Book {
    fn open(&mut self, record: &MatchRecord) -> Result<(), JournalError> {
        // A match that was interrupted before its first step is stored already.
        if self.key.is_some() {
            return Ok(());
        }
        self.begin(record).map_err(JournalError::new)
    }

    fn step(&mut self, number: usize, step: &StepRecord) -> Result<(), JournalError> {
        self.add(Change::Step(self.of(), number, step))
    }

    fn close(&mut self, record: &MatchRecord) -> Result<(), JournalError> {
        self.add(Change::End(self.of(), &Close::of(record)))
    }
}
