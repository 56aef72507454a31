//! A name used both for a relation and for a function.
//!
//! This is allowed, but often `true` was forgotten: `(cell 1 1 b)` in a body reads a relation,
//! `(true (cell 1 1 b))` a fluent.

use gdl::{Label, Name, Span, TermKind};
use rustc_hash::FxHashMap;

use super::survey::Place;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code =
    Code::doubt("relation-as-function", "one name is used for a relation and for a function");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let mut functions: FxHashMap<&Name, Span> = FxHashMap::default();
    survey.terms(|sentence, term| {
        let percept = matches!(sentence.keyword, Some(Keyword::Knows | Keyword::CommonKnowledge));
        if let TermKind::Compound(name, arguments) = &term.kind
            && !arguments.is_empty()
            && !percept
        {
            functions.entry(name).or_insert(term.span);
        }
    });
    for sentence in survey.sentences.iter().filter(|s| s.place != Place::Known && s.arity() > 0) {
        if Keyword::named(sentence.name).is_some() {
            continue;
        }
        if let Some(place) = functions.remove(sentence.name) {
            let name = sentence.name;
            let message = format!("`{name}` is a relation here and a function elsewhere");
            let remedy = if sentence.is_read() && !survey.defined.contains(&(name, sentence.arity())) {
                "if a fluent is meant, write `(true (…))` around it"
            } else {
                "rename one of them"
            };
            let label = Label { span: place, text: "a function here".to_string() };
            report.say(&CODE, sentence.span(), message, remedy).labels.push(label);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, remedy};
    use super::*;

    #[test]
    fn relations_and_functions_have_different_names() {
        let rejected = "(init (cell 1)) (<= terminal (cell 1))";
        let expected = ["1:30 `cell` is a relation here and a function elsewhere"];
        examples(&CODE, "(init (cell 1)) (<= terminal (true (cell 1)))", rejected, &expected);
        assert_eq!(remedy(&CODE, rejected), "if a fluent is meant, write `(true (…))` around it");
    }
}
