//! Notes about running tournaments and experiments, so that they can be resumed after a restart.
//!
//! Nothing in the store is ever changed, so every change is a new note, and only the last note about a
//! subject counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use store::{Store, StoreError};

/// The prefix of series that are notes.
pub(crate) const SERIES: &str = "serve.";
/// The version of this format.
const VERSION: u32 = 1;

/// The subject of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Subject {
    Tournament,
    Experiment,
}

/// The state of a subject.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Running,
    /// It was stopped on request.
    Stopped,
    Done,
    /// It failed.
    Failed,
}

impl State {
    pub(crate) fn name(self) -> &'static str {
        match self {
            State::Running => "running",
            State::Stopped => "stopped",
            State::Done => "done",
            State::Failed => "failed",
        }
    }
}

/// A note.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Note {
    pub(crate) version: u32,
    pub(crate) subject: Subject,
    pub(crate) id: String,
    pub(crate) state: State,
    /// Outcomes that are stored nowhere else, by part of an experiment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) outcomes: BTreeMap<String, String>,
    /// The result, or what went wrong.
    #[serde(default, skip_serializing_if = "serde_json::Value::is_null")]
    pub(crate) result: serde_json::Value,
}

impl Note {
    pub(crate) fn new(subject: Subject, id: &str, state: State) -> Note {
        let (outcomes, result) = (BTreeMap::new(), serde_json::Value::Null);
        Note { version: VERSION, subject, id: id.to_string(), state, outcomes, result }
    }
}

/// All notes.
pub(crate) struct Diary {
    store: Option<Arc<Store>>,
}

impl Diary {
    pub(crate) fn new(store: Option<Arc<Store>>) -> Diary {
        Diary { store }
    }

    pub(crate) fn write(&self, note: &Note) -> Result<(), StoreError> {
        if let Some(store) = &self.store {
            store.begin_series(&format!("{SERIES}{}", note.id), &serde_json::to_value(note)?)?;
        }
        Ok(())
    }

    /// Writes a note, and logs the error if that fails.
    pub(crate) fn jot(&self, note: &Note) {
        if let Err(cause) = self.write(note) {
            tracing::error!(id = note.id, %cause, "cannot write a note");
        }
    }

    /// Returns the last note about each subject of a kind.
    pub(crate) fn last(&self, subject: Subject) -> Result<BTreeMap<String, Note>, StoreError> {
        let mut last = BTreeMap::new();
        let Some(store) = &self.store else { return Ok(last) };
        for series in store.series_like(SERIES)? {
            // A tournament may have such a name, but its plan is not a note.
            let Ok(note) = serde_json::from_value::<Note>(series.plan) else { continue };
            if note.subject == subject && note.version == VERSION {
                last.insert(note.id.clone(), note);
            }
        }
        Ok(last)
    }
}
