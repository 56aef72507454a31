//! `and` in a body.
//!
//! A body is already a conjunction, and the language has no word for it. An `and` is accepted
//! with its usual meaning.

use gdl::LiteralKind;

use super::{Code, Report, Survey};

pub(crate) const CODE: Code = Code::restriction("conjunction", "GDL has no `and`");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    survey.literals(|literal| {
        if let LiteralKind::And(_) = literal.kind {
            let remedy =
                "list its parts one after another; inside `or` or `not`, define a separate relation for them";
            report.say(&CODE, literal.span, "GDL has no `and`: a body already is a conjunction", remedy);
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
        examples(&CODE, "(<= p q r)", rejected, &["1:7 GDL has no `and`: a body already is a conjunction"]);
    }
}
