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
    players.add("auto", &[], "looks at the game and takes a player that suits it", |_, ()| {
        Ok(Box::new(Auto::default()))
    });
    let about = "`hyperplay` that is shown all moves; only for matches whose referee shows them";
    players.add("cheat", belief::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Cheat::new(belief::Settings::read(spec)?)))
    });
    let about = "plays games with hidden information: playouts from a bag of possible histories";
    players.add("hyperplay", belief::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(HyperPlay::new(belief::Settings::read(spec)?)))
    });
    let about = "the same with simulated games for playouts, so that it values information";
    players.add("hyperplay2", belief::Nested::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(HyperPlayTwo::new(belief::Nested::read(spec)?)))
    });
    let about = "works out a mixed strategy before the match, for small games that hide something";
    players.add("cfr", belief::Rounds::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Cfr::new(belief::Rounds::read(spec)?)))
    });
    let about = "searches what everybody may do and see, each role by what it knows";
    players.add("ismcts", belief::Observers::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Ismcts::new(belief::Observers::read(spec)?)))
    });
    let about = "the same with mixed moves, so that it is hard to see through";
    players.add("oos", belief::Sampling::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Oos::new(belief::Sampling::read(spec)?)))
    });
    let about = "searches what it may do and see; for hidden information and one player against chance";
    players.add("pomcp", belief::Search::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Pomcp::new(belief::Search::read(spec)?)))
    });
    players.add("legal", &[], "always makes the first legal move in canonical order", |_, ()| {
        Ok(Box::new(Legal::default()))
    });
    players.add("random", &[], "makes any of its legal moves, each with the same chance", |_, ()| {
        Ok(Box::new(Random::default()))
    });
    let about = "looks two moves ahead: takes a win, and makes no move that lets another win at once";
    players.add("lookahead", &[], about, |_, ()| Ok(Box::new(Lookahead::new())));
    let about = "takes a win if there is one, else makes any legal move, even one that lets another win";
    players.add("lookahead_no_block", &[], about, |_, ()| Ok(Box::new(Lookahead::without_blocking())));
    let about = "searches with random playouts (UCT); strong in most games, and proves what it can";
    players.add("mcts", mcts::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Mcts::new(mcts::Settings::read(spec)?)))
    });
    let about = "searches all moves, deeper and deeper (alpha-beta), and proves what it can";
    players.add("minimax", minimax::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Minimax::new(minimax::Settings::read(spec)?)))
    });
    let about = "minimax with an evaluation that it makes from the rules before the match";
    players.add("heuristic", heuristic::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Heuristic::new(heuristic::Settings::read(spec)?)))
    });
    let about = "for games of one role: looks for a shortest plan, or a good one, and follows it";
    players.add("puzzle", puzzle::Settings::PARAMETERS, about, |spec, ()| {
        Ok(Box::new(Puzzle::new(puzzle::Settings::read(spec)?)))
    });
    let about = "for small games: works out what is certain in every position before the match";
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
