//! Recursion that can build ever larger terms.
//!
//! This is the specification's recursion restriction. In a rule for `p` that reads `q`, where
//! `q` depends on `p`, each argument of `q` must be ground, an argument of the head, or an
//! argument of a positive sentence outside the cycle. The restriction keeps all relations
//! finite.

use rustc_hash::FxHashSet;

use super::{Code, Report, Survey};
use crate::text::{Writer, brief};
use crate::{Literal, Term};

pub(crate) const CODE: Code = Code::restriction(
    "unrestricted-recursion",
    "a recursive rule breaks the specification's recursion restriction",
);

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let component = |relation: crate::RelationId| survey.graph.component_of[relation.index()];
    for (rule, places) in survey.normal.rules.iter().zip(&survey.normal.places) {
        let cycle = component(rule.head.relation);
        if !survey.graph.components[cycle].recursive {
            continue;
        }
        let mut given: FxHashSet<&Term> = rule.head.arguments.iter().collect();
        for literal in &rule.body {
            if let Literal::Positive(atom) = literal
                && component(atom.relation) != cycle
            {
                given.extend(&atom.arguments);
            }
        }
        for (literal, place) in rule.body.iter().zip(&places.body) {
            let Some(atom) = literal.atom().filter(|a| component(a.relation) == cycle) else { continue };
            let Some(loose) = atom.arguments.iter().find(|t| !t.is_ground() && !given.contains(t)) else {
                continue;
            };
            let (symbols, relations) = (&survey.normal.symbols, &survey.normal.relations);
            let writer = Writer { symbols, relations, variables: &rule.variables };
            let message = format!("`{}` is not bound outside this recursion", brief(writer.term(loose)));
            let remedy = "add a sentence outside the recursion that says which values it can take";
            report.say(&CODE, *place, message, remedy);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn recursive_arguments_are_bound_elsewhere() {
        let edge = "(edge a b) (<= (path ?x ?y) (edge ?x ?y))";
        let accepted = format!("{edge} (<= (path ?x ?y) (edge ?x ?z) (path ?z ?y))");
        let rejected = format!("{edge}\n(<= (path ?x ?y) (path ?x ?z) (path ?z ?y))");
        let expected = [
            "2:18 `?z` is not bound outside this recursion",
            "2:31 `?z` is not bound outside this recursion",
        ];
        examples(&CODE, &accepted, &rejected, &expected);
    }
}
