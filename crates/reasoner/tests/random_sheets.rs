//! Random small rule sheets: every reasoner agrees with the interpreter at every step.

use std::fmt::Write;
use std::sync::Arc;

use game::conformance::{Mismatch, compare};
use game::{Game, Outcomes, Playouts, Rng, Seed, Start};
use reasoner::ground::Ground;
use reasoner::{CircuitGame, Declared, GroundLimits, Interpreter};
use rules::{Rules, Strictness};

/// A sheet of one or two roles over a few places: static edges, fluents that
/// move, mark and block, recursion, negation, functions, hidden percepts.
fn sheet(rng: &mut Rng) -> String {
    let mut text = String::new();
    let roles = 1 + rng.below(2);
    let places = 2 + rng.below(3);
    let mut say = |line: String| writeln!(text, "{line}").expect("writing to a string does not fail");
    for r in 0..roles {
        say(format!("(role r{r})"));
        say(format!("(init (at r{r} p{}))", rng.below(places)));
    }
    for x in 0..places {
        say(format!("(place p{x})"));
        for y in 0..places {
            if rng.below(2) == 0 {
                say(format!("(edge p{x} p{y})"));
            }
        }
        if rng.below(2) == 0 {
            say(format!("(init (mark p{x}))"));
        }
    }
    say("(init (count n0))".into());
    let steps = 3 + rng.below(3);
    for n in 0..steps {
        say(format!("(after n{n} n{})", n + 1));
    }
    say("(<= (next (count ?m)) (true (count ?n)) (after ?n ?m))".into());
    say(format!("(<= terminal (true (count n{steps})))"));
    say("(<= (legal ?r stay) (role ?r))".into());
    // A literal about places ?x (and ?y) that is safe where they are bound.
    let condition = |rng: &mut Rng, v: &str| -> String {
        match rng.below(7) {
            0 => format!("(true (mark {v}))"),
            1 => format!("(not (true (mark {v})))"),
            2 => format!("(reach {v})"),
            3 => format!("(not (reach {v}))"),
            4 => format!("(edge {v} {v})"),
            5 => format!("(or (true (mark {v})) (edge {v} p0))"),
            _ => format!("(distinct {v} p0)"),
        }
    };
    say("(<= (reach ?x) (true (at r0 ?x)))".into());
    let c = condition(rng, "?y").replace("reach", "place");
    say(format!("(<= (reach ?y) (reach ?x) (edge ?x ?y) {c})"));
    for _ in 0..1 + rng.below(2) {
        let c = condition(rng, "?y");
        say(format!("(<= (legal ?r (go ?y)) (true (at ?r ?x)) (edge ?x ?y) {c})"));
    }
    if rng.below(2) == 0 {
        let c = condition(rng, "?x");
        say(format!("(<= (legal r0 (swap (pair ?x ?y))) (place ?x) (place ?y) (distinct ?x ?y) {c})"));
        say("(<= (next (mark ?y)) (does ?r (swap (pair ?x ?y))) (true (mark ?x)))".into());
    }
    say("(<= (next (at ?r ?y)) (does ?r (go ?y)))".into());
    say("(<= (moved ?r) (does ?r (go ?y)))".into());
    say("(<= (next (at ?r ?x)) (true (at ?r ?x)) (not (moved ?r)))".into());
    let (c, d) = (condition(rng, "?x"), condition(rng, "?x"));
    say(format!("(<= (next (mark ?x)) (true (mark ?x)) {c})"));
    say(format!("(<= (next (mark ?x)) (place ?x) (does ?r stay) {d})"));
    match rng.below(3) {
        0 => say("(<= (next (mark ?x)) (true (mark ?x)) (does ?r (go ?y)) (distinct ?x ?y))".into()),
        1 => say("(<= (next (mark ?x)) (does ?r ?m) (true (at ?r ?x)) (not (does ?r stay)))".into()),
        _ => say("(<= terminal (true (at ?r ?x)) (true (mark ?x)) (not (true (count n0))))".into()),
    }
    let c = condition(rng, "p1");
    say(format!("(<= win {c})"));
    say("(<= (goal ?r 100) (role ?r) win)".into());
    say("(<= (goal ?r 30) (role ?r) (not win))".into());
    if rng.below(3) == 0 {
        say("(<= (goal ?r 50) (true (at ?r p0)))".into());
    }
    if rng.below(2) == 0 {
        let c = condition(rng, "?x");
        say(format!("(<= (sees ?r (spot ?x)) (role ?r) (place ?x) {c})"));
        say("(<= (sees ?r (did ?m)) (does ?r ?m))".into());
    }
    text
}

#[test]
fn all_reasoners_agree_on_random_sheets() {
    let mut rng = Seed(11).rng();
    for number in 0..1000 {
        let text = sheet(&mut rng);
        let parsed = gdl::parse_kif(&text);
        let checked = Rules::check(&parsed.sheet, Strictness::Lenient);
        let rules = checked.rules.unwrap_or_else(|| panic!("{:?}\n{text}", checked.diagnostics));
        let rules = Arc::new(rules);
        let oracle = Interpreter::new(rules.clone()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        let circuit =
            CircuitGame::new(rules, GroundLimits::default()).unwrap_or_else(|e| panic!("{e}\n{text}"));
        match compare(&oracle, &circuit, 5, 12, Seed(number)) {
            Ok(_) => {}
            Err(Mismatch::Fault(e)) => panic!("{e}\n{text}"),
            Err(Mismatch::Difference(d)) => panic!("{d:#?}\n{text}"),
        }
        let played = |starts: &mut dyn FnMut() -> Outcomes| starts();
        let a = played(&mut || {
            let starts = [Start { state: oracle.initial(), first: None, count: 40 }];
            oracle
                .playouts(&mut oracle.scratch(), &Playouts::new(&starts, Seed(number)))
                .expect("the oracle plays")
        });
        let b = played(&mut || {
            let starts = [Start { state: circuit.initial(), first: None, count: 40 }];
            circuit
                .playouts(&mut circuit.scratch(), &Playouts::new(&starts, Seed(number)))
                .expect("the circuit plays")
        });
        assert_eq!(a, b, "{text}");
    }
}

/// The sheet with some of its fluents and moves declared, and what it is worth.
fn declare(text: &str, rng: &mut Rng) -> String {
    let checked = Rules::check(&gdl::parse_kif(text).sheet, Strictness::Lenient);
    let rules = Arc::new(checked.rules.expect("random sheets are accepted"));
    let ground = Ground::new(rules, GroundLimits::default()).expect("random sheets ground");
    let mut text = text.to_string();
    // Now and then all that can hold initially and little else, or nearly everything.
    let part = [2, 3, 20][rng.below(3)];
    for (fluent, &initial) in ground.fluents.iter().zip(&ground.initial) {
        if initial || rng.below(part) > 0 {
            writeln!(text, "(base {})", ground.text(*fluent)).expect("writing to a string does not fail");
        }
    }
    for (role, moves) in ground.moves.iter().enumerate() {
        for mv in moves.iter().filter(|_| rng.below(part) > 0) {
            writeln!(text, "(input r{role} {})", ground.text(*mv))
                .expect("writing to a string does not fail");
        }
    }
    text
}

#[test]
fn declarations_right_or_wrong_change_no_game() {
    let mut rng = Seed(14).rng();
    let mut seen = [0; 4];
    for number in 0..600 {
        let plain = sheet(&mut rng);
        let text = declare(&plain, &mut rng);
        let checked = Rules::check(&gdl::parse_kif(&text).sheet, Strictness::Lenient);
        let rules = Arc::new(checked.rules.unwrap_or_else(|| panic!("{:?}\n{text}", checked.diagnostics)));
        let oracle = Interpreter::new(rules.clone()).expect("random sheets play");
        let circuit = CircuitGame::new(rules, GroundLimits::default()).expect("random sheets ground");
        seen[match circuit.figures().declared {
            Declared::Nothing => 0,
            Declared::Everything => 1,
            Declared::TooLittle => 2,
            Declared::Bounds { .. } => 3,
        }] += 1;
        if let Err(mismatch) = compare(&oracle, &circuit, 5, 12, Seed(number)) {
            panic!("{mismatch:?}\n{text}");
        }
        assert_eq!(outcomes(&oracle, number), outcomes(&circuit, number), "{text}");
    }
    assert!(seen[1..].iter().all(|&count| count > 0), "{seen:?}");
}

#[test]
fn forced_first_moves_and_many_starts_agree() {
    let mut rng = Seed(12).rng();
    for number in 0..1000 {
        let text = sheet(&mut rng);
        let checked = Rules::check(&gdl::parse_kif(&text).sheet, Strictness::Lenient);
        let rules = Arc::new(checked.rules.expect("random sheets are accepted"));
        let oracle = Interpreter::new(rules.clone()).expect("random sheets play");
        let circuit = CircuitGame::new(rules, GroundLimits::default()).expect("random sheets ground");
        let a = outcomes(&oracle, number);
        let b = outcomes(&circuit, number);
        assert_eq!(a, b, "{text}");
    }
}

/// Playouts from all successors of the initial state, and from it with every first move.
fn outcomes<G: Game>(game: &G, seed: u64) -> (Vec<String>, Outcomes) {
    let root = game.initial();
    let mut starts = Vec::new();
    let mut names = Vec::new();
    for joint in game::perft::joint_moves(game, &mut game.scratch(), &root)
        .expect("the game plays")
        .into_iter()
        .take(20)
    {
        let texts = game::RoleId::all(joint.len()).zip(&joint).map(|(r, &m)| game.move_text(r, m));
        names.push(texts.collect::<Vec<_>>().join(" "));
        let next = game.next(&mut game.scratch(), &root, &joint).expect("the game plays");
        starts.push(Start { state: next, first: None, count: 7 });
        starts.push(Start { state: root.clone(), first: Some(joint.into()), count: 5 });
    }
    (names, game.playouts(&mut game.scratch(), &Playouts::new(&starts, Seed(seed))).expect("the game plays"))
}

#[test]
fn a_sheet_plays_the_same_after_conversion_there_and_back() {
    let mut rng = Seed(13).rng();
    for number in 0..200 {
        let text = sheet(&mut rng);
        let original = gdl::parse_kif(&text).sheet;
        let infix = gdl::to_hrf(&original);
        let there = gdl::parse_hrf(&infix);
        assert!(!there.has_errors(), "{:?}\n{infix}", there.diagnostics);
        let back = gdl::parse_kif(&gdl::to_kif(&there.sheet)).sheet;
        let play = |sheet: &gdl::RuleSheet| {
            let rules = Rules::check(sheet, Strictness::Lenient).rules.expect("random sheets are accepted");
            Interpreter::new(Arc::new(rules)).expect("random sheets play")
        };
        let games = [play(&original), play(&there.sheet), play(&back)];
        for other in &games[1..] {
            assert!(compare(&games[0], other, 3, 12, Seed(number)).is_ok(), "{text}\n{infix}");
        }
    }
}
