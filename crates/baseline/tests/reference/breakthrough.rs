//! Breakthrough; row 0 is White's first, and White moves first.

use baseline::breakthrough::{Move, Position};

use super::{Board, Outcome, Plain, Reference};

pub struct Breakthrough {
    board: Board,
    step: usize,
}

impl Breakthrough {
    /// The row as the player to move counts it.
    fn seen(&self, row: usize) -> usize {
        if self.step.is_multiple_of(2) { row } else { 7 - row }
    }
}

impl Reference for Breakthrough {
    type Fast = Position;

    fn initial() -> Self {
        let (white, empty, black) = ("wwwwwwww", "........", "bbbbbbbb");
        let board = Board::new(&[white, white, empty, empty, empty, empty, black, black]);
        Breakthrough { board, step: 0 }
    }

    fn outcome(&self) -> Option<Outcome> {
        let white_wins = self.board.0[7].contains(&b'w') || self.board.count(b'b') == 0;
        let black_wins = self.board.0[0].contains(&b'b') || self.board.count(b'w') == 0;
        [white_wins, black_wins].into_iter().position(|wins| wins)
    }

    fn moves(&self) -> Vec<Plain> {
        let (own, forward) = if self.step.is_multiple_of(2) { (b'w', 1) } else { (b'b', -1) };
        let mut moves = Vec::new();
        for from in self.board.squares().into_iter().filter(|&square| self.board.at(square) == own) {
            for sideways in [-1, 0, 1] {
                let Some(to) = self.board.step(from, (forward, sideways), 1) else { continue };
                let target = self.board.at(to);
                if target == b'.' || target != own && sideways != 0 {
                    moves.push([from, to]);
                }
            }
        }
        moves
    }

    fn play(&mut self, [from, to]: Plain) {
        self.board.put(to, self.board.at(from));
        self.board.put(from, b'.');
        self.step += 1;
    }

    fn plain(&self, chosen: Move) -> Plain {
        [chosen.from, chosen.to].map(|bit| {
            let square = bit.trailing_zeros() as usize;
            (self.seen(square / 8), square % 8)
        })
    }

    fn assert_same(&self, fast: &Position) {
        let players =
            if self.step.is_multiple_of(2) { [fast.own, fast.other] } else { [fast.other, fast.own] };
        for (row, column) in self.board.squares() {
            let has = |set: u64| set >> (8 * self.seen(row) + column) & 1 != 0;
            let letter = if has(players[0]) {
                b'w'
            } else if has(players[1]) {
                b'b'
            } else {
                b'.'
            };
            assert_eq!(letter, self.board.at((row, column)));
        }
    }
}
