//! `not`, `or` or `distinct` inside a term.
//!
//! Usually a parenthesis is missing before it.

use super::{Code, Report, Survey, knows_what};

pub(crate) const CODE: Code =
    Code::restriction("operator-as-name", "`not`, `or` or `distinct` is used inside a term");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    survey.terms(|sentence, term| {
        if knows_what::known(sentence).is_some_and(|known| known.span == term.span) {
            return;
        }
        if let Some(name) = term.name().filter(|n| is_operator(n)) {
            let message = format!("`{name}` is an operator and has no meaning inside a term");
            report.say(&CODE, term.span, message, "check the parentheses, or choose another name");
        }
    });
}

pub(super) fn is_operator(name: &str) -> bool {
    ["not", "or", "distinct"].iter().any(|o| o.eq_ignore_ascii_case(name))
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn operators_stand_outside_terms() {
        let rejected = "(<= p (true (not (q 1))))";
        let expected = ["1:13 `not` is an operator and has no meaning inside a term"];
        examples(&CODE, "(<= p (not (true (q 1))))", rejected, &expected);
    }
}
