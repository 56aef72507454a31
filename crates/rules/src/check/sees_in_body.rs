//! `sees` in a body.
//!
//! GDL-II allows percepts only in heads. Public sheets that read them can still be played.

use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::restriction("sees-in-body", "`sees` is used in a body");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for sentence in survey.sentences.iter().filter(|s| s.keyword == Some(Keyword::Sees) && s.is_read()) {
        let remedy = "read the conditions of the percept instead";
        report.say(&CODE, sentence.span(), "`sees` belongs in heads, not in bodies", remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn percepts_are_for_heads() {
        let rejected = "(role r) (<= (sees r p) (true p)) (<= (next q) (sees r p))";
        examples(
            &CODE,
            "(role r) (<= (sees r p) (true p))",
            rejected,
            &["1:48 `sees` belongs in heads, not in bodies"],
        );
    }
}
