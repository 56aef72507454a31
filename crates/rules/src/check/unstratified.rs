//! A relation that depends on its own negation.
//!
//! Negation applies to completely evaluated relations, but within a cycle no relation can be
//! complete before the others. `knows` counts as negation: what is known must be determined
//! first.

use super::{Code, Report};
use crate::depend::Graph;
use crate::normalise::Normal;
use crate::{Keyword, Literal};

pub(crate) const CODE: Code = Code::error("unstratified", "a relation depends on its own negation");

/// Reports every negative dependence that is part of a cycle.
pub(crate) fn report(normal: &Normal, graph: &Graph, code: &'static Code, remedy: &str, report: &mut Report) {
    for (head, edge) in graph.negative_cycles() {
        let (name, on) = (&normal.relations[head.index()].name, &normal.relations[edge.on.index()].name);
        let literal = &normal.rules[edge.rule].body[edge.literal];
        let known = [Keyword::Knows, Keyword::CommonKnowledge]
            .iter()
            .any(|k| literal.atom().is_some_and(|a| a.relation == k.id()));
        let how = if known && matches!(literal, Literal::Positive(_)) { "knowledge" } else { "the negation" };
        let message = if head == edge.on {
            format!("`{name}` depends on {how} of itself")
        } else {
            format!("`{name}` depends on {how} of `{on}`, which depends on `{name}`")
        };
        report.say(code, normal.places[edge.rule].body[edge.literal], message, remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn no_relation_depends_on_its_own_negation() {
        let accepted = "(role r) (<= q (true f)) (<= p (not q))";
        let rejected = "(role r) (<= p (not q))\n(<= q (true f) p)";
        examples(
            &CODE,
            accepted,
            rejected,
            &["1:21 `p` depends on the negation of `q`, which depends on `p`"],
        );
    }

    #[test]
    fn knowledge_is_of_what_is_settled() {
        let accepted = "(role r) (<= q (true f)) (<= p (knows r q))";
        let rejected = "(role r) (<= q (knows r q))";
        examples(&CODE, accepted, rejected, &["1:16 `q` depends on knowledge of itself"]);
    }
}
