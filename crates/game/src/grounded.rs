//! Games whose fluents are known before the first move.

use crate::{Fault, FluentId, Game, Structure};

/// A game whose fluents are numbered, with the structure proven from its rules.
pub trait Grounded<S> {
    /// Returns the number of fluents.
    fn fluent_count(&self) -> usize;

    /// Fills `fluents` with the numbers of those that hold, in order.
    fn fluents(&self, state: &S, fluents: &mut Vec<FluentId>) -> Result<(), Fault>;

    /// Returns the state in which exactly these fluents hold.
    fn with_fluents(&self, fluents: &[FluentId]) -> Result<S, Fault>;

    /// Returns the canonical text of a fluent.
    fn fluent_text(&self, fluent: FluentId) -> String;

    /// Returns the structure proven from the rules. The first call may take a while.
    fn structure(&self) -> Structure;
}

/// Returns the numbered fluents of a game. Fails if it has none.
pub fn numbered<G: Game + ?Sized>(game: &G) -> Result<&dyn Grounded<G::State>, Fault> {
    let missing = || Fault::Unsupported("the fluents of this game are not numbered".to_string());
    game.grounded().ok_or_else(missing)
}

/// Returns the structure proven from the rules; empty if fluents are not numbered.
pub fn structure<G: Game + ?Sized>(game: &G) -> Structure {
    game.grounded().map(|grounded| grounded.structure()).unwrap_or_default()
}

/// Returns the number of numbered fluents of a game.
pub fn fluent_count<G: Game + ?Sized>(game: &G) -> usize {
    game.grounded().map_or(0, |grounded| grounded.fluent_count())
}
