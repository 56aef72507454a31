//! Writes rule sheets in infix form.

use std::borrow::Cow;

use super::lexer::{is_plain_constant, quote};
use super::variables::Spellings;
use crate::names::writable_symbol;
use crate::print::{Form, Marks, print};
use crate::{Clause, RuleSheet, Term, TermKind};

/// Prints a rule sheet in infix form, laid out for readability and with its comments.
///
/// ```
/// let sheet = gdl::parse_kif("(<= (p ?x ?X) (q ?x) (not (r ?X Blue)))").sheet;
/// assert_eq!(gdl::to_hrf(&sheet), "p(X,X2) :-\n    q(X) &\n    ~r(X2,'Blue')\n");
/// ```
pub fn to_hrf(sheet: &RuleSheet) -> String {
    print(sheet, Infix::default())
}

#[derive(Default)]
struct Infix {
    spellings: Spellings,
}

impl Form for Infix {
    const MARKS: Marks = Marks {
        comment: '%',
        rule: ["", " :-", " .", ""],
        join: " & ",
        part: ", ",
        not: ["~", ""],
        or: ["or(", ")"],
        and: ["and(", ")"],
        distinct: ["distinct(", ",", ")"],
        short_rules: true,
    };

    fn begin(&mut self, clause: &Clause) {
        self.spellings = Spellings::of(clause);
    }

    fn term(&self, term: &Term, out: &mut String) {
        match &term.kind {
            TermKind::Variable(name) => out.push_str(self.spellings.get(name)),
            TermKind::Constant(name) => symbol(name, out),
            TermKind::Compound(name, arguments) => {
                symbol(name, out);
                for (index, argument) in arguments.iter().enumerate() {
                    out.push(if index == 0 { '(' } else { ',' });
                    self.term(argument, out);
                }
                if !arguments.is_empty() {
                    out.push(')');
                }
            }
        }
    }

    /// Turns a line of `;;;;` into one of `%%%%`.
    fn comment<'c>(&self, text: &'c str) -> Cow<'c, str> {
        let rest = text.trim_start_matches(';');
        if rest.len() == text.len() {
            return Cow::Borrowed(text);
        }
        Cow::Owned("%".repeat(text.len() - rest.len()) + rest)
    }
}

fn symbol(name: &str, out: &mut String) {
    let name = writable_symbol(name);
    if is_plain_constant(&name) { out.push_str(&name) } else { quote(&name, out) }
}
