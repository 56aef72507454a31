//! `knows` about something other than one sentence.
//!
//! GDL-III: the known sentence must be named; otherwise it cannot be determined which relations
//! must be evaluated first.

use gdl::{Term, TermKind};

use super::operator_as_name::is_operator;
use super::survey::Sentence;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::error("knows-what", "a `knows` does not name the sentence it is about");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for sentence in survey.sentences.iter().filter(|s| s.is_read()) {
        let Some(about) = known(sentence) else { continue };
        if matches!(about.kind, TermKind::Variable(_)) {
            let message = "`knows` must name the sentence it is about";
            report.say(&CODE, about.span, message, "write a sentence such as `(winning ?r)` in its place");
        } else if let Some(name) = about.name().filter(|name| is_operator(name)) {
            let message = format!("`knows` is about one sentence, not about `{name}`");
            let remedy = "define a separate relation for what is known and name that";
            report.say(&CODE, about.span, message, remedy);
        }
    }
}

/// Returns the sentence that a `knows` is about.
pub(super) fn known<'s>(sentence: &Sentence<'s>) -> Option<&'s Term> {
    matches!(sentence.keyword, Some(Keyword::Knows | Keyword::CommonKnowledge))
        .then(|| sentence.term.arguments().last())
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::super::operator_as_name;
    use super::super::testing::{examples, findings};
    use super::*;
    use crate::Strictness;

    #[test]
    fn knowledge_is_about_a_named_sentence() {
        let rejected = "(role r) (p q) (<= (next q) (p ?s) (knows r ?s))";
        let accepted = "(role r) (p q) (<= (next q) (knows r (p ?x)) (p ?x))";
        examples(&CODE, accepted, rejected, &["1:45 `knows` must name the sentence it is about"]);
    }

    #[test]
    fn knowledge_is_about_no_connective() {
        let rejected = "(role r) (p q) (<= (next q) (knows r (not (p q))))";
        let accepted = "(role r) (p q) (<= (next q) (not (knows r (p q))))";
        examples(&CODE, accepted, rejected, &["1:38 `knows` is about one sentence, not about `not`"]);
        assert_eq!(findings(&operator_as_name::CODE, rejected, Strictness::Strict), Vec::<String>::new());
    }
}
