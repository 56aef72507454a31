//! The errors of this crate.

use std::fmt;
use std::sync::Arc;

use gdl::{Diagnostic, LineIndex, Severity};

/// An error of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// There is no such game, or it cannot be read.
    #[error(transparent)]
    Source(#[from] library::SourceError),
    /// The rule sheet has errors.
    #[error(transparent)]
    Sheet(#[from] BadSheet),
    /// No reasoner can handle the rules, or there is no reasoner with this name.
    #[error(transparent)]
    Rules(#[from] library::PlayError),
    /// There is no player with this name, or its parameters are invalid.
    #[cfg(feature = "players")]
    #[error(transparent)]
    Player(#[from] cast::PlayerError),
    /// This is not the address of a player.
    #[error(transparent)]
    Address(#[from] arena::AddressError),
    /// The number of players differs from the number of seats.
    #[error("{game} needs {seats} player(s), but got {players}")]
    Seats {
        /// The game.
        game: String,
        /// The number of its roles, without those of chance.
        seats: usize,
        /// The number of players given.
        players: usize,
    },
    /// The game could not answer a question about a state.
    #[error(transparent)]
    Fault(#[from] game::Fault),
    /// A port could not be opened.
    #[error(transparent)]
    Port(#[from] std::io::Error),
    /// The description of a tournament is invalid.
    #[cfg(feature = "tournament")]
    #[error(transparent)]
    Spec(#[from] tournament::BadSpec),
    /// A tournament could not be played to its end.
    #[cfg(feature = "tournament")]
    #[error(transparent)]
    Run(#[from] tournament::RunError),
}

/// A rule sheet with errors. Displays one line per error.
#[derive(Debug, Clone)]
pub struct BadSheet {
    /// The place of the sheet, usually a path.
    pub place: String,
    /// Its text.
    pub text: Arc<str>,
    /// All diagnostics, including warnings, in source order.
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
