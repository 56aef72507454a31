//! Sheets built to explode: each ends within its limits and says why.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Fault, Game, RoleId};
use reasoner::ground::Ground;
use reasoner::{CircuitGame, GroundLimits, Interpreter, Limits, Prover, WORK_PER_SECOND};
use rules::{Rules, Strictness};

/// Most memory that this process may have had, all tests together.
const MEMORY: u64 = 2 << 30;

fn rules(sheet: &str) -> Arc<Rules> {
    let checked = Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient);
    Arc::new(checked.rules.unwrap_or_else(|| panic!("{:?}", checked.diagnostics)))
}

/// What every sheet needs.
const FRAME: &str = "(role r) (legal r wait) (<= terminal (true over)) (goal r 0) (init start) ";

/// Facts of `relation` for the numbers below `count`.
fn numbers(relation: &str, count: usize) -> String {
    (0..count).map(|n| format!("({relation} {n})")).collect()
}

/// `?v0 ?v1 …`
fn variables(count: usize) -> String {
    (0..count).map(|n| format!("?v{n} ")).collect()
}

/// `(d ?v0) (d ?v1) …`
fn conditions(relation: &str, count: usize) -> String {
    (0..count).map(|n| format!("({relation} ?v{n}) ")).collect()
}

fn check_memory() {
    if let Ok(status) = std::fs::read_to_string("/proc/self/status") {
        let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).expect("Linux tells the peak");
        let kibibytes: u64 = line.trim().trim_end_matches(" kB").parse().expect("it is a number");
        assert!(kibibytes * 1024 < MEMORY, "{kibibytes} KiB");
    }
}

/// Grounding must fail in time with a message that names a rule.
#[track_caller]
fn refused(sheet: &str, named: &str) {
    let limits = GroundLimits { work: 2 * WORK_PER_SECOND, ..GroundLimits::default() };
    let began = Instant::now();
    let fault = Ground::new(rules(sheet), limits).expect_err("it cannot be grounded");
    let Fault::Budget(message) = fault else { panic!("{fault}") };
    assert!(message.contains(&format!("rule for `{named}` (clause ")), "{message}");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    check_memory();
}

/// The interpreter must fail in time with a message that names a rule.
#[track_caller]
fn interpreter_refuses(sheet: &str, named: &str) {
    let limits = Limits { work: 2 * WORK_PER_SECOND, ..Limits::default() };
    let began = Instant::now();
    let fault = Interpreter::with_limits(rules(sheet), limits).err().expect("it cannot be evaluated");
    let Fault::Budget(message) = fault else { panic!("{fault}") };
    assert!(message.contains(&format!("rule for `{named}` (clause ")), "{message}");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    check_memory();
}

/// The prover must fail in time, when it is made or at the first question.
#[track_caller]
fn prover_refuses(sheet: &str, named: &str) {
    let limits = Limits { work: 2 * WORK_PER_SECOND, ..Limits::default() };
    let began = Instant::now();
    let fault = match Prover::with_limits(rules(sheet), limits) {
        Ok(game) => {
            let first = game.legal(&mut game.scratch(), &game.initial(), RoleId(0), &mut Vec::new());
            first.expect_err("the moves cannot be found")
        }
        Err(fault) => fault,
    };
    let Fault::Budget(message) = fault else { panic!("{fault}") };
    assert!(message.contains(&format!("rule for `{named}` (clause ")), "{message}");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    check_memory();
}

/// Compiling must end in time, with a circuit or without.
#[track_caller]
fn compiling_ends(sheet: &str) {
    let limits = GroundLimits { work: 2 * WORK_PER_SECOND, ..GroundLimits::default() };
    let began = Instant::now();
    let _ = CircuitGame::new(rules(sheet), limits);
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    check_memory();
}

#[test]
fn ten_variables_over_a_hundred_constants() {
    let (d, v, conditions) = (numbers("d", 100), variables(10), conditions("d", 10));
    let fixed = format!("{FRAME} {d} (<= (p {v}) {conditions}) (<= (legal r go) (p 0 1 2 3 4 5 6 7 8 9))");
    refused(&fixed, "p");
    interpreter_refuses(&fixed, "p");
    let moves = format!("{FRAME} {d} (<= (legal r (m {v})) {conditions})");
    refused(&moves, "legal");
    interpreter_refuses(&moves, "legal");
    prover_refuses(&moves, "legal");
    refused(&format!("{FRAME} {d} (<= (next (f {v})) (true start) {conditions})"), "next");
}

#[test]
fn ten_variables_that_are_only_compared() {
    let (d, v, conditions) = (numbers("d", 100), variables(10), conditions("d", 10));
    // Builds a term for every one of the hundred to the power of ten combinations.
    let q = numbers("q", 200);
    let sheet = format!("{FRAME} {d} {q} (<= (legal r go) {conditions} (q (f {v})))");
    refused(&sheet, "legal");
    interpreter_refuses(&sheet, "legal");
}

#[test]
fn a_thousand_million_moves() {
    let sheet = format!("{FRAME} {} (<= (legal r (m ?a ?b ?c)) (d ?a) (d ?b) (d ?c))", numbers("d", 1000));
    refused(&sheet, "legal");
    interpreter_refuses(&sheet, "legal");
    prover_refuses(&sheet, "legal");
}

#[test]
fn more_moves_than_anyone_can_choose_among() {
    // Few enough to be derived, too many to be given back.
    let sheet = format!("{FRAME} {} (<= (legal r (m ?a ?b)) (d ?a) (d ?b))", numbers("d", 1100));
    let limits = Limits { work: 20 * WORK_PER_SECOND, ..Limits::default() };
    let began = Instant::now();
    let fault = Interpreter::with_limits(rules(&sheet), limits).err().expect("too many moves");
    assert!(fault.to_string().contains("more than 1000000 answers"), "{fault}");
    assert!(fault.to_string().contains("rule for `legal`"), "{fault}");
    assert!(began.elapsed() < Duration::from_secs(15), "{:?}", began.elapsed());
    prover_refuses(&sheet, "legal");
    compiling_ends(&sheet);
}

#[test]
fn a_counter_to_a_thousand_million_that_is_counted_beforehand() {
    let mut sheet = format!("{FRAME} (num 0 0 0 0 0 0 0 0 0) (<= (legal r go) (num 9 9 9 9 9 9 9 9 9)) ");
    (0..9).for_each(|n| sheet.push_str(&format!("(succ {n} {}) ", n + 1)));
    for place in 0..9 {
        let kept: String = (0..8 - place).map(|n| format!("?k{n} ")).collect();
        let (nines, zeros) = ("9 ".repeat(place), "0 ".repeat(place));
        sheet.push_str(&format!("(<= (num {kept} ?n {zeros}) (num {kept} ?m {nines}) (succ ?m ?n)) "));
    }
    refused(&sheet, "num");
    interpreter_refuses(&sheet, "num");
    prover_refuses(&sheet, "num");
}

#[test]
fn everything_reaches_everything() {
    // Half a million atoms that depend on each other.
    let sheet = format!(
        "{FRAME} {} (<= (legal r (m ?a)) (d ?a)) (<= (next (f ?a)) (does r (m ?a))) (<= (next (f ?a)) (true (f ?a)))
         (<= (e ?a ?b) (true (f ?a)) (true (f ?b))) (<= (p ?a ?b) (e ?a ?b)) (<= (p ?a ?c) (p ?a ?b) (p ?b ?c))
         (<= terminal (p 1 2))",
        numbers("d", 300)
    );
    compiling_ends(&sheet);
}

#[test]
fn a_thousand_million_instances_of_few_atoms() {
    let sheet = format!(
        "{FRAME} {} (<= (init (f ?a)) (d ?a)) (<= (init (g ?a)) (d ?a)) (<= (init (h ?a)) (d ?a))
         (<= (next (g ?a)) (true (g ?a))) (<= (next (h ?a)) (true (h ?a)))
         (<= (bad ?a ?a ?a) (true (f ?a)))
         (<= (next (f ?a)) (true (f ?a)) (true (g ?b)) (true (h ?c)) (not (bad ?a ?b ?c)))",
        numbers("d", 1000)
    );
    refused(&sheet, "next");
}

#[test]
fn instances_are_counted_while_they_are_found() {
    let sheet = format!(
        "{FRAME} {} (<= (init (f ?a)) (d ?a)) (<= (init (g ?a)) (d ?a)) (<= (bad ?a ?a) (true (f ?a)))
         (<= (next (f ?a)) (true (f ?a)) (true (g ?b)) (not (bad ?a ?b))) (<= (next (g ?a)) (true (g ?a)))",
        numbers("d", 1000)
    );
    let limits = GroundLimits { instances: 100_000, ..GroundLimits::default() };
    let fault = Ground::new(rules(&sheet), limits).expect_err("there are a million instances");
    let message = fault.to_string();
    assert!(message.starts_with("Grounding produced more than 100000 instances"), "{message}");
    assert!(message.contains("rule for `next` (clause "), "{message}");
}

/// Steps that can be made before the game is over or cannot go on.
fn steps(game: &Interpreter, most: usize) -> (usize, Option<Fault>) {
    let mut state = game.initial();
    let mut moves = Vec::new();
    for step in 0..most {
        let next = game
            .legal(&mut game.scratch(), &state, RoleId(0), &mut moves)
            .and_then(|()| game.next(&mut game.scratch(), &state, &moves[..1]));
        match next {
            Ok(next) => state = next,
            Err(fault) => return (step, Some(fault)),
        }
    }
    (most, None)
}

#[test]
fn a_counter_to_a_thousand_million_from_digits() {
    let mut sheet = format!("{FRAME} (init (count 0 0 0 0 0 0 0 0 0)) ");
    (0..9).for_each(|n| sheet.push_str(&format!("(succ {n} {}) ", n + 1)));
    for place in 0..9 {
        let kept: String = (0..8 - place).map(|n| format!("?k{n} ")).collect();
        let (nines, zeros) = ("9 ".repeat(place), "0 ".repeat(place));
        let next = format!("(next (count {kept} ?n {zeros}))");
        sheet.push_str(&format!("(<= {next} (true (count {kept} ?m {nines})) (succ ?m ?n)) "));
    }
    refused(&sheet, "next");
    // State by state it is a game like any other.
    let game = Interpreter::new(rules(&sheet)).unwrap();
    assert_eq!(steps(&game, 500), (500, None));
}

#[test]
fn a_counter_of_nested_functions() {
    let sheet = format!("{FRAME} (init (count zero)) (<= (next (count (s ?n))) (true (count ?n)))");
    refused(&sheet, "next");
    let game = Interpreter::new(rules(&sheet)).unwrap();
    let (made, fault) = steps(&game, 500);
    assert!((50..150).contains(&made), "{made}");
    let message = fault.expect("terms get too deep").to_string();
    assert!(message.contains("nested deeper than") && message.contains("rule for `next`"), "{message}");
}

#[test]
fn mutual_recursion_with_growing_terms() {
    let chain = "(p a) (<= (q (f ?x)) (p ?x)) (<= (p (g ?x)) (q ?x)) (<= (legal r go) (p ?x) (q ?x))";
    let tree =
        "(p a) (<= (q (f ?x ?y)) (p ?x) (p ?y)) (<= (p (g ?x)) (q ?x)) (<= (legal r go) (p ?x) (q ?x))";
    for (grown, named) in [(chain, ["p", "q"]), (tree, ["p", "q"])] {
        let sheet = format!("{FRAME} {grown}");
        let limits = GroundLimits { work: 2 * WORK_PER_SECOND, ..GroundLimits::default() };
        let message = Ground::new(rules(&sheet), limits).expect_err("it never ends").to_string();
        assert!(named.iter().any(|n| message.contains(&format!("rule for `{n}`"))), "{message}");
        let game =
            Prover::with_limits(rules(&sheet), Limits { work: 2 * WORK_PER_SECOND, ..Limits::default() });
        if let Ok(game) = game {
            // What grows without end need not be asked for.
            let _ = game.legal(&mut game.scratch(), &game.initial(), RoleId(0), &mut Vec::new());
        }
        let limits = Limits { work: 2 * WORK_PER_SECOND, ..Limits::default() };
        let message =
            Interpreter::with_limits(rules(&sheet), limits).err().expect("it never ends").to_string();
        assert!(named.iter().any(|n| message.contains(&format!("rule for `{n}`"))), "{message}");
    }
    check_memory();
}

/// A rule with so many conditions on fluents.
fn long_rule(count: usize) -> String {
    let inits: String = (0..count).map(|n| format!("(init (f {n})) ")).collect();
    let conditions: String = (0..count).map(|n| format!("(true (f {n})) ")).collect();
    let recursive: String = (1..count).map(|n| format!("(p {n}) ")).collect();
    format!(
        "{FRAME} {inits} (<= (next (f 0)) {conditions}) (<= (p ?x) (true (f ?x))) (<= (p 0) {recursive}) (<= (legal r go) (p 0))"
    )
}

#[test]
fn rules_with_very_many_conditions() {
    let began = Instant::now();
    let limits = GroundLimits { work: 5 * WORK_PER_SECOND, ..GroundLimits::default() };
    let sheet = rules(&long_rule(1500));
    let ground = Ground::new(sheet.clone(), limits).unwrap();
    assert_eq!(ground.fluents.len(), 1501);
    let game = Interpreter::new(sheet).unwrap();
    assert_eq!(
        game.facts(&game.next(&mut game.scratch(), &game.initial(), &legal(&game)).unwrap()),
        ["(f 0)"]
    );
    refused(&long_rule(20_000), "next");
    interpreter_refuses(&long_rule(20_000), "next");
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
}

fn legal(game: &Interpreter) -> Vec<game::MoveId> {
    let mut moves = Vec::new();
    game.legal(&mut game.scratch(), &game.initial(), RoleId(0), &mut moves)
        .expect("the first moves are found");
    moves.truncate(1);
    moves
}

#[test]
fn a_rule_with_very_many_variables() {
    for count in [150, 1900] {
        let chain: String = (0..count).map(|n| format!("(e ?v{n} ?v{}) ", n + 1)).collect();
        let sheet =
            format!("{FRAME} (e 0 1) (e 1 2) (e 2 0) (e 2 1) (<= (next (f ?v0)) (true start) {chain})");
        let limits = GroundLimits { work: 5 * WORK_PER_SECOND, ..GroundLimits::default() };
        let began = Instant::now();
        // Either way is fine, as long as it ends.
        let _ = Ground::new(rules(&sheet), limits);
        assert!(began.elapsed() < Duration::from_secs(20), "{:?}", began.elapsed());
    }
    check_memory();
}
