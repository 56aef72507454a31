//! Why a text names no player.

use arena::AddressError;
use game::{SpecError, SpecSyntaxError};

use crate::remote::USAGE;

/// Why there is no player for a spec.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PlayerError {
    /// It is not the spec of a player that is compiled here.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// It is not the spec of a remote player.
    #[error("player `{spec}`: {cause} {USAGE}")]
    Remote {
        /// The spec as written.
        spec: String,
        /// What is wrong with it.
        cause: RemoteError,
    },
    /// There is no program to start.
    #[error("A player in a process of its own needs the program tafl; TAFL_PROGRAM can name it.")]
    NoProgram,
}

/// What is wrong with the spec of a remote player.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RemoteError {
    /// It is not a spec.
    #[error(transparent)]
    Syntax(#[from] SpecSyntaxError),
    /// The address cannot be read.
    #[error(transparent)]
    Address(#[from] AddressError),
    /// It asks for HTTPS.
    #[error("players speak plain HTTP.")]
    Https,
    /// There is no address.
    #[error("it does not say where the player is.")]
    NoAddress,
    /// The dialect is not known.
    #[error("there is no dialect `{0}`.")]
    Dialect(String),
    /// `scramble` is neither yes nor no.
    #[error("`scramble` is yes or no, not `{0}`.")]
    Scramble(String),
    /// The parameter is not known.
    #[error("there is no parameter `{0}`.")]
    Parameter(String),
}
