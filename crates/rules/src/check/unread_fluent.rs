//! A fluent that is written but never read.
//!
//! It distinguishes states that are otherwise equal, and is usually a mistake.

use gdl::{Name, Term, TermKind};
use rustc_hash::FxHashSet;

use super::near::Near;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::doubt("unread-fluent", "a fluent is written but never read");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let of_state = |k: Option<Keyword>| matches!(k, Some(Keyword::True | Keyword::Init | Keyword::Next));
    let (mut read, mut order) = (FxHashSet::default(), Vec::new());
    for sentence in survey.sentences.iter().filter(|s| s.is_read() && of_state(s.keyword)) {
        let Some(name) = sentence.term.arguments()[0].name() else { return };
        let key = key(name, &sentence.term.arguments()[0]);
        if read.insert(key) {
            order.push(&**name);
        }
    }
    let near = Near::new();
    let mut seen = FxHashSet::default();
    for sentence in survey.sentences.iter().filter(|s| !s.is_read() && of_state(s.keyword)) {
        let fluent = &sentence.term.arguments()[0];
        let Some(name) = fluent.name() else { continue };
        if read.contains(&key(name, fluent)) || !seen.insert(key(name, fluent)) {
            continue;
        }
        let other = "remove it, or read it with `true`".to_string();
        let message = format!("the fluent `{name}` is written but never read");
        report.say(&CODE, fluent.span, message, near.remedy(name, order.iter().copied(), other));
    }
}

fn key<'s>(name: &'s Name, term: &'s Term) -> (&'s Name, usize) {
    match &term.kind {
        TermKind::Compound(_, arguments) => (name, arguments.len()),
        _ => (name, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, remedy};
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let rejected = "(init (cell 1)) (init (step 1)) (<= terminal (true (step 9)))";
        let accepted = "(init (cell 1)) (init (step 1)) (<= terminal (true ?f))";
        examples(&CODE, accepted, rejected, &["1:7 the fluent `cell` is written but never read"]);
        assert_eq!(remedy(&CODE, "(init (stpe 1)) (<= terminal (true (step 9)))"), "did you mean `step`?");
    }
}
