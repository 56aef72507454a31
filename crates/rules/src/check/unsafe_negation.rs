//! A negated sentence with a variable that nothing else binds.
//!
//! The specification requires every variable of a negated sentence to be bound by a positive
//! one. Sheets that leave one free mean "there is none". Provers that evaluate bodies in order
//! interpret it that way, provided that all positive sentences come first.

use gdl::{Clause, Span};

use super::survey::variable_place;
use super::{Code, Report};

pub(crate) const CODE: Code =
    Code::restriction("unsafe-negation", "a variable of a negated sentence does not occur in a positive one");

/// Reports the variable `name` of the negated literal at `place`.
pub(crate) fn report(report: &mut Report, clause: &Clause, place: Span, name: &str) {
    let span = variable_place(clause, place, name).unwrap_or(place);
    let message = format!(
        "`?{name}` does not occur in a positive sentence of the body, so this means \"there is none\""
    );
    let remedy = format!("define a separate relation for \"there is a `?{name}`\" and negate that");
    report.say(&CODE, span, message, remedy);
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn negated_variables_are_bound() {
        let accepted = "(<= open (cell ?x) (not (true (full ?x)))) (cell 1)";
        let rejected = "(<= open\n (not (true (full ?x))))";
        let expected =
            ["2:19 `?x` does not occur in a positive sentence of the body, so this means \"there is none\""];
        examples(&CODE, accepted, rejected, &expected);
    }
}
