//! Connect Four on seven columns of six squares, with seven bits per column. The bit above a
//! column keeps lines from running into the next column (Tromp's layout). The landing squares
//! of all columns are kept in one word; adding the square just taken moves it up by one.

use std::hint::cold_path;

use crate::machine::Machine;
use crate::playout::{self, Verdict};

/// The discs of both players. Bit `7 * column + row` represents a square.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The discs of the player to move.
    pub own: u64,
    /// The discs of the other player.
    pub other: u64,
    /// The lowest free square of every column that is not full.
    pub landings: u64,
    /// The number of columns that are not full.
    pub open: u32,
}

const BOTTOM: u64 = 0x0408_1020_4081;
const BOARD: u64 = BOTTOM * 0x3f;
const TOP: u64 = BOTTOM << 5;

/// Returns `true` if the discs contain four in a line: first pairs of neighbours, then pairs of
/// such pairs two squares apart.
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
            // A branch lets the processor continue speculatively with the predicted count.
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
