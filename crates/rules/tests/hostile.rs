//! Large and hostile sheets: an answer within seconds, never a panic.

#![allow(clippy::print_stdout)] // shows the times

use std::fmt::Write;
use std::time::{Duration, Instant};

use rules::{Checked, Keyword, Literal, Rules, Strictness};

fn check(what: &str, text: &str) -> Checked {
    let sheet = gdl::parse_kif(text).sheet;
    let start = Instant::now();
    let checked = Rules::check(&sheet, Strictness::Lenient);
    if let Some(rules) = &checked.rules {
        rules.domains();
        rules.strata();
        rules.persistence();
        rules.control();
        rules.counters();
    }
    let took = start.elapsed();
    println!("{what}: {took:.2?}");
    assert!(took < Duration::from_secs(60), "{what} took {took:?}");
    checked
}

fn lines(count: usize, mut line: impl FnMut(usize, &mut String)) -> String {
    let mut text = String::from("(role r)\n(legal r m)\n");
    (0..count).for_each(|n| line(n, &mut text));
    text
}

const MANY: usize = 100_000;

#[test]
fn many_facts_are_quick() {
    let text = lines(MANY, |n, out| writeln!(out, "(succ {n} {})", n + 1).expect("text"));
    assert!(check("facts", &text).rules.is_some());
}

#[test]
fn a_long_chain_of_rules_is_quick() {
    let text = lines(MANY, |n, out| writeln!(out, "(<= (p{} ?x) (p{n} ?x))", n + 1).expect("text"));
    assert!(check("chain of undefined relations", &text).rules.is_some());
    let text = lines(MANY, |n, out| writeln!(out, "(<= (p{n} ?x) (p{} ?x))", n + 1).expect("text"));
    assert!(check("chain against the order of the text", &text).rules.is_some());
}

#[test]
fn many_fluents_and_moves_are_quick() {
    let text = lines(MANY / 4, |n, out| {
        writeln!(out, "(init (f{n} 1)) (<= (legal r (m{n} ?x)) (true (f{n} ?x)))").expect("text");
        writeln!(out, "(<= (next (f{n} ?x)) (true (f{n} ?x)) (does r (m{n} ?x)))").expect("text");
    });
    assert!(check("fluents", &text).rules.is_some());
}

#[test]
fn sentences_that_match_nothing_are_quick() {
    let text = lines(MANY / 2, |n, out| writeln!(out, "(p a{n} b{n}) (<= q{n} (p ?x ?x))").expect("text"));
    assert!(check("no match", &text).rules.is_some());
    let text = lines(MANY / 2, |n, out| writeln!(out, "(<= known{n} (unknown{n} ?x))").expect("text"));
    assert!(check("near names", &text).rules.is_some());
}

#[test]
fn values_that_trickle_are_cut_short() {
    let text = lines(3000, |n, out| {
        writeln!(out, "(<= (p ?x) (q{n} ?x)) (<= (q{} ?x) (p ?x)) (q{n} {n})", n + 1).expect("text")
    });
    assert!(check("trickle", &text).rules.is_some());
}

#[test]
fn long_clauses_are_quick() {
    let body: String = (0..MANY).map(|n| format!("(p ?x{n}) ")).collect();
    check("variables", &format!("(role r) (p 1) (<= (q ?x0) {body})"));
    let body: String = (0..20_000).map(|n| format!("(not (p ?x{n} ?y)) ")).collect();
    check("negations", &format!("(role r) (p 1 1) (<= q {body})"));
    let body: String = (0..20_000).map(|n| format!("(not (distinct ?x{n} ?x{})) ", n + 1)).collect();
    check("equalities", &format!("(role r) (p 1) (<= q (p ?x0) {body})"));
    let body: String = (0..MANY).map(|n| format!("(distinct ?x {n}) ")).collect();
    check("distinct", &format!("(role r) (p 1) (<= q (p ?x) {body})"));
    let roles: String = (0..MANY).map(|n| format!("(role r{n}) ")).collect();
    check("roles", &format!("{roles} (<= (goal ?r 1) (does ?r m)) (goal x 1) (<= terminal (does r1 y))"));
}

#[test]
fn alternatives_are_bounded_altogether() {
    let or = "(or (p 1) (p 2)) ".repeat(11);
    let text = lines(2000, |n, out| writeln!(out, "(<= q{n} {or})").expect("text"));
    check("alternatives", &format!("(p 1) {text}"));
    let nested = format!("(not (or {}))", "(and (p 1) (or (p 2) (not (and (p 1) (p 3))))) ".repeat(40));
    check("nested", &format!("(role r) (<= q {nested})"));
}

#[test]
fn causes_are_looked_for_within_bounds() {
    let text =
        lines(MANY / 4, |n, out| writeln!(out, "(<= (next (f{n} ?x)) (true (f{n} ?x)))").expect("text"));
    assert!(check("many fluents that nothing starts", &text).rules.is_some());
    let text = lines(1500, |n, out| {
        writeln!(
            out,
            "(<= (next (f{} ?x)) (true (f{} ?x)) (true (f{} ?y)))",
            n % 60,
            (n + 1) % 60,
            n * 7 % 60
        )
        .expect("text");
    });
    let found = check("fluents that start each other", &text).diagnostics;
    assert!(found.iter().any(|d| d.code == "missing-init"));
    let text = lines(MANY / 2, |n, out| {
        writeln!(out, "(<= (p{n} X{n} Y) (q X{n} Y) (distinct X{n} Y))").expect("text")
    });
    check("names like variables", &text);
    let text = lines(4000, |n, out| {
        writeln!(out, "(init (turn p{n})) (<= (legal ?p (m{n} ?p)) (true (turn ?p)))").expect("text");
    });
    check("players that are no roles", &text);
}

#[test]
fn deep_terms_are_walked() {
    let deep = format!("{}z{}", "(s ".repeat(250), ")".repeat(250));
    check("deep", &format!("(role r) (init {deep}) (<= (next (f ?x)) (true ?x)) (<= p (true {deep}))"));
}

#[test]
fn many_goals_and_cycles_are_quick() {
    let text =
        lines(MANY / 2, |n, out| writeln!(out, "(<= (goal r {n}) (not (goal r {})))", n + 1).expect("text"));
    check("goals", &text);
    let text =
        lines(20_000, |n, out| writeln!(out, "(<= (p{n} a) (not (p{} b)))", (n + 1) % 20_000).expect("text"));
    check("cycle", &text);
}

#[test]
fn any_text_is_checked_without_panic() {
    let pieces = [
        "(", ")", "<=", "not", "or", "distinct", "?x", "?y", "true", "does", "next", "init", "legal", "goal",
        "role", "terminal", "sees", "knows", "base", "input", "a", "b", "f", "p", "100", "random", "and",
        "percept",
    ];
    let mut seed: u64 = 1;
    let mut draw = |bound: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % bound
    };
    let mut accepted = 0;
    for _ in 0..20_000 {
        let mut text = String::from("(role a) (init (p a)) (legal a b) ");
        let mut depth = 0_usize;
        for _ in 0..draw(60) {
            let piece = pieces[draw(pieces.len())];
            match draw(4) {
                0 => {
                    depth += 1;
                    write!(text, "({piece} ").expect("text");
                }
                1 if depth > 0 => {
                    depth -= 1;
                    text.push_str(") ");
                }
                _ => write!(text, "{piece} ").expect("text"),
            }
        }
        text.push_str(&")".repeat(depth));
        for strictness in [Strictness::Lenient, Strictness::Strict] {
            if let Some(rules) = Rules::check(&gdl::parse_kif(&text).sheet, strictness).rules {
                accepted += 1;
                assert_sound(&rules, &text);
                rules.domains();
                rules.strata();
                rules.persistence();
                rules.control();
                rules.counters();
            }
        }
    }
    println!("{accepted} accepted");
    assert!(accepted > 1000);
}

/// What reasoners rely on.
fn assert_sound(rules: &Rules, text: &str) {
    for rule in &rules.rules {
        let mut bound = vec![false; rule.variables.len()];
        let positive = |l: &&Literal| matches!(l, Literal::Positive(_));
        rule.body.iter().filter(positive).for_each(|l| l.variables(&mut |v| bound[v.0 as usize] = true));
        let mut safe = |v: rules::Variable| assert!(bound[v.0 as usize], "safe: {text}");
        rule.head.variables(&mut safe);
        rule.body.iter().for_each(|l| l.variables(&mut safe));
    }
    for keyword in [Keyword::True, Keyword::Does, Keyword::Knows, Keyword::CommonKnowledge] {
        assert!(rules.relation(keyword.id()).rules.is_empty(), "given: {text}");
    }
    for keyword in [Keyword::Legal, Keyword::Goal, Keyword::Terminal, Keyword::Init] {
        assert!(!rules.relation(keyword.id()).depends_on_does, "before moves: {text}");
    }
    let mut place = vec![0; rules.relations.len()];
    for (number, component) in rules.components.iter().enumerate() {
        component.relations.iter().for_each(|r| place[r.index()] = number);
    }
    for rule in &rules.rules {
        for literal in &rule.body {
            if let Literal::Negative(atom) = literal {
                assert!(
                    place[atom.relation.index()] < place[rule.head.relation.index()],
                    "stratified: {text}"
                );
            }
        }
    }
}
