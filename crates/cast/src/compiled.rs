//! All players, compiled for circuits here; for all other games they are in [`players`].

use std::sync::Arc;

use game::{AnyGame, Deadline, Fault, Player, Seat, Seated, SpecError};
use reasoner::CircuitGame;

/// Seats the player that the spec names at a game.
pub fn seat(game: &AnyGame, spec: &str) -> Result<Box<dyn Seat>, SpecError> {
    Ok(match game.downcast::<CircuitGame>() {
        Some(circuit) => Box::new(Seated::new(Arc::clone(circuit), for_circuits(spec)?)),
        None => Box::new(Seated::new(Arc::new(game.clone()), players::for_any_game(spec)?)),
    })
}

/// Whether the player that the spec names plays this game, as far as can be told until the
/// deadline; if not, why. See [`Player::suits`].
pub fn suits(game: &AnyGame, spec: &str, deadline: &Deadline) -> Result<Result<(), Fault>, SpecError> {
    Ok(match game.downcast::<CircuitGame>() {
        Some(circuit) => for_circuits(spec)?.suits(circuit, deadline),
        None => players::for_any_game(spec)?.suits(game, deadline),
    })
}

/// Whether the spec names a player, and if not, what is possible.
pub fn check(spec: &str) -> Result<(), SpecError> {
    players::for_any_game(spec).map(|_| ())
}

/// Whether the player that the spec names counts its thinking; else it thinks until its
/// clock runs out. See [`Player::is_counted`].
pub fn is_counted(spec: &str) -> Result<bool, SpecError> {
    players::for_any_game(spec).map(|player| player.is_counted())
}

/// Usage and meaning of every player.
pub fn list() -> Vec<(String, &'static str)> {
    players::list()
}

/// A player for circuits.
#[inline(never)]
pub fn for_circuits(spec: &str) -> Result<Box<dyn Player<CircuitGame>>, SpecError> {
    players::registry::<CircuitGame>().make(spec, &())
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
        players::for_any_game(spec)
    }
}
