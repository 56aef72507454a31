//! Matches as lines of JSON: copies that stand for themselves.

use arena::MatchRecord;
use rusqlite::TransactionBehavior;

use crate::book::{Entry, insert, insert_end, insert_step};
use crate::error::StoreError;
use crate::store::Store;

/// What came of a record that was brought in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Import {
    /// It is kept under this name.
    Added(String),
    /// The same match is there already, under this name.
    Known(String),
}

impl Store {
    /// A match as a copy that stands for itself: with its rule sheet.
    pub fn export(&self, key: &str) -> Result<MatchRecord, StoreError> {
        let kept = self.kept(key)?;
        Ok(MatchRecord { rule_sheet: kept.sheet, ..kept.record })
    }

    /// Takes in a record, unless it is there already.
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
