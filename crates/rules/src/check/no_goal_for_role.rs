//! A role that never has a goal value.
//!
//! `random` needs no goal because it does not play to win.

use super::survey::constant;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::restriction("no-goal-for-role", "no rule gives a role a goal");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for (role, name) in without(survey, Keyword::Goal).into_iter().filter(|(_, name)| &***name != "random") {
        let message = format!("no rule gives `{name}` a goal");
        report.say(&CODE, role.span, message, format!("add rules such as `(<= (goal {name} 100) …)`"));
    }
}

/// Returns the role facts that no head of `keyword` is about; empty if there is no such head at
/// all, or if one of them has a variable as its role.
pub(super) fn without<'s>(survey: &Survey<'s>, keyword: Keyword) -> Vec<(&'s gdl::Term, &'s gdl::Name)> {
    let mut has = rustc_hash::FxHashSet::default();
    for head in survey.sentences.iter().filter(|s| s.keyword == Some(keyword) && !s.is_read()) {
        let role = &head.term.arguments()[0];
        if role.name().is_none() {
            return Vec::new();
        }
        has.extend(constant(role));
    }
    if has.is_empty() {
        return Vec::new();
    }
    role_facts(survey).filter(|(_, name)| !has.contains(*name)).collect()
}

/// Returns the roles that are facts, with their names.
pub(super) fn role_facts<'a, 's>(
    survey: &'a Survey<'s>,
) -> impl Iterator<Item = (&'s gdl::Term, &'s gdl::Name)> + use<'a, 's> {
    let heads = survey.sentences.iter().filter(|s| s.keyword == Some(Keyword::Role) && !s.is_read());
    let facts = heads.filter(|s| survey.clause(s).body.is_empty());
    facts.map(|s| &s.term.arguments()[0]).filter_map(|term| Some((term, constant(term)?)))
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
