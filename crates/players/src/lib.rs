//! Strategies for any game.
//!
//! A player knows only the vocabulary of [`game`]: not which reasoner answers its queries, in which language
//! the rules are written, or where its opponents are.

mod auto;
pub mod conditional;
pub mod exact;
pub mod heuristic;
mod known;
mod legal;
mod lookahead;
mod lookahead_hidden;
mod lookahead_possible;
mod matrix;
pub mod mcts;
pub mod minimax;
pub mod puzzle;
mod random;

use belief::{Cfr, Cheat, HyperPlay, HyperPlayTwo, Ismcts, Oos, Pomcp};
use game::{AnyGame, Game, Player, Registry, Spec, SpecError};

pub use auto::Auto;
pub use conditional::Conditional;
pub use heuristic::Heuristic;
pub use legal::Legal;
pub use lookahead::Lookahead;
pub use lookahead_possible::{Candidate, Possible};
pub use mcts::Mcts;
pub use minimax::Minimax;
pub use puzzle::Puzzle;
pub use random::Random;

/// Returns all players by name, for one kind of game.
pub fn registry<G: Game + 'static>() -> Registry<(), Box<dyn Player<G>>> {
    let mut players: Registry<(), Box<dyn Player<G>>> = Registry::new("player");
    players.add("auto", &[], "examines the game and picks a suitable player", |_, ()| {
        Ok(Box::new(Auto::default()))
    });
    let about = "`hyperplay` that sees all moves; only for matches whose referee reveals them";
    players.add("cheat", belief::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Cheat::new(belief::Settings::read(spec)?)))
    });
    let about = "for hidden information: playouts from a bag of possible histories";
    players.add("hyperplay", belief::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(HyperPlay::new(belief::Settings::read(spec)?)))
    });
    let about = "like `hyperplay`, but simulates matches instead of playouts, so that it values information";
    players.add("hyperplay2", belief::Nested::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(HyperPlayTwo::new(belief::Nested::read(spec)?)))
    });
    let about = "for small games with hidden information: computes a mixed strategy before the match";
    players.add("cfr", belief::Rounds::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Cfr::new(belief::Rounds::read(spec)?)))
    });
    let about = "for hidden information: a search tree for every role, based on what the role knows";
    players.add("ismcts", belief::Observers::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Ismcts::new(belief::Observers::read(spec)?)))
    });
    let about = "like `ismcts`, but mixes its moves, so that it is hard to exploit";
    players.add("oos", belief::Sampling::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Oos::new(belief::Sampling::read(spec)?)))
    });
    let about = "for hidden information and one player against chance: searches its own moves and percepts";
    players.add("pomcp", belief::Search::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Pomcp::new(belief::Search::read(spec)?)))
    });
    players.add("legal", &[], "always makes the first legal move in canonical order", |_, ()| {
        Ok(Box::new(Legal::default()))
    });
    players.add("random", &[], "makes a legal move chosen uniformly at random", |_, ()| {
        Ok(Box::new(Random::default()))
    });
    let about = "looks two moves ahead: takes a win, and avoids moves that let another role win at once";
    players.add("lookahead", &[], about, |_, ()| Ok(Box::new(Lookahead::new())));
    let about = "takes a win if there is one, otherwise any legal move, even one that lets another role win";
    players.add("lookahead_no_block", &[], about, |_, ()| Ok(Box::new(Lookahead::without_blocking())));
    let about = "searches with random playouts (UCT); strong in most games, and proves what it can";
    players.add("mcts", mcts::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Mcts::new(mcts::Settings::read(spec)?)))
    });
    let about = "searches all moves with iterative deepening (alpha-beta), and proves what it can";
    players.add("minimax", minimax::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Minimax::new(minimax::Settings::read(spec)?)))
    });
    let about = "minimax with an evaluation that it derives from the rules before the match";
    players.add("heuristic", heuristic::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Heuristic::new(heuristic::Settings::read(spec)?)))
    });
    let about = "for games with one role: searches for a shortest plan, or a good one, and follows it";
    players.add("puzzle", puzzle::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Puzzle::new(puzzle::Settings::read(spec)?)))
    });
    let about = "for small games: computes the guaranteed value of every position before the match";
    players.add("conditional", conditional::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Conditional::new(conditional::Settings::read(spec)?)))
    });
    players
}

/// The player that the spec names, for any game. All players are compiled for [`AnyGame`] in this
/// crate: where states are hidden behind a pointer, nothing is gained by optimising them as much
/// as those for circuits.
#[inline(never)]
pub fn for_any_game(spec: &str) -> Result<Box<dyn Player<AnyGame>>, SpecError> {
    registry().make(spec, &())
}

/// Usage and meaning of every player.
pub fn list() -> Vec<(String, &'static str)> {
    registry::<AnyGame>().list().collect()
}

/// How many playouts a player asks for at a time, where it counts its work and keeps
/// little in mind: such players can sit at many tables at once. None for all others.
pub fn playouts_at_once(spec: &str) -> Option<u32> {
    let spec = Spec::parse(spec).ok()?;
    match spec.name.as_str() {
        "mcts" => mcts::Settings::read(&spec).ok()?.playouts_at_once(),
        "minimax" => minimax::Settings::read(&spec).ok()?.playouts_at_once(),
        "heuristic" => heuristic::Settings::read(&spec).ok()?.search.playouts_at_once(),
        "random" | "legal" => Some(0),
        _ => None,
    }
}
