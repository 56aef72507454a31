//! Games whose fluents are known before the first move.

use crate::{Fault, FluentId, Game, Structure};

/// A game whose fluents are numbered, and what is proven of it by its rules.
pub trait Grounded<S> {
    /// How many fluents there are.
    fn fluent_count(&self) -> usize;

    /// Fills `fluents` with the numbers of those that hold, in order.
    fn fluents(&self, state: &S, fluents: &mut Vec<FluentId>) -> Result<(), Fault>;

    /// The state in which exactly these fluents hold.
    fn with_fluents(&self, fluents: &[FluentId]) -> Result<S, Fault>;

    /// The canonical text of a fluent.
    fn fluent_text(&self, fluent: FluentId) -> String;

    /// What is proven of the game by its rules; may take a while when it is first asked for.
    fn structure(&self) -> Structure;
}

/// The numbers of a game's fluents; a fault where it has none.
pub fn numbered<G: Game + ?Sized>(game: &G) -> Result<&dyn Grounded<G::State>, Fault> {
    let missing = || Fault::Unsupported("the fluents of this game have no numbers".to_string());
    game.grounded().ok_or_else(missing)
}

/// What is proven of a game by its rules; nothing where its fluents have no numbers.
pub fn structure<G: Game + ?Sized>(game: &G) -> Structure {
    game.grounded().map(|grounded| grounded.structure()).unwrap_or_default()
}

/// How many numbered fluents a game has.
pub fn fluent_count<G: Game + ?Sized>(game: &G) -> usize {
    game.grounded().map_or(0, |grounded| grounded.fluent_count())
}
