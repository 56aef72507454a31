//! Export and import of matches as self-contained records.

use arena::MatchRecord;
use rusqlite::TransactionBehavior;

use crate::book::{Entry, insert, insert_end, insert_step};
use crate::error::StoreError;
use crate::store::Store;

/// The result of importing a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Import {
    /// The match was added under this key.
    Added(String),
    /// The same match is already stored under this key.
    Known(String),
}

impl Store {
    /// Returns a match as a self-contained record, with its rule sheet.
    pub fn export(&self, key: &str) -> Result<MatchRecord, StoreError> {
        let kept = self.kept(key)?;
        Ok(MatchRecord { rule_sheet: kept.sheet, ..kept.record })
    }

    /// Imports a record, unless the match is already stored.
    pub fn import(&self, record: &MatchRecord) -> Result<Import, StoreError> {
        let same_id: Vec<String> = {
            let connection = self.connection();
            let mut find =
                connection.prepare_cached("SELECT key FROM matches WHERE match_id = ?1 ORDER BY id")?;
            let rows = find.query_map([&record.match_id], |row| row.get(0))?;
            rows.collect::<Result<_, _>>()?
        };
        for key in same_id {
            let kept = self.export(&key)?;
            if kept == *record || (MatchRecord { rule_sheet: None, ..kept }) == *record {
                return Ok(Import::Known(key));
            }
        }
        let entry = Entry { series: None, sheet: record.rule_sheet.as_deref().map(Into::into) };
        let mut connection = self.connection();
        let change = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let (row, key) = insert(&change, record, &entry)?;
        for (number, step) in record.steps().iter().enumerate() {
            insert_step(&change, row, number, step)?;
        }
        if record.is_completed || record.is_aborted {
            insert_end(&change, row, record)?;
        }
        change.commit()?;
        Ok(Import::Added(key))
    }
}
