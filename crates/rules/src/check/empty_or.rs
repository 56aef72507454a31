//! An `or` without alternatives.
//!
//! It can never hold, so the rule that has it never fires.

use gdl::LiteralKind;

use super::{Code, Report, Survey};

pub(crate) const CODE: Code = Code::doubt("empty-or", "an `or` has no alternatives and never holds");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    survey.literals(|literal| {
        if matches!(&literal.kind, LiteralKind::Or(parts) if parts.is_empty()) {
            report.say(
                &CODE,
                literal.span,
                "an `or` without alternatives never holds",
                "add alternatives or remove it",
            );
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn or_needs_alternatives() {
        examples(&CODE, "(<= p (or q r))", "(<= p (or))", &["1:7 an `or` without alternatives never holds"]);
    }
}
