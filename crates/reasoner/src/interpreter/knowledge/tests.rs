//! Knowledge in small games.

use std::sync::Arc;

use game::{Fault, Game, MoveId, RoleId};
use rules::Rules;

use super::super::{Interpreter, State};

const MUDDY: &str = include_str!("../../../../../games/muddy_children/rules.kif");
const PAD: &str = include_str!("../../../../../games/one_time_pad/rules.kif");

fn try_game(text: &str) -> Result<Interpreter, Fault> {
    let checked = Rules::check(&gdl::parse_kif(text).sheet, rules::Strictness::Lenient);
    Interpreter::new(Arc::new(checked.rules.expect("the sheet has no errors")))
}

fn game(text: &str) -> Interpreter {
    try_game(text).unwrap()
}

/// Makes one step by text, or with the first legal move of a role whose text is empty.
fn step(game: &Interpreter, state: &State, texts: &[&str]) -> State {
    let pick = |(role, text): (RoleId, &&str)| {
        let mut moves = Vec::new();
        game.legal(&mut game.scratch(), state, role, &mut moves).unwrap();
        let named = |mv: &MoveId| text.is_empty() || game.move_text(role, *mv) == **text;
        *moves.iter().find(|mv| named(mv)).unwrap_or_else(|| panic!("{text} is not legal"))
    };
    let joint: Vec<MoveId> = RoleId::all(texts.len()).zip(texts).map(pick).collect();
    game.next(&mut game.scratch(), state, &joint).unwrap()
}

#[test]
fn muddy_children_know_it_after_as_many_rounds_as_they_are() {
    let game = game(MUDDY);
    for (splash, muddy) in [([1, 0, 0], 1), ([0, 1, 1], 2), ([1, 0, 1], 2), ([1, 1, 1], 3)] {
        let [a, b, c] = splash;
        let mut state = step(&game, &game.initial(), &["", "", "", &format!("(splash {a} {b} {c})")]);
        let mut rounds = 0;
        while !game.is_terminal(&mut game.scratch(), &state).unwrap() {
            state = step(&game, &state, &["", "", "", ""]);
            rounds += 1;
        }
        assert_eq!(rounds, muddy, "{splash:?}");
        for (role, is_muddy) in RoleId::all(3).zip(splash) {
            assert_eq!(
                game.goal(&mut game.scratch(), &state, role).unwrap(),
                Some(100 * is_muddy),
                "{splash:?}"
            );
        }
        let facts = game.facts(&state);
        assert!(facts.iter().all(|fact| !fact.contains("know")), "{facts:?}");
    }
}

#[test]
fn a_sum_tells_only_who_has_the_key() {
    let game = game(PAD);
    for deal in ["(deal 0 0)", "(deal 0 1)", "(deal 1 0)", "(deal 1 1)"] {
        for (send, shared) in [("(send secret)", 0), ("(send sum)", 100), ("(send nothing)", 0)] {
            let dealt = step(&game, &game.initial(), &["", "", "", deal]);
            let end = step(&game, &dealt, &[send, "", "", ""]);
            assert!(game.is_terminal(&mut game.scratch(), &end).unwrap());
            assert_eq!(
                game.goal(&mut game.scratch(), &end, RoleId(0)).unwrap(),
                Some(shared),
                "{deal} {send}"
            );
        }
    }
}

#[test]
fn what_everybody_saw_is_common_knowledge_and_what_one_saw_is_not() {
    let sheet = "(role a) (role b) (role random) (init start) (bit 0) (bit 1)
        (<= (legal random (toss ?x ?y)) (true start) (bit ?x) (bit ?y))
        (<= (legal random noop) (not (true start)))
        (legal a noop) (legal b noop)
        (<= (next (open ?x)) (does random (toss ?x ?y))) (<= (next (closed ?y)) (does random (toss ?x ?y)))
        (<= (sees a (open ?x)) (does random (toss ?x ?y))) (<= (sees b (open ?x)) (does random (toss ?x ?y)))
        (<= (sees a (closed ?y)) (does random (toss ?x ?y)))
        (<= (o ?x) (true (open ?x))) (<= (c ?x) (true (closed ?x)))
        (<= terminal (true (open ?x)))
        (<= (goal a 100) (knows (o ?x))) (<= (goal a 0) (not anyone)) (<= anyone (knows (o ?x)))
        (<= (goal b 100) common) (<= (goal b 50) (knows a (c ?x)) (not common))
        (<= common (knows (c ?x))) (goal random 0)";
    let game = game(sheet);
    let end = step(&game, &game.initial(), &["", "", "(toss 1 0)"]);
    assert_eq!(game.goal(&mut game.scratch(), &end, RoleId(0)).unwrap(), Some(100));
    assert_eq!(game.goal(&mut game.scratch(), &end, RoleId(1)).unwrap(), Some(50));
}

#[test]
fn knowledge_can_be_about_knowledge_facts_and_legal_moves() {
    let sheet = "(role a) (role b) (role random) (init start) (bit 0) (bit 1)
        (<= (legal random (toss ?x)) (true start) (bit ?x)) (<= (legal random noop) (not (true start)))
        (<= (legal a noop) (true start)) (<= (legal a (take ?x)) (true (coin ?x)))
        (legal b noop)
        (<= (next (coin ?x)) (does random (toss ?x)))
        (<= (sees a (coin ?x)) (does random (toss ?x)))
        (<= (sees b something) (does random (toss ?x)))
        (<= (side ?x) (true (coin ?x)))
        (<= (a_knows) (knows a (side ?x)))
        (<= terminal (true (coin ?x)))
        (<= (goal a 10) (knows b a_knows) (not (b_knows))) (<= (b_knows) (knows b (side ?x)))
        (<= (goal b 20) (knows a (true (coin ?x))) (knows a (legal a (take ?x))) (not (told ?x)))
        (<= (told ?x) (knows b (legal a (take ?x)))) (goal random 0)";
    let game = game(sheet);
    let end = step(&game, &game.initial(), &["", "", "(toss 1)"]);
    assert_eq!(game.goal(&mut game.scratch(), &end, RoleId(0)).unwrap(), Some(10));
    assert_eq!(game.goal(&mut game.scratch(), &end, RoleId(1)).unwrap(), Some(20));
}

#[test]
fn facts_alone_do_not_make_a_state() {
    assert!(matches!(game(PAD).state(&["dealing".to_string()]), Err(Fault::Unsupported(_))));
}

#[test]
fn games_with_too_many_histories_are_refused() {
    // A thousand moves for each of two roles.
    let digits: String = (0..10).map(|d| format!("(digit {d}) ")).collect();
    let sheet = format!(
        "(role a) (role b) {digits} (init (at 0 0 0)) (sees a nothing)
        (<= (legal ?r (go ?x ?y ?z)) (role ?r) (digit ?x) (digit ?y) (digit ?z))
        (<= (next (at ?x ?y ?z)) (does b (go ?x ?y ?z)))
        (<= (here ?x) (true (at ?x ?y ?z))) (<= terminal (knows a (here 11))) (goal a 0) (goal b 0)"
    );
    assert!(matches!(try_game(&sheet), Err(Fault::Budget(_))));
}

#[test]
fn what_cannot_be_known_about_is_said() {
    let sheet = "(role a) (init p) (legal a noop) (<= (next p) (true p)) (sees a p)
        (<= terminal (knows a (init p))) (goal a 0)";
    assert!(matches!(try_game(sheet), Err(Fault::Unsupported(text)) if text.contains("`init`")));
}
