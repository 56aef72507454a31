//! Loading the game that a request names, and the state that it starts from.

use game::{Fault, Game};
use library::{Chosen, Library, Loaded, PlayError, SourceError, read_state};
use rules::Strictness;

/// The reasoner of requests that do not name one.
pub(crate) const REASONER: &str = "auto";

/// Why a game could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The game was not found.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// The game cannot be played.
    #[error(transparent)]
    Play(#[from] PlayError),
}

/// Loads a game and creates it with the given reasoner.
pub fn load(library: &Library, game: &str, reasoner: &str) -> Result<(Loaded, Chosen), LoadError> {
    let loaded = library.load(game, Strictness::Lenient)?;
    let chosen = loaded.play(reasoner)?;
    Ok((loaded, chosen))
}

/// Why a text is not a state of a game.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// The text is not a list of facts.
    #[error("{0}")]
    Unreadable(String),
    /// The facts are not a state of this game.
    #[error("This is not a state of the game: {0}.")]
    Foreign(Fault),
}

/// Returns the state that a text describes, or the initial state if there is no text.
pub fn state_of<G: Game>(game: &G, text: Option<&str>) -> Result<G::State, StateError> {
    let Some(text) = text else { return Ok(game.initial()) };
    game.state(&facts(text)?).map_err(StateError::Foreign)
}

/// Parses the facts of a state.
pub(crate) fn facts(text: &str) -> Result<Vec<String>, StateError> {
    read_state(text).map_err(|error| StateError::Unreadable(error.to_string()))
}
