//! Tic-tac-toe.

use baseline::tic_tac_toe::Position;

use super::{Board, Outcome, Plain, Reference};

pub struct TicTacToe {
    board: Board,
    step: usize,
}

impl Reference for TicTacToe {
    type Fast = Position;

    fn initial() -> Self {
        TicTacToe { board: Board::new(&["..."; 3]), step: 0 }
    }

    fn outcome(&self) -> Option<Outcome> {
        let lines = [self.board.has_line(b'x', 3), self.board.has_line(b'o', 3), self.step == 9];
        lines.into_iter().position(|ends| ends)
    }

    fn moves(&self) -> Vec<Plain> {
        let empty = self.board.squares().into_iter().filter(|&square| self.board.at(square) == b'.');
        empty.map(|square| [(0, 0), square]).collect()
    }

    fn play(&mut self, [_, square]: Plain) {
        self.board.put(square, b"xo"[self.step % 2]);
        self.step += 1;
    }

    fn plain(&self, chosen: u32) -> Plain {
        let square = chosen.trailing_zeros() as usize;
        [(0, 0), (square / 3, square % 3)]
    }

    fn assert_same(&self, fast: &Position) {
        let players =
            if self.step.is_multiple_of(2) { [fast.own, fast.other] } else { [fast.other, fast.own] };
        for (row, column) in self.board.squares() {
            let has = |set: u32| set >> (3 * row + column) & 1 != 0;
            let letter = if has(players[0]) {
                b'x'
            } else if has(players[1]) {
                b'o'
            } else {
                b'.'
            };
            assert_eq!(letter, self.board.at((row, column)));
        }
    }
}
