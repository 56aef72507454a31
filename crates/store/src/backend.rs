//! What a place must be able to do so that a store can be kept there.
//!
//! To add a back end, write one file in this folder that implements [`Backend`], declare it here,
//! and give it an arm in [`open`]. Everything else in this crate works with the trait.

mod memory;
mod sqlite;

use std::path::Path;

use arena::{End, MatchRecord, StepRecord};

use crate::batch::Change;
use crate::error::StoreError;
use crate::history::{Query, Summary};
use crate::series::{Member, Series};

/// What [`open`] does if there is no store at a path yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    /// It creates an empty one.
    Create,
    /// It fails.
    Refuse,
}

/// Opens the store at a path. This is the one place where a back end is chosen.
pub(crate) fn open(path: &Path, absent: Absent) -> Result<Box<dyn Backend>, StoreError> {
    match path.to_str() {
        Some(memory::PATH) => memory::open(absent),
        _ => sqlite::open(path, absent),
    }
}

/// Returns `true` if what is kept at a path outlives the program.
pub(crate) fn lasts(path: &Path) -> bool {
    path.to_str() != Some(memory::PATH)
}

/// A place where matches and series are kept.
///
/// **Nothing is ever changed or deleted.** [`append`](Backend::append) is the only way to write.
///
/// **A batch is atomic.** Either all of its changes are stored or none is, whatever fails and
/// whenever the process dies; readers never see a part of one. Batches of several threads, and of
/// several processes if the place can be shared, are written one after the other.
///
/// **What was appended is durable.** When `append` has returned, every read sees the batch. If the
/// place outlives the process, the batch survives the death of the process; a power failure may lose the
/// latest batches, but never one without all that came after it.
///
/// **Names are unique.** Keys of matches, names of series, numbers of matches in a series, numbers of steps
/// in a match and the end of a match exist once. A key or a name that is taken gets a number
/// ([`free_name`](crate::batch::free_name)); anything else that is taken is [`StoreError::Taken`].
/// A match or a series that does not exist is [`StoreError::Unknown`].
pub(crate) trait Backend: Send + Sync {
    /// Stores all of these changes in their order, or none of them. Returns the names of the matches and
    /// series that they begin, in their order.
    fn append(&self, batch: &[Change<'_>]) -> Result<Vec<String>, StoreError>;

    /// Returns the selected matches in the order in which they were appended.
    fn matches(&self, query: &Query) -> Result<Vec<Summary>, StoreError>;

    /// Returns the keys of all matches with this match id, in the order in which they were appended.
    fn keys_of(&self, match_id: &str) -> Result<Vec<String>, StoreError>;

    /// Returns the keys that have this prefix in their order, but no more than `most`.
    fn keys_like(&self, beginning: &str, most: usize) -> Result<Vec<String>, StoreError>;

    /// Returns what is stored about a match, except its steps and its rule sheet.
    fn opened(&self, key: &str) -> Result<Opened, StoreError>;

    /// Returns the steps of a match by number.
    fn steps(&self, key: &str) -> Result<Vec<StepRecord>, StoreError>;

    /// Returns the rule sheet of a match, if it was stored.
    fn sheet(&self, key: &str) -> Result<Option<String>, StoreError>;

    /// Returns the series with exactly this name.
    fn series(&self, name: &str) -> Result<Series, StoreError>;

    /// Returns the series whose names have this prefix, by the time at which they began; those of the same
    /// time by the length of their names, then by name.
    fn series_like(&self, beginning: &str) -> Result<Vec<Series>, StoreError>;

    /// Returns the matches of a series by number; none if there is no such series.
    fn members(&self, series: &str) -> Result<Vec<Member>, StoreError>;
}

/// A match as it was opened, and its end.
#[derive(Debug, Clone)]
pub(crate) struct Opened {
    /// The record without steps, end and rule sheet.
    pub(crate) record: MatchRecord,
    /// The series it belongs to, and its number in the series.
    pub(crate) series: Option<(String, u64)>,
    /// How it ended, or `None` if it has not.
    pub(crate) end: Option<End>,
}
