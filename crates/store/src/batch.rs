//! What is appended to a store: a list of changes that are stored together.

use arena::{End, MatchRecord, StepRecord};

use crate::book::Entry;
use crate::error::StoreError;
use crate::series::Series;

/// Something that is added to a store.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Change<'a> {
    /// A series begins, under its name or, if that is taken, a free one.
    Series(&'a Series),
    /// A match begins, under its match id or, if that is taken, a free key.
    Open(&'a Opening),
    /// A match makes the step with this number.
    Step(Of<'a>, usize, &'a StepRecord),
    /// A match ends.
    End(Of<'a>, &'a Close),
}

/// The match to which a change belongs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Of<'a> {
    /// The one with this key.
    Key(&'a str),
    /// The one that began in the same batch. Matches and series that begin in a batch are counted from 0.
    Begun(usize),
}

impl<'a> Of<'a> {
    /// Returns the key, given the names of what the batch has begun so far.
    pub(crate) fn key<'b>(self, begun: &'b [String]) -> &'b str
    where
        'a: 'b,
    {
        match self {
            Of::Key(key) => key,
            Of::Begun(number) => &begun[number],
        }
    }
}

/// The beginning of a match.
#[derive(Debug, Clone)]
pub(crate) struct Opening {
    /// The record without steps, end and rule sheet.
    pub(crate) record: MatchRecord,
    /// Its series and its rule sheet.
    pub(crate) entry: Entry,
}

impl Opening {
    /// Takes from a record what is known when a match begins.
    pub(crate) fn of(record: &MatchRecord, entry: Entry) -> Opening {
        Opening { record: MatchRecord { rule_sheet: None, ..record.opening() }, entry }
    }
}

/// The end of a match.
#[derive(Debug, Clone)]
pub(crate) struct Close {
    /// When the last state was reached, in milliseconds since 1970; 0 if that is unknown.
    pub(crate) finished: u64,
    /// How it ended.
    pub(crate) end: End,
}

impl Close {
    /// Takes from a record what is known when a match ends.
    pub(crate) fn of(record: &MatchRecord) -> Close {
        let times = record.times.as_ref().map(|times| times.state_times.as_slice());
        Close { finished: times.and_then(<[u64]>::last).copied().unwrap_or(0), end: record.end() }
    }
}

/// Returns when a match began, in milliseconds since 1970; 0 if that is unknown.
pub(crate) fn created(record: &MatchRecord) -> u64 {
    record.times.as_ref().map_or(0, |times| times.start_time)
}

/// Returns the name itself or, if it is taken, the name with the first number that is free: `name~2`.
pub(crate) fn free_name(
    name: &str,
    mut is_taken: impl FnMut(&str) -> Result<bool, StoreError>,
) -> Result<String, StoreError> {
    let mut free = name.to_string();
    let mut number = 1u64;
    while is_taken(&free)? {
        number += 1;
        free = format!("{name}~{number}");
    }
    Ok(free)
}
