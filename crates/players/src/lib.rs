//! Strategies over any game.
//!
//! A player knows only the vocabulary of [`game`]: not which reasoner answers
//! its questions, in which language the rules are written or where its
//! opponents sit.

mod follow;
mod legal;
mod random;

use game::{Game, Player, Registry, Spec};

pub use follow::Follow;
pub use legal::Legal;
pub use random::Random;

/// All players by name, over one kind of game.
pub fn registry<G: Game + 'static>() -> Registry<(), Box<dyn Player<G>>> {
    let mut players: Registry<(), Box<dyn Player<G>>> = Registry::new("player");
    players.add("legal", "legal", "always makes the first legal move in canonical order", |spec, ()| {
        no_parameters(spec)?;
        Ok(Box::new(Legal::default()))
    });
    players.add("random", "random", "makes any of its legal moves, each with the same chance", |spec, ()| {
        no_parameters(spec)?;
        Ok(Box::new(Random::default()))
    });
    players
}

fn no_parameters(spec: &Spec) -> Result<(), String> {
    if spec.arguments.is_empty() { Ok(()) } else { Err("it takes no parameters.".to_string()) }
}
