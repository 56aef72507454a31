//! Hnefatafl on 13x13 squares without the repetition rule; the attacker moves first.

use baseline::hnefatafl::{Move, Position};

use super::{Board, Outcome, Plain, Reference};

pub struct Hnefatafl {
    pub board: Board,
    pub turn: usize,
}

const THRONE: (usize, usize) = (6, 6);
const DIRECTIONS: [(isize, isize); 4] = [(0, 1), (0, -1), (1, 0), (-1, 0)];

impl Hnefatafl {
    fn attackers_turn(&self) -> bool {
        self.turn.is_multiple_of(2)
    }

    fn belongs_to_attacker(letter: u8) -> Option<bool> {
        (letter != b'.').then_some(letter == b'a')
    }

    /// A piece of the player, or the empty throne.
    fn hostile(&self, attacker: bool, square: Option<(usize, usize)>) -> bool {
        let Some(square) = square else { return false };
        let letter = self.board.at(square);
        Self::belongs_to_attacker(letter) == Some(attacker) || square == THRONE && letter == b'.'
    }

    fn captured(&self, mover: bool, to: (usize, usize)) -> Vec<(usize, usize)> {
        let mut captured = Vec::new();
        for direction in DIRECTIONS {
            let Some(next) = self.board.step(to, direction, 1) else { continue };
            if Self::belongs_to_attacker(self.board.at(next)) != Some(!mover) {
                continue;
            }
            let distance = next.0.abs_diff(THRONE.0) + next.1.abs_diff(THRONE.1);
            let taken = if self.board.at(next) == b'k' && distance <= 1 {
                DIRECTIONS.iter().all(|&side| self.hostile(mover, self.board.step(next, side, 1)))
            } else {
                self.hostile(mover, self.board.step(to, direction, 2))
            };
            if taken {
                captured.push(next);
            }
        }
        captured
    }
}

impl Reference for Hnefatafl {
    type Fast = Position;

    fn initial() -> Self {
        let board = Board::new(&[
            "....aaaaa....",
            ".....a.a.....",
            "......a......",
            "......d......",
            "a...d...d...a",
            "aa...ddd...aa",
            "a.ad.dkd.da.a",
            "aa...ddd...aa",
            "a...d...d...a",
            "......d......",
            "......a......",
            ".....a.a.....",
            "....aaaaa....",
        ]);
        Hnefatafl { board, turn: 0 }
    }

    fn outcome(&self) -> Option<Outcome> {
        let king = self.board.squares().into_iter().find(|&square| self.board.at(square) == b'k');
        let Some((row, column)) = king else { return Some(0) };
        if row == 0 || row == 12 || column == 0 || column == 12 {
            return Some(1);
        }
        if self.moves().is_empty() {
            return Some(usize::from(self.attackers_turn()));
        }
        (self.turn == 500).then_some(2)
    }

    fn moves(&self) -> Vec<Plain> {
        let mut moves = Vec::new();
        for from in self.board.squares() {
            if Self::belongs_to_attacker(self.board.at(from)) != Some(self.attackers_turn()) {
                continue;
            }
            for direction in DIRECTIONS {
                let ray = (1..13).map_while(|n| self.board.step(from, direction, n));
                for to in ray.take_while(|&square| self.board.at(square) == b'.') {
                    if to != THRONE || self.board.at(from) == b'k' {
                        moves.push([from, to]);
                    }
                }
            }
        }
        moves
    }

    fn play(&mut self, [from, to]: Plain) {
        self.board.put(to, self.board.at(from));
        self.board.put(from, b'.');
        for square in self.captured(self.attackers_turn(), to) {
            self.board.put(square, b'.');
        }
        self.turn += 1;
    }

    fn plain(&self, chosen: Move) -> Plain {
        chosen.squares()
    }

    fn assert_same(&self, fast: &Position) {
        for (row, column) in self.board.squares() {
            let expected = self.board.at((row, column));
            assert_eq!(
                fast.letter(row, column),
                expected,
                "row {row}, column {column} at turn {}",
                self.turn
            );
        }
    }
}
