//! A fluent that is read but never written.
//!
//! No head of `init` or `next` can derive the term, so it is never true.

use super::near::Near;
use super::{Code, Report, Survey};
use crate::analysis::Support;
use crate::text::{Writer, brief};
use crate::{Keyword, Term};

pub(crate) const CODE: Code = Code::doubt("unwritten-fluent", "a fluent is read but never written");

pub(super) fn check(survey: &Survey, support: &Support, report: &mut Report) {
    let near = Near::new();
    let symbols = &survey.normal.symbols;
    for read in support.unmatched().iter().filter(|r| r.atom.relation == Keyword::True.id()) {
        let fluent = &read.atom.arguments[0];
        let writer = Writer { symbols, relations: &survey.normal.relations, variables: &read.rule.variables };
        let message = format!("no `init` or `next` can give `{}`", brief(writer.term(fluent)));
        let other = "add rules that write it, or correct the term".to_string();
        let written = || {
            let both = [Keyword::Init, Keyword::Next];
            both.into_iter().flat_map(|k| support.shapes(k.id())).map(|s| symbols.name(s))
        };
        let remedy = match fluent {
            Term::Constant(symbol) | Term::Function(symbol, _) => {
                let name = symbols.name(*symbol);
                if support.is_written(*symbol) {
                    format!("compare it with the rules that write `{name}`")
                } else {
                    near.remedy(name, written(), other)
                }
            }
            Term::Variable(_) => other,
        };
        report.say(&CODE, read.place, message, remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, remedy};
    use super::*;

    #[test]
    fn what_is_read_is_written() {
        let accepted = "(init (cell 1 b)) (<= terminal (true (cell ?x b)))";
        let rejected = "(init (cell 1 b)) (<= terminal (true (cell ?x z))\n (not (true (cel 1 b))))";
        let expected = [
            "1:32 no `init` or `next` can give `(cell ?x z)`",
            "2:7 no `init` or `next` can give `(cel 1 b)`",
        ];
        examples(&CODE, accepted, rejected, &expected);
        assert_eq!(remedy(&CODE, "(init (cell 1)) (<= terminal (true (cel 1)))"), "did you mean `cell`?");
    }
}
