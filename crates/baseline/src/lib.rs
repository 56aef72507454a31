//! Hand-written uniformly random playouts: the fair competitor of the engine.
//!
//! This is what a programmer writes who knows one game and wants it fast: bitboards, one game
//! at a time, no allocation. All legal moves are counted exactly, a number is drawn, and only
//! that move is decoded; there is never a list of moves. Only the benchmark uses this crate;
//! nothing else may depend on it.
//!
//! - [`playout`]: the trait of a game, the loop that plays it, and its statistics
//! - [`machine`]: selection of the k-th bit of a word, with a native instruction if the processor has one
//! - [`rng`]: random numbers and the exactly uniform choice
//! - [`tic_tac_toe`], [`connect_four`], [`breakthrough`], [`reversi`], [`hnefatafl`]: one game each

pub mod breakthrough;
pub mod connect_four;
pub mod hnefatafl;
pub mod machine;
pub mod playout;
pub mod reversi;
pub mod rng;
pub mod tic_tac_toe;

pub use playout::Stats;

/// Plays the given number of games from the initial position and returns their statistics.
/// Every call continues the random sequence of the previous one.
pub type Playouts = Box<dyn FnMut(u64) -> Stats + Send>;

/// The names of the games that [`by_name`] knows.
pub const NAMES: [&str; 5] = ["tic_tac_toe", "connect_four", "breakthrough", "reversi", "hnefatafl_13"];

/// Returns the playouts of a game, on the fastest code that this processor supports. The same
/// name and seed yield the same games on every machine.
pub fn by_name(name: &str, seed: u64) -> Option<Playouts> {
    Some(match name {
        "tic_tac_toe" => playout::playouts::<tic_tac_toe::Position>(seed),
        "connect_four" => playout::playouts::<connect_four::Position>(seed),
        "breakthrough" => playout::playouts::<breakthrough::Position>(seed),
        "reversi" => playout::playouts::<reversi::Position>(seed),
        "hnefatafl_13" => playout::playouts::<hnefatafl::Position>(seed),
        _ => return None,
    })
}
