//! Single positions: what a move captures, what ends a game, and how moves are drawn.

use baseline::hnefatafl::Position as Tafl;
use baseline::machine::Portable;
use baseline::playout::{Position, Verdict};
use baseline::rng::Rng;

const ATTACKER: u32 = 100;
const DEFENDER: u32 = 101;

/// Part of a hnefatafl board of 13x13 squares, from its upper left corner; the rest is empty but for one piece of
/// each side in the far corner, which keeps everybody able to move.
fn tafl(part: &[&str], turn: u32) -> Tafl {
    let mut rows = [[b'.'; 13]; 13];
    rows[12][10] = b'd';
    rows[12][12] = b'a';
    for (row, text) in rows.iter_mut().zip(part) {
        for (square, letter) in row.iter_mut().zip(text.bytes().filter(|letter| *letter != b' ')) {
            *square = letter;
        }
    }
    Tafl::from_picture(rows.each_ref(), turn)
}

type Square = (usize, usize);

/// Plays a move, which must be legal, and returns the verdict and the letter then on each of the given squares.
fn play(mut position: Tafl, from: Square, to: Square, look: &[Square]) -> (Verdict, String) {
    let (moves, number) = position.moves();
    let mut legal = (0..number).map(|index| position.decode(Portable, &moves, index));
    let chosen = legal.find(|chosen| chosen.squares() == [from, to]).expect("the move is legal");
    let verdict = position.play(chosen);
    (verdict, look.iter().map(|&(row, column)| char::from(position.letter(row, column))).collect())
}

fn is_legal(position: Tafl, from: Square, to: Square) -> bool {
    let (moves, number) = position.moves();
    (0..number).any(|index| position.decode(Portable, &moves, index).squares() == [from, to])
}

#[test]
fn a_piece_between_two_enemies_is_captured() {
    let position = tafl(&[".k...........", ".............", ".ad.a........"], ATTACKER);
    assert_eq!(play(position, (2, 4), (2, 3), &[(2, 1), (2, 2), (2, 3)]), (Verdict::Open, "a.a".into()));
}

#[test]
fn moving_between_two_enemies_is_safe() {
    let position = tafl(&[".............", "....k........", ".a.a.........", "..d.........."], DEFENDER);
    assert_eq!(play(position, (3, 2), (2, 2), &[(2, 1), (2, 2), (2, 3)]), (Verdict::Open, "ada".into()));
}

#[test]
fn one_move_captures_on_three_sides() {
    let part = [
        "....k........",
        "...a.........",
        "...d.........",
        ".ad.da.......",
        ".............",
        "...a.........",
    ];
    let look = [(2, 3), (3, 2), (3, 4), (3, 3)];
    assert_eq!(play(tafl(&part, ATTACKER), (5, 3), (3, 3), &look), (Verdict::Open, "...a".into()));
}

#[test]
fn two_pieces_in_a_row_are_not_captured() {
    let position = tafl(&[".k...........", ".............", ".add..a......"], ATTACKER);
    assert_eq!(play(position, (2, 6), (2, 4), &[(2, 2), (2, 3)]), (Verdict::Open, "dd".into()));
}

#[test]
fn nothing_is_captured_against_the_edge() {
    let position = tafl(&["d............", ".............", "a............", "....k........"], ATTACKER);
    assert_eq!(play(position, (2, 0), (1, 0), &[(0, 0)]), (Verdict::Open, "d".into()));
}

#[test]
fn the_king_takes_part_in_captures() {
    let comes = tafl(&[".............", "....k........", "..da........."], DEFENDER);
    assert_eq!(play(comes, (1, 4), (2, 4), &[(2, 3)]), (Verdict::Open, ".".into()));
    let waits = tafl(&[".............", ".............", ".d.ak........"], DEFENDER);
    assert_eq!(play(waits, (2, 1), (2, 2), &[(2, 3)]), (Verdict::Open, ".".into()));
}

/// Five rows and then the middle row of the board.
fn middle<'a>(above: &'a str, row: &'a str, below: &'a str) -> [&'a str; 8] {
    [".............", ".............", ".............", ".............", ".............", above, row, below]
}

#[test]
fn pieces_are_captured_against_the_empty_throne() {
    let open = ".............";
    let defender = tafl(&middle("..k..........", ".......d.a...", open), ATTACKER);
    assert_eq!(play(defender, (6, 9), (6, 8), &[(6, 7)]), (Verdict::Open, ".".into()));
    let attacker = tafl(&middle("..k..........", ".......a.d...", open), DEFENDER);
    assert_eq!(play(attacker, (6, 9), (6, 8), &[(6, 7)]), (Verdict::Open, ".".into()));
}

#[test]
fn the_occupied_throne_captures_for_its_side_only() {
    let open = ".............";
    let defender = tafl(&middle(open, "......kd.a...", open), ATTACKER);
    assert_eq!(play(defender, (6, 9), (6, 8), &[(6, 7)]), (Verdict::Open, "d".into()));
    let attacker = tafl(&middle(open, "......ka.d...", open), DEFENDER);
    assert_eq!(play(attacker, (6, 9), (6, 8), &[(6, 7)]), (Verdict::Open, ".".into()));
}

#[test]
fn only_the_king_stops_on_the_throne_and_all_pass_over_it() {
    let open = ".............";
    let attacker = tafl(&middle(open, "...a......k..", open), ATTACKER);
    assert!(!is_legal(attacker, (6, 3), (6, 6)));
    assert!(is_legal(attacker, (6, 3), (6, 7)));
    let defender = tafl(&middle("......k......", "...d.........", open), DEFENDER);
    assert!(!is_legal(defender, (6, 3), (6, 6)));
    assert!(is_legal(defender, (6, 3), (6, 9)));
    assert!(is_legal(defender, (5, 6), (6, 6)));
    assert!(is_legal(defender, (5, 6), (8, 6)));
    let far = tafl(&middle(open, "..k..........", open), DEFENDER);
    assert!(is_legal(far, (6, 2), (6, 6)));
    let shut = tafl(&middle(open, "..k.d........", open), DEFENDER);
    assert!(!is_legal(shut, (6, 2), (6, 6)));
    assert!(!is_legal(shut, (6, 4), (6, 6)));
}

#[test]
fn the_king_in_the_open_is_captured_like_a_piece() {
    let position = tafl(&[".............", ".............", ".ak.a........"], ATTACKER);
    assert_eq!(play(position, (2, 4), (2, 3), &[]).0, Verdict::Won);
}

#[test]
fn the_king_on_the_throne_needs_four_attackers() {
    let three = tafl(&middle("......d......", ".....ak.a....", "......a......"), ATTACKER);
    assert_eq!(play(three, (6, 8), (6, 7), &[(6, 6)]), (Verdict::Open, "k".into()));
    let four = tafl(&middle("......a......", ".....ak.a....", "......a......"), ATTACKER);
    assert_eq!(play(four, (6, 8), (6, 7), &[]).0, Verdict::Won);
}

#[test]
fn the_king_beside_the_throne_needs_three_attackers_and_the_throne() {
    let two = tafl(&middle(".............", ".......k.a...", ".......a....."), ATTACKER);
    assert_eq!(play(two, (6, 9), (6, 8), &[(6, 7)]), (Verdict::Open, "k".into()));
    let three = tafl(&middle(".......a.....", ".......k.a...", ".......a....."), ATTACKER);
    assert_eq!(play(three, (6, 9), (6, 8), &[]).0, Verdict::Won);
    let from_the_side = tafl(&middle("........a....", ".......ka....", ".......a....."), ATTACKER);
    assert_eq!(play(from_the_side, (5, 8), (5, 7), &[]).0, Verdict::Won);
}

#[test]
fn the_king_walks_between_two_attackers_and_wins_on_the_edge() {
    let position = tafl(&[".............", ".a.a.........", ".............", "..k.........."], DEFENDER);
    assert_eq!(play(position, (3, 2), (1, 2), &[(1, 2)]), (Verdict::Open, "k".into()));
    assert_eq!(play(position, (3, 2), (0, 2), &[]).0, Verdict::Won);
    assert_eq!(play(position, (3, 2), (3, 12), &[]).0, Verdict::Won);
}

#[test]
fn the_five_hundredth_move_draws_unless_it_wins() {
    let quiet = tafl(&[".............", ".............", ".a.k........."], 499);
    assert_eq!(play(quiet, (2, 3), (2, 2), &[]).0, Verdict::Drawn);
    assert_eq!(play(quiet, (2, 3), (0, 3), &[]).0, Verdict::Won);
}

#[test]
fn a_player_without_a_move_has_lost() {
    let mut rows = [[b'.'; 13]; 13];
    (rows[0][0], rows[0][1], rows[1][0], rows[5][5]) = (b'a', b'd', b'd', b'k');
    let position = Tafl::from_picture(rows.each_ref(), ATTACKER);
    assert_eq!(position.moves().1, 0);
    assert_eq!(position.stuck(), Verdict::Lost);
}

#[test]
fn reversi_passes_when_only_the_other_player_can_place() {
    // Black c1, white d1: nothing for Black beyond the edge of a1 b1, but White encloses c1 from b1.
    let position =
        baseline::reversi::Position { own: 1 << 2, other: 1 << 3 | 1 << 4 | 1 << 5 | 1 << 6 | 1 << 7 };
    let (moves, number) = position.moves();
    assert_eq!((moves, number), (0, 1));
    let mut next = position;
    assert_eq!(next.play(position.decode(Portable, &moves, 0)), Verdict::Open);
    assert_eq!((next.own, next.other), (position.other, position.own));
    assert_eq!(next.moves(), (1 << 1, 1));
}

#[test]
fn reversi_ends_when_nobody_can_place() {
    let position = baseline::reversi::Position { own: 1, other: 1 << 63 | 1 << 62 };
    assert_eq!(position.moves().1, 0);
    assert_eq!(position.stuck(), Verdict::Lost);
}

#[test]
fn breakthrough_is_won_on_the_last_row_and_by_the_last_capture() {
    let mut runner = baseline::breakthrough::Position { own: 1 << 49, other: 1 << 57 | 1 << 20 };
    let (moves, number) = runner.moves();
    assert_eq!(number, 2);
    assert_eq!(runner.play(runner.decode(Portable, &moves, 0)), Verdict::Won);
    let mut hunter = baseline::breakthrough::Position { own: 1 << 8, other: 1 << 17 };
    let (moves, number) = hunter.moves();
    assert_eq!(number, 2);
    let capture = (0..2).map(|index| hunter.decode(Portable, &moves, index)).find(|m| m.to == 1 << 17);
    assert_eq!(hunter.play(capture.expect("the capture is legal")), Verdict::Won);
}

#[test]
fn every_number_below_a_bound_is_equally_likely() {
    for bound in 1..=300 {
        let mut rng = Rng::new(u64::from(bound));
        let mut counts = vec![0u32; bound as usize];
        let draws = 200 * bound;
        (0..draws).for_each(|_| counts[rng.below(bound) as usize] += 1);
        let chi_square: f64 = counts.iter().map(|&count| (f64::from(count) - 200.0).powi(2) / 200.0).sum();
        // Six standard deviations: far beyond what 300 tests produce by chance.
        let freedom = f64::from(bound - 1);
        assert!(chi_square <= freedom + 6.0 * (2.0 * freedom).sqrt() + 6.0, "bound {bound}: {chi_square}");
    }
}
