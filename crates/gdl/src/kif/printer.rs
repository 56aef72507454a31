//! Writes rule sheets in prefix form.

use std::borrow::Cow;

use crate::names::{is_markup, writable_symbol, writable_variable};
use crate::print::{Form, Marks, print};
use crate::{Clause, RuleSheet, Term, TermKind};

/// Prints a rule sheet in prefix form, laid out for readability and with its comments.
///
/// ```
/// let sheet = gdl::parse_hrf("open :- true(cell(X,Y,b)) % any blank").sheet;
/// assert_eq!(gdl::to_kif(&sheet), "(<= open\n    (true (cell ?x ?y b))) ; any blank\n");
/// ```
pub fn to_kif(sheet: &RuleSheet) -> String {
    print(sheet, Prefix)
}

struct Prefix;

impl Form for Prefix {
    const MARKS: Marks = Marks {
        comment: ';',
        rule: ["(<= ", "", "", ")"],
        join: " ",
        part: " ",
        not: ["(not ", ")"],
        or: ["(or ", ")"],
        and: ["(and ", ")"],
        distinct: ["(distinct ", " ", ")"],
        short_rules: false,
    };

    fn begin(&mut self, _: &Clause) {}

    fn term(&self, term: &Term, out: &mut String) {
        match &term.kind {
            TermKind::Variable(name) => {
                out.push('?');
                out.push_str(&writable_variable(name));
            }
            TermKind::Compound(name, arguments) if !arguments.is_empty() => {
                out.push('(');
                out.push_str(&writable_symbol(name));
                for argument in arguments {
                    out.push(' ');
                    self.term(argument, out);
                }
                out.push(')');
            }
            TermKind::Constant(name) | TermKind::Compound(name, _) => out.push_str(&writable_symbol(name)),
        }
    }

    /// Keeps the parentheses of a fact that would otherwise be taken for markup of a web page.
    fn fact(&self, fact: &Term, out: &mut String) {
        let start = out.len();
        self.term(fact, out);
        if is_markup(&out[start..]) {
            out.insert(start, '(');
            out.push(')');
        }
    }

    fn comment<'c>(&self, text: &'c str) -> Cow<'c, str> {
        Cow::Borrowed(text)
    }
}
