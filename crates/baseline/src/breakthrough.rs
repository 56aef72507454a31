//! Breakthrough on 8x8 squares, always seen by the player to move, who goes towards the higher bits: turning the
//! board upside down is one instruction, and there is only one player to write code for.

use crate::machine::Machine;
use crate::playout::{self, Verdict};

/// The pieces of both players; bit `8 * row + column` stands for a square, row 0 is the mover's first.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// Pieces of the player to move.
    pub own: u64,
    /// Pieces of the other player.
    pub other: u64,
}

const LEFT_COLUMN: u64 = 0x0101_0101_0101_0101;
const RIGHT_COLUMN: u64 = LEFT_COLUMN << 7;
const LAST_ROW: u64 = 0xff << 56;

/// The target squares of the moves in each of the three directions; a target and its direction make a move.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    left: u64,
    ahead: u64,
    right: u64,
}

/// The bits of the square a piece leaves and of the one it goes to.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    /// The square left.
    pub from: u64,
    /// The square entered.
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

    /// Never happens: the foremost piece can always go diagonally, onto an empty or an enemy's square.
    #[inline(always)]
    fn stuck(&self) -> Verdict {
        Verdict::Lost
    }
}
