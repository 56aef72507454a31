//! Hand-written uniformly random playouts: the honest competitor of the engine.
//!
//! What a programmer writes who knows one game and wants it fast: bitboards, one game at a time, no
//! allocation. All legal moves are counted exactly, a number is drawn, and only that move is decoded; a list
//! of moves never exists. Only the benchmark uses this crate; nothing else may depend on it.
//!
//! - [`playout`]: the trait of a game, the loop that plays it, and what the loop reports
//! - [`machine`]: finding the k-th bit of a word, natively where the processor can
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

/// Plays the given number of games from the initial position and reports on them. Every call continues the
/// random sequence of the one before.
pub type Playouts = Box<dyn FnMut(u64) -> Stats + Send>;

/// The games that [`by_name`] knows.
pub const NAMES: [&str; 5] = ["tic_tac_toe", "connect_four", "breakthrough", "reversi", "hnefatafl_13"];

/// The playouts of a game, on the fastest code that this processor runs. The same name and seed give the same
/// games on every machine.
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
