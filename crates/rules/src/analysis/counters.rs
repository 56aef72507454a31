//! Detection of step counters.
//!
//! A step counter is a fluent with a single value that advances along a static successor
//! relation, or by rules that list each step, independently of all moves. Its value is a
//! function of the number of steps. So states that differ only in the counter are
//! transpositions at different depths, and a finite chain bounds the length of the game.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::{Functor, fluent_read};
use crate::{Atom, Keyword, Literal, Rule, Rules, Symbol, Term, Variable};

/// The maximum number of values that are followed.
const MAX_VALUES: usize = 100_000;

/// A fluent whose value depends only on the number of steps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// The fluent, which has one argument.
    pub fluent: Functor,
    /// Its values, starting with that of the initial state; empty if they cannot be determined
    /// without evaluating rules.
    pub values: Vec<Symbol>,
    /// The index of the value that follows the last one, if the values form a cycle.
    pub repeats: Option<usize>,
}

impl Rules {
    /// Returns the step counters, in the order of their initial facts.
    pub fn counters(&self) -> Vec<Counter> {
        let mut starts: Vec<Functor> = Vec::new();
        let mut inits: BTreeMap<Functor, Vec<&Rule>> = BTreeMap::new();
        let mut nexts: BTreeMap<Functor, Vec<&Rule>> = BTreeMap::new();
        for (_, rule) in self.rules_for(Keyword::Init) {
            let Some(fluent) = Functor::of(&rule.head.arguments[0]) else { return Vec::new() };
            inits.entry(fluent).or_default().push(rule);
            if fluent.arity == 1 && inits[&fluent].len() == 1 {
                starts.push(fluent);
            }
        }
        for (_, rule) in self.rules_for(Keyword::Next) {
            let Some(fluent) = Functor::of(&rule.head.arguments[0]) else { return Vec::new() };
            nexts.entry(fluent).or_default().push(rule);
        }
        let counter = |fluent: Functor| match (&inits[&fluent][..], nexts.get(&fluent)) {
            ([first], Some(rules)) if first.body.is_empty() => self.counter(fluent, first, rules),
            _ => None,
        };
        starts.into_iter().filter_map(counter).collect()
    }

    fn counter(&self, fluent: Functor, first: &Rule, rules: &[&Rule]) -> Option<Counter> {
        let Term::Constant(start) = value(&first.head.arguments[0])? else { return None };
        let mut steps: BTreeMap<Symbol, Symbol> = BTreeMap::new();
        let mut listed = true;
        for rule in rules {
            match self.step(fluent, rule)? {
                Step::From(from, to) => {
                    if steps.insert(from, to).is_some_and(|other| other != to) {
                        return None;
                    }
                }
                Step::Along(successor, from, to) => {
                    if rules.len() > 1 {
                        return None;
                    }
                    let facts = &self.relation(successor.relation).rules;
                    if facts.iter().any(|&f| !self.rules[f].body.is_empty()) {
                        listed = false;
                        continue;
                    }
                    for &fact in facts {
                        let head = &self.rules[fact].head;
                        if let Some((from, to)) = pair(successor, head, from, to)
                            && steps.insert(from, to).is_some_and(|other| other != to)
                        {
                            return None;
                        }
                    }
                }
            }
        }
        let mut values = Vec::new();
        if !listed {
            return Some(Counter { fluent, values, repeats: None });
        }
        let mut seen = FxHashSet::default();
        let mut at = Some(*start);
        while let Some(value) = at.filter(|v| seen.insert(*v) && values.len() < MAX_VALUES) {
            values.push(value);
            at = steps.get(&value).copied();
        }
        let repeats = at.and_then(|v| values.iter().position(|&w| w == v));
        (values.len() > 1).then_some(Counter { fluent, values, repeats })
    }

    /// Returns how a rule changes the value, if that depends on nothing but the value.
    fn step<'r>(&self, fluent: Functor, rule: &'r Rule) -> Option<Step<'r>> {
        let to = value(&rule.head.arguments[0])?;
        let mut from = None;
        let mut along = None;
        for literal in &rule.body {
            match (fluent_read(literal), literal) {
                (Some(read), _) if Functor::of(read) == Some(fluent) && from.is_none() => from = value(read),
                (None, Literal::Positive(atom))
                    if self.relation(atom.relation).is_static() && along.is_none() =>
                {
                    along = Some(atom);
                }
                _ => return None,
            }
        }
        match (from?, to, along) {
            (Term::Constant(from), Term::Constant(to), None) => Some(Step::From(*from, *to)),
            (Term::Variable(from), Term::Variable(to), Some(atom)) if from != to => {
                Some(Step::Along(atom, *from, *to))
            }
            _ => None,
        }
    }
}

enum Step<'r> {
    /// From one value to another.
    From(Symbol, Symbol),
    /// Along a static sentence, from the value of one variable to that of the other.
    Along(&'r Atom, Variable, Variable),
}

/// Returns the argument of a fluent with one argument.
fn value(fluent: &Term) -> Option<&Term> {
    match fluent {
        Term::Function(_, arguments) if arguments.len() == 1 => arguments.first(),
        _ => None,
    }
}

/// Returns the values that a fact assigns to two variables of a sentence. Constants in the
/// sentence must agree with the fact.
fn pair(sentence: &Atom, fact: &Atom, from: Variable, to: Variable) -> Option<(Symbol, Symbol)> {
    let (mut first, mut second) = (None, None);
    for (pattern, value) in sentence.arguments.iter().zip(&fact.arguments) {
        let Term::Constant(value) = value else { return None };
        match pattern {
            Term::Variable(v) if *v == from && first.is_none_or(|f| f == *value) => first = Some(*value),
            Term::Variable(v) if *v == to && second.is_none_or(|s| s == *value) => second = Some(*value),
            Term::Variable(v) if *v != from && *v != to => {}
            Term::Constant(c) if c == value => {}
            _ => return None,
        }
    }
    Some((first?, second?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Strictness;

    fn counters(sheet: &str) -> Vec<String> {
        let rules = Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient).rules.expect("it plays");
        let show = |c: &Counter| {
            let values: Vec<&str> = c.values.iter().map(|v| rules.name(*v)).collect();
            format!("{} {} {:?}", rules.name(c.fluent.name), values.join(" "), c.repeats)
        };
        rules.counters().iter().map(show).collect()
    }

    #[test]
    fn a_successor_relation_makes_a_counter() {
        let sheet = "(role r) (succ 1 2) (succ 2 3) (init (turn 1)) (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))";
        assert_eq!(counters(sheet), ["turn 1 2 3 None"]);
    }

    #[test]
    fn rules_written_out_make_a_cycle() {
        let sheet = "(role r) (init (phase a)) (<= (next (phase b)) (true (phase a))) (<= (next (phase a)) (true (phase b)))";
        assert_eq!(counters(sheet), ["phase a b Some(0)"]);
    }

    #[test]
    fn what_depends_on_moves_is_no_counter() {
        let sheet = "(role r) (legal r go) (succ 1 2) (init (pos 1))
            (<= (next (pos ?n)) (true (pos ?m)) (succ ?m ?n) (does r go))";
        assert_eq!(counters(sheet), Vec::<String>::new());
    }
}
