//! The same games as slow and obvious code: a board of letters, rules read off word by word, lists of moves.

pub mod breakthrough;
pub mod connect_four;
pub mod hnefatafl;
pub mod reversi;
pub mod tic_tac_toe;

use baseline::playout::Position;

/// A move as row and column left and entered; games that place something leave nothing, a pass is all zeros.
pub type Plain = [(usize, usize); 2];

/// A result as an index: the first player wins, the second wins, a draw.
pub type Outcome = usize;

/// A game in plain code, next to the fast one that it is compared with.
pub trait Reference {
    type Fast: Position;

    fn initial() -> Self;
    /// The result, if the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// All legal moves of a game that is not over.
    fn moves(&self) -> Vec<Plain>;
    fn play(&mut self, chosen: Plain);
    /// The fast program's move in plain form, in this position.
    fn plain(&self, chosen: <Self::Fast as Position>::Move) -> Plain;
    /// Fails unless the fast program has the same board.
    fn assert_same(&self, fast: &Self::Fast);
}

/// A board of letters, rows from top to bottom; `.` is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board(pub Vec<Vec<u8>>);

impl Board {
    pub fn new(rows: &[&str]) -> Self {
        Board(rows.iter().map(|row| row.as_bytes().to_vec()).collect())
    }

    pub fn squares(&self) -> Vec<(usize, usize)> {
        (0..self.0.len()).flat_map(|row| (0..self.0[row].len()).map(move |column| (row, column))).collect()
    }

    pub fn at(&self, square: (usize, usize)) -> u8 {
        self.0[square.0][square.1]
    }

    pub fn put(&mut self, square: (usize, usize), letter: u8) {
        self.0[square.0][square.1] = letter;
    }

    /// The square so many steps away, if it is on the board.
    pub fn step(&self, from: (usize, usize), by: (isize, isize), times: isize) -> Option<(usize, usize)> {
        let row = from.0.checked_add_signed(by.0 * times)?;
        let column = from.1.checked_add_signed(by.1 * times)?;
        (row < self.0.len() && column < self.0[0].len()).then_some((row, column))
    }

    /// Whether this letter stands so often in a line somewhere.
    pub fn has_line(&self, letter: u8, length: isize) -> bool {
        let directions = [(0, 1), (1, 0), (1, 1), (1, -1)];
        self.squares().into_iter().any(|start| {
            directions.iter().any(|&direction| {
                (0..length)
                    .all(|n| self.step(start, direction, n).is_some_and(|square| self.at(square) == letter))
            })
        })
    }

    pub fn count(&self, letter: u8) -> usize {
        self.squares().into_iter().filter(|&square| self.at(square) == letter).count()
    }
}
