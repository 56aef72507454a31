//! Matches of a store as lines.

use std::collections::BTreeMap;

use arena::MatchRecord;

use super::line::{Line, Place};
use crate::error::StoreError;
use crate::store::Store;

/// Writes matches of a store as lines of JSON, which an [`Importer`](crate::Importer) reads.
///
/// A line contains the match record, the rule sheet, and the place of the match in its series; the
/// first match of each series also contains the plan.
pub struct Exporter<'a> {
    store: &'a Store,
    private: &'a [&'a str],
    /// The series whose plans have been written, and when they began.
    written: BTreeMap<String, u64>,
}

impl<'a> Exporter<'a> {
    /// Begins an export. Series whose names have one of the `private` prefixes are left out; their matches
    /// are not.
    pub fn new(store: &'a Store, private: &'a [&'a str]) -> Exporter<'a> {
        Exporter { store, private, written: BTreeMap::new() }
    }

    /// Returns the line of a match, without its end.
    pub fn line(&mut self, key: &str) -> Result<String, StoreError> {
        let kept = self.store.kept(key)?;
        let public = kept.series.filter(|(name, _)| !is_private(name, self.private));
        let place = public.map(|(name, number)| self.place(name, number)).transpose()?;
        let record = MatchRecord { rule_sheet: kept.sheet, ..kept.record };
        Ok(Line { record, place }.write()?)
    }

    fn place(&mut self, name: String, number: u64) -> Result<Place, StoreError> {
        if let Some(&created) = self.written.get(&name) {
            return Ok(Place { name, created, number, plan: None });
        }
        let series = self.store.backend().series(&name)?;
        self.written.insert(name.clone(), series.created);
        Ok(Place { name, created: series.created, number, plan: Some(series.plan) })
    }
}

/// Returns `true` if the name of a series has one of these prefixes.
pub(super) fn is_private(name: &str, private: &[&str]) -> bool {
    private.iter().any(|prefix| name.starts_with(prefix))
}
