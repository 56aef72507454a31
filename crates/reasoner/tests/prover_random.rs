//! Random small sheets, walked by the interpreter and the prover side by side.
//!
//! The sheets have two layers of relations that may call each other within
//! their layer, functions, negation of the layer below, fluents, moves of two
//! roles and percepts. Sheets that run away are left out.

// Helpers of tests may do what tests may do.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::fmt::Write;
use std::sync::Arc;

use game::conformance::{Mismatch, compare};
use game::{Fault, Rng, Seed};
use reasoner::{Interpreter, Limits, Prover, WORK_PER_SECOND};
use rules::{Rules, Strictness};

const SHEETS: u64 = 600;
const CONSTANTS: [&str; 4] = ["a", "b", "c", "d"];
const VARIABLES: [&str; 4] = ["?x", "?y", "?z", "?u"];

/// What can be called from a layer: name and arity.
type Callable = (&'static str, usize);
const GIVEN: [Callable; 4] = [("e", 2), ("v", 1), ("true (h", 1), ("true (k", 2)];
const LAYERS: [&[Callable]; 2] = [&[("p", 1), ("q", 2), ("r", 2)], &[("s", 1), ("t", 2)]];

struct Writer {
    rng: Rng,
    text: String,
}

impl Writer {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.rng.below(from.len())]
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.rng.below(100) < percent
    }

    /// A term over the given variables, or constants where there are none.
    fn term(&mut self, variables: &[&'static str]) -> String {
        let base = if variables.is_empty() || self.chance(20) {
            self.pick(&CONSTANTS).to_string()
        } else {
            self.pick(variables).to_string()
        };
        if self.chance(10) { format!("(f {base})") } else { base }
    }

    fn atom(&mut self, (name, arity): Callable, variables: &[&'static str]) -> String {
        let mut text = format!("({name}");
        for _ in 0..arity {
            let term = self.term(variables);
            write!(text, " {term}").unwrap();
        }
        text.push_str(if name.contains('(') { "))" } else { ")" });
        text
    }

    /// A body and the variables it binds.
    fn body(&mut self, callable: &[Callable], below: &[Callable]) -> (String, Vec<&'static str>) {
        let mut text = String::new();
        for _ in 0..1 + self.rng.below(3) {
            let relation = self.pick(callable);
            text.push_str(&self.atom(relation, &VARIABLES));
        }
        let bound: Vec<&str> = VARIABLES.into_iter().filter(|v| text.contains(v)).collect();
        if bound.len() > 1 && self.chance(30) {
            let (a, b) = (self.pick(&bound), self.term(&bound));
            write!(text, "(distinct {a} {b})").unwrap();
        }
        if !below.is_empty() && self.chance(40) {
            let relation = self.pick(below);
            let is_bound = self.chance(80);
            let negated = self.atom(relation, if is_bound { &bound } else { &VARIABLES });
            write!(text, "(not {negated})").unwrap();
        }
        (text, bound)
    }

    fn rule(&mut self, head: Callable, callable: &[Callable], below: &[Callable]) {
        let (body, bound) = self.body(callable, below);
        let head = self.atom(head, &bound);
        writeln!(self.text, "(<= {head} {body})").unwrap();
    }

    fn sheet(seed: u64) -> String {
        let mut this = Writer { rng: Seed(seed).rng(), text: String::from("(role one) (role two)\n") };
        for _ in 0..6 {
            for relation in [("e", 2), ("v", 1)] {
                let fact = this.atom(relation, &[]);
                writeln!(this.text, "{fact}").unwrap();
            }
            let fluent = if this.chance(50) { ("h", 1) } else { ("k", 2) };
            let fact = this.atom(fluent, &[]);
            writeln!(this.text, "(init {fact})").unwrap();
        }
        let first: Vec<Callable> = [&GIVEN[..], LAYERS[0]].concat();
        let second: Vec<Callable> = [&first[..], LAYERS[1]].concat();
        for &head in LAYERS[0] {
            for _ in 0..1 + this.rng.below(3) {
                this.rule(head, &first, &GIVEN);
            }
        }
        for &head in LAYERS[1] {
            for _ in 0..1 + this.rng.below(3) {
                this.rule(head, &second, &first);
            }
        }
        for role in ["one", "two"] {
            for _ in 0..2 {
                let (body, bound) = this.body(&second, &second);
                let mv = this.atom(("go", 2), &bound);
                writeln!(this.text, "(<= (legal {role} {mv}) {body})").unwrap();
            }
            writeln!(this.text, "(legal {role} stay)").unwrap();
        }
        let moves = [&second[..], &[("does one (go", 2), ("does two (go", 2)]].concat();
        for head in [("h", 1), ("k", 2), ("h", 1), ("k", 2)] {
            let (body, bound) = this.body(&moves, &second);
            let head = this.atom(head, &bound);
            writeln!(this.text, "(<= (next {head}) {body})").unwrap();
        }
        let (body, bound) = this.body(&moves, &second);
        let percept = this.atom(("saw", 1), &bound);
        writeln!(this.text, "(<= (sees ?who {percept}) {body})").unwrap();
        let (body, _) = this.body(&second, &second);
        writeln!(this.text, "(<= terminal (distinct a b) {body})").unwrap();
        for role in ["one", "two"] {
            let (body, _) = this.body(&second, &second);
            writeln!(this.text, "(<= (goal {role} 100) {body})\n(goal {role} 0)").unwrap();
        }
        this.text
    }
}

#[test]
fn random_sheets_are_played_alike() {
    let limits = Limits { work: 5 * WORK_PER_SECOND, atoms: 20_000, depth: 12 };
    let (mut played, mut states, mut faults) = (0, 0, 0);
    for seed in 0..SHEETS {
        let text = Writer::sheet(seed);
        let parsed = gdl::parse_kif(&text);
        assert!(parsed.diagnostics.is_empty(), "{:?}\n{text}", parsed.diagnostics);
        let Some(rules) = Rules::check(&parsed.sheet, Strictness::Lenient).rules else { continue };
        let rules = Arc::new(rules);
        let Ok(interpreter) = Interpreter::with_limits(rules.clone(), limits) else { continue };
        let prover = match Prover::with_limits(rules, limits) {
            Ok(prover) => prover,
            Err(fault) => panic!("sheet {seed}: {fault}\n{text}"),
        };
        match compare(&interpreter, &prover, 3, 8, Seed(seed)) {
            Ok(count) => {
                played += 1;
                states += count;
            }
            Err(Mismatch::Fault(Fault::Budget(_))) => faults += 1,
            Err(mismatch) => panic!("sheet {seed}: {mismatch:?}\n{text}"),
        }
    }
    println!("{played} sheets, {states} states, {faults} ran away");
    assert!(played > SHEETS / 2, "only {played} of {SHEETS} sheets played");
}
