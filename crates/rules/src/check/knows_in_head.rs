//! `knows` in the head of a clause.
//!
//! GDL-III: what players know follows from the rules and cannot be defined.

use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::error("knows-in-head", "a rule or fact defines `knows`");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for sentence in survey.sentences.iter().filter(|s| !s.is_read()) {
        if matches!(sentence.keyword, Some(Keyword::Knows | Keyword::CommonKnowledge)) {
            let message = "`knows` cannot be defined: it follows from what players see";
            report.say(&CODE, sentence.span(), message, "use `sees` to define what players learn");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn knowledge_cannot_be_decreed() {
        let rejected = "(role r) (<= (knows r p) (true q))";
        let expected = ["1:14 `knows` cannot be defined: it follows from what players see"];
        examples(&CODE, "(role r) (<= p (true q)) (<= (next q) (knows r p))", rejected, &expected);
    }
}
