//! `<=`, `not`, `or` or `distinct` where a sentence must stand.
//!
//! In a head, or with the wrong number of arguments, they are no operators.

use super::operator_as_name::is_operator;
use super::{Code, Report, Survey};

pub(crate) const CODE: Code =
    Code::error("operator-as-relation", "`<=`, `not`, `or` or `distinct` stands where a sentence must");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for sentence in survey.sentences.iter().filter(|s| is_operator(s.name)) {
        let name = sentence.name.to_ascii_lowercase();
        let (message, remedy) = match (sentence.is_read(), &*name) {
            (true, "not") => ("`not` takes one sentence".to_string(), "negate each sentence by itself"),
            (true, "distinct") => {
                ("`distinct` takes two terms".to_string(), "write it as in `(distinct ?x ?y)`")
            }
            _ => (format!("`{name}` is an operator, not a relation"), "check the parentheses"),
        };
        report.say(&CODE, sentence.span(), message, remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn operators_are_no_relations() {
        let rejected = "(<= (or p q) r)\n(<= p (distinct a))";
        let expected = ["1:5 `or` is an operator, not a relation", "2:7 `distinct` takes two terms"];
        examples(&CODE, "(<= p (or q r) (distinct a b))", rejected, &expected);
    }
}
