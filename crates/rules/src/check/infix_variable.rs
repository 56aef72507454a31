//! A capitalised name that seems to be meant as a variable.
//!
//! In infix form, variables begin with a capital letter: `legal(P,mark(X,Y)) :- …`. In prefix
//! form they begin with `?`, and `X` is a constant. A capitalised name is suspected if no fact
//! has it, nor the head of any rule that does not require it in its body: nothing can ever
//! provide it, so rules that require it never fire. Pieces and players called `X` are different,
//! because some fact or rule provides them. If a head and its body have a suspected name in
//! common, all suspected names are reported.
//!
//! Everything else is checked as if these names were variables, because what would be found about
//! the constants only follows from this.

use gdl::{Clause, Diagnostic, Literal, LiteralKind, Name, RuleSheet, Severity, Span, Term, TermKind};
use rustc_hash::{FxHashMap, FxHashSet};

use super::survey::{each_literal, walk};
use super::{Code, Report};

pub(crate) const CODE: Code =
    Code::doubt("infix-variable", "a capitalised name is used like a variable, but has no `?`");

/// The capitalised names that are used like variables, each with its first place.
pub(crate) struct InfixVariables<'s> {
    names: FxHashMap<&'s Name, Span>,
}

impl<'s> InfixVariables<'s> {
    /// Returns those of a sheet, or `None` if there are none.
    pub fn find(sheet: &'s RuleSheet) -> Option<InfixVariables<'s>> {
        let mut uses: FxHashMap<&Name, Use> = FxHashMap::default();
        for clause in &sheet.clauses {
            let mut required = FxHashSet::default();
            clause.body.iter().for_each(|literal| require(literal, &mut required));
            each_name(clause, &mut |name, term, in_head| {
                let known = uses.entry(name).or_insert(Use { first: term.span, joins: false, other: false });
                known.joins |= in_head;
                known.other |= !is_plain(term) || in_head && !required.contains(name);
            });
        }
        uses.retain(|_, known| !known.other);
        let any = uses.values().any(|known| known.joins);
        let names = uses.into_iter().map(|(name, known)| (name, known.first)).collect();
        any.then_some(InfixVariables { names })
    }

    /// Returns the sheet with variables in their place.
    pub fn meant(&self, sheet: &RuleSheet) -> RuleSheet {
        let mut sheet = sheet.clone();
        for clause in &mut sheet.clauses {
            self.replace(&mut clause.head);
            clause.body.iter_mut().for_each(|literal| self.replace_in(literal));
        }
        sheet
    }

    fn replace_in(&self, literal: &mut Literal) {
        match &mut literal.kind {
            LiteralKind::Atom(term) => self.replace(term),
            LiteralKind::Distinct(a, b) => [a, b].into_iter().for_each(|term| self.replace(term)),
            LiteralKind::Not(inner) => self.replace_in(inner),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                parts.iter_mut().for_each(|part| self.replace_in(part));
            }
        }
    }

    fn replace(&self, term: &mut Term) {
        match &mut term.kind {
            TermKind::Constant(name) if self.names.contains_key(name) => {
                term.kind = TermKind::Variable(name.clone());
            }
            TermKind::Compound(_, arguments) => arguments.iter_mut().for_each(|t| self.replace(t)),
            _ => {}
        }
    }

    /// Reports these names, the errors of the sheet as it is, and the warnings about it as it
    /// seems to be meant.
    pub fn report(&self, found: Vec<Diagnostic>, meant: Vec<Diagnostic>, report: &mut Report) {
        for (name, place) in &self.names {
            let message = format!("`{name}` is used like a variable, but it is a constant");
            let remedy = format!("write `?{name}` if it is a variable; as a constant, nothing provides it");
            report.say(&CODE, *place, message, remedy);
        }
        report.add(found.into_iter().filter(|d| d.severity == Severity::Error));
        report.add(meant.into_iter().filter(|d| d.severity == Severity::Warning));
    }
}

/// What is known of a capitalised name.
struct Use {
    first: Span,
    /// Whether a head has it.
    joins: bool,
    /// Whether it is used in any way in which a variable is not.
    other: bool,
}

/// Calls `visit` with every capitalised name, its term, and whether it is in the head.
fn each_name<'s>(clause: &'s Clause, visit: &mut impl FnMut(&'s Name, &'s Term, bool)) {
    let mut look = |term: &'s Term, in_head: bool| {
        walk(term, &mut |t| {
            if let Some(name) = t.name().filter(|name| is_capitalised(name)) {
                visit(name, t, in_head);
            }
        });
    };
    look(&clause.head, true);
    for literal in &clause.body {
        each_literal(literal, &mut |l| match &l.kind {
            LiteralKind::Atom(term) => look(term, false),
            LiteralKind::Distinct(a, b) => [a, b].into_iter().for_each(|term| look(term, false)),
            _ => {}
        });
    }
}

/// Collects the capitalised names that are arguments of sentences that must hold.
fn require<'s>(literal: &'s Literal, names: &mut FxHashSet<&'s Name>) {
    match &literal.kind {
        LiteralKind::Atom(term) => term.arguments().iter().for_each(|argument| {
            walk(argument, &mut |t| names.extend(t.name().filter(|name| is_capitalised(name))));
        }),
        LiteralKind::And(parts) => parts.iter().for_each(|part| require(part, names)),
        LiteralKind::Or(parts) => {
            let mut each = parts.iter().map(|part| {
                let mut names = FxHashSet::default();
                require(part, &mut names);
                names
            });
            if let Some(mut all) = each.next() {
                each.for_each(|other| all.retain(|name| other.contains(name)));
                names.extend(all);
            }
        }
        LiteralKind::Not(_) | LiteralKind::Distinct(..) => {}
    }
}

/// Returns `true` for a constant that is written as a plain word, without quotes or parentheses.
fn is_plain(term: &Term) -> bool {
    let length = (term.span.end - term.span.start) as usize;
    matches!(&term.kind, TermKind::Constant(name) if name.len() == length)
}

/// Returns `true` for `X`, `X1` and `Player`, and `false` for `WHITE`.
fn is_capitalised(name: &str) -> bool {
    let mut rest = name.chars();
    rest.next().is_some_and(|first| first.is_ascii_uppercase())
        && (rest.clone().all(|c| c.is_ascii_digit()) || rest.any(char::is_lowercase))
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, findings, remedy};
    use super::*;
    use crate::{Rules, Strictness};

    const SHEET: &str = "(role x) (role o) (index 1) (index 2) (init (control x))
        (<= (init (cell N b)) (index N))
        (<= (legal ?p (mark N)) (true (cell N b)) (true (control ?p)))
        (<= (legal ?p noop) (role ?p) (not (true (control ?p))))
        (<= (next (cell N Player)) (does Player (mark N)))
        (<= (next (cell N ?v)) (true (cell N ?v)) (does ?p (mark M)) (distinct M N))
        (<= (next (control x)) (true (control o)))
        (<= (next (control o)) (true (control x)))
        (<= (goal Player 100) (true (cell 1 Player)) (distinct Player b))
        (<= terminal (not (true (cell 1 b))))";

    fn all(text: &str) -> Vec<&'static str> {
        let found = Rules::check(&gdl::parse_kif(text).sheet, Strictness::Lenient).diagnostics;
        found.iter().map(|d| d.code).collect()
    }

    #[test]
    fn variables_of_the_infix_form_are_found() {
        let accepted = SHEET.replace(" N", " ?n").replace(" M", " ?m").replace(" Player", " ?player");
        let expected = [
            "2:25 `N` is used like a variable, but it is a constant",
            "5:27 `Player` is used like a variable, but it is a constant",
            "6:66 `M` is used like a variable, but it is a constant",
        ];
        examples(&CODE, &accepted, SHEET, &expected);
        let write = "write `?N` if it is a variable; as a constant, nothing provides it";
        assert_eq!(remedy(&CODE, SHEET), write);
        assert_eq!(all(SHEET), [CODE.name; 3], "nothing else is reported");
        assert!(Rules::check(&gdl::parse_kif(SHEET).sheet, Strictness::Lenient).rules.is_some());
    }

    #[test]
    fn other_findings_are_about_variables() {
        let misspelled = SHEET.replace("(true (cell N b))", "(true (cel N b))");
        assert_eq!(
            all(&misspelled),
            ["infix-variable", "unwritten-fluent", "infix-variable", "infix-variable"]
        );
    }

    #[test]
    fn pieces_and_players_are_constants() {
        for sheet in [
            "(role X) (init (cell 1 X)) (<= (next (cell ?n X)) (true (cell ?n X)))",
            "(role r) (<= (next (cell ?n X)) (does r (mark ?n))) (<= (next (cell ?n X)) (true (cell ?n X)))",
            "(role r) (<= (next (Cell ?n)) (true (Cell ?n)))",
            "(role r) (<= (next (cell WHITE)) (true (cell WHITE)))",
        ] {
            assert_eq!(findings(&CODE, sheet, Strictness::Lenient), Vec::<String>::new(), "{sheet}");
        }
        let quoted = "role(r) next(cell('X')) :- true(cell('X'))";
        let found = Rules::check(&gdl::parse_hrf(quoted).sheet, Strictness::Lenient).diagnostics;
        assert!(found.iter().all(|d| d.code != CODE.name));
    }
}
