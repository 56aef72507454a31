//! One match as a line of JSON.
//!
//! A line is the match record with two more fields: `exportVersion`, and `series` if the match belongs to
//! one. So it is a match record for every program that reads those. Version 1 is the record alone, without a
//! version; records of other programs are read as such.

use arena::{MatchRecord, Published};
use serde::{Deserialize, Serialize};

use crate::error::StoreError;

/// The version of this format, contained in every line.
const VERSION: u64 = 2;

/// A match and its place in a series.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub(super) record: MatchRecord,
    pub(super) place: Option<Place>,
}

/// The place of a match in a series.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Place {
    /// The name of the series.
    pub(super) name: String,
    /// When the series began, in milliseconds since 1970. This tells it from others of the same name.
    pub(super) created: u64,
    /// The number of the match in the series.
    pub(super) number: u64,
    /// The plan of the series. It can be long, so only the first match of a series contains it.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(super) plan: Option<serde_json::Value>,
}

/// Why a line cannot be imported, to be read after the place of the line.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// It is something else.
    #[error("is not a match record")]
    NotARecord,
    /// It was written by a later version.
    #[error("was exported by a later version of tafl (format {found}; expected {VERSION})")]
    Newer {
        /// The version of the line.
        found: u64,
    },
    /// It cannot be a match of the game that it is said to be of.
    #[error("is a match of {found} roles, but {game} has {roles}")]
    OtherGame {
        /// The number of roles in the record.
        found: usize,
        /// The game.
        game: String,
        /// The number of its roles.
        roles: usize,
    },
    /// The store failed.
    #[error("cannot be stored: {0}")]
    Store(#[from] StoreError),
}

impl Line {
    /// Writes a line, without its end.
    pub(super) fn write(&self) -> Result<String, serde_json::Error> {
        #[derive(Serialize)]
        #[serde(rename_all = "camelCase")]
        struct Written<'a> {
            export_version: u64,
            #[serde(flatten)]
            record: Published<'a>,
            #[serde(skip_serializing_if = "Option::is_none")]
            series: Option<&'a Place>,
        }
        let (record, series) = (self.record.published(), self.place.as_ref());
        serde_json::to_string(&Written { export_version: VERSION, record, series })
    }

    /// Parses a line: a record as it is, or within a line of an archive, `{"url": …, "data": RECORD}`.
    pub(super) fn read(text: &str) -> Result<Line, LineError> {
        let unreadable = |_| LineError::NotARecord;
        let mut value: serde_json::Value = serde_json::from_str(text).map_err(unreadable)?;
        if value.get("matchId").is_none()
            && let Some(data) = value.get_mut("data")
        {
            value = data.take();
        }
        let version = value.get("exportVersion").map_or(Some(1), serde_json::Value::as_u64);
        let place = match version.ok_or(LineError::NotARecord)? {
            // Another program may have a field of this name.
            ..2 => None,
            VERSION => value.get_mut("series").map(serde_json::Value::take),
            found => return Err(LineError::Newer { found }),
        };
        let mut record: MatchRecord = serde_json::from_value(value).map_err(unreadable)?;
        record.settle();
        let place = place.map(serde_json::from_value).transpose().map_err(unreadable)?;
        Ok(Line { record, place })
    }
}
