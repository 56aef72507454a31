//! Names that differ only in case.
//!
//! Names are case-sensitive, so `nextFile` and `nextfile` are two names; usually one of them is
//! a typo. Variables are compared only within their clause. Keywords are case-insensitive.

use gdl::{LiteralKind, Name, Span, Term, TermKind};
use rustc_hash::FxHashMap;

use super::survey::walk;
use super::{Code, Report, Survey};

pub(crate) const CODE: Code = Code::restriction(
    "capitalisation",
    "two names, or two variables of one clause, differ only in upper and lower case",
);

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let mut names = Spellings::default();
    for clause in &survey.sheet.clauses {
        let mut variables = Spellings::default();
        let mut look = |term: &Term| {
            walk(term, &mut |t| match &t.kind {
                TermKind::Variable(name) => variables.add(name, t.span, "?", report),
                TermKind::Constant(name) | TermKind::Compound(name, _) => names.add(name, t.span, "", report),
            });
        };
        look(&clause.head);
        for literal in &clause.body {
            super::survey::each_literal(literal, &mut |l| match &l.kind {
                LiteralKind::Atom(term) => look(term),
                LiteralKind::Distinct(a, b) => {
                    look(a);
                    look(b);
                }
                _ => {}
            });
        }
    }
}

/// The spellings seen, keyed by the name in lower case. The first spelling is assumed to be intended.
#[derive(Default)]
struct Spellings {
    seen: FxHashMap<String, (Name, Span)>,
    reported: FxHashMap<Name, ()>,
}

impl Spellings {
    fn add(&mut self, name: &Name, span: Span, mark: &str, report: &mut Report) {
        let (first, place) = self.seen.entry(name.to_lowercase()).or_insert_with(|| (name.clone(), span));
        if first == name || self.reported.insert(name.clone(), ()).is_some() {
            return;
        }
        let message = format!("`{mark}{name}` differs from `{mark}{first}` only in upper and lower case");
        let remedy = format!("if they are meant to be the same, write `{mark}{first}`");
        let label = gdl::Label { span: *place, text: format!("`{mark}{first}` is first used here") };
        report.say(&CODE, span, message, remedy).labels.push(label);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn names_that_differ_by_case_alone_are_doubtful() {
        let accepted = "(ROLE a) (<= (p ?x) (q ?x)) (<= (q ?X) (true (q ?X)))";
        let rejected = "(role a) (succ 1 2) (<= (p ?x)\n (Succ ?X ?x))";
        let expected = [
            "2:2 `Succ` differs from `succ` only in upper and lower case",
            "2:8 `?X` differs from `?x` only in upper and lower case",
        ];
        examples(&CODE, accepted, rejected, &expected);
    }
}
