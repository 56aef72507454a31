//! Tic-tac-toe: nine bits per player, and a table with one bit for each of the 512 sets of
//! squares that says whether it contains a line. The number of empty squares is maintained
//! rather than counted: it does not depend on which move is made, so the next random choice can
//! be computed before the last one is decoded.

use crate::machine::Machine;
use crate::playout::{self, Verdict};

/// The squares of both players. Bit `3 * row + column` represents a square.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The squares of the player to move.
    pub own: u32,
    /// The squares of the other player.
    pub other: u32,
    /// The empty squares.
    pub empty: u32,
    /// The number of empty squares.
    pub left: u32,
}

const BOARD: u32 = 0o777;
const LINES: [u32; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

/// Bit `set % 64` of word `set / 64` is set if the set of squares contains a line.
const HAS_LINE: [u64; 8] = {
    let mut table = [0; 8];
    let mut set = 0;
    while set < 512 {
        let mut line = 0;
        while line < LINES.len() {
            if set as u32 & LINES[line] == LINES[line] {
                table[set / 64] |= 1 << (set % 64);
            }
            line += 1;
        }
        set += 1;
    }
    table
};

#[inline(always)]
fn has_line(set: u32) -> bool {
    HAS_LINE[(set / 64 % 8) as usize] >> (set % 64) & 1 != 0
}

impl playout::Position for Position {
    /// The empty squares.
    type Moves = u32;
    /// The bit of a square.
    type Move = u32;

    const INITIAL: Self = Position { own: 0, other: 0, empty: BOARD, left: 9 };

    #[inline(always)]
    fn moves(&self) -> (u32, u32) {
        (self.empty, self.left)
    }

    #[inline(always)]
    fn decode(&self, machine: impl Machine, moves: &u32, index: u32) -> u32 {
        machine.select(u64::from(*moves), index) as u32
    }

    #[inline(always)]
    fn play(&mut self, chosen: u32) -> Verdict {
        let own = self.own | chosen;
        *self = Position { own: self.other, other: own, empty: self.empty ^ chosen, left: self.left - 1 };
        if has_line(own) {
            Verdict::Won
        } else if self.left == 0 {
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
