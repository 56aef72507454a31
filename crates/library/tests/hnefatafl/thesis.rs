//! The sheets with the rules of the thesis, and all variants of them, against a
//! program written by hand from the same rules: squares in an array, no logic
//! shared.
//!
//! Positions are drawn at random, crowded around a king, because captures of all
//! kinds hardly ever come up in random games; then games are played from the
//! start with many moves taken back, for the repetition rule.

use std::collections::BTreeMap;

use game::{Rng, RoleId, Seed};

use crate::{Position, begin, repository};

const WAYS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Piece {
    Attacker,
    Defender,
    King,
}

use Piece::{Attacker, Defender, King};

/// What a variant changes.
#[derive(Clone, Copy)]
struct Rules {
    /// Pieces are captured between two enemies.
    captures: bool,
    /// So is the king, away from the throne.
    king_captured: bool,
    /// The king is killed when he is shut in on four sides: nowhere, around the throne, everywhere.
    king_killed: Killed,
    king_moves: bool,
    anybody_moves: bool,
    /// Pieces go anywhere and remove what stands there.
    jumps: bool,
    /// Who cannot move loses; otherwise he passes.
    stalemate: bool,
    repetition: bool,
    encirclement: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Killed {
    Nowhere,
    AroundTheThrone,
    Everywhere,
}

const ALL: Rules = Rules {
    captures: true,
    king_captured: true,
    king_killed: Killed::AroundTheThrone,
    king_moves: true,
    anybody_moves: true,
    jumps: false,
    stalemate: true,
    repetition: true,
    encirclement: false,
};
const NO_REPETITION: Rules = Rules { repetition: false, ..ALL };

/// The sheets in `experiments/hnefatafl/sheets`.
const VARIANTS: &[(&str, Rules)] = &[
    ("01_board_5", ALL),
    ("02_board_9", ALL),
    ("03_no_stalemate", Rules { stalemate: false, ..ALL }),
    (
        "04_no_captures",
        Rules { captures: false, king_captured: false, king_killed: Killed::Everywhere, ..ALL },
    ),
    ("05_king_only_killed", Rules { king_captured: false, king_killed: Killed::Everywhere, ..ALL }),
    ("06_king_only_captured", Rules { king_killed: Killed::Nowhere, ..ALL }),
    ("07_king_stays", Rules { king_moves: false, ..ALL }),
    ("08_nobody_moves", Rules { anybody_moves: false, ..ALL }),
    ("09_nobody_moves_no_repetition", Rules { anybody_moves: false, ..NO_REPETITION }),
    ("10_jumps", Rules { jumps: true, ..ALL }),
    ("11_no_repetition", NO_REPETITION),
    ("12_encirclement", Rules { encirclement: true, ..ALL }),
    ("board_7", ALL),
    ("board_7_no_repetition", NO_REPETITION),
    ("board_9_no_repetition", NO_REPETITION),
    ("plain_history", ALL),
];

type Step = (i32, i32, i32, i32);

#[derive(Clone)]
struct Board {
    n: i32,
    squares: Vec<Option<Piece>>,
    attacker_moves: bool,
}

impl Board {
    fn empty(n: i32) -> Board {
        Board { n, squares: vec![None; (n * n) as usize], attacker_moves: true }
    }

    fn inside(&self, x: i32, y: i32) -> bool {
        (1..=self.n).contains(&x) && (1..=self.n).contains(&y)
    }

    fn at(&self, x: i32, y: i32) -> Option<Piece> {
        if self.inside(x, y) { self.squares[((y - 1) * self.n + x - 1) as usize] } else { None }
    }

    fn put(&mut self, x: i32, y: i32, piece: Option<Piece>) {
        self.squares[((y - 1) * self.n + x - 1) as usize] = piece;
    }

    fn all(&self) -> impl Iterator<Item = (i32, i32, Piece)> + '_ {
        let side = 1..=self.n;
        side.clone().flat_map(move |y| side.clone().filter_map(move |x| Some((x, y, self.at(x, y)?))))
    }

    fn is_throne(&self, x: i32, y: i32) -> bool {
        x * 2 == self.n + 1 && y * 2 == self.n + 1
    }

    fn is_edge(&self, x: i32, y: i32) -> bool {
        x == 1 || y == 1 || x == self.n || y == self.n
    }

    fn king(&self) -> Option<(i32, i32)> {
        self.all().find(|(.., piece)| *piece == King).map(|(x, y, _)| (x, y))
    }

    fn moves(&self, rules: &Rules) -> Vec<Step> {
        let mut moves = Vec::new();
        if !rules.anybody_moves {
            return moves;
        }
        for (x, y, piece) in self.all().filter(|(.., piece)| (*piece == Attacker) == self.attacker_moves) {
            if piece == King && !rules.king_moves {
                continue;
            }
            let may_stop = |u, v| piece == King || !self.is_throne(u, v);
            if rules.jumps {
                let all = (1..=self.n).flat_map(|v| (1..=self.n).map(move |u| (u, v)));
                moves.extend(
                    all.filter(|&(u, v)| (u, v) != (x, y) && may_stop(u, v)).map(|(u, v)| (x, y, u, v)),
                );
                continue;
            }
            for (dx, dy) in WAYS {
                let (mut u, mut v) = (x + dx, y + dy);
                while self.inside(u, v) && self.at(u, v).is_none() {
                    if may_stop(u, v) {
                        moves.push((x, y, u, v));
                    }
                    (u, v) = (u + dx, v + dy);
                }
            }
        }
        moves
    }

    fn after(&self, (x, y, u, v): Step, rules: &Rules) -> Board {
        let mut moved = self.clone();
        moved.put(x, y, None);
        moved.put(u, v, self.at(x, y));
        moved.attacker_moves = !self.attacker_moves;
        let mut board = moved.clone();
        // What is on the mover's side: his pieces, and the throne while nobody is there.
        let helps = |p: i32, q: i32| match moved.at(p, q) {
            Some(piece) => (piece == Attacker) == self.attacker_moves,
            None => moved.is_throne(p, q),
        };
        for (dx, dy) in WAYS {
            let (a, b) = (u + dx, v + dy);
            let Some(piece) = moved.at(a, b).filter(|piece| (*piece == Attacker) != self.attacker_moves)
            else {
                continue;
            };
            let between = helps(a + dx, b + dy);
            let shut_in = WAYS.iter().all(|(p, q)| helps(a + p, b + q));
            let around = moved.is_throne(a, b) || WAYS.iter().any(|(p, q)| moved.is_throne(a + p, b + q));
            let is_taken = match (piece, rules.king_killed) {
                (Attacker | Defender, _) => rules.captures && between,
                (King, Killed::Everywhere) => shut_in,
                (King, Killed::AroundTheThrone) if around => shut_in,
                (King, Killed::Nowhere) if around => false,
                (King, _) => rules.king_captured && between,
            };
            if is_taken {
                board.put(a, b, None);
            }
        }
        board
    }

    /// Whether some defender, or the king, has a way to the edge.
    fn in_the_open(&self) -> bool {
        let mut seen = vec![false; self.squares.len()];
        let mut waiting: Vec<(i32, i32)> =
            self.all().filter(|(.., piece)| *piece != Attacker).map(|(x, y, _)| (x, y)).collect();
        while let Some((x, y)) = waiting.pop() {
            if std::mem::replace(&mut seen[((y - 1) * self.n + x - 1) as usize], true) {
                continue;
            }
            if self.is_edge(x, y) {
                return true;
            }
            for (p, q) in WAYS.map(|(dx, dy)| (x + dx, y + dy)) {
                if self.at(p, q) != Some(Attacker) {
                    waiting.push((p, q));
                }
            }
        }
        false
    }

    /// Whether the attacker has won, or the defender; `times` is how often this board has come about.
    fn winner(&self, rules: &Rules, times: usize) -> Option<bool> {
        let Some((x, y)) = self.king() else { return Some(true) };
        if self.is_edge(x, y) {
            Some(false)
        } else if rules.repetition && times >= 3 {
            Some(self.attacker_moves)
        } else if rules.anybody_moves && rules.stalemate && self.moves(rules).is_empty() {
            Some(!self.attacker_moves)
        } else if rules.encirclement && !self.attacker_moves && !self.in_the_open() {
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

    /// The board that cells of a sheet show.
    fn read(n: i32, cells: &[String]) -> Board {
        let mut board = Board::empty(n);
        for cell in cells {
            let words: Vec<&str> = cell.trim_matches(['(', ')']).split(' ').collect();
            let piece = match words[3] {
                "attacker" => Attacker,
                "defender" => Defender,
                _ => King,
            };
            board.put(words[1].parse().unwrap(), words[2].parse().unwrap(), Some(piece));
        }
        board
    }
}

/// A board with a king in the middle of a crowd, sometimes on the throne or beside it.
fn drawn(n: i32, rng: &mut Rng) -> Board {
    let mut board = Board::empty(n);
    board.attacker_moves = rng.below(2) == 0;
    let middle = (n + 1) / 2;
    let beside = rng.below(3) as i32 - 1;
    let (kx, ky) = match rng.below(3) {
        0 => (middle, middle + beside),
        1 => (middle + beside, middle),
        _ => (2 + rng.below(n as usize - 2) as i32, 2 + rng.below(n as usize - 2) as i32),
    };
    let (near, far, reach) = (20 + rng.below(75), rng.below(40), 1 + rng.below(3) as i32);
    let attackers = 3 + rng.below(6);
    for y in 1..=n {
        for x in 1..=n {
            let close = (x - kx).abs() + (y - ky).abs() <= reach;
            if rng.below(100) < if close { near } else { far } && !board.is_throne(x, y) {
                board.put(x, y, Some(if rng.below(10) < attackers { Attacker } else { Defender }));
            }
        }
    }
    board.put(kx, ky, Some(King));
    board
}

/// What has come up.
#[derive(Default)]
struct Seen {
    captures: usize,
    /// Games won by the attacker and by the defender.
    won: [usize; 2],
    third: usize,
}

/// Plays both side by side from where they are.
fn play(
    sheet: &mut dyn Position,
    mut board: Board,
    rules: &Rules,
    steps: usize,
    rng: &mut Rng,
    seen: &mut Seen,
) {
    let mut times: BTreeMap<Vec<Option<Piece>>, usize> = BTreeMap::new();
    let mut last: [Option<Step>; 2] = [None, None];
    let mut now = 0;
    for step in 0..=steps {
        assert_eq!(sheet.board(), board.cells(), "step {step}");
        let winner = board.winner(rules, now);
        assert_eq!(sheet.terminal(), winner.is_some(), "step {step}, {:?}", board.cells());
        if let Some(attacker) = winner {
            let goals = if attacker { [Some(100), Some(0)] } else { [Some(0), Some(100)] };
            assert_eq!(sheet.goals(), goals, "step {step}");
            seen.won[usize::from(!attacker)] += 1;
            seen.third += usize::from(now == 3);
            return;
        }
        let mover = usize::from(!board.attacker_moves);
        let moves = board.moves(rules);
        let text = |(x, y, u, v): &Step| format!("(move {x} {y} {u} {v})");
        let mut texts: Vec<String> = moves.iter().map(text).collect();
        if texts.is_empty() {
            texts.push("noop".to_string());
        }
        texts.sort();
        assert_eq!(sheet.legal(RoleId::all(2).nth(mover).unwrap()), texts, "step {step}");
        let back = last[mover].map(|(x, y, u, v)| (u, v, x, y)).filter(|mv| moves.contains(mv));
        let made = match back {
            Some(back) if rng.below(10) < 7 => Some(back),
            _ if moves.is_empty() => None,
            _ => Some(moves[rng.below(moves.len())]),
        };
        last[mover] = made;
        let next = match &made {
            Some(mv) => board.after(*mv, rules),
            None => Board { attacker_moves: !board.attacker_moves, ..board.clone() },
        };
        seen.captures += board.all().count() - next.all().count();
        board = next;
        let count = times.entry(board.squares.clone()).or_default();
        *count += 1;
        now = *count;
        let (text, noop) = (made.as_ref().map_or("noop".to_string(), text), "noop".to_string());
        sheet.go(&if mover == 0 { [text, noop] } else { [noop, text] });
    }
}

/// Walks a sheet from drawn positions and from its start.
fn check(sheet: &mut dyn Position, rules: &Rules, positions: u64, walks: u64) -> Seen {
    let start = sheet.board();
    let side =
        start.iter().flat_map(|cell| cell.split([' ', ')']).filter_map(|word| word.parse::<i32>().ok()));
    let n = side.max().unwrap();
    let mut seen = Seen::default();
    for number in 0..positions {
        let mut rng = Seed(13).derive(number).rng();
        let board = drawn(n, &mut rng);
        let mut facts = board.cells();
        let control = if board.attacker_moves { "attacker" } else { "defender" };
        facts.push(format!("(control {control})"));
        facts.extend(["(hundreds 0)", "(tens 0)", "(units 0)"].map(String::from));
        sheet.jump(&facts);
        play(sheet, board, rules, 3, &mut rng, &mut seen);
    }
    for number in 0..walks {
        sheet.restart();
        play(sheet, Board::read(n, &start), rules, 60, &mut Seed(17).derive(number).rng(), &mut seen);
    }
    seen
}

#[test]
fn the_sheet_without_history_is_the_game_written_by_hand() {
    let mut sheet = begin(&repository().join("games/hnefatafl_13/rules.kif"), "circuit");
    let seen = check(&mut *sheet, &NO_REPETITION, 4000, 40);
    // What the sheet is tested for has come up.
    assert!(seen.captures > 500, "only {} captures", seen.captures);
    assert!(seen.won.iter().all(|&won| won > 10), "won by the attacker and the defender: {:?}", seen.won);
}

#[test]
fn every_variant_is_the_game_written_by_hand() {
    for (name, rules) in VARIANTS {
        let path = repository().join(format!("experiments/hnefatafl/sheets/{name}.kif"));
        let mut sheet = begin(&path, "interpreter");
        let positions = if rules.anybody_moves { 150 } else { 0 };
        let seen = check(&mut *sheet, rules, positions, 6);
        if rules.captures && rules.anybody_moves {
            assert!(seen.captures > 20, "{name}: only {} captures", seen.captures);
        }
        if rules.repetition {
            assert!(seen.third > 0, "{name}: no board has come for the third time");
        }
    }
}
