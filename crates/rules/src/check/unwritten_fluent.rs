//! A fluent that is read but never written.
//!
//! No head of `init` or `next` can derive the term, so it is never true. A fluent that nothing
//! writes at all is reported where it is first read, unless the name seems misspelled.

use rustc_hash::FxHashSet;

use super::near::Near;
use super::{Code, Report, Survey};
use crate::Keyword;
use crate::analysis::{Functor, Support, Unstarted};
use crate::text::{Writer, brief};

pub(crate) const CODE: Code = Code::doubt("unwritten-fluent", "a fluent is read but never written");

pub(super) fn check(survey: &Survey, support: &Support, unstarted: &Unstarted, report: &mut Report) {
    let near = Near::new();
    let symbols = &survey.normal.symbols;
    let mut reported: FxHashSet<Functor> = FxHashSet::default();
    for read in support.unmatched().iter().filter(|r| r.atom.relation == Keyword::True.id()) {
        let term = &read.atom.arguments[0];
        let fluent = Functor::of(term);
        if fluent.is_some_and(|f| reported.contains(&f) || unstarted.is_cause(f)) {
            continue;
        }
        let writer = Writer { symbols, relations: &survey.normal.relations, variables: &read.rule.variables };
        let message = format!("no `init` or `next` can derive `{}`", brief(writer.term(term)));
        let both = [Keyword::Init, Keyword::Next];
        let written = both.into_iter().flat_map(|k| support.shapes(k.id())).map(|s| symbols.name(s));
        let remedy = match fluent {
            Some(Functor { name, .. }) if support.is_written(name) => {
                format!("compare it with the rules that write `{}`", symbols.name(name))
            }
            Some(fluent) => match near.find(symbols.name(fluent.name), written) {
                Some(other) => format!("did you mean `{other}`?"),
                None => {
                    reported.insert(fluent);
                    "add an `init` or a `next` that writes it, or correct the term".to_string()
                }
            },
            None => "add an `init` or a `next`".to_string(),
        };
        report.say(&CODE, read.place, message, remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, findings, remedy};
    use super::*;
    use crate::Strictness;

    #[test]
    fn a_fluent_that_nothing_writes_is_reported_once() {
        let rejected =
            "(role r) (<= terminal (true over)) (<= (goal r 1) (true over))\n(<= p (true (cel 1)))";
        let accepted = format!("{rejected} (init over) (init (cel 1))");
        let expected =
            ["1:23 no `init` or `next` can derive `over`", "2:7 no `init` or `next` can derive `(cel 1)`"];
        examples(&CODE, &accepted, rejected, &expected);
        let misspelled = "(init (cell 1)) (<= p (true (cel 1))) (<= q (true (cel 1)))";
        assert_eq!(findings(&CODE, misspelled, Strictness::Lenient).len(), 2);
    }

    #[test]
    fn what_is_read_is_written() {
        let accepted = "(init (cell 1 b)) (<= terminal (true (cell ?x b)))";
        let rejected = "(init (cell 1 b)) (<= terminal (true (cell ?x z))\n (not (true (cel 1 b))))";
        let expected = [
            "1:32 no `init` or `next` can derive `(cell ?x z)`",
            "2:7 no `init` or `next` can derive `(cel 1 b)`",
        ];
        examples(&CODE, accepted, rejected, &expected);
        assert_eq!(remedy(&CODE, "(init (cell 1)) (<= terminal (true (cel 1)))"), "did you mean `cell`?");
    }
}
