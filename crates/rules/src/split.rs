//! Splitting of relations that are stratified only by an argument.
//!
//! Public sheets contain rules such as `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))`. By
//! name, `goal` depends on its own negation. Yet goal 0 depends only on goal 100, and a
//! goal-directed prover has no difficulty with it. If the constants in one argument of a
//! relation separate the cycle, the relation is split into one auxiliary relation per constant,
//! and rules collect these into the original relation. The result is stratified by name, so
//! reasoners do not need to handle this case.

use std::collections::BTreeSet;

use gdl::{Name, Span};
use rustc_hash::FxHashMap;

use crate::depend::Graph;
use crate::normalise::{Normal, Places};
use crate::unify::Unifier;
use crate::{Atom, Literal, RelationId, Rule, Symbol, Term, Variable};

/// Limits: relations split, argument positions tried, and constants distinguished.
const MAX_SPLITS: usize = 8;
const MAX_PLACES: usize = 8;
const MAX_CONSTANTS: usize = 64;

/// Splits relations until no cycle contains a negation. Returns `None` if that is impossible.
pub(crate) fn split(normal: &Normal, graph: &Graph) -> Option<(Normal, Graph)> {
    let (mut normal, mut graph) = (normal.clone(), graph.clone());
    for _ in 0..MAX_SPLITS {
        let cycles = graph.negative_cycles();
        if cycles.is_empty() {
            return Some((normal, graph));
        }
        let candidates: BTreeSet<RelationId> = cycles.iter().map(|(_, edge)| edge.on).collect();
        let mut better = None;
        for relation in candidates.into_iter().take(MAX_SPLITS) {
            let arity = normal.relations[relation.index()].arity.min(MAX_PLACES);
            better = (0..arity).find_map(|place| {
                let split = at(&normal, &graph, relation, place)?;
                let order = Graph::new(&split);
                (order.negative_cycles().len() < cycles.len()).then_some((split, order))
            });
            if better.is_some() {
                break;
            }
        }
        (normal, graph) = better?;
    }
    graph.negative_cycles().is_empty().then_some((normal, graph))
}

/// Returns the same rules with one relation split by the constants in argument `place`.
fn at(normal: &Normal, graph: &Graph, relation: RelationId, place: usize) -> Option<Normal> {
    let group = graph.component_of[relation.index()];
    let inside = |rule: &Rule| graph.component_of[rule.head.relation.index()] == group;
    let constant = |atom: &Atom| match *atom.arguments.get(place)? {
        Term::Constant(c) if atom.relation == relation => Some(c),
        _ => None,
    };
    let mut constants: BTreeSet<Symbol> = BTreeSet::new();
    for rule in normal.rules.iter().filter(|r| inside(r)) {
        let atoms = std::iter::once(&rule.head).chain(rule.body.iter().filter_map(Literal::atom));
        constants.extend(atoms.filter(|a| a.relation == relation).filter_map(constant));
    }
    if constants.is_empty() || constants.len() > MAX_CONSTANTS {
        return None;
    }
    let mut split = normal.clone();
    let (name, arity) =
        (normal.relations[relation.index()].name.clone(), normal.relations[relation.index()].arity);
    let parts: FxHashMap<Symbol, RelationId> = constants
        .iter()
        .map(|&c| (c, split.auxiliary(format!("{name} {}", normal.symbols.name(c)), arity, Span::default())))
        .collect();
    let mut rules: Vec<(Rule, Places)> = Vec::new();
    for (rule, places) in normal.rules.iter().zip(&normal.places) {
        let mut rule = rule.clone();
        if inside(&rule) {
            for literal in &mut rule.body {
                if let Literal::Positive(atom) | Literal::Negative(atom) = literal
                    && atom.relation == relation
                    && let Some(c) = constant(atom)
                {
                    atom.relation = parts[&c];
                }
            }
        }
        if rule.head.relation != relation {
            rules.push((rule, places.clone()));
            continue;
        }
        match &rule.head.arguments[place] {
            Term::Constant(c) => {
                rule.head.relation = parts[c];
                rules.push((rule, places.clone()));
            }
            Term::Variable(v) => {
                for c in &constants {
                    let mut copy = instance(&rule, *v, *c)?;
                    copy.head.relation = parts[c];
                    rules.push((copy, places.clone()));
                }
                rules.push((rule, places.clone()));
            }
            Term::Function(..) => rules.push((rule, places.clone())),
        }
    }
    for &c in &constants {
        let first = rules.iter().find(|(r, _)| r.head.relation == parts[&c]);
        let (clause, span) = first.map_or((0, Span::default()), |(r, _)| (r.clause, r.span));
        let arguments: Vec<Term> = (0..arity)
            .map(|i| if i == place { Term::Constant(c) } else { Term::Variable(Variable(i as u32)) })
            .collect();
        let head = Atom { relation, arguments: arguments.clone() };
        let body = vec![Literal::Positive(Atom { relation: parts[&c], arguments })];
        let variables = (0..arity).map(|i| Name::from(format!("{i}"))).collect();
        rules.push((Rule { head, body, variables, clause, span }, Places { head: span, body: vec![span] }));
    }
    rules.sort_by_key(|(rule, _)| rule.clause);
    split.replace_rules(rules);
    Some(split)
}

/// Returns the rule with a variable replaced by a constant.
fn instance(rule: &Rule, variable: Variable, constant: Symbol) -> Option<Rule> {
    let mut unifier = Unifier::new(rule.variables.len());
    unifier.unify(&Term::Variable(variable), &Term::Constant(constant)).ok()?;
    let mut rule = rule.clone();
    let atoms = rule.body.iter_mut().filter_map(|l| match l {
        Literal::Positive(atom) | Literal::Negative(atom) => Some(&mut atom.arguments),
        Literal::Distinct(..) => None,
    });
    for arguments in std::iter::once(&mut rule.head.arguments).chain(atoms) {
        for term in arguments {
            *term = unifier.resolve(term).ok()?;
        }
    }
    for literal in &mut rule.body {
        if let Literal::Distinct(a, b) = literal {
            *a = unifier.resolve(a).ok()?;
            *b = unifier.resolve(b).ok()?;
        }
    }
    Some(rule)
}

#[cfg(test)]
mod tests {
    use crate::{Rules, Strictness};

    #[test]
    fn goals_that_exclude_each_other_are_ordered_by_value() {
        let sheet = "(role a) (<= (goal ?r 0) (role ?r) (not (goal ?r 100))) (<= (goal a 100) (true won))";
        let rules = Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient).rules.expect("it plays");
        let texts: Vec<String> = rules.rules.iter().map(|r| rules.rule_text(r)).collect();
        assert_eq!(
            texts,
            [
                "(role a)",
                "(<= (goal 0 ?r 0) (role ?r) (not (goal 100 ?r 100)))",
                "(<= (goal ?0 0) (goal 0 ?0 0))",
                "(<= (goal 100 a 100) (true won))",
                "(<= (goal ?0 100) (goal 100 ?0 100))",
            ]
        );
    }

    #[test]
    fn a_paradox_stays_one() {
        let sheet = "(role a) (<= (p 1) (not (p 2))) (<= (p 2) (not (p 1)))";
        assert!(Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient).rules.is_none());
    }
}
