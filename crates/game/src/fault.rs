//! Why a game could not answer.

use serde::{Deserialize, Serialize};

/// A question a game could not answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The rules ran away: evaluation went over its budget. The text names the rule.
    #[error("{0}")]
    Budget(String),
    /// The caller's deadline passed or its stop token was raised.
    #[error("stopped before the answer was ready")]
    Stopped,
    /// A move that is not one of the role's moves.
    #[error("`{text}` is not a move of {role}")]
    NoSuchMove {
        /// Whose.
        role: String,
        /// What was given.
        text: String,
    },
    /// A state that this game cannot be in.
    #[error("{0}")]
    BadState(String),
    /// A player that is somewhere else could not be reached, or said that it cannot play.
    #[error("{0}")]
    Unreachable(String),
    /// Something this game does not support.
    #[error("{0}")]
    Unsupported(String),
}
