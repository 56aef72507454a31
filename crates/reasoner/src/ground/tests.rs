use std::sync::Arc;

use game::conformance::compare;
use game::{Grounded, Seed};
use rules::{Rules, Strictness};

use super::{Declared, Ground, GroundLimits};
use crate::{CircuitGame, Interpreter, Making};

/// A walk along a line of thirty places, blocked by a wall after the third. The wall is part of the state, so
/// the relaxed rules walk through it.
fn walk(declared: &str) -> Arc<Rules> {
    let mut text = "(role r) (init (at 1)) (init (wall 4)) (init (hour 0))
        (<= (legal r (go ?y)) (true (at ?x)) (after ?x ?y) (not (true (wall ?y))))
        (<= (legal r back) (true (at ?x)))
        (<= (next (at ?y)) (does r (go ?y)))
        (<= (next (at 1)) (does r back))
        (<= (next (wall ?x)) (true (wall ?x)))
        (<= (next (hour 1)) (true (hour 0)))
        (<= (next (hour 2)) (true (hour 1)))
        (<= terminal (true (at 3)) (true (hour 2)))
        (<= (goal r 100) (true (at 3)))
        (<= (goal r 0) (not (true (at 3))))"
        .to_string();
    (1..30).for_each(|x| text.push_str(&format!("(after {x} {})", x + 1)));
    text.push_str(declared);
    let checked = Rules::check(&gdl::parse_kif(&text).sheet, Strictness::Lenient);
    Arc::new(checked.rules.unwrap_or_else(|| panic!("{:?}", checked.diagnostics)))
}

const HOURS: &str = "(base (hour 0)) (base (hour 1)) (base (hour 2)) (base (wall 4))
    (input r back) (input r (go 2)) (input r (go 3))";

fn ground(rules: &Arc<Rules>) -> Ground {
    Ground::declared(Arc::clone(rules), &Making::default()).expect("the sheet is small")
}

/// Returns how the declarations were used, and checks that the game is the same with them.
fn played(rules: &Arc<Rules>) -> Declared {
    let oracle = Interpreter::new(Arc::clone(rules)).expect("the sheet plays");
    let circuit = CircuitGame::new(Arc::clone(rules), GroundLimits::default()).expect("it grounds");
    assert!(compare(&oracle, &circuit, 20, 12, Seed(3)).is_ok());
    let count = circuit.fluent_count();
    assert!(circuit.structure().symmetries.iter().all(|s| s.fluents.len() == count), "numbers agree");
    circuit.figures().declared
}

#[test]
fn right_declarations_bound_what_is_ground() {
    let plain = ground(&walk(""));
    assert_eq!(plain.declared, Declared::Nothing);
    let rules = walk(&format!("{HOURS} (base (at 1)) (base (at 2)) (base (at 3))"));
    let bounded = ground(&rules);
    assert_eq!(bounded.declared, Declared::Bounds { fluents: 0, moves: 1 });
    assert_eq!((plain.fluents.len(), bounded.fluents.len()), (34, 7));
    assert!(bounded.atoms() * 3 < plain.atoms(), "{} of {}", bounded.atoms(), plain.atoms());
    assert_eq!(played(&rules), bounded.declared);
}

#[test]
fn declarations_of_everything_change_nothing() {
    let mut all = HOURS.to_string();
    (1..=30).for_each(|x| all.push_str(&format!("(base (at {x})) (input r (go {x}))")));
    let rules = walk(&all);
    let (bounded, plain) = (ground(&rules), ground(&walk("")));
    assert_eq!(bounded.declared, Declared::Everything);
    assert_eq!((bounded.atoms(), bounded.instance_count()), (plain.atoms(), plain.instance_count()));
    assert_eq!(played(&rules), Declared::Everything);
}

#[test]
fn wrong_declarations_are_refused_and_the_game_is_the_same() {
    // The third place is reached, the hour advances to two, and the game begins at hour zero.
    for missing in
        ["(base (at 3))", "(base (hour 2))", "(base (hour 0))", "(input r (go 3))", "(input r back)"]
    {
        let all = format!("{HOURS} (base (at 1)) (base (at 2)) (base (at 3))");
        assert!(all.contains(missing));
        let rules = walk(&all.replace(missing, ""));
        assert_eq!(played(&rules), Declared::TooLittle, "without {missing}");
    }
}

#[test]
fn what_would_explode_is_ground_within_its_declarations() {
    // All combinations of four numbers become legal once the match is no longer calm, which never happens.
    let mut text = "(role r) (init calm) (init (hour 0))
        (<= (legal r wait) (true calm))
        (<= (legal r (blow ?a ?b ?c ?d)) (true armed) (number ?a) (number ?b) (number ?c) (number ?d))
        (<= (next calm) (true calm))
        (<= (next armed) (not (true calm)))
        (<= (next (hour 1)) (true (hour 0)))
        (<= terminal (true (hour 1)))
        (<= (goal r 50) (true calm))
        (base calm) (base (hour 0)) (base (hour 1)) (input r wait)"
        .to_string();
    (0..30).for_each(|x| text.push_str(&format!("(number {x})")));
    let checked = Rules::check(&gdl::parse_kif(&text).sheet, Strictness::Lenient);
    let rules = Arc::new(checked.rules.expect("the sheet is accepted"));
    let limits = GroundLimits { atoms: 50_000, instances: 50_000, ..GroundLimits::default() };
    assert!(Ground::new(Arc::clone(&rules), limits).is_err());
    let game = CircuitGame::new(Arc::clone(&rules), limits).expect("what is declared is little");
    assert_eq!(game.figures().declared, Declared::Bounds { fluents: 1, moves: 0 });
    let oracle = Interpreter::new(rules).expect("the sheet plays");
    assert!(compare(&oracle, &game, 5, 12, Seed(3)).is_ok());
}
