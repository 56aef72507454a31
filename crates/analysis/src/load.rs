//! The game that a request names, and the state that it begins in.

use game::{Fault, Game};
use library::{Chosen, Library, Loaded, PlayError, SourceError, read_state};
use rules::Strictness;

/// The reasoner of requests that name none.
pub(crate) const REASONER: &str = "auto";

/// Why a game cannot be asked about.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// There is no such game.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// It cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Reads a game and puts it behind a reasoner.
pub fn load(library: &Library, game: &str, reasoner: &str) -> Result<(Loaded, Chosen), LoadError> {
    let loaded = library.load(game, Strictness::Lenient)?;
    let chosen = loaded.play(reasoner)?;
    Ok((loaded, chosen))
}

/// Why a text is not a state of a game.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// It is not a list of facts.
    #[error("{0}")]
    Unreadable(String),
    /// The game does not have these facts.
    #[error("This is not a state of the game: {0}.")]
    Foreign(Fault),
}

/// Returns the state that a text describes; the initial state where there is no text.
pub fn state_of<G: Game>(game: &G, text: Option<&str>) -> Result<G::State, StateError> {
    let Some(text) = text else { return Ok(game.initial()) };
    game.state(&facts(text)?).map_err(StateError::Foreign)
}

/// The facts of a text.
pub(crate) fn facts(text: &str) -> Result<Vec<String>, StateError> {
    read_state(text).map_err(|error| StateError::Unreadable(error.to_string()))
}
