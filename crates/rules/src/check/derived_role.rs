//! A role that is not a plain fact.
//!
//! The roles and their order are defined by the `role` facts in the text. A rule for `role` can
//! be read in bodies, but does not add a role to the game.

use super::survey::Place;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code =
    Code::restriction("derived-role", "a role is defined by a rule, or is not a constant");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for sentence in survey.sentences.iter().filter(|s| s.keyword == Some(Keyword::Role) && !s.is_read()) {
        let remedy = "write each role as a fact, for example `(role white)`";
        if sentence.place == Place::Head && !survey.clause(sentence).body.is_empty() {
            report.say(
                &CODE,
                sentence.span(),
                "a rule cannot define a role: roles are the `role` facts",
                remedy,
            );
        } else if !sentence.term.arguments()[0].arguments().is_empty() {
            report.say(&CODE, sentence.span(), "the name of a role must be a constant", remedy);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn roles_are_facts() {
        let rejected = "(side white) (<= (role ?x) (side ?x))";
        examples(
            &CODE,
            "(role white)",
            rejected,
            &["1:18 a rule cannot define a role: roles are the `role` facts"],
        );
    }
}
