//! Breakthrough on 8x8 squares, always seen from the player to move, who moves towards the
//! higher bits. Turning the board around is one instruction, so the code only has to handle one
//! player.

use crate::machine::Machine;
use crate::playout::{self, Verdict};

/// The pieces of both players. Bit `8 * row + column` represents a square; row 0 is the first
/// row of the mover.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The pieces of the player to move.
    pub own: u64,
    /// The pieces of the other player.
    pub other: u64,
}

const LEFT_COLUMN: u64 = 0x0101_0101_0101_0101;
const RIGHT_COLUMN: u64 = LEFT_COLUMN << 7;
const LAST_ROW: u64 = 0xff << 56;

/// The target squares of the moves in each of the three directions. A target and a direction identify a move.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    left: u64,
    ahead: u64,
    right: u64,
}

/// The bits of the source and target squares.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The source square.
    pub from: u64,
    /// The target square.
    pub to: u64,
}

impl playout::Position for Position {
    type Moves = Moves;
    type Move = Move;

    const INITIAL: Self = Position { own: 0xffff, other: 0xffff << 48 };

    #[inline(always)]
    fn moves(&self) -> (Moves, u32) {
        let left = (self.own & !LEFT_COLUMN) << 7 & !self.own;
        let ahead = self.own << 8 & !(self.own | self.other);
        let right = (self.own & !RIGHT_COLUMN) << 9 & !self.own;
        (Moves { left, ahead, right }, left.count_ones() + ahead.count_ones() + right.count_ones())
    }

    #[inline(always)]
    fn decode(&self, machine: impl Machine, moves: &Moves, index: u32) -> Move {
        let first = moves.left.count_ones();
        let second = first + moves.ahead.count_ones();
        let (mut targets, mut before, mut distance) = (moves.left, 0, 7);
        if index >= first {
            (targets, before, distance) = (moves.ahead, first, 8);
        }
        if index >= second {
            (targets, before, distance) = (moves.right, second, 9);
        }
        let to = machine.select(targets, index - before);
        Move { from: to >> distance, to }
    }

    #[inline(always)]
    fn play(&mut self, chosen: Move) -> Verdict {
        let own = self.own ^ chosen.from ^ chosen.to;
        let other = self.other & !chosen.to;
        *self = Position { own: other.swap_bytes(), other: own.swap_bytes() };
        if chosen.to & LAST_ROW != 0 || other == 0 { Verdict::Won } else { Verdict::Open }
    }

    /// Never happens: the foremost piece can always move diagonally, to an empty square or to
    /// one with an enemy.
    #[inline(always)]
    fn stuck(&self) -> Verdict {
        Verdict::Lost
    }
}
