//! `base`, `input` or `percept` with an unusual number of arguments.
//!
//! These keywords declare domains and are optional. With another number of arguments they are
//! treated as relations defined by the sheet.

use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code =
    Code::restriction("domain-arity", "`base`, `input` or `percept` has an unusual number of arguments");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for sentence in survey.sentences.iter().filter(|s| s.keyword.is_none()) {
        if let Some(keyword) = Keyword::named(sentence.name).filter(|k| k.is_domain()) {
            let (name, arity) = (keyword.name(), keyword.arity());
            let message = format!("`{name}` has {} arguments; the keyword takes {arity}", sentence.arity());
            report.say(&CODE, sentence.span(), message, "rename it if it is a relation of your own");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn domain_words_have_their_arity() {
        let rejected = "(base 1 2)";
        examples(
            &CODE,
            "(base p) (input r m)",
            rejected,
            &["1:1 `base` has 2 arguments; the keyword takes 1"],
        );
    }
}
