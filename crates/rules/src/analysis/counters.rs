//! Step counters.
//!
//! A fluent with one value that moves along a static successor relation, or
//! along rules written out, whatever anyone does. Its value is a function of the
//! number of steps, so states that differ only in it are transpositions at
//! different depths, and a chain that ends bounds the length of the game.

use std::collections::BTreeMap;

use rustc_hash::FxHashSet;

use super::{Functor, fluent_read};
use crate::{Atom, Keyword, Literal, Rule, Rules, Symbol, Term, Variable};

/// Values followed, at most.
const MAX_VALUES: usize = 100_000;

/// A fluent whose value depends on the number of steps alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// Which fluent; it has one argument.
    pub fluent: Functor,
    /// Its values, from the first state on; empty where only evaluation can tell.
    pub values: Vec<Symbol>,
    /// Whether the value after the last is an earlier one, and which.
    pub repeats: Option<usize>,
}

impl Rules {
    /// The step counters, in the order of their first value.
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

    /// How a rule moves the value, if it depends on nothing but the value.
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
    /// From one variable to another of a static sentence.
    Along(&'r Atom, Variable, Variable),
}

/// The argument of a fluent with one argument.
fn value(fluent: &Term) -> Option<&Term> {
    match fluent {
        Term::Function(_, arguments) if arguments.len() == 1 => arguments.first(),
        _ => None,
    }
}

/// The values a fact gives to two variables of a sentence. Other constants of the sentence must agree.
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
