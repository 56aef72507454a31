//! Hnefatafl on 13x13 squares without the repetition rule.
//!
//! A board is thirteen words. Word `n` contains four lines of 14 bits: row `n`, row `n`
//! reversed, column `n`, and column `n` reversed; the last bit of each is a guard beyond the
//! edge. Every slide of a piece is then a slide towards higher bits in one of the four lines,
//! and one subtraction per word finds the slides of all pieces of a player at once: subtracting
//! twice the pieces from the occupied squares borrows through the empty squares above each
//! piece up to the next occupied one (`o ^ (o - 2r)` in chess programming). No two pieces of a
//! line share a target in the same direction, so each bit is one move, and counting bits counts
//! moves.

use crate::machine::Machine;
use crate::playout::{self, Verdict};

/// The pieces, the king and the number of moves made.
#[derive(Clone, Copy, Debug)]
pub struct Position {
    /// The attackers, and the defenders with the king.
    pieces: [Board; 2],
    /// All pieces and the guards.
    occupied: Board,
    /// The row and column of the king.
    king: (usize, usize),
    /// The king's bits in word 6, the word of the throne's row and column.
    king_beside_throne: u64,
    turn: u32,
}

/// Thirteen words of four lines; the three others make indexing cheap.
type Board = [u64; 16];

const SIZE: usize = 13;
const LAST_TURN: u32 = 500;
const MIDDLE: usize = 6;
/// The positions of the guards in a word.
const GUARDS: u64 = 1 << 13 | 1 << 27 | 1 << 41 | 1 << 55;
/// The two lines of the row, and the distance to the two lines of the column above them.
const ROW: u64 = (1 << 28) - 1;
const COLUMN_SHIFT: u32 = 28;
/// The throne in word 6.
const THRONE: u64 = IN_LINE[MIDDLE] | IN_LINE[MIDDLE] << COLUMN_SHIFT;

/// The bits of the n-th square of a line, forwards and backwards.
const IN_LINE: Board = {
    let mut table = [0; 16];
    let mut n = 0;
    while n < SIZE {
        table[n] = 1 << n | 1 << (26 - n);
        n += 1;
    }
    table
};

/// The square of its line that each bit represents.
const PLACE: [u8; 64] = {
    let mut table = [0; 64];
    let mut n = 0;
    while n < SIZE {
        (table[n], table[26 - n], table[28 + n], table[54 - n]) = (n as u8, n as u8, n as u8, n as u8);
        n += 1;
    }
    table
};

const LAYOUT: [&[u8; SIZE]; SIZE] = [
    b"....aaaaa....",
    b".....a.a.....",
    b"......a......",
    b"......d......",
    b"a...d...d...a",
    b"aa...ddd...aa",
    b"a.ad.dkd.da.a",
    b"aa...ddd...aa",
    b"a...d...d...a",
    b"......d......",
    b"......a......",
    b".....a.a.....",
    b"....aaaaa....",
];

/// The slides of all pieces of a player.
#[derive(Clone, Copy, Debug)]
pub struct Moves {
    /// The targets in every line of every word.
    targets: Board,
    /// The number of targets in the words before each word.
    before: [u32; 16],
}

/// A slide along the lines of one word.
#[derive(Clone, Copy, Debug)]
pub struct Move {
    word: usize,
    from: usize,
    to: usize,
    /// 0 along the row, [`COLUMN_SHIFT`] along the column.
    shift: u32,
}

impl Move {
    /// Returns the row and column of the source and target squares.
    #[inline(always)]
    pub fn squares(self) -> [(usize, usize); 2] {
        [self.from, self.to]
            .map(|place| if self.shift == 0 { (self.word, place) } else { (place, self.word) })
    }
}

impl Position {
    /// Creates a position from its picture, which uses the letters of the layout and contains
    /// the king. The attacker moves on even turns.
    pub const fn from_picture(picture: [&[u8; SIZE]; SIZE], turn: u32) -> Self {
        let mut position = Position {
            pieces: [[0; 16]; 2],
            occupied: [GUARDS; 16],
            king: (0, 0),
            king_beside_throne: 0,
            turn,
        };
        let mut row = 0;
        while row < SIZE {
            let mut column = 0;
            while column < SIZE {
                match picture[row][column] {
                    b'a' => position.toggle(0, row, column),
                    b'd' => position.toggle(1, row, column),
                    b'k' => {
                        position.toggle(1, row, column);
                        position.put_king(row, column);
                    }
                    _ => {}
                }
                column += 1;
            }
            row += 1;
        }
        position
    }

    /// Returns the letter of the layout for the content of a square.
    pub fn letter(&self, row: usize, column: usize) -> u8 {
        let stands = |side: usize| self.pieces[side][row] >> column & 1 != 0;
        match (stands(0), stands(1)) {
            (true, _) => b'a',
            (_, true) if self.king == (row, column) => b'k',
            (_, true) => b'd',
            _ => b'.',
        }
    }

    /// Puts a piece on a square, or removes it.
    #[inline(always)]
    const fn toggle(&mut self, side: usize, row: usize, column: usize) {
        let (in_row, in_column) = (IN_LINE[column & 15], IN_LINE[row & 15] << COLUMN_SHIFT);
        self.pieces[side][row & 15] ^= in_row;
        self.pieces[side][column & 15] ^= in_column;
        self.occupied[row & 15] ^= in_row;
        self.occupied[column & 15] ^= in_column;
    }

    #[inline(always)]
    const fn put_king(&mut self, row: usize, column: usize) {
        self.king = (row, column);
        let in_row = if row == MIDDLE { IN_LINE[column & 15] } else { 0 };
        let in_column = if column == MIDDLE { IN_LINE[row & 15] << COLUMN_SHIFT } else { 0 };
        self.king_beside_throne = in_row | in_column;
    }

    /// Returns the throne in word 6 while it is empty: every piece can be captured against it.
    #[inline(always)]
    fn empty_throne(&self) -> u64 {
        THRONE & !self.occupied[MIDDLE]
    }

    /// Returns the lines through a square that contain a player's pieces and the empty throne:
    /// its row from one word, its column from another.
    #[inline(always)]
    fn hostile(&self, side: usize, row: usize, column: usize) -> u64 {
        let throne = self.empty_throne();
        let in_row = self.pieces[side][row & 15] | if row == MIDDLE { throne } else { 0 };
        let in_column = self.pieces[side][column & 15] | if column == MIDDLE { throne } else { 0 };
        in_row & ROW | in_column & !ROW
    }

    /// Removes the pieces captured by a piece of this side that has just moved to a square.
    /// Returns `true` if the king is captured.
    #[inline(always)]
    fn capture(&mut self, side: usize, row: usize, column: usize) -> bool {
        let enemies = &self.pieces[1 - side];
        let enemies = enemies[row & 15] & ROW | enemies[column & 15] & !ROW;
        let neighbours = (IN_LINE[column & 15] | IN_LINE[row & 15] << COLUMN_SHIFT) << 1;
        let captured = neighbours & enemies & self.hostile(side, row, column) >> 1;
        captured != 0 && self.remove(side, row, column, captured)
    }

    /// Removes the captured pieces, given as bits of the lines through a square.
    fn remove(&mut self, side: usize, row: usize, column: usize, mut captured: u64) -> bool {
        let mut king_captured = false;
        while captured != 0 {
            let bit = captured.trailing_zeros();
            captured &= captured - 1;
            let place = usize::from(PLACE[bit as usize & 63]);
            let (row, column) = if bit < COLUMN_SHIFT { (row, place) } else { (place, column) };
            if side == 0 && self.king == (row, column) {
                king_captured = !self.king_is_safe(row, column);
            } else {
                self.toggle(1 - side, row, column);
            }
        }
        king_captured
    }

    /// Returns `true` if the king between two attackers is safe, because he is on the throne or
    /// next to it and has a neighbouring square that is neither an attacker nor the empty
    /// throne.
    fn king_is_safe(&self, row: usize, column: usize) -> bool {
        let sides = (IN_LINE[column & 15] | IN_LINE[row & 15] << COLUMN_SHIFT) << 1;
        row.abs_diff(MIDDLE) + column.abs_diff(MIDDLE) <= 1 && sides & !self.hostile(0, row, column) != 0
    }
}

impl playout::Position for Position {
    type Moves = Moves;
    type Move = Move;

    const INITIAL: Self = Position::from_picture(LAYOUT, 0);

    #[inline(always)]
    fn moves(&self) -> (Moves, u32) {
        let side = self.turn as usize & 1;
        let own = &self.pieces[side];
        let mut moves = Moves { targets: [0; 16], before: [u32::MAX; 16] };
        let mut number = 0;
        for (word, (&own, &occupied)) in own.iter().zip(&self.occupied).enumerate().take(SIZE) {
            let mut targets = occupied.wrapping_sub(own << 1) & !occupied;
            if word == MIDDLE {
                // Only the king may stop on the throne.
                let king = if side == 1 { self.king_beside_throne } else { 0 };
                targets = targets & !THRONE | occupied.wrapping_sub(king << 1) & !occupied & THRONE;
            }
            moves.targets[word] = targets;
            moves.before[word] = number;
            number += targets.count_ones();
        }
        (moves, number)
    }

    #[inline(always)]
    fn decode(&self, machine: impl Machine, moves: &Moves, index: u32) -> Move {
        let reached = |word: usize| usize::from(moves.before[word & 15] <= index);
        let quarter = 4 * (reached(4) + reached(8) + reached(12));
        let word = quarter + reached(quarter + 1) + reached(quarter + 2) + reached(quarter + 3);
        let to = machine.select(moves.targets[word & 15], index.wrapping_sub(moves.before[word & 15]));
        let from = self.occupied[word & 15] & to.wrapping_sub(1);
        let (from, to) = (63 - (from | 1).leading_zeros(), to.trailing_zeros());
        Move {
            word,
            from: usize::from(PLACE[from as usize & 63]),
            to: usize::from(PLACE[to as usize & 63]),
            shift: if to < COLUMN_SHIFT { 0 } else { COLUMN_SHIFT },
        }
    }

    #[inline(always)]
    fn play(&mut self, chosen: Move) -> Verdict {
        let side = self.turn as usize & 1;
        let Move { word, from, to, shift } = chosen;
        let along = (IN_LINE[from & 15] ^ IN_LINE[to & 15]) << shift;
        let across = IN_LINE[word & 15] << (COLUMN_SHIFT - shift);
        for board in [&mut self.pieces[side], &mut self.occupied] {
            board[word & 15] ^= along;
            board[from & 15] ^= across;
            board[to & 15] ^= across;
        }
        let [from, (row, column)] = chosen.squares();
        let edge = |place: usize| place == 0 || place == SIZE - 1;
        if side == 1 && from == self.king {
            self.put_king(row, column);
            if edge(row) || edge(column) {
                return Verdict::Won;
            }
        }
        if self.capture(side, row, column) {
            return Verdict::Won;
        }
        self.turn += 1;
        if self.turn == LAST_TURN && self.moves().1 > 0 { Verdict::Drawn } else { Verdict::Open }
    }

    #[inline(always)]
    fn stuck(&self) -> Verdict {
        Verdict::Lost
    }
}
