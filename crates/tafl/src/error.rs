//! What can go wrong.

use std::fmt;
use std::sync::Arc;

use gdl::{Diagnostic, LineIndex, Severity};

/// Why something was not done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such game, or it cannot be read.
    #[error(transparent)]
    Source(#[from] library::SourceError),
    /// The rule sheet has errors.
    #[error(transparent)]
    Sheet(#[from] BadSheet),
    /// No reasoner takes the rules, or there is no reasoner of this name.
    #[error(transparent)]
    Rules(#[from] library::PlayError),
    /// There is no player of this name, or its parameters are wrong.
    #[cfg(feature = "players")]
    #[error(transparent)]
    Player(#[from] cast::PlayerError),
    /// This is not the address of a player.
    #[error(transparent)]
    Address(#[from] arena::AddressError),
    /// The number of players is not the number of roles that players take.
    #[error("{game} is a game for {seats} player(s), not for {players}")]
    Seats {
        /// The game.
        game: String,
        /// Its roles, without those of chance.
        seats: usize,
        /// The players that were given.
        players: usize,
    },
    /// A game could not answer.
    #[error(transparent)]
    Fault(#[from] game::Fault),
    /// A port could not be opened.
    #[error(transparent)]
    Port(#[from] std::io::Error),
    /// A tournament was not written down correctly.
    #[cfg(feature = "tournament")]
    #[error(transparent)]
    Spec(#[from] tournament::BadSpec),
    /// A tournament could not go on.
    #[cfg(feature = "tournament")]
    #[error(transparent)]
    Run(#[from] tournament::RunError),
}

/// A rule sheet with errors. It reads as one line for each of them.
#[derive(Debug, Clone)]
pub struct BadSheet {
    /// Where the sheet is.
    pub place: String,
    /// Its text.
    pub text: Arc<str>,
    /// Everything that was found, warnings included, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl std::error::Error for BadSheet {}

impl fmt::Display for BadSheet {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lines = LineIndex::new(&self.text);
        let errors = self.diagnostics.iter().filter(|found| found.severity == Severity::Error);
        for (number, error) in errors.enumerate() {
            let at = lines.position(error.span.start as usize);
            let separator = if number == 0 { "" } else { "\n" };
            let (place, line, column) = (&self.place, at.line, at.column);
            write!(out, "{separator}{place}:{line}:{column}: error[{}]: {}", error.code, error.message)?;
            if let Some(remedy) = &error.remedy {
                write!(out, " ({remedy})")?;
            }
        }
        Ok(())
    }
}
