//! Two goal values at once.
//!
//! A role must have exactly one goal value in a terminal state. This check reports violations
//! that are visible without playing: a goal that always holds together with another one, and
//! two goals with the same conditions.

use gdl::{Label, Span};
use rustc_hash::FxHashMap;

use super::{Code, Report, Survey};
use crate::{Keyword, Literal, Rule, Symbol, Term};

pub(crate) const CODE: Code = Code::restriction("double-goal", "a role can have two goals at once");

/// The maximum number of goals that are examined for always holding.
const MAX_PAIRS: usize = 1000;

pub(super) fn check(survey: &Survey, report: &mut Report) {
    // If a relation was split, its rules are listed under the names of the parts.
    let is_goal = |rule: &Rule, place: Span| {
        let head = &survey.sheet.clauses[rule.clause].head;
        head.span == place
            && head.name().is_some_and(|n| &**n == Keyword::Goal.name())
            && rule.head.arguments.len() == 2
    };
    let all = survey.normal.rules.iter().zip(&survey.normal.places);
    let goals: Vec<(&Rule, Span)> = all.map(|(r, p)| (r, p.head)).filter(|(r, p)| is_goal(r, *p)).collect();
    let mut always: FxHashMap<Option<Symbol>, (&Term, Span)> = FxHashMap::default();
    for (rule, place) in goals.iter().take(MAX_PAIRS).filter(|(rule, _)| is_always(rule)) {
        always.entry(role(rule)).or_insert((&rule.head.arguments[1], *place));
    }
    let mut same: FxHashMap<(&Term, &[Literal]), (&Term, Span)> = FxHashMap::default();
    for (rule, place) in &goals {
        let value = &rule.head.arguments[1];
        let everyone = always.get(&None);
        let candidates = [role(rule).and_then(|r| always.get(&Some(r))), everyone];
        let beside = candidates.into_iter().flatten().find(|(v, p)| p != place && *v != value);
        let twin = *same.entry((&rule.head.arguments[0], &rule.body)).or_insert((value, *place));
        let other =
            beside.copied().or(Some(twin).filter(|(v, p)| p != place && *v != value && v.is_ground()));
        if let Some((_, first)) = other {
            let why = if beside.is_some() {
                "always has another one"
            } else {
                "has another one under the same conditions"
            };
            let message = format!("a role with this goal {why}");
            let remedy = "give the rules conditions that exclude each other";
            let label = Label { span: first, text: "the other goal".to_string() };
            report.say(&CODE, *place, message, remedy).labels.push(label);
        }
    }
}

/// Returns `true` if the body requires nothing but being a role.
fn is_always(rule: &Rule) -> bool {
    rule.body.iter().all(|l| matches!(l, Literal::Positive(a) if a.relation == Keyword::Role.id()))
}

fn role(rule: &Rule) -> Option<Symbol> {
    match rule.head.arguments[0] {
        Term::Constant(role) => Some(role),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn a_goal_that_always_holds_stands_alone() {
        let accepted =
            "(role r) (role s) (goal r 50) (<= (goal s 100) (true p)) (<= (goal s 0) (not (true p)))";
        let rejected = "(role r) (goal r 50)\n(<= (goal r 100) (true p))";
        examples(&CODE, accepted, rejected, &["2:5 a role with this goal always has another one"]);
    }

    #[test]
    fn a_fixed_goal_of_nature_disturbs_nobody() {
        let accepted = "(role random) (role a) (goal random 0) (<= (goal ?r 100) (role ?r) (true (won ?r)))";
        examples(&CODE, accepted, accepted, &[]);
    }

    #[test]
    fn the_same_conditions_give_one_goal() {
        let rejected = "(role r) (<= (goal r 0) (true p))\n(<= (goal r 100) (true p))";
        let expected = ["2:5 a role with this goal has another one under the same conditions"];
        examples(&CODE, "(role r) (<= (goal r 0) (true p))", rejected, &expected);
    }
}
