//! A rule without a body.

use super::{Code, Report, Survey};

pub(crate) const CODE: Code = Code::doubt("empty-body", "a rule has no body");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for clause in survey.sheet.clauses.iter().filter(|c| c.is_rule && c.body.is_empty()) {
        report.say(
            &CODE,
            clause.span,
            "this rule has no body, so it is a fact",
            "write it as a fact, or add its conditions",
        );
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn a_rule_without_a_body_is_a_fact() {
        examples(&CODE, "(p 1)", "(<= (p 1))", &["1:1 this rule has no body, so it is a fact"]);
    }
}
