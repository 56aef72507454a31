//! Export and import of matches as self-contained records, and of the series they belong to.

mod exporter;
mod importer;
mod line;

use arena::MatchRecord;

use crate::batch::{Change, Close, Of, Opening};
use crate::book::Entry;
use crate::error::StoreError;
use crate::store::Store;

pub use exporter::Exporter;
pub use importer::{Arrival, GameOf, Importer};
pub use line::LineError;

/// The result of importing a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Import {
    /// The match was added under this key.
    Added(String),
    /// The same match is already stored under this key.
    Known(String),
}

impl Store {
    /// Returns a match as a self-contained record, with its rule sheet. An [`Exporter`] also writes down
    /// the series it belongs to.
    pub fn export(&self, key: &str) -> Result<MatchRecord, StoreError> {
        let kept = self.kept(key)?;
        Ok(MatchRecord { rule_sheet: kept.sheet, ..kept.record })
    }

    /// Imports a record, unless the match is already stored. It belongs to no series.
    pub fn import(&self, record: &MatchRecord) -> Result<Import, StoreError> {
        match self.key_of(record)? {
            Some(key) => Ok(Import::Known(key)),
            None => Ok(Import::Added(self.add(record, None)?)),
        }
    }

    /// Returns the key under which the same match is stored, if it is.
    fn key_of(&self, record: &MatchRecord) -> Result<Option<String>, StoreError> {
        for key in self.backend().keys_of(&record.match_id)? {
            let kept = self.export(&key)?;
            if kept == *record || (MatchRecord { rule_sheet: None, ..kept }) == *record {
                return Ok(Some(key));
            }
        }
        Ok(None)
    }

    /// Adds a match as a whole, and returns its key.
    fn add(&self, record: &MatchRecord, series: Option<(String, u64)>) -> Result<String, StoreError> {
        let entry = Entry { series, sheet: record.rule_sheet.as_deref().map(Into::into) };
        let (opening, steps, close) = (Opening::of(record, entry), record.steps(), Close::of(record));
        let mut batch = vec![Change::Open(&opening)];
        batch.extend(steps.iter().enumerate().map(|(number, step)| Change::Step(Of::Begun(0), number, step)));
        if record.is_completed || record.is_aborted {
            batch.push(Change::End(Of::Begun(0), &close));
        }
        let keys = self.backend().append(&batch)?;
        Ok(keys.into_iter().next().expect("a match that begins has a key"))
    }
}
