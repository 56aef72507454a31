//! Small sheets, each for one thing a goal-directed evaluator can get wrong.
//! Every sheet is walked by the interpreter and the prover side by side, and
//! its legal moves in the initial state are compared with what they should be.

// Helpers of tests may do what tests may do.
#![allow(clippy::unwrap_used)]

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::conformance::compare;
use game::{Fault, Game, RoleId, Seed};
use reasoner::{Interpreter, Limits, Prover, WORK_PER_SECOND};
use rules::{Rules, Strictness};

/// A sheet in which each `?x` of a relation `answer` is a legal move.
const FRAME: &str = "
(role player)
(init (step 1))
(<= (legal player ?x) (answer ?x))
(<= (legal player none) (true (step ?n)))
(<= (next (step 2)) (true (step 1)))
(<= (next (chosen ?x)) (does player ?x))
(<= (next (chosen ?x)) (true (chosen ?x)))
(<= terminal (true (step 2)))
(<= (goal player 100) (true (step ?n)))
";

fn rules(text: &str) -> Arc<Rules> {
    let parsed = gdl::parse_kif(text);
    assert!(parsed.diagnostics.is_empty(), "{:?}", parsed.diagnostics);
    let checked = Rules::check(&parsed.sheet, Strictness::Lenient);
    Arc::new(checked.rules.unwrap_or_else(|| panic!("{:?}", checked.diagnostics)))
}

fn legal(game: &Prover, role: u32) -> Vec<String> {
    let mut moves = Vec::new();
    game.legal(&mut game.scratch(), &game.initial(), RoleId(role), &mut moves).unwrap();
    moves.iter().map(|&m| game.move_text(RoleId(role), m)).collect()
}

/// Checks the answers in the initial state, and that both reasoners agree throughout.
fn check(sheet: &str, answers: &[&str]) {
    let rules = rules(&format!("{FRAME}{sheet}"));
    let prover = Prover::new(rules.clone()).unwrap();
    let mut found = legal(&prover, 0);
    found.retain(|m| m != "none");
    assert_eq!(found, answers);
    compare(&Interpreter::new(rules).unwrap(), &prover, 5, 10, Seed(1)).unwrap();
}

#[test]
fn reachability_in_a_cyclic_graph_is_complete() {
    let edges = "(e a b) (e b c) (e c a) (e c d) (e d d) (e x y)";
    check(
        &format!(
            "{edges} (<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (e ?x ?y) (path ?y ?z))
                  (<= (answer ?x) (path b ?x))"
        ),
        &["a", "b", "c", "d"],
    );
    check(
        &format!(
            "{edges} (<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (e ?x ?y) (path ?y ?z))
                  (<= (answer ?x) (path ?x d))"
        ),
        &["a", "b", "c", "d"],
    );
}

#[test]
fn left_and_double_recursion_end() {
    let edges = "(e a b) (e b c) (e c a) (e c d) (e x y)";
    check(
        &format!(
            "{edges} (<= (path ?x ?z) (path ?x ?y) (e ?y ?z)) (<= (path ?x ?y) (e ?x ?y))
                  (<= (answer ?x) (path a ?x))"
        ),
        &["a", "b", "c", "d"],
    );
    check(
        &format!(
            "{edges} (<= (path ?x ?z) (path ?x ?y) (path ?y ?z)) (<= (path ?x ?y) (e ?x ?y))
                  (<= (answer (pair ?x ?y)) (path ?x ?y) (path ?y ?x) (distinct ?x ?y))"
        ),
        &["(pair a b)", "(pair a c)", "(pair b a)", "(pair b c)", "(pair c a)", "(pair c b)"],
    );
}

#[test]
fn mutual_recursion_is_solved_together() {
    check(
        "(s 0 1) (s 1 2) (s 2 3) (s 3 4) (s 4 0)
         (even 0)
         (<= (even ?y) (odd ?x) (s ?x ?y) (distinct ?y 0))
         (<= (odd ?y) (even ?x) (s ?x ?y) (distinct ?y 0))
         (<= (answer (even ?x)) (even ?x))
         (<= (answer (odd ?x)) (odd ?x))",
        &["(even 0)", "(even 2)", "(even 4)", "(odd 1)", "(odd 3)"],
    );
}

#[test]
fn negation_is_over_finished_calls() {
    check(
        "(node a) (node b) (node c) (node d) (e a b) (e b a) (e c d)
         (<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (e ?y ?z))
         (<= (loose ?x ?y) (node ?x) (node ?y) (not (path ?x ?y)) (not (path ?y ?x)) (distinct ?x ?y))
         (<= (answer (loose ?x ?y)) (loose ?x ?y))
         (<= (answer (end ?x)) (node ?x) (not (path ?x ?any)))",
        &[
            "(end d)",
            "(loose a c)",
            "(loose a d)",
            "(loose b c)",
            "(loose b d)",
            "(loose c a)",
            "(loose c b)",
            "(loose d a)",
            "(loose d b)",
        ],
    );
}

#[test]
fn ground_calls_in_a_recursion_stop_at_the_first_proof() {
    // Each search for a loop leaves calls behind that were not finished.
    check(
        "(node a) (node b) (node c) (node d) (e a b) (e b c) (e c a) (e c d)
         (<= (path ?x ?y) (e ?x ?y)) (<= (path ?x ?z) (e ?x ?y) (path ?y ?z))
         (<= (answer (loop ?x)) (node ?x) (path ?x ?x))
         (<= (answer (to ?x ?y)) (path ?x ?x) (path ?x ?y) (not (path ?y ?x)))",
        &["(loop a)", "(loop b)", "(loop c)", "(to a d)", "(to b d)", "(to c d)"],
    );
}

#[test]
fn functions_are_built_and_taken_apart() {
    check(
        "(list (cons a (cons b (cons a nil))))
         (<= (in ?x (cons ?x ?rest)) (tail (cons ?x ?rest)))
         (<= (in ?x (cons ?y ?rest)) (tail (cons ?y ?rest)) (in ?x ?rest))
         (<= (tail ?l) (list ?l))
         (<= (tail ?l) (tail (cons ?x ?l)))
         (<= (answer (first ?x)) (list (cons ?x ?rest)))
         (<= (answer (in ?x)) (list ?l) (in ?x ?l))
         (<= (answer (same ?x)) (list (cons ?x (cons ?y (cons ?x nil)))))
         (<= (answer (swapped (pair ?y ?x))) (list (cons ?x (cons ?y ?rest))))",
        &["(first a)", "(in a)", "(in b)", "(same a)", "(swapped (pair b a))"],
    );
}

#[test]
fn lists_that_grow_with_the_search_are_asked_for_only_as_far_as_needed() {
    // All lists over the nodes are far too many; those of simple paths are few.
    let sheet = "
        (e a b) (e b c) (e c d) (e d a) (e b d)
        (<= (member ?x (cons ?x ?l)) (stop ?x) (list ?l))
        (<= (member ?x (cons ?y ?l)) (stop ?y) (member ?x ?l))
        (stop a) (stop b) (stop c) (stop d)
        (list nil)
        (<= (list (cons ?x nil)) (stop ?x))
        (<= (list (cons ?x (cons ?y nil))) (stop ?x) (stop ?y))
        (<= (list (cons ?x (cons ?y (cons ?z nil)))) (stop ?x) (stop ?y) (stop ?z))
        (<= (list (cons ?x (cons ?y (cons ?z (cons ?u nil))))) (stop ?x) (stop ?y) (stop ?z) (stop ?u))
        (<= (walk ?x ?y ?seen) (e ?x ?y) (list ?seen))
        (<= (walk ?x ?z ?seen) (e ?x ?y) (list ?seen) (not (member ?y ?seen)) (walk ?y ?z (cons ?y ?seen)))
        (<= (answer ?x) (walk a ?x (cons a nil)))";
    let rules = rules(&format!("{FRAME}{sheet}"));
    let prover = Prover::new(rules).unwrap();
    assert_eq!(legal(&prover, 0), ["a", "b", "c", "d", "none"]);
}

#[test]
fn goals_that_grow_without_end_are_answered_when_answers_do_not() {
    check(
        "(p (s (s zero)))
         (<= (p ?x) (q ?x) (p (s ?x)))
         (<= (q ?x) (p (s ?x)))
         (<= (answer ?x) (p ?x))
         (<= (answer yes) (p zero))
         (<= (answer no) (p (s (s (s zero)))))",
        &["(s (s zero))", "(s zero)", "yes", "zero"],
    );
}

#[test]
fn a_runaway_recursion_ends_with_a_fault_that_names_the_rule() {
    for sheet in [
        "(<= (count (s ?x)) (count ?x)) (count zero) (<= (answer ?x) (count ?x))",
        "(<= (grow (f ?x ?y)) (grow ?x) (grow ?y)) (grow a) (grow b) (<= (answer ?x) (grow ?x))",
    ] {
        let limits = Limits { work: 2 * WORK_PER_SECOND, atoms: 100_000, depth: 50 };
        let prover = Prover::with_limits(rules(&format!("{FRAME}{sheet}")), limits).unwrap();
        let mut moves = Vec::new();
        let start = Instant::now();
        let Err(Fault::Budget(text)) =
            prover.legal(&mut prover.scratch(), &prover.initial(), RoleId(0), &mut moves)
        else {
            panic!("{moves:?}");
        };
        assert!(text.contains("`count`") || text.contains("`grow`"), "{text}");
        assert!(start.elapsed() < Duration::from_secs(20));
        // Other questions are answered as before.
        assert!(!prover.is_terminal(&mut prover.scratch(), &prover.initial()).unwrap());
    }
}

#[test]
fn a_long_chain_of_relations_needs_no_stack() {
    let mut sheet = String::from("(p0 a)");
    for number in 1..20_000 {
        sheet.push_str(&format!("(<= (p{number} ?x) (p{} ?x))", number - 1));
    }
    sheet.push_str("(<= (answer ?x) (p19999 ?x))");
    let prover = Prover::new(rules(&format!("{FRAME}{sheet}"))).unwrap();
    assert_eq!(legal(&prover, 0), ["a", "none"]);
}

#[test]
fn a_long_recursion_needs_no_stack() {
    let mut sheet = String::new();
    for number in 1..20_000 {
        sheet.push_str(&format!("(s {} {number})", number - 1));
    }
    sheet.push_str("(up 0) (<= (up ?y) (s ?x ?y) (up ?x)) (<= (answer yes) (up 19999))");
    let prover = Prover::new(rules(&format!("{FRAME}{sheet}"))).unwrap();
    assert_eq!(legal(&prover, 0), ["none", "yes"]);
}

#[test]
fn narrow_calls_are_answered_from_wider_ones() {
    check(
        "(n 1) (n 2) (n 3) (n 4)
         (<= (pair ?x ?y) (n ?x) (n ?y) (less ?x ?y))
         (less 1 2) (less 2 3) (less 3 4) (less 1 3)
         (<= (answer (all ?x ?y)) (pair ?x ?y))
         (<= (answer (from ?y)) (n ?z) (pair ?x ?y) (pair ?y ?z))
         (<= (answer (twice ?x)) (pair 1 ?x) (pair ?x ?y) (pair ?y 4))
         (<= (answer big) (pair ?x ?y) (pair 3 4) (not (pair 4 3)))",
        &["(all 1 2)", "(all 1 3)", "(all 2 3)", "(all 3 4)", "(from 2)", "(from 3)", "(twice 2)", "big"],
    );
}

#[test]
fn percepts_and_the_default_percepts_agree() {
    let sheet = "
        (role left) (role right)
        (init (count 0))
        (s 0 1) (s 1 2) (s 2 3)
        (<= (legal ?r (say ?x)) (role ?r) (word ?x))
        (word yes) (word no)
        (<= (next (count ?m)) (true (count ?n)) (s ?n ?m))
        (<= (next (said ?r ?x)) (does ?r (say ?x)))
        (<= terminal (true (count 3)))
        (<= (goal left 100) (true (said left ?x)) (true (said right ?x)))
        (<= (goal left 0) (true (said left ?x)) (true (said right ?y)) (distinct ?x ?y))
        (goal right 50)";
    let sees = "
        (<= (sees left (heard ?x)) (does right (say ?x)))
        (<= (sees ?r (turn ?n)) (true (count ?n)))
        (<= (sees ?r ?f) (next ?f) (echo ?f))
        (<= (echo (count ?n)) (s ?any ?n))";
    for text in [sheet.to_string(), format!("{sheet}{sees}")] {
        let rules = rules(&text);
        let prover = Prover::new(rules.clone()).unwrap();
        assert_eq!(prover.has_percepts(), text.len() > sheet.len());
        compare(&Interpreter::new(rules).unwrap(), &prover, 10, 5, Seed(3)).unwrap();
    }
}

#[test]
fn a_dead_end_has_no_moves() {
    let sheet = "
        (role a) (role b)
        (init (n 0)) (s 0 1) (s 1 2)
        (<= (legal a go) (true (n ?x)) (s ?x ?y))
        (legal b wait)
        (<= (next (n ?y)) (true (n ?x)) (s ?x ?y) (does a go))
        (<= terminal (true (n 9)))
        (goal a 1) (goal b 1) (goal b 2)";
    let rules = rules(sheet);
    let prover = Prover::new(rules.clone()).unwrap();
    let (mut state, mut go, mut wait) = (prover.initial(), Vec::new(), Vec::new());
    for _ in 0..2 {
        prover.legal(&mut prover.scratch(), &state, RoleId(0), &mut go).unwrap();
        prover.legal(&mut prover.scratch(), &state, RoleId(1), &mut wait).unwrap();
        state = prover.next(&mut prover.scratch(), &state, &[go[0], wait[0]]).unwrap();
    }
    prover.legal(&mut prover.scratch(), &state, RoleId(0), &mut go).unwrap();
    assert!(go.is_empty() && !prover.is_terminal(&mut prover.scratch(), &state).unwrap());
    assert_eq!(prover.goal(&mut prover.scratch(), &state, RoleId(0)).unwrap(), Some(1));
    assert_eq!(prover.goal(&mut prover.scratch(), &state, RoleId(1)).unwrap(), None);
    assert_eq!(prover.facts(&state), ["(n 2)"]);
    assert_eq!(prover.state(&prover.facts(&state)).unwrap(), state);
    compare(&Interpreter::new(rules).unwrap(), &prover, 2, 5, Seed(3)).unwrap();
}

#[test]
fn a_sheet_without_facts_has_an_empty_initial_state() {
    let rules = rules("(role r) (<= (legal r m) (role r)) (<= terminal (true x)) (goal r 0)");
    let prover = Prover::new(rules).unwrap();
    assert!(prover.facts(&prover.initial()).is_empty());
    assert_eq!(legal(&prover, 0), ["m"]);
}

#[test]
fn a_move_of_another_game_is_refused() {
    let prover = Prover::new(rules(FRAME)).unwrap();
    let joint = [game::MoveId(1_000_000)];
    assert!(matches!(
        prover.next(&mut prover.scratch(), &prover.initial(), &joint),
        Err(Fault::NoSuchMove { .. })
    ));
}
