//! All players, compiled once for every kind of game.
//!
//! Players are generic over the game they play, so whoever makes one compiles
//! it. That is much code, and it is made here and nowhere else: [`player`] is a
//! small function in every other crate.

mod plain;

use std::any::{Any, TypeId};

use game::{Game, Player, SpecError};
pub use plain::{Plain, PlainState};
use reasoner::CircuitGame;

/// The player that the spec names, for a circuit or a [`Plain`] game. Whoever
/// has yet another kind of game asks [`players::registry`] itself.
pub fn player<G: Game + 'static>(spec: &str) -> Result<Box<dyn Player<G>>, SpecError> {
    let made: Box<dyn Any> = if TypeId::of::<G>() == TypeId::of::<CircuitGame>() {
        Box::new(for_circuits(spec)?)
    } else {
        Box::new(for_others(spec)?)
    };
    match made.downcast::<Box<dyn Player<G>>>() {
        Ok(player) => Ok(*player),
        Err(_) => Err(SpecError(format!("`{spec}` is not compiled for this kind of game."))),
    }
}

/// Whether the spec names a player, and if not, what is possible.
pub fn check(spec: &str) -> Result<(), SpecError> {
    for_others(spec).map(|_| ())
}

/// Whether the player that the spec names counts its thinking; else it thinks until its
/// clock is over. See [`Player::is_counted`].
pub fn is_counted(spec: &str) -> Result<bool, SpecError> {
    for_others(spec).map(|player| player.is_counted())
}

/// Usage and meaning of every player.
pub fn list() -> Vec<(&'static str, &'static str)> {
    players::registry::<Plain>().list().collect()
}

#[inline(never)]
fn for_circuits(spec: &str) -> Result<Box<dyn Player<CircuitGame>>, SpecError> {
    players::registry::<CircuitGame>().make(spec, &())
}

#[inline(never)]
fn for_others(spec: &str) -> Result<Box<dyn Player<Plain>>, SpecError> {
    players::registry::<Plain>().make(spec, &())
}

/// The circuit that a game is, or is played by.
pub fn circuit<G: Game + 'static>(game: &G) -> Option<&CircuitGame> {
    let game: &dyn Any = game;
    match game.downcast_ref::<Plain>() {
        Some(plain) => plain.circuit(),
        None => game.downcast_ref(),
    }
}

/// How many playouts a player asks for at a time; see [`players::playouts_at_once`].
pub fn playouts_at_once(spec: &str) -> Option<u32> {
    players::playouts_at_once(spec)
}
