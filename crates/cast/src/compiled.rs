//! All players, compiled for circuits. For other games they are compiled in [`players`].

use std::sync::Arc;

use game::{AnyGame, Deadline, Fault, Player, Seat, Seated, SpecError};
use reasoner::CircuitGame;

/// Seats the player named by the spec at a game.
pub fn seat(game: &AnyGame, spec: &str) -> Result<Box<dyn Seat>, SpecError> {
    Ok(match game.downcast::<CircuitGame>() {
        Some(circuit) => Box::new(Seated::new(Arc::clone(circuit), for_circuits(spec)?)),
        None => Box::new(Seated::new(Arc::new(game.clone()), players::for_any_game(spec)?)),
    })
}

/// Checks whether the player named by the spec can play this game, as far as can be determined
/// before the deadline; fails with the reason if it cannot. See [`Player::suits`].
pub fn suits(game: &AnyGame, spec: &str, deadline: &Deadline) -> Result<Result<(), Fault>, SpecError> {
    Ok(match game.downcast::<CircuitGame>() {
        Some(circuit) => for_circuits(spec)?.suits(circuit, deadline),
        None => players::for_any_game(spec)?.suits(game, deadline),
    })
}

/// Checks that the spec names a player; otherwise the error lists the possible names.
pub fn check(spec: &str) -> Result<(), SpecError> {
    players::for_any_game(spec).map(|_| ())
}

/// Returns `true` if the player named by the spec counts its thinking; otherwise it thinks
/// until its clock runs out. See [`Player::is_counted`].
pub fn is_counted(spec: &str) -> Result<bool, SpecError> {
    players::for_any_game(spec).map(|player| player.is_counted())
}

/// Returns `true` if the player looks at more states than the current one. See [`Player::searches`].
pub fn searches(spec: &str) -> Result<bool, SpecError> {
    players::for_any_game(spec).map(|player| player.searches())
}

/// Returns the usage and the meaning of every player.
pub fn list() -> Vec<(String, &'static str)> {
    players::list()
}

/// Returns the player named by the spec, for circuits.
#[inline(never)]
pub fn for_circuits(spec: &str) -> Result<Box<dyn Player<CircuitGame>>, SpecError> {
    players::registry::<CircuitGame>().make(spec, &())
}

/// A type of game for which all players are compiled.
pub trait Compiled: game::Game + Sized + 'static {
    /// Returns the player named by the spec.
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
