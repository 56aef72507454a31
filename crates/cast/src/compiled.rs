//! All players, compiled once for circuits and once for every other game.

use std::sync::Arc;

use game::{AnyGame, Deadline, Fault, Player, Seat, Seated, SpecError};
use reasoner::CircuitGame;

/// Seats the player that the spec names at a game.
pub fn seat(game: &AnyGame, spec: &str) -> Result<Box<dyn Seat>, SpecError> {
    Ok(match game.downcast::<CircuitGame>() {
        Some(circuit) => Box::new(Seated::new(Arc::clone(circuit), for_circuits(spec)?)),
        None => Box::new(Seated::new(Arc::new(game.clone()), for_others(spec)?)),
    })
}

/// Whether the player that the spec names plays this game, as far as can be told until the
/// deadline; if not, why. See [`Player::suits`].
pub fn suits(game: &AnyGame, spec: &str, deadline: &Deadline) -> Result<Result<(), Fault>, SpecError> {
    Ok(match game.downcast::<CircuitGame>() {
        Some(circuit) => for_circuits(spec)?.suits(circuit, deadline),
        None => for_others(spec)?.suits(game, deadline),
    })
}

/// Whether the spec names a player, and if not, what is possible.
pub fn check(spec: &str) -> Result<(), SpecError> {
    for_others(spec).map(|_| ())
}

/// Whether the player that the spec names counts its thinking; else it thinks until its
/// clock runs out. See [`Player::is_counted`].
pub fn is_counted(spec: &str) -> Result<bool, SpecError> {
    for_others(spec).map(|player| player.is_counted())
}

/// Usage and meaning of every player.
pub fn list() -> Vec<(&'static str, &'static str)> {
    players::registry::<AnyGame>().list().collect()
}

/// A player for circuits.
#[inline(never)]
pub fn for_circuits(spec: &str) -> Result<Box<dyn Player<CircuitGame>>, SpecError> {
    players::registry::<CircuitGame>().make(spec, &())
}

/// A player for any game.
#[inline(never)]
pub fn for_others(spec: &str) -> Result<Box<dyn Player<AnyGame>>, SpecError> {
    players::registry::<AnyGame>().make(spec, &())
}

/// A kind of game that all players are compiled for.
pub trait Compiled: game::Game + Sized + 'static {
    /// The player that the spec names.
    fn player(spec: &str) -> Result<Box<dyn Player<Self>>, SpecError>;
}

impl Compiled for CircuitGame {
    fn player(spec: &str) -> Result<Box<dyn Player<CircuitGame>>, SpecError> {
        for_circuits(spec)
    }
}

impl Compiled for AnyGame {
    fn player(spec: &str) -> Result<Box<dyn Player<AnyGame>>, SpecError> {
        for_others(spec)
    }
}
