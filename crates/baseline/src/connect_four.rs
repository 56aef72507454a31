//! Connect four on seven columns of six squares, seven bits per column: the bit above a column keeps lines from
//! running into the next one (Tromp's layout). The landing squares of all columns are kept in one word: adding the
//! one just taken to it moves it up.

use std::hint::cold_path;

use crate::machine::Machine;
use crate::playout::{self, Verdict};

/// The discs of both players; bit `7 * column + row` stands for a square.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Discs of the player to move.
    pub own: u64,
    /// Discs of the other player.
    pub other: u64,
    /// The lowest free square of every column that has one.
    pub landings: u64,
    /// How many columns have one.
    pub open: u32,
}

const BOTTOM: u64 = 0x0408_1020_4081;
const BOARD: u64 = BOTTOM * 0x3f;
const TOP: u64 = BOTTOM << 5;

/// Whether the discs hold four in a line: pairs of neighbours first, then pairs of such pairs two squares apart.
#[inline(always)]
fn has_line(discs: u64) -> bool {
    let upright = discs & discs >> 1;
    let level = discs & discs >> 7;
    let falling = discs & discs >> 6;
    let rising = discs & discs >> 8;
    (upright & upright >> 2) | (level & level >> 14) | (falling & falling >> 12) | (rising & rising >> 16)
        != 0
}

impl playout::Position for Position {
    /// The landing squares.
    type Moves = u64;
    /// The bit of a square.
    type Move = u64;

    const INITIAL: Self = Position { own: 0, other: 0, landings: BOTTOM, open: 7 };

    #[inline(always)]
    fn moves(&self) -> (u64, u32) {
        (self.landings, self.open)
    }

    #[inline(always)]
    fn decode(&self, machine: impl Machine, moves: &u64, index: u32) -> u64 {
        machine.select(*moves, index)
    }

    #[inline(always)]
    fn play(&mut self, chosen: u64) -> Verdict {
        let discs = self.own | chosen;
        let landings = (self.landings + chosen) & BOARD;
        let mut open = self.open;
        if chosen & TOP != 0 {
            // A branch, since the processor then goes on with the number that it expects.
            cold_path();
            open -= 1;
        }
        *self = Position { own: self.other, other: discs, landings, open };
        if has_line(discs) {
            Verdict::Won
        } else if landings == 0 {
            Verdict::Drawn
        } else {
            Verdict::Open
        }
    }

    #[inline(always)]
    fn stuck(&self) -> Verdict {
        Verdict::Drawn
    }
}
