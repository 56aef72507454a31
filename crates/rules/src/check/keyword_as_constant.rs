//! A keyword used as a constant.

use gdl::TermKind;

use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::doubt("keyword-as-constant", "a keyword is used as a constant");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    survey.terms(|sentence, term| {
        let known = matches!(sentence.keyword, Some(Keyword::Knows | Keyword::CommonKnowledge))
            && sentence.term.arguments().last().is_some_and(|last| std::ptr::eq(last, term));
        if let TermKind::Constant(name) = &term.kind
            && Keyword::named(name).is_some()
            && !known
        {
            let message = format!("`{name}` is a keyword and is used as a constant");
            report.say(&CODE, term.span, message, "choose another name");
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn constants_have_names_of_their_own() {
        let rejected = "(init (target goal))";
        let expected = ["1:15 `goal` is a keyword and is used as a constant"];
        examples(&CODE, "(init (target home))", rejected, &expected);
    }
}
