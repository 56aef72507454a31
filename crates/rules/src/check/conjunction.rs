//! `and` in a body.
//!
//! A body is already a conjunction, and the language has no word for it. An `and` is accepted
//! with its usual meaning.

use gdl::LiteralKind;

use super::{Code, Report, Survey};

pub(crate) const CODE: Code = Code::restriction("conjunction", "`and` is not a word of the language");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    survey.literals(|literal| {
        if let LiteralKind::And(_) = literal.kind {
            let remedy = "write its parts one after the other, or give them a relation of their own inside `or` and `not`";
            report.say(&CODE, literal.span, "the language has no `and`: a body is a conjunction already", remedy);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn conjunctions_are_written_without_a_word() {
        let rejected = "(<= p (and q r))";
        examples(
            &CODE,
            "(<= p q r)",
            rejected,
            &["1:7 the language has no `and`: a body is a conjunction already"],
        );
    }
}
