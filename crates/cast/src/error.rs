//! The errors of specs that do not name a player.

use arena::AddressError;
use game::{SpecError, SpecSyntaxError};

use crate::remote::USAGE;

/// The reason why a spec does not name a player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// It is not the spec of a local player.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It is not the spec of a remote player.
    #[error("player `{spec}`: {cause} {USAGE}")]
    Remote {
        /// The spec as written.
        spec: String,
        /// The reason.
        cause: RemoteError,
    },
    /// There is no program to start.
    #[error("A player in a separate process needs the program tafl; set TAFL_PROGRAM to its path.")]
    NoProgram,
}

/// What is wrong with the spec of a remote player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// It is not a spec.
    #[error(transparent)]
    Syntax(#[from] SpecSyntaxError),
    /// The address cannot be parsed.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// The address uses HTTPS.
    #[error("players use plain HTTP.")]
    Https,
    /// There is no address.
    #[error("the address of the player is missing.")]
    NoAddress,
    /// The dialect is unknown.
    #[error("there is no dialect `{0}`.")]
    Dialect(String),
    /// `scramble` is neither yes nor no.
    #[error("`scramble` must be yes or no, not `{0}`.")]
    Scramble(String),
    /// The parameter is unknown.
    #[error("there is no parameter `{0}`.")]
    Parameter(String),
}
