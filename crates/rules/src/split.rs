//! Relations that are stratified only when their constants are told apart.
//!
//! `(<= (goal robot 0) (not (goal robot 100)))` has `goal` depend on its own
//! negation by name, yet no atom does. Where all heads of a relation have a
//! constant in one place, the relation is split by that constant; the whole
//! relation stays as the union of its parts for readers with a variable there.

use gdl::Name;
use rustc_hash::FxHashMap;

use crate::normalise::Normal;
use crate::{Atom, Literal, Relation, RelationId, Rule, Symbol, Term, Variable};

/// Splits the given relations where that is possible; says whether anything changed.
pub(crate) fn split(normal: &mut Normal, relations: &[RelationId]) -> bool {
    let mut changed = false;
    for &relation in relations {
        if let Some(place) = place(normal, relation) {
            split_at(normal, relation, place);
            changed = true;
        }
    }
    changed
}

/// The argument in which all heads of the relation have a constant, and not all the same one.
fn place(normal: &Normal, relation: RelationId) -> Option<usize> {
    let about = &normal.relations[relation.index()];
    let heads: Vec<&Atom> = about.rules.iter().map(|&r| &normal.rules[r].head).collect();
    (0..about.arity).find(|&place| {
        let constants = heads.iter().map(|h| match h.arguments[place] {
            Term::Constant(symbol) => Some(symbol),
            _ => None,
        });
        let mut seen: Vec<Symbol> = Vec::new();
        for constant in constants {
            let Some(symbol) = constant else { return false };
            if !seen.contains(&symbol) {
                seen.push(symbol);
            }
        }
        seen.len() > 1
    })
}

fn split_at(normal: &mut Normal, relation: RelationId, place: usize) {
    let about = normal.relations[relation.index()].clone();
    let mut parts: FxHashMap<Symbol, RelationId> = FxHashMap::default();
    let mut bridges = Vec::new();
    for &number in &about.rules {
        let rule = &mut normal.rules[number];
        let Term::Constant(symbol) = rule.head.arguments[place] else { unreachable!("heads have constants here") };
        let part = *parts.entry(symbol).or_insert_with(|| {
            let id = RelationId(normal.relations.len() as u32);
            let name = Name::from(format!("{} {} {}", about.name, place + 1, normal.symbols.name(symbol)));
            normal.relations.push(Relation { name, rules: Vec::new(), ..about.clone() });
            bridges.push((symbol, id));
            id
        });
        rule.head.relation = part;
        normal.relations[part.index()].rules.push(number);
    }
    for rule in &mut normal.rules {
        for literal in &mut rule.body {
            let (Literal::Positive(atom) | Literal::Negative(atom)) = literal else { continue };
            if atom.relation == relation
                && let Term::Constant(symbol) = atom.arguments[place]
                && let Some(&part) = parts.get(&symbol)
            {
                atom.relation = part;
            }
        }
    }
    normal.relations[relation.index()].rules.clear();
    for (symbol, part) in bridges {
        let first = &normal.rules[normal.relations[part.index()].rules[0]];
        let (clause, span) = (first.clause, first.span);
        let variables: Vec<Name> = (0..about.arity).map(|i| Name::from(format!("{i}"))).collect();
        let arguments: Vec<Term> = (0..about.arity)
            .map(|i| if i == place { Term::Constant(symbol) } else { Term::Variable(Variable(i as u32)) })
            .collect();
        let head = Atom { relation, arguments: arguments.clone() };
        let body = vec![Literal::Positive(Atom { relation: part, arguments })];
        normal.relations[relation.index()].rules.push(normal.rules.len());
        normal.rules.push(Rule { head, body, variables, clause, span });
    }
}
