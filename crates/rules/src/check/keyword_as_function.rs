//! A keyword used as a function.
//!
//! Percepts such as `(sees ?p (does ?q ?m))` are common and harmless. Elsewhere a keyword used
//! as a function is usually a misplaced parenthesis.

use gdl::TermKind;

use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::restriction("keyword-as-function", "a keyword is used as a function");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    survey.terms(|sentence, term| {
        let known = matches!(sentence.keyword, Some(Keyword::Knows | Keyword::CommonKnowledge))
            && sentence.term.arguments().last().is_some_and(|last| std::ptr::eq(last, term));
        if let TermKind::Compound(name, arguments) = &term.kind
            && Keyword::find(name, arguments.len()).is_some()
            && !known
        {
            let message = format!("`{name}` is a keyword and has no meaning inside a term");
            report.say(&CODE, term.span, message, "check the parentheses, or choose another name");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn functions_have_names_of_their_own() {
        let rejected = "(<= (next (true (p 1))) (true (p 1)))";
        let expected = ["1:11 `true` is a keyword and has no meaning inside a term"];
        examples(&CODE, "(<= (next (p 1)) (true (p 1)))", rejected, &expected);
    }
}
