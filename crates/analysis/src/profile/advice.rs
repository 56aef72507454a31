//! Advice on rules: patterns that are known to be expensive, and what to write instead.

use std::collections::BTreeMap;

use rules::analysis::{Functor, Persists};
use rules::{Atom, Keyword, Literal, Rule, Rules, Term, Variable};
use serde::Serialize;

use super::ClauseCost;

/// A clause is worth advice if it has at least this share of the cost, or this many instances.
const SHARE: f64 = 0.05;
const INSTANCES: u64 = 10_000;
/// The number of rows from which a static relation is considered large.
const LARGE: u64 = 50_000;

/// What makes a clause expensive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Pattern {
    /// A fluent is carried over once for every move.
    FrameOverMoves,
    /// Unrelated variables are combined.
    CrossProduct,
    /// Past states are kept as fluents.
    History,
    /// A static relation is large.
    LargeStatic,
}

/// What to write instead of a clause.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Advice {
    /// The number of the clause in the sheet.
    pub clause: usize,
    /// The line it begins on.
    pub line: usize,
    /// What makes it expensive.
    pub pattern: Pattern,
    /// Why it is expensive, and what to write.
    pub text: String,
}

/// Returns advice on clauses, in the given order; at most one piece per clause.
pub(super) fn advise(rules: &Rules, costs: &[ClauseCost]) -> Vec<Advice> {
    let histories = histories(rules);
    let mut by_clause: BTreeMap<usize, Vec<&Rule>> = BTreeMap::new();
    for rule in &rules.rules {
        by_clause.entry(rule.clause).or_default().push(rule);
    }
    let mut all = Vec::new();
    for cost in costs {
        let own = by_clause.get(&cost.clause).map_or(&[][..], |list| list);
        let notable = cost.share >= SHARE || cost.instances >= INSTANCES;
        let find = |pattern: Pattern, look: &dyn Fn(&Rule) -> Option<String>| {
            own.iter().find_map(|rule| look(rule)).map(|text| (pattern, text))
        };
        let found = find(Pattern::History, &|rule| history(rules, rule, &histories))
            .or_else(|| {
                find(Pattern::FrameOverMoves, &|rule| frame_over_moves(rules, rule)).filter(|_| notable)
            })
            .or_else(|| {
                find(Pattern::CrossProduct, &|rule| {
                    // A rule that writes a history would not be a product without the history.
                    let writes = histories
                        .iter()
                        .any(|(f, _)| rule.head.arguments.first().and_then(Functor::of) == Some(*f));
                    if writes { None } else { cross_product(rules, rule, cost) }
                })
                .filter(|_| notable)
            })
            .or_else(|| find(Pattern::LargeStatic, &|rule| large_static(rules, rule, cost)));
        if let Some((pattern, text)) = found {
            all.push(Advice { clause: cost.clause, line: cost.line, pattern, text });
        }
    }
    all
}

fn variables_of(visit: impl FnOnce(&mut dyn FnMut(Variable))) -> Vec<Variable> {
    let mut all = Vec::new();
    visit(&mut |v| {
        if !all.contains(&v) {
            all.push(v);
        }
    });
    all
}

fn head_variables(rule: &Rule) -> Vec<Variable> {
    variables_of(|visit| rule.head.variables(&mut |v| visit(v)))
}

fn names(rule: &Rule, variables: &[Variable]) -> String {
    let name = |v: &Variable| format!("?{}", rule.variables[v.0 as usize]);
    variables.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn positive(rule: &Rule, keyword: Keyword) -> impl Iterator<Item = &Atom> {
    rule.body.iter().filter_map(move |literal| match literal {
        Literal::Positive(atom) if atom.relation == keyword.id() => Some(atom),
        _ => None,
    })
}

/// Returns the text of the fluent in `(next fluent)`.
fn fluent_text(rules: &Rules, rule: &Rule) -> String {
    let text = rules.atom_text(rule, &rule.head);
    text.strip_prefix("(next ").and_then(|t| t.strip_suffix(')')).unwrap_or(&text).to_string()
}

fn frame_over_moves(rules: &Rules, rule: &Rule) -> Option<String> {
    if rule.head.relation != Keyword::Next.id() {
        return None;
    }
    let fluent = rule.head.arguments.first()?;
    positive(rule, Keyword::True).find(|atom| atom.arguments.first() == Some(fluent))?;
    let head = head_variables(rule);
    for does in positive(rule, Keyword::Does) {
        let mv = does.arguments.last()?;
        let mut others = variables_of(|visit| mv.variables(&mut |v| visit(v)));
        others.retain(|v| !head.contains(v));
        if others.is_empty() {
            continue;
        }
        let (fluent, others) = (fluent_text(rules, rule), names(rule, &others));
        let does = rules.atom_text(rule, does);
        return Some(format!(
            "{fluent} is carried over once for every move: keeping it does not depend on {others} of {does}, but \
             there is an instance for each pair of a fluent and a move. Define what a move changes in a relation of \
             its own, (<= (changed {fluent}) {does} ...), and keep the rest with (<= (next {fluent}) (true {fluent}) \
             (not (changed {fluent}))).",
        ));
    }
    None
}

/// Returns groups of variables that are connected by positive literals.
fn groups(rule: &Rule) -> Vec<Vec<Variable>> {
    let mut groups: Vec<Vec<Variable>> = Vec::new();
    for literal in &rule.body {
        let Literal::Positive(atom) = literal else { continue };
        if atom.relation == Keyword::Role.id() {
            continue;
        }
        let mut joined = variables_of(|visit| atom.variables(&mut |v| visit(v)));
        if joined.is_empty() {
            continue;
        }
        let touches = |group: &Vec<Variable>| group.iter().any(|v| joined.contains(v));
        let (touched, apart): (Vec<_>, Vec<_>) = std::mem::take(&mut groups).into_iter().partition(touches);
        touched.into_iter().flatten().for_each(|v| {
            if !joined.contains(&v) {
                joined.push(v);
            }
        });
        groups = apart;
        groups.push(joined);
    }
    groups.iter_mut().for_each(|group| group.sort_unstable());
    groups.sort();
    groups
}

/// Returns `true` if a variable stands for a role. There are few roles, so products with them are cheap.
fn is_role(rule: &Rule, variable: Variable) -> bool {
    let atoms = rule.body.iter().filter_map(Literal::atom).chain([&rule.head]);
    let mut with_role = atoms.filter(|a| {
        a.relation == Keyword::Role.id() || Keyword::of(a.relation).is_some_and(|keyword| keyword.has_role())
    });
    with_role.any(|a| a.arguments.first() == Some(&Term::Variable(variable)))
}

fn cross_product(rules: &Rules, rule: &Rule, cost: &ClauseCost) -> Option<String> {
    let domain = [Keyword::Init, Keyword::Base, Keyword::Input, Keyword::Percept];
    if domain.iter().any(|k| k.id() == rule.head.relation) {
        return None;
    }
    let mut groups = groups(rule);
    groups.retain(|group| group.iter().any(|v| !is_role(rule, *v)));
    if groups.len() < 2 {
        return None;
    }
    let head = head_variables(rule);
    let in_head = |group: &Vec<Variable>| group.iter().any(|v| head.contains(v));
    let weak = rule.body.iter().any(|literal| {
        let own = variables_of(|visit| literal.variables(&mut |v| visit(v)));
        !matches!(literal, Literal::Positive(_))
            && groups.iter().filter(|group| group.iter().any(|v| own.contains(v))).count() > 1
    });
    let all: Vec<String> = groups.iter().map(|group| names(rule, group)).collect();
    let (last, rest) = all.split_last()?;
    let related =
        if weak { "are related only by `distinct` or `not`" } else { "have nothing to do with each other" };
    let what = format!("{} and {last} {related}", rest.join(", "));
    let count = if cost.instances > 0 { format!(" ({} instances)", cost.instances) } else { String::new() };
    let instead = if let (false, Some(free)) = (weak, groups.iter().find(|group| !in_head(group))) {
        format!(
            "Put the conditions on {} into a relation of their own without arguments, (<= some_condition ...), and use \
             that here.",
            names(rule, free)
        )
    } else if rule.head.relation == Keyword::Legal.id() {
        "If every pair is a move, let the player choose in two turns, first one and then the other; otherwise add \
         the condition that relates them."
            .to_string()
    } else {
        let head = rules.atom_text(rule, &rule.head);
        format!("Relate them by a condition that few pairs meet, or split {head} into two relations.")
    };
    Some(format!("{what}, so every value of one is combined with every value of the other{count}. {instead}"))
}

/// Returns fluents that keep forever what held at some step, each with the step counter it refers to.
fn histories(rules: &Rules) -> Vec<(Functor, Functor)> {
    let counters: Vec<Functor> = rules.counters().into_iter().map(|counter| counter.fluent).collect();
    let mut found = Vec::new();
    for fluent in rules.persistence() {
        if fluent.persists != Persists::Forever {
            continue;
        }
        for &number in &fluent.other_rules {
            let rule = &rules.rules[number];
            if let Some(counter) = counter_in_head(rules, rule, &counters) {
                found.push((fluent.fluent, counter));
                break;
            }
        }
    }
    found
}

/// Returns the step counter whose value, or a value derived from it, is an argument of the head.
fn counter_in_head(rules: &Rules, rule: &Rule, counters: &[Functor]) -> Option<Functor> {
    let head = head_variables(rule);
    for atom in positive(rule, Keyword::True) {
        let counter = atom.arguments.first().and_then(Functor::of).filter(|f| counters.contains(f));
        let Some(counter) = counter else { continue };
        let mut steps = variables_of(|visit| atom.variables(&mut |v| visit(v)));
        for literal in &rule.body {
            if let Literal::Positive(atom) = literal
                && rules.relation(atom.relation).is_static()
            {
                let own = variables_of(|visit| atom.variables(&mut |v| visit(v)));
                if own.iter().any(|v| steps.contains(v)) {
                    steps.extend(own);
                }
            }
        }
        if steps.iter().any(|v| head.contains(v)) {
            return Some(counter);
        }
    }
    None
}

fn history(rules: &Rules, rule: &Rule, histories: &[(Functor, Functor)]) -> Option<String> {
    if rule.head.relation != Keyword::Next.id() {
        return None;
    }
    let fluent = rule.head.arguments.first()?;
    let functor = Functor::of(fluent)?;
    let (_, counter) = histories.iter().find(|(f, _)| *f == functor)?;
    // The advice belongs to the clause that carries the past over.
    positive(rule, Keyword::True).find(|atom| atom.arguments.first() == Some(fluent))?;
    let (name, counter) = (rules.name(functor.name), rules.name(counter.name));
    Some(format!(
        "{name} keeps what held at every step of {counter} for ever, so there is a fluent for each step of the longest \
         match and each of them is copied in every step. Keep only what is needed: the last step, a count, or \
         whether it ever happened, without the step as an argument.",
    ))
}

fn large_static(rules: &Rules, rule: &Rule, cost: &ClauseCost) -> Option<String> {
    let relation = rules.relation(rule.head.relation);
    if !relation.is_static() || cost.ground_rows < LARGE || rule.body.is_empty() {
        return None;
    }
    Some(format!(
        "{} is the same in all states and has {} rows from this clause alone, and the rules that use it are joined with \
         all of them. Restrict it to the values that are needed, or split it into relations with fewer variables.",
        rules.atom_text(rule, &rule.head),
        cost.ground_rows
    ))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use game::Seed;
    use library::Loaded;
    use reasoner::GroundLimits;
    use rules::Strictness;

    use super::*;
    use crate::profile::{Basis, Sampling, profile};

    /// Returns the advice on a sheet: pattern, line and text.
    fn advice(sheet: &str) -> Vec<(Pattern, usize, String)> {
        let source =
            library::from_bytes("sheet".into(), "sheet.kif".into(), Some("kif"), sheet.as_bytes().to_vec());
        let loaded = Loaded::new(source, Strictness::Lenient);
        let rules = loaded.rules().expect("the sheet plays");
        let limits = GroundLimits::default();
        let sampling = Sampling {
            basis: Basis::Gates,
            playouts: 2,
            time: Duration::from_secs(5),
            seed: Seed(1),
            limits,
        };
        let profile = profile(&loaded, &rules, &sampling);
        assert_eq!((profile.no_circuit.clone(), profile.no_playouts.clone()), (None, None));
        profile.advice.into_iter().map(|a| (a.pattern, a.line, a.text)).collect()
    }

    /// The end of every sheet: a match lasts five steps.
    const CLOCK: &str = "
        (init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5)
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= terminal (true (step 5)))
        (goal robot 100)";

    #[test]
    fn frame_rules_over_moves_are_found() {
        let found = advice(&format!(
            "(role robot) (row 1) (row 2) (row 3) (row 4) (row 5)
             (<= (init (cell ?x off)) (row ?x))
             (<= (legal robot (press ?x)) (row ?x))
             (<= (next (cell ?x on)) (does robot (press ?x)))
             (<= (next (cell ?x ?v)) (true (cell ?x ?v)) (does robot (press ?y)) (distinct ?x ?y)) {CLOCK}"
        ));
        let [(Pattern::FrameOverMoves, 5, text)] = &found[..] else { panic!("{found:?}") };
        assert!(text.contains("?y of (does robot (press ?y))"), "{text}");
        assert!(
            text.contains("(<= (next (cell ?x ?v)) (true (cell ?x ?v)) (not (changed (cell ?x ?v))))"),
            "{text}"
        );
    }

    #[test]
    fn the_advice_on_frame_rules_is_not_repeated_once_followed() {
        let found = advice(&format!(
            "(role robot) (row 1) (row 2) (row 3) (row 4) (row 5)
             (<= (init (cell ?x off)) (row ?x))
             (<= (legal robot (press ?x)) (row ?x))
             (<= (changed ?x) (does robot (press ?x)))
             (<= (next (cell ?x on)) (changed ?x))
             (<= (next (cell ?x ?v)) (true (cell ?x ?v)) (not (changed ?x))) {CLOCK}"
        ));
        assert_eq!(found, []);
    }

    #[test]
    fn unrelated_variables_are_found() {
        let found = advice(&format!(
            "(role robot) (row 1) (row 2) (row 3) (row 4) (row 5)
             (<= (legal robot (press ?x)) (row ?x))
             (<= (next (cell ?x)) (does robot (press ?x)))
             (<= (next (cell ?x)) (true (cell ?x)))
             (<= (busy ?x) (true (cell ?x)) (true (cell ?a)) (succ ?a ?b) (true (cell ?b)))
             (<= (next (mark ?x)) (busy ?x)) {CLOCK}"
        ));
        let [(Pattern::CrossProduct, 5, text)] = &found[..] else { panic!("{found:?}") };
        assert!(text.starts_with("?x and ?a ?b have nothing to do with each other"), "{text}");
        assert!(text.contains("conditions on ?a ?b into a relation of their own"), "{text}");
    }

    #[test]
    fn moves_made_of_two_free_choices_are_found() {
        let found = advice(&format!(
            "(role robot) (row 1) (row 2) (row 3) (row 4) (row 5)
             (<= (init (cell ?x)) (row ?x)) (<= (init (hole ?x)) (row ?x))
             (<= (legal robot (move ?x ?y)) (true (cell ?x)) (true (hole ?y)))
             (<= (next (cell ?y)) (does robot (move ?x ?y)))
             (<= (next (hole ?x)) (does robot (move ?x ?y))) {CLOCK}"
        ));
        let [(Pattern::CrossProduct, 3, text)] = &found[..] else { panic!("{found:?}") };
        assert!(text.contains("choose in two turns"), "{text}");
    }

    #[test]
    fn history_kept_as_facts_is_found() {
        let found = advice(&format!(
            "(role robot) (row 1) (row 2) (row 3)
             (<= (legal robot (press ?x)) (row ?x))
             (<= (next (at ?x)) (does robot (press ?x)))
             (<= (next (was ?m ?x)) (true (step ?m)) (true (at ?x)))
             (<= (next (was ?m ?x)) (true (was ?m ?x)))
             (<= (goal robot 50) (true (was ?m ?x)) (true (at ?x))) {CLOCK}"
        ));
        let [(Pattern::History, 5, text)] = &found[..] else { panic!("{found:?}") };
        assert!(text.starts_with("was keeps what held at every step of step for ever"), "{text}");
    }

    #[test]
    fn large_static_relations_are_found() {
        let numbers: String = (0..240).map(|n| format!("(num {n})")).collect();
        let found = advice(&format!(
            "(role robot) {numbers}
             (<= (pair ?x ?y) (num ?x) (num ?y))
             (<= (legal robot (press ?x)) (true (step ?m)) (pair ?m ?x) (succ ?x ?m))
             (legal robot noop) {CLOCK}"
        ));
        let [(Pattern::LargeStatic, 2, text)] = &found[..] else { panic!("{found:?}") };
        assert!(text.contains("57600 rows"), "{text}");
    }
}
