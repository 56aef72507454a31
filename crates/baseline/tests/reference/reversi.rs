//! Reversi; Black moves first. The game is over when neither player can place a disc.

use baseline::reversi::Position;

use super::{Board, Outcome, Plain, Reference};

pub struct Reversi {
    board: Board,
    step: usize,
}

const PASS: Plain = [(0, 0), (0, 0)];

impl Reversi {
    /// The discs that turn when this player places one here.
    fn turned(&self, player: u8, square: (usize, usize)) -> Vec<(usize, usize)> {
        let mut turned = Vec::new();
        if self.board.at(square) != b'.' {
            return turned;
        }
        for direction in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
            let ray: Vec<_> = (1..8).map_while(|n| self.board.step(square, direction, n)).collect();
            let enemies = |&&s: &&(usize, usize)| self.board.at(s) != player && self.board.at(s) != b'.';
            let run = ray.iter().take_while(enemies).count();
            if ray.get(run).is_some_and(|&end| self.board.at(end) == player) {
                turned.extend(&ray[..run]);
            }
        }
        turned
    }

    fn placements(&self, player: u8) -> Vec<Plain> {
        let squares = self.board.squares().into_iter();
        squares.filter(|&square| !self.turned(player, square).is_empty()).map(|s| [(8, 8), s]).collect()
    }
}

impl Reference for Reversi {
    type Fast = Position;

    fn initial() -> Self {
        let empty = "........";
        let board = Board::new(&[empty, empty, empty, "...wb...", "...bw...", empty, empty, empty]);
        Reversi { board, step: 0 }
    }

    fn outcome(&self) -> Option<Outcome> {
        if !self.placements(b'b').is_empty() || !self.placements(b'w').is_empty() {
            return None;
        }
        let (black, white) = (self.board.count(b'b'), self.board.count(b'w'));
        [black > white, white > black, black == white].into_iter().position(|is| is)
    }

    fn moves(&self) -> Vec<Plain> {
        let placements = self.placements(b"bw"[self.step % 2]);
        if placements.is_empty() { vec![PASS] } else { placements }
    }

    fn play(&mut self, chosen: Plain) {
        let player = b"bw"[self.step % 2];
        if chosen != PASS {
            for square in self.turned(player, chosen[1]) {
                self.board.put(square, player);
            }
            self.board.put(chosen[1], player);
        }
        self.step += 1;
    }

    fn plain(&self, chosen: u64) -> Plain {
        let square = chosen.trailing_zeros() as usize;
        if chosen == 0 { PASS } else { [(8, 8), (square / 8, square % 8)] }
    }

    fn assert_same(&self, fast: &Position) {
        let players =
            if self.step.is_multiple_of(2) { [fast.own, fast.other] } else { [fast.other, fast.own] };
        for (row, column) in self.board.squares() {
            let has = |set: u64| set >> (8 * row + column) & 1 != 0;
            let letter = if has(players[0]) {
                b'b'
            } else if has(players[1]) {
                b'w'
            } else {
                b'.'
            };
            assert_eq!(letter, self.board.at((row, column)));
        }
    }
}
