//! The sheet with the Copenhagen rules against a program written by hand from
//! the same rules: squares in an array, no logic shared.
//!
//! Positions are drawn at random, crowded along the edges, because shield walls
//! and encirclement hardly ever come up in random games.

use game::{Rng, RoleId, Seed};

use crate::{begin, repository};

const N: i32 = 11;
const WAYS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Piece {
    Attacker,
    Defender,
    King,
}

use Piece::{Attacker, Defender, King};

impl Piece {
    fn attacks(self) -> bool {
        self == Attacker
    }
}

#[derive(Clone, PartialEq)]
struct Board {
    squares: Vec<Option<Piece>>,
    attacker_moves: bool,
}

fn inside(x: i32, y: i32) -> bool {
    (1..=N).contains(&x) && (1..=N).contains(&y)
}

fn throne(x: i32, y: i32) -> bool {
    (x, y) == (6, 6)
}

fn corner(x: i32, y: i32) -> bool {
    (x == 1 || x == N) && (y == 1 || y == N)
}

fn edge(x: i32, y: i32) -> bool {
    x == 1 || x == N || y == 1 || y == N
}

impl Board {
    fn at(&self, x: i32, y: i32) -> Option<Piece> {
        if inside(x, y) { self.squares[((y - 1) * N + x - 1) as usize] } else { None }
    }

    fn put(&mut self, x: i32, y: i32, piece: Option<Piece>) {
        self.squares[((y - 1) * N + x - 1) as usize] = piece;
    }

    fn all(&self) -> impl Iterator<Item = (i32, i32, Piece)> + '_ {
        (1..=N).flat_map(move |y| (1..=N).filter_map(move |x| self.at(x, y).map(|piece| (x, y, piece))))
    }

    fn moves(&self) -> Vec<(i32, i32, i32, i32)> {
        let mut moves = Vec::new();
        for (x, y, piece) in self.all().filter(|(.., piece)| piece.attacks() == self.attacker_moves) {
            for (dx, dy) in WAYS {
                let (mut u, mut v) = (x + dx, y + dy);
                while inside(u, v) && self.at(u, v).is_none() {
                    if piece == King || !(throne(u, v) || corner(u, v)) {
                        moves.push((x, y, u, v));
                    }
                    (u, v) = (u + dx, v + dy);
                }
            }
        }
        moves
    }

    /// Whether a piece can be captured against this square by the side that moves.
    fn hostile(&self, attacker: bool, x: i32, y: i32) -> bool {
        match self.at(x, y) {
            Some(piece) => piece.attacks() == attacker,
            None => inside(x, y) && (corner(x, y) || throne(x, y)),
        }
    }

    fn after(&self, (x, y, u, v): (i32, i32, i32, i32)) -> Board {
        let mine = self.attacker_moves;
        let mut board = self.clone();
        board.put(x, y, None);
        board.put(u, v, self.at(x, y));
        board.attacker_moves = !mine;
        let moved = board.clone();
        let enemy = |x, y| moved.at(x, y).is_some_and(|piece| piece.attacks() != mine);
        for (dx, dy) in WAYS {
            let (a, b) = (u + dx, v + dy);
            match moved.at(a, b) {
                Some(King) if mine => {
                    let shut = |(p, q): &(i32, i32)| {
                        inside(a + p, b + q)
                            && match moved.at(a + p, b + q) {
                                Some(piece) => piece == Attacker,
                                None => throne(a + p, b + q),
                            }
                    };
                    if WAYS.iter().all(shut) {
                        board.put(a, b, None);
                    }
                }
                // The square behind is looked at as it was before the move.
                Some(Attacker | Defender) if enemy(a, b) && self.hostile(mine, a + dx, b + dy) => {
                    board.put(a, b, None);
                }
                _ => {}
            }
        }
        // Shield walls along each edge the piece has come to, both ways.
        for (dx, dy) in WAYS {
            for (inx, iny) in WAYS {
                let at_edge = !inside(u - inx, v - iny);
                if !at_edge || (dx, dy) == (inx, iny) || (dx, dy) == (-inx, -iny) {
                    continue;
                }
                let (mut a, mut b) = (u + dx, v + dy);
                let mut row = Vec::new();
                let faced = |a: i32, b: i32| {
                    enemy(a, b) && self.at(a + inx, b + iny).is_some_and(|piece| piece.attacks() == mine)
                };
                while faced(a, b) {
                    row.push((a, b));
                    (a, b) = (a + dx, b + dy);
                }
                let own = self.at(a, b).is_some_and(|piece| piece.attacks() == mine);
                if own || (inside(a, b) && corner(a, b)) {
                    for (a, b) in row {
                        if moved.at(a, b) != Some(King) {
                            board.put(a, b, None);
                        }
                    }
                }
            }
        }
        board
    }

    /// Whether some defender, or the king, has a way to the edge.
    fn in_the_open(&self) -> bool {
        let mut seen = vec![false; (N * N) as usize];
        let mut waiting: Vec<(i32, i32)> =
            self.all().filter(|(.., piece)| !piece.attacks()).map(|(x, y, _)| (x, y)).collect();
        while let Some((x, y)) = waiting.pop() {
            let number = ((y - 1) * N + x - 1) as usize;
            if std::mem::replace(&mut seen[number], true) {
                continue;
            }
            if edge(x, y) {
                return true;
            }
            for (dx, dy) in WAYS {
                if self.at(x + dx, y + dy) != Some(Attacker) {
                    waiting.push((x + dx, y + dy));
                }
            }
        }
        false
    }

    /// Who has won: the attacker or not.
    fn winner(&self) -> Option<bool> {
        let Some((x, y, _)) = self.all().find(|(.., piece)| *piece == King) else { return Some(true) };
        if corner(x, y) {
            Some(false)
        } else if self.moves().is_empty() {
            Some(!self.attacker_moves)
        } else if !self.attacker_moves && !self.in_the_open() {
            Some(true)
        } else {
            None
        }
    }

    fn cells(&self) -> Vec<String> {
        let name = |piece| match piece {
            Attacker => "attacker",
            Defender => "defender",
            King => "king",
        };
        let mut cells: Vec<String> =
            self.all().map(|(x, y, piece)| format!("(cell {x} {y} {})", name(piece))).collect();
        cells.sort();
        cells
    }
}

/// A board with the king and his defenders inside a ring of attackers, which may
/// have a hole.
fn ringed(rng: &mut Rng) -> Board {
    let mut board = Board { squares: vec![None; (N * N) as usize], attacker_moves: rng.below(2) == 0 };
    let (radius, diamond) = (2 + rng.below(3) as i32, rng.below(2) == 0);
    let hole = rng.below(60);
    let mut ring = 0;
    for y in 1..=N {
        for x in 1..=N {
            let (dx, dy) = ((x - 6).abs(), (y - 6).abs());
            let distance = if diamond { dx + dy } else { dx.max(dy) };
            if distance == radius {
                board.put(x, y, (ring != hole).then_some(Attacker));
                ring += 1;
            } else if distance < radius && !throne(x, y) && rng.below(3) == 0 {
                board.put(x, y, Some(Defender));
            }
        }
    }
    board.put(6, 6, Some(King));
    board
}

/// A board with a king, crowded at the edge and in the second row.
fn drawn(rng: &mut Rng) -> Board {
    let mut board = Board { squares: vec![None; (N * N) as usize], attacker_moves: rng.below(2) == 0 };
    let (crowd, middle) = (20 + rng.below(60), rng.below(60));
    for y in 1..=N {
        for x in 1..=N {
            let outer = x <= 2 || x >= N - 1 || y <= 2 || y >= N - 1;
            let wanted = if outer { crowd } else { middle };
            if !throne(x, y) && !corner(x, y) && rng.below(100) < wanted {
                board.put(x, y, Some(if rng.below(5) < 3 { Attacker } else { Defender }));
            }
        }
    }
    loop {
        let (x, y) = (1 + rng.below(N as usize) as i32, 1 + rng.below(N as usize) as i32);
        if !corner(x, y) {
            board.put(x, y, Some(King));
            return board;
        }
    }
}

#[test]
fn the_copenhagen_sheet_is_the_game_written_by_hand() {
    let path = repository().join("games/hnefatafl_11_copenhagen/rules.kif");
    let mut sheet = begin(&path, "circuit");
    let (mut walls, mut encircled) = (0, 0);
    for number in 0..3000 {
        let mut rng = Seed(11).derive(number).rng();
        let mut board = if number % 3 == 0 { ringed(&mut rng) } else { drawn(&mut rng) };
        let control = if board.attacker_moves { "attacker" } else { "defender" };
        let mut facts = board.cells();
        facts.extend([format!("(control {control})")]);
        facts.extend(["(hundreds 0)", "(tens 0)", "(units 0)"].map(String::from));
        sheet.jump(&facts);
        for step in 0..4 {
            assert_eq!(sheet.board(), board.cells(), "position {number}, step {step}");
            let winner = board.winner();
            assert_eq!(sheet.terminal(), winner.is_some(), "position {number}, step {step}");
            if let Some(attacker) = winner {
                let goals = if attacker { [Some(100), Some(0)] } else { [Some(0), Some(100)] };
                assert_eq!(sheet.goals(), goals, "position {number}, step {step}");
                encircled += u32::from(!board.in_the_open());
                break;
            }
            let mover = usize::from(!board.attacker_moves);
            let moves = board.moves();
            let mut texts: Vec<String> =
                moves.iter().map(|(x, y, u, v)| format!("(move {x} {y} {u} {v})")).collect();
            let mv = rng.below(moves.len());
            let text = texts[mv].clone();
            texts.sort();
            let role = RoleId::all(2).nth(mover).unwrap();
            assert_eq!(sheet.legal(role), texts, "position {number}, step {step}");
            let next = board.after(moves[mv]);
            walls += u32::from(board.all().count() > next.all().count() + 1);
            board = next;
            let noop = "noop".to_string();
            sheet.go(&if mover == 0 { [text, noop] } else { [noop, text] });
        }
    }
    // What the sheet is tested for has come up.
    assert!(walls > 50, "only {walls} moves captured several pieces");
    assert!(encircled > 20, "only {encircled} encirclements");
}
