//! What is under way besides matches, written down so that a restart goes on
//! with it: tournaments and experiments that were begun here.
//!
//! Nothing in the store is ever changed, so every change is a note of its own,
//! and of several about the same thing the last one counts.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use store::{Store, StoreError};

/// Series that are notes begin with it.
const SERIES: &str = "serve.";
/// The version of this format.
const VERSION: u32 = 1;

/// What a note is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Subject {
    Tournament,
    Experiment,
}

/// How something stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    Running,
    /// Somebody stopped it.
    Stopped,
    Done,
    /// It could not go on.
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

/// One note.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Note {
    pub(crate) version: u32,
    pub(crate) subject: Subject,
    pub(crate) id: String,
    pub(crate) state: State,
    /// What is known so far, where the store has it nowhere else: by part of an experiment.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) outcomes: BTreeMap<String, String>,
    /// What it came to, or what went wrong.
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

    /// The same where nobody waits for an answer.
    pub(crate) fn jot(&self, note: &Note) {
        if let Err(cause) = self.write(note) {
            tracing::error!(id = note.id, %cause, "a note could not be written down");
        }
    }

    /// The last note about each thing of a kind.
    pub(crate) fn last(&self, subject: Subject) -> Result<BTreeMap<String, Note>, StoreError> {
        let mut last = BTreeMap::new();
        let Some(store) = &self.store else { return Ok(last) };
        for series in store.series_like(SERIES)? {
            // Someone may have called a tournament so; its plan is no note.
            let Ok(note) = serde_json::from_value::<Note>(series.plan) else { continue };
            if note.subject == subject && note.version == VERSION {
                last.insert(note.id.clone(), note);
            }
        }
        Ok(last)
    }
}
