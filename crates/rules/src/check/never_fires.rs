//! A condition that can never hold.
//!
//! Detected without playing: a literal that contradicts itself, a sentence none of whose rules
//! can ever fire, or a variable whose positions have no value in common. Locations that another
//! check has already explained are not reported again.

use gdl::Span;

use super::{Code, Report, Survey};
use super::{impossible_move, not_a_role, undefined_relation, unmatched_sentence, unwritten_fluent};
use crate::analysis::Support;
use crate::text::{Writer, brief};
use crate::{Keyword, Literal};

pub(crate) const CODE: Code = Code::doubt("never-fires", "a rule has a condition that can never hold");

/// Codes whose findings already explain why something never holds.
const EXPLAIN: [Code; 5] = [
    impossible_move::CODE,
    not_a_role::CODE,
    undefined_relation::CODE,
    unmatched_sentence::CODE,
    unwritten_fluent::CODE,
];

pub(super) fn check(survey: &Survey, support: &Support, report: &mut Report) {
    let said = report.places(&EXPLAIN);
    // The explanation may be about a part of the literal.
    let explained = |place: Span| {
        said.range(Span { start: place.start, end: 0 }..)
            .take_while(|s| s.start < place.end)
            .any(|s| s.end <= place.end)
    };
    for (place, what) in &survey.normal.contradictions {
        let message = format!("this condition can never hold: it requires {what}");
        report.say(&CODE, *place, message, "correct it, or remove the rule");
    }
    for (number, rule) in survey.normal.rules.iter().enumerate() {
        if survey.normal.relations[rule.head.relation.index()].is_auxiliary() {
            continue;
        }
        let places = &survey.normal.places[number].body;
        let writer = Writer {
            symbols: &survey.normal.symbols,
            relations: &survey.normal.relations,
            variables: &rule.variables,
        };
        if let Some((literal, variable)) = support.clash(number) {
            if !explained(places[literal]) {
                let name = &rule.variables[variable.0 as usize];
                let message = format!("no value of `?{name}` satisfies both this and the rest of the rule");
                report.say(&CODE, places[literal], message, "compare the values of the relations it joins");
            }
            continue;
        }
        let first = rule.body.iter().zip(places).find_map(|(literal, place)| match literal {
            Literal::Positive(atom) if !support.can_hold(atom) => Some((atom, *place)),
            _ => None,
        });
        if let Some((atom, place)) = first.filter(|(a, p)| !explained(*p) && !excused(survey, a.relation)) {
            let message = format!("`{}` can never hold, so this rule never fires", brief(writer.atom(atom)));
            report.say(&CODE, place, message, "find out why its rules never fire, or remove this rule");
        }
    }
}

/// Returns `true` for relations whose absence has a diagnostic of its own.
fn excused(survey: &Survey, relation: crate::RelationId) -> bool {
    let relation_ = &survey.normal.relations[relation.index()];
    relation == Keyword::Role.id() && survey.roles.is_empty() || relation_.is_auxiliary()
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn a_rule_on_something_that_never_holds_never_fires() {
        let accepted = "(role r) (<= loud (true p)) (<= (next p) loud) (init p)";
        let rejected = "(role r) (<= loud undefined)\n(<= (next p) loud)";
        examples(&CODE, accepted, rejected, &["2:14 `loud` can never hold, so this rule never fires"]);
    }

    #[test]
    fn contradictions_are_found() {
        let accepted = "(role r) (p 1) (<= (q ?x) (p ?x) (distinct ?x 2))";
        let rejected = "(role r) (p 1) (<= (q ?x) (p ?x) (distinct ?x ?x))";
        let expected = ["1:34 this condition can never hold: it requires `distinct` of a term and itself"];
        examples(&CODE, accepted, rejected, &expected);
    }

    #[test]
    fn places_without_a_common_value_clash() {
        let rejected = "(role r) (row 1) (column a) (<= (q ?x) (row ?x)\n (column ?x))";
        let expected = ["2:2 no value of `?x` satisfies both this and the rest of the rule"];
        examples(&CODE, "(role r) (row 1) (column 1) (<= (q ?x) (row ?x) (column ?x))", rejected, &expected);
    }
}
