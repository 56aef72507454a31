//! One name with different numbers of arguments.
//!
//! Two relations (or functions) may share a name, but usually an argument was forgotten.

use gdl::{Label, Name, Span, TermKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::survey::Place;
use super::{Code, Report, Survey};

pub(crate) const CODE: Code =
    Code::doubt("mixed-arity", "one name is used with different numbers of arguments");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let mut relations = Arities::default();
    for sentence in survey.sentences.iter().filter(|s| s.place != Place::Known) {
        if crate::Keyword::named(sentence.name).is_none() {
            relations.add(sentence.name, sentence.arity(), sentence.span(), "relation", report);
        }
    }
    let mut functions = Arities::default();
    survey.terms(|_, term| {
        if let TermKind::Compound(name, arguments) = &term.kind
            && !arguments.is_empty()
        {
            functions.add(name, arguments.len(), term.span, "function", report);
        }
    });
}

#[derive(Default)]
struct Arities<'s> {
    first: FxHashMap<&'s Name, (usize, Span)>,
    seen: FxHashSet<(&'s Name, usize)>,
}

impl<'s> Arities<'s> {
    fn add(&mut self, name: &'s Name, arity: usize, span: Span, what: &str, report: &mut Report) {
        let (first, place) = *self.first.entry(name).or_insert((arity, span));
        if !self.seen.insert((name, arity)) || first == arity {
            return;
        }
        let message = format!("the {what} `{name}` has {arity} {} here and {first} before", arguments(arity));
        let remedy = "if they are meant to be the same, give them the same arguments; otherwise rename one";
        let label = Label { span: place, text: format!("with {first} {} here", arguments(first)) };
        report.say(&CODE, span, message, remedy).labels.push(label);
    }
}

fn arguments(count: usize) -> &'static str {
    if count == 1 { "argument" } else { "arguments" }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn a_name_keeps_its_number_of_arguments() {
        let rejected = "(succ 1 2) (init (cell 1 b))\n(<= (next (cell 1)) (succ 1))";
        let expected = [
            "2:11 the function `cell` has 1 argument here and 2 before",
            "2:21 the relation `succ` has 1 argument here and 2 before",
        ];
        examples(&CODE, "(succ 1 2) (succ 2 3)", rejected, &expected);
    }
}
