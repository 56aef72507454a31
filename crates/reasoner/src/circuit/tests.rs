//! Facts that are proven of small games, and facts that are not.

use std::sync::Arc;

use game::{Game, Grounded};
use rules::{Rules, Strictness};

use super::{Circuits, Fact, Source};
use crate::ground::Ground;
use crate::{CircuitGame, GroundLimits};

fn rules(text: &str) -> Arc<Rules> {
    let checked = Rules::check(&gdl::parse_kif(text).sheet, Strictness::Lenient);
    Arc::new(checked.rules.unwrap_or_else(|| panic!("{:?}", checked.diagnostics)))
}

fn ground(text: &str) -> Ground {
    Ground::new(rules(text), GroundLimits::default()).expect("the sheet is small")
}

/// Returns the proven facts as text, sorted.
fn proven(text: &str) -> Vec<String> {
    let ground = ground(text);
    let circuits = Circuits::new(&ground);
    let name = |f: &u32| ground.text(ground.fluents[*f as usize]);
    let names = |list: &[u32]| list.iter().map(name).collect::<Vec<_>>().join(" ");
    let mut all: Vec<String> = circuits
        .store
        .facts
        .iter()
        .map(|fact| match fact {
            Fact::AtMostOne(members) => format!("at most one: {}", names(members)),
            Fact::Some(members) => format!("some: {}", names(members)),
            Fact::Same(a, b, false) => format!("same: {} {}", name(a), name(b)),
            Fact::Same(a, b, true) => format!("inverse: {} {}", name(a), name(b)),
            Fact::Constant(f, value) => format!("{value}: {}", name(f)),
        })
        .collect();
    all.sort();
    all
}

/// Cells of three kinds, a turn, a flag and its copy.
const MARKS: &str = "
    (role x) (role o)
    (init (cell 1 blank)) (init (cell 2 blank)) (init (control x)) (init idle) (init asleep)
    (<= (legal ?r (mark ?c)) (true (control ?r)) (true (cell ?c blank)))
    (<= (legal ?r wait) (role ?r))
    (<= (next (cell ?c ?r)) (does ?r (mark ?c)))
    (<= (next (cell ?c ?k)) (true (cell ?c ?k)) (distinct ?k blank))
    (<= (marked ?c) (does ?r (mark ?c)))
    (<= (next (cell ?c blank)) (true (cell ?c blank)) (not (marked ?c)))
    (<= (next (control x)) (true (control o)))
    (<= (next (control o)) (true (control x)))
    (<= somebody (marked ?c))
    (<= (next idle) (not somebody))
    (<= (next busy) somebody)
    (<= (next asleep) (not somebody))
    (<= open (true (cell ?c blank)))
    (<= terminal (not open))
    (<= (goal ?r 100) (role ?r) (true (cell 1 ?r)))
    (<= (goal ?r 0) (role ?r) (not (true (cell 1 ?r))))";

#[test]
fn groups_copies_and_inverses_are_found() {
    let all = proven(MARKS);
    for expected in [
        "at most one: (cell 1 blank) (cell 1 o) (cell 1 x)",
        "some: (cell 2 blank) (cell 2 o) (cell 2 x)",
        "at most one: (control o) (control x)",
        "some: (control o) (control x)",
        "inverse: busy asleep",
        "same: idle asleep",
    ] {
        assert!(all.iter().any(|fact| fact == expected), "{expected} is not among {all:#?}");
    }
}

#[test]
fn what_follows_is_not_stored() {
    let ground = ground(MARKS);
    let circuits = Circuits::new(&ground);
    let stored: Vec<String> =
        circuits.store.fluents.iter().map(|&f| ground.text(ground.fluents[f as usize])).collect();
    // Two of three kinds for each cell, whose turn it is, and one flag are stored.
    assert_eq!(stored.len(), 6, "{stored:?}");
    let game = CircuitGame::new(rules(MARKS), GroundLimits::default()).expect("the sheet is small");
    let shown = game.facts(&game.initial());
    assert_eq!(shown, ["(cell 1 blank)", "(cell 2 blank)", "(control x)", "asleep", "idle"]);
    assert_eq!(game.state(&shown), Ok(game.initial()));
    let mut fluents = Vec::new();
    game.fluents(&game.initial(), &mut fluents).expect("fluents are numbered");
    let names: Vec<String> = fluents.iter().map(|&f| game.fluent_text(f)).collect();
    assert_eq!(names, shown);
    assert_eq!(game.with_fluents(&fluents), Ok(game.initial()));
}

#[test]
fn states_that_cannot_be_are_refused_in_words() {
    let game = CircuitGame::new(rules(MARKS), GroundLimits::default()).expect("the sheet is small");
    let refused = |facts: &str| {
        let facts: Vec<String> = facts.split(';').map(str::to_string).collect();
        game.state(&facts).expect_err("no game comes to this").to_string()
    };
    let two = refused("(cell 1 x);(cell 1 o);(cell 2 blank);(control x);idle;asleep");
    assert!(two.contains("`(cell 1 o)` and `(cell 1 x)` never hold together"), "{two}");
    let none = refused("(cell 1 x);(control x);idle;asleep");
    assert!(none.contains("One of `(cell 2 blank)`, `(cell 2 o)`, `(cell 2 x)` always holds"), "{none}");
    let apart = refused("(cell 1 x);(cell 2 o);(control x);idle");
    assert!(apart.contains("`asleep`"), "{apart}");
    let unknown = refused("(cell 3 x)");
    assert!(unknown.contains("can never hold"), "{unknown}");
}

/// A token that is in one place, but in two places after a word that random games do not find.
fn lock(letters: usize) -> String {
    let mut text = "(role r) (init (at a)) (init (typed 0))
        (<= (legal r (type ?l)) (letter ?l))
        (<= (next (at a)) (true (at c)))
        (<= (next (at c)) (true (at a)))
        (<= (next (at b)) (true (at b)))
        (<= (next (typed 0)) (not right))
        (<= (next (typed ?n)) (true (typed ?m)) (after ?m ?n) right)
        (<= right (true (typed ?m)) (after ?m ?n) (does r (type ?l)) (letter_of ?n ?l))
        (<= (next (at b)) (true (typed last)))
        (<= terminal (true (at a)) (true (at b)))
        (<= (goal r 100) (true (at b)))
        (<= (goal r 0) (not (true (at b))))"
        .to_string();
    for letter in 0..26 {
        text.push_str(&format!("(letter l{letter})"));
    }
    for n in 0..letters {
        let next = if n + 1 == letters { "last".to_string() } else { (n + 1).to_string() };
        text.push_str(&format!("(after {n} {next}) (letter_of {next} l{})", n * 7 % 26));
    }
    text
}

#[test]
fn what_random_games_do_not_show_is_not_taken_for_granted() {
    let all = proven(&lock(6));
    assert!(all.contains(&"inverse: (at c) (at a)".to_string()), "{all:#?}");
    assert!(!all.iter().any(|fact| fact.contains("(at b)") && !fact.starts_with("some")), "{all:#?}");
    assert!(!all.iter().any(|fact| fact.starts_with("false: (typed")), "{all:#?}");
    // The typed prefix determines the state, so all values of `typed` exclude each other.
    assert!(all.iter().any(|fact| fact.starts_with("at most one: (typed 0)")), "{all:#?}");
}

#[test]
fn a_group_that_holds_only_with_the_help_of_others_is_found() {
    // Each piece moves to where the other is not; both share the squares.
    let text = "(role r) (init (on 1 white)) (init (on 3 black)) (init (turn white))
        (square 1) (square 2) (square 3) (square 4)
        (<= (legal r (go ?s)) (square ?s) (not (taken ?s)))
        (<= (taken ?s) (true (on ?s ?p)))
        (<= (next (on ?s ?p)) (does r (go ?s)) (true (turn ?p)))
        (<= (next (on ?s ?p)) (true (on ?s ?p)) (not (true (turn ?p))))
        (<= (next (turn black)) (true (turn white)))
        (<= (next (turn white)) (true (turn black)))
        (<= terminal (true (on 4 white)) (true (on 1 black)))
        (goal r 50)";
    let all = proven(text);
    for square in 1..=4 {
        let expected = format!("at most one: (on {square} black) (on {square} white)");
        assert!(all.contains(&expected), "{expected} is not among {all:#?}");
    }
    let piece = "at most one: (on 1 white) (on 2 white) (on 3 white) (on 4 white)".to_string();
    assert!(all.contains(&piece), "{all:#?}");
}

#[test]
fn a_counter_that_ends_the_match_is_one_value_until_then() {
    let text = "(role r) (init (step 1)) (<= (legal r go) (true (step ?n)))
        (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
        (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
        (<= terminal (true (step 6))) (goal r 10)";
    let all = proven(text);
    let values = "(step 1) (step 2) (step 3) (step 4) (step 5) (step 6)";
    assert_eq!(all, [format!("at most one: {values}"), format!("some: {values}")]);
}

#[test]
fn large_groups_keep_all_members() {
    let ground = ground(
        "(role r) (init (step 1)) (<= (legal r go) (true (step ?n)))
        (after 1 2) (after 2 3) (after 3 4) (after 4 5) (after 5 6)
        (<= (next (step ?m)) (true (step ?n)) (after ?n ?m))
        (<= terminal (true (step 6))) (goal r 10)",
    );
    let store = Circuits::new(&ground).store;
    assert!(store.sources.iter().all(|source| matches!(source, Source::Stored(_, false))));
    assert_eq!(store.left_out(), []);
}
