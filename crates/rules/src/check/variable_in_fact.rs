//! A variable in a fact.
//!
//! A fact states what holds; a variable in it would state it of everything.

use gdl::Span;

use super::{Code, Report};

pub(crate) const CODE: Code = Code::error("variable-in-fact", "a fact contains a variable");

/// Reports the variable `name` at `place`.
pub(crate) fn report(report: &mut Report, place: Span, name: &str) {
    let message = format!("a fact cannot contain the variable `?{name}`");
    report.say(&CODE, place, message, "write a rule that says which values it can take");
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn facts_have_no_variables() {
        examples(&CODE, "(succ 1 2)", "(succ ?x 2)", &["1:7 a fact cannot contain the variable `?x`"]);
    }
}
