//! Connect four; row 0 is the lowest.

use baseline::connect_four::Position;

use super::{Board, Outcome, Plain, Reference};

pub struct ConnectFour {
    board: Board,
    step: usize,
}

impl Reference for ConnectFour {
    type Fast = Position;

    fn initial() -> Self {
        ConnectFour { board: Board::new(&["......."; 6]), step: 0 }
    }

    fn outcome(&self) -> Option<Outcome> {
        let ends = [self.board.has_line(b'x', 4), self.board.has_line(b'o', 4), self.step == 42];
        ends.into_iter().position(|end| end)
    }

    fn moves(&self) -> Vec<Plain> {
        let landing = |column| (0..6).map(|row| (row, column)).find(|&square| self.board.at(square) == b'.');
        (0..7).filter_map(landing).map(|square| [(0, 0), square]).collect()
    }

    fn play(&mut self, [_, square]: Plain) {
        self.board.put(square, b"xo"[self.step % 2]);
        self.step += 1;
    }

    fn plain(&self, chosen: u64) -> Plain {
        let square = chosen.trailing_zeros() as usize;
        [(0, 0), (square % 7, square / 7)]
    }

    fn assert_same(&self, fast: &Position) {
        let players =
            if self.step.is_multiple_of(2) { [fast.own, fast.other] } else { [fast.other, fast.own] };
        for (row, column) in self.board.squares() {
            let has = |set: u64| set >> (7 * column + row) & 1 != 0;
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
