//! The trait of a game, and the loop that plays it at random.

use crate::machine::{Machine, Portable};
use crate::rng::Rng;
use crate::{Playouts, machine};

/// A position of a game between two players who alternate.
///
/// The loop requests the legal moves as a set with a known size, draws a number below that
/// size, and has this one move decoded and played. Implementations mark all four methods
/// `#[inline(always)]`, because the loop is compiled with processor features that the rest of
/// the program is not compiled with.
pub trait Position: Copy + 'static {
    /// The set of all legal moves, in compact form.
    type Moves;
    /// One move.
    type Move: Copy;

    /// The initial position.
    const INITIAL: Self;

    /// Returns the legal moves of the player to move, and their number. Zero ends the game with
    /// [`Position::stuck`].
    fn moves(&self) -> (Self::Moves, u32);

    /// Returns the legal move with this index.
    fn decode(&self, machine: impl Machine, moves: &Self::Moves, index: u32) -> Self::Move;

    /// Makes a move. Afterwards the other player is to move, unless the game is over.
    fn play(&mut self, chosen: Self::Move) -> Verdict;

    /// Returns the result of a game without a legal move, from the perspective of the player to move.
    fn stuck(&self) -> Verdict;
}

/// The status after a move, from the perspective of the player who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game goes on.
    Open,
    /// This player has won.
    Won,
    /// This player has lost.
    Lost,
    /// The game is drawn.
    Drawn,
}

/// Statistics of a number of playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// The number of games played to the end.
    pub playouts: u64,
    /// The number of moves made in them, including passes.
    pub steps: u64,
    /// The numbers of games won by the first player, won by the second player, and drawn.
    pub results: [u64; 3],
}

/// Returns the playouts of a game, on the best machine available.
pub(crate) fn playouts<P: Position>(seed: u64) -> Playouts {
    let mut rng = Rng::new(seed);
    #[cfg(target_arch = "x86_64")]
    if let Some(fast) = machine::Fast::detect() {
        // SAFETY: `detect` has found every feature that `run_fast` is compiled for.
        return Box::new(move |playouts| unsafe { run_fast::<P>(fast, &mut rng, playouts) });
    }
    Box::new(move |playouts| run::<P>(Portable, &mut rng, playouts))
}

/// [`run`], compiled with the processor features that [`machine::Fast`] represents.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx2")]
fn run_fast<P: Position>(fast: machine::Fast, rng: &mut Rng, playouts: u64) -> Stats {
    run::<P>(fast, rng, playouts)
}

/// Plays games from the initial position to the end.
#[inline(always)]
pub fn run<P: Position>(machine: impl Machine, rng: &mut Rng, playouts: u64) -> Stats {
    let mut stats = Stats { playouts, ..Stats::default() };
    let mut stream = rng.clone();
    for _ in 0..playouts {
        let (result, steps) = playout(machine, &mut stream, P::INITIAL);
        stats.results[result] += 1;
        stats.steps += u64::from(steps);
    }
    *rng = stream;
    stats
}

/// Plays one game. Returns the index of its result in [`Stats::results`], and its length.
#[inline(always)]
fn playout<P: Position>(machine: impl Machine, rng: &mut Rng, mut position: P) -> (usize, u32) {
    let mut steps = 0;
    loop {
        let (moves, number) = position.moves();
        if number == 0 {
            return (result(position.stuck(), steps), steps);
        }
        let chosen = position.decode(machine, &moves, rng.below(number));
        let verdict = position.play(chosen);
        if verdict != Verdict::Open {
            return (result(verdict, steps), steps + 1);
        }
        steps += 1;
    }
}

/// Returns the index in [`Stats::results`] of a verdict from the perspective of the player to
/// move at this step.
#[inline(always)]
fn result(verdict: Verdict, step: u32) -> usize {
    let mover = step as usize & 1;
    match verdict {
        Verdict::Won => mover,
        Verdict::Lost => 1 - mover,
        Verdict::Drawn | Verdict::Open => 2,
    }
}
