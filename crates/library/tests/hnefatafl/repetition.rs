//! The repetition rule of hnefatafl, written in two ways and counted in a third.
//!
//! The sheets of the library keep where the board has changed since each earlier
//! moment; the plain ones keep every board. Both are walked side by side, with
//! many moves taken back so that boards do come back, and a table of boards
//! says independently when the third time has come.

use std::collections::BTreeMap;

use game::{Rng, RoleId, Seed};

use crate::{Position, repository};

fn begin(name: &str, reasoner: &str) -> Box<dyn Position> {
    let path = repository().join(format!("experiments/hnefatafl/sheets/{name}.kif"));
    crate::begin(&path, reasoner)
}

/// The move that takes back `mv`, `(move x y u v)`.
fn back(mv: &str) -> String {
    let words: Vec<&str> = mv.trim_matches(['(', ')']).split(' ').collect();
    match words[..] {
        [name, x, y, u, v] => format!("({name} {u} {v} {x} {y})"),
        _ => String::new(),
    }
}

fn choose(legal: &[String], last: &str, rng: &mut Rng) -> String {
    let undo = back(last);
    if legal.contains(&undo) && rng.below(10) < 7 { undo } else { legal[rng.below(legal.len())].clone() }
}

/// Walks both games; how often a board came for the third time.
fn walk(fast: &mut dyn Position, plain: &mut dyn Position, walks: u64, steps: usize) -> usize {
    let mut third = 0;
    for number in 0..walks {
        let mut rng = Seed(5).derive(number).rng();
        let mut boards: BTreeMap<Vec<String>, usize> = BTreeMap::new();
        let mut last = [String::new(), String::new()];
        fast.restart();
        plain.restart();
        for step in 0..steps {
            let board = fast.board();
            assert_eq!(board, plain.board(), "walk {number}, step {step}");
            assert_eq!(fast.terminal(), plain.terminal(), "walk {number}, step {step}");
            assert_eq!(fast.goals(), plain.goals(), "walk {number}, step {step}");
            if step > 0 {
                let count = boards.entry(board).or_default();
                *count += 1;
                if *count == 3 {
                    third += 1;
                    assert!(fast.terminal(), "walk {number}: a board for the third time at step {step}");
                    // Whoever moved last loses: the attacker after odd steps.
                    let wins = if step % 2 == 1 { 1 } else { 0 };
                    assert_eq!(fast.goals()[wins], Some(100), "walk {number}, step {step}");
                }
            }
            if fast.terminal() {
                break;
            }
            let mut joint = Vec::new();
            for role in RoleId::all(2) {
                let legal = fast.legal(role);
                assert_eq!(legal, plain.legal(role), "walk {number}, step {step}");
                let mv = choose(&legal, &last[role.index()], &mut rng);
                if mv != "noop" {
                    last[role.index()].clone_from(&mv);
                }
                joint.push(mv);
            }
            fast.go(&joint);
            plain.go(&joint);
        }
    }
    third
}

#[test]
fn the_quick_rule_is_the_plain_rule_on_small_boards() {
    for (size, walks) in [(5, 300), (7, 60)] {
        let quick = if size == 5 { "01_board_5".to_string() } else { format!("board_{size}") };
        let plain = format!("board_{size}_plain_history");
        let third = walk(&mut *begin(&quick, "circuit"), &mut *begin(&plain, "interpreter"), walks, 120);
        assert!(third as u64 > walks / 10, "only {third} boards came for the third time in {walks} walks");
        let third = walk(&mut *begin(&quick, "prover"), &mut *begin(&plain, "interpreter"), walks / 10, 40);
        assert!(third > 0);
    }
}

/// Two games of the same rules, and every way to play them on from here.
struct Pair {
    quick: Box<dyn Position>,
    plain: Box<dyn Position>,
    /// Squares on which each side's one moving piece may stand.
    squares: [Vec<String>; 2],
    boards: BTreeMap<Vec<String>, usize>,
    /// States looked at, and those of them with a board for the third time.
    seen: usize,
    third: usize,
}

impl Pair {
    /// Whether a move keeps the moving piece of its side within its squares.
    fn within(&self, side: usize, mv: &str) -> bool {
        let words: Vec<&str> = mv.trim_matches(['(', ')']).split(' ').collect();
        let known = |x: &str, y: &str| self.squares[side].contains(&format!("{x} {y}"));
        matches!(words[..], [_, x, y, u, v] if known(x, y) && known(u, v))
    }

    fn go_on(&mut self, step: usize, last: usize) {
        let board = self.quick.board();
        assert_eq!(board, self.plain.board());
        assert_eq!(self.quick.terminal(), self.plain.terminal());
        assert_eq!(self.quick.goals(), self.plain.goals());
        self.seen += 1;
        if step > 0 {
            let count = self.boards.entry(board.clone()).or_default();
            *count += 1;
            self.third += usize::from(*count == 3);
            assert_eq!(
                *count >= 3,
                self.quick.terminal(),
                "pieces that go to and fro end it in no other way"
            );
        }
        if step < last && !self.quick.terminal() {
            let side = step % 2;
            let [own, other] = [side, 1 - side].map(|role| self.quick.legal(RoleId(role as u32)));
            assert_eq!(own, self.plain.legal(RoleId(side as u32)));
            assert_eq!(other, self.plain.legal(RoleId(1 - side as u32)));
            let moves: Vec<String> = own.into_iter().filter(|mv| self.within(side, mv)).collect();
            for mv in moves {
                let joint =
                    if side == 0 { [mv.clone(), other[0].clone()] } else { [other[0].clone(), mv.clone()] };
                for game in [&mut self.quick, &mut self.plain] {
                    game.keep();
                    game.go(&joint);
                }
                self.go_on(step + 1, last);
                self.quick.come_back();
                self.plain.come_back();
            }
        }
        if step > 0 {
            *self.boards.get_mut(&board).unwrap() -= 1;
        }
    }
}

/// Not drawn at random: every way in which one piece of each side can go to and fro between
/// three squares, far enough that boards come for the third time in different ways.
#[test]
fn the_quick_rule_is_the_plain_rule_however_two_pieces_go_to_and_fro() {
    // With the king away, the empty throne helps to capture a defender, and boards cannot come back.
    let edge_and_defender = [["3 5", "4 5", "5 5"], ["2 3", "2 2", "2 4"]];
    let side_and_king = [["1 3", "1 4", "1 5"], ["3 3", "3 2", "3 4"]];
    for squares in [edge_and_defender, side_and_king] {
        let mut pair = Pair {
            quick: begin("01_board_5", "circuit"),
            plain: begin("board_5_plain_history", "interpreter"),
            squares: squares.map(|side| side.map(String::from).to_vec()),
            boards: BTreeMap::new(),
            seen: 0,
            third: 0,
        };
        pair.go_on(0, 12);
        assert!(pair.seen > 5000 && pair.third > 100, "{} states, {} third", pair.seen, pair.third);
    }
}

/// Where nothing can move, the third turn repeats the board for the third time and its mover loses.
#[test]
fn nobody_moves() {
    let mut game = begin("08_nobody_moves", "auto");
    let pass = ["noop".to_string(), "noop".to_string()];
    for _ in 0..3 {
        assert!(!game.terminal());
        game.go(&pass);
    }
    assert!(game.terminal());
    assert_eq!(game.goals(), [Some(0), Some(100)]);
}
