//! Errors of games.

use serde::{Deserialize, Serialize};

/// The reason why a game could not answer a query.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "kebab-case")]
pub enum Fault {
    /// The rules ran away: evaluation exceeded its budget. The text names the rule.
    #[error("{0}")]
    Budget(String),
    /// The caller's deadline passed or its stop token was set.
    #[error("stopped before the answer was ready")]
    Stopped,
    /// A move that is not one of the role's moves.
    #[error("`{text}` is not a move of {role}")]
    NoSuchMove {
        /// The role.
        role: String,
        /// The text of the move.
        text: String,
    },
    /// A state that this game cannot be in.
    #[error("{0}")]
    BadState(String),
    /// A remote player could not be reached, or answered that it cannot play.
    #[error("{0}")]
    Unreachable(String),
    /// Something that this game does not support.
    #[error("{0}")]
    Unsupported(String),
}
