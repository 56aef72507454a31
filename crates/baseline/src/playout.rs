//! What a game is here, and the loop that plays it at random.

use crate::machine::{Machine, Portable};
use crate::rng::Rng;
use crate::{Playouts, machine};

/// A position of a game between two players who move in turn.
///
/// The loop asks for the legal moves as a set that knows its size, draws a number below it, and has this one
/// move decoded and played. Implementations mark all four methods `#[inline(always)]`: the loop is compiled for
/// instructions that the rest of the program is not compiled for.
pub trait Position: Copy + 'static {
    /// All legal moves, not written out.
    type Moves;
    /// One move.
    type Move: Copy;

    /// The position in which the game begins.
    const INITIAL: Self;

    /// The legal moves of the player to move, and their number. None at all ends the game with [`Position::stuck`].
    fn moves(&self) -> (Self::Moves, u32);

    /// The legal move with this index.
    fn decode(&self, machine: impl Machine, moves: &Self::Moves, index: u32) -> Self::Move;

    /// Makes a move; afterwards the other player is to move, unless the game is over.
    fn play(&mut self, chosen: Self::Move) -> Verdict;

    /// The end of a game without a legal move, as the player sees it who should move.
    fn stuck(&self) -> Verdict;
}

/// How things stand after a move, as the player sees it who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The game goes on.
    Open,
    /// This player has won.
    Won,
    /// This player has lost.
    Lost,
    /// Nobody has won.
    Drawn,
}

/// What a number of playouts came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Games played to the end.
    pub playouts: u64,
    /// Moves made in them, passes included.
    pub steps: u64,
    /// Games that the first player won, that the second player won, and draws.
    pub results: [u64; 3],
}

/// The playouts of a game on the best machine at hand.
pub(crate) fn playouts<P: Position>(seed: u64) -> Playouts {
    let mut rng = Rng::new(seed);
    #[cfg(target_arch = "x86_64")]
    if let Some(fast) = machine::Fast::detect() {
        // SAFETY: `detect` has found every feature that `run_fast` is compiled for.
        return Box::new(move |playouts| unsafe { run_fast::<P>(fast, &mut rng, playouts) });
    }
    Box::new(move |playouts| run::<P>(Portable, &mut rng, playouts))
}

/// [`run`], compiled for the instructions that [`machine::Fast`] stands for.
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

/// Plays one game: the index of its result in [`Stats::results`], and its length.
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

/// The index in [`Stats::results`], when the verdict is that of the player who moves at this step.
#[inline(always)]
fn result(verdict: Verdict, step: u32) -> usize {
    let mover = step as usize & 1;
    match verdict {
        Verdict::Won => mover,
        Verdict::Lost => 1 - mover,
        Verdict::Drawn | Verdict::Open => 2,
    }
}
