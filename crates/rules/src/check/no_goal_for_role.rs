//! A role that can never score.
//!
//! `random` needs no goal: it plays for nothing.

use gdl::TermKind;

use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::restriction("no-goal-for-role", "no rule gives a role a goal");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for (role, name) in without(survey, Keyword::Goal).into_iter().filter(|(_, name)| &***name != "random") {
        let message = format!("no rule gives `{name}` a goal");
        report.say(&CODE, role.span, message, format!("add rules such as `(<= (goal {name} 100) …)`"));
    }
}

/// The role facts that no head of `keyword` is about; none if there is no such head at all.
pub(super) fn without<'s>(survey: &Survey<'s>, keyword: Keyword) -> Vec<(&'s gdl::Term, &'s gdl::Name)> {
    let mut has = rustc_hash::FxHashSet::default();
    for head in survey.sentences.iter().filter(|s| s.keyword == Some(keyword) && !s.is_read()) {
        match &head.term.arguments()[0].kind {
            TermKind::Constant(name) => has.insert(name),
            TermKind::Variable(_) => return Vec::new(),
            TermKind::Compound(..) => continue,
        };
    }
    let facts = survey.sentences.iter().filter(|s| s.keyword == Some(Keyword::Role) && !s.is_read());
    let roles = facts.map(|s| &s.term.arguments()[0]).filter_map(|t| match &t.kind {
        TermKind::Constant(name) => Some((t, name)),
        _ => None,
    });
    if has.is_empty() { Vec::new() } else { roles.filter(|(_, name)| !has.contains(*name)).collect() }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn every_role_has_a_goal() {
        let accepted = "(role white) (role black) (role random) (goal white 50) (goal black 50)";
        let rejected = "(role white) (role black) (goal white 50)";
        examples(&CODE, accepted, rejected, &["1:20 no rule gives `black` a goal"]);
    }
}
