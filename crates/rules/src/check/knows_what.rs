//! `knows` about anything at all.
//!
//! GDL-III: the sentence that is known must be named, or nothing can say which
//! relations must be finished before.

use gdl::TermKind;

use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::error("knows-what", "a `knows` does not name the sentence it is about");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for sentence in survey.sentences.iter().filter(|s| s.is_read()) {
        if matches!(sentence.keyword, Some(Keyword::Knows | Keyword::CommonKnowledge))
            && let Some(about) = sentence.term.arguments().last()
            && matches!(about.kind, TermKind::Variable(_))
        {
            let message = "`knows` must name the sentence it is about";
            report.say(&CODE, about.span, message, "write a sentence such as `(winning ?r)` in its place");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn knowledge_is_about_a_named_sentence() {
        let rejected = "(role r) (p q) (<= (next q) (p ?s) (knows r ?s))";
        let accepted = "(role r) (p q) (<= (next q) (knows r (p ?x)) (p ?x))";
        examples(&CODE, accepted, rejected, &["1:45 `knows` must name the sentence it is about"]);
    }
}
