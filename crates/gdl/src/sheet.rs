//! The tree both syntaxes share.

use std::fmt;
use std::sync::Arc;

use crate::Span;

/// A symbol as written. Keywords are folded to lower case by the parsers; all
/// other names keep their case. Variables are named without their mark (`?x`
/// in prefix and `X` in infix are both a [`TermKind::Variable`]).
pub type Name = Arc<str>;

/// A rule sheet as parsed: clauses and comments in source order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleSheet {
    /// Facts and rules.
    pub clauses: Vec<Clause>,
    /// Comments, for conversion and formatting.
    pub comments: Vec<Comment>,
    /// Offsets of blank lines, one for each gap that has any, for formatting.
    pub blank_lines: Vec<u32>,
}

/// A comment without its mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The text after `;` or `%`, without the line's end.
    pub text: String,
    /// Mark and text.
    pub span: Span,
    /// Whether something else stands before it on its line.
    pub trailing: bool,
}

/// A fact, or a rule with a head and a conjunction of literals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// What holds. An atom: a constant or a compound.
    pub head: Term,
    /// If all of these hold.
    pub body: Vec<Literal>,
    /// Whether it was written as a rule (`<=`, `:-`), even with an empty body.
    pub is_rule: bool,
    /// The whole clause.
    pub span: Span,
}

/// One conjunct of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// What it says.
    pub kind: LiteralKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms a literal can take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiteralKind {
    /// A sentence: constant or compound, for example `(true (cell 1 1 b))` or `open`.
    Atom(Term),
    /// `(not …)`, `~…`
    Not(Box<Literal>),
    /// `(or …)`, `…|…`
    Or(Vec<Literal>),
    /// `(and …)`, accepted though the language has none.
    And(Vec<Literal>),
    /// `(distinct a b)`
    Distinct(Term, Term),
}

/// A constant, a variable or a compound with its place in the text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// What it is.
    pub kind: TermKind,
    /// Where it stands.
    pub span: Span,
}

/// The forms a term can take.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermKind {
    /// `b`, `noop`, `100`
    Constant(Name),
    /// `?x`, `X`
    Variable(Name),
    /// `(cell 1 1 b)`, `cell(1,1,b)`; `(terminal)` has no arguments.
    Compound(Name, Vec<Term>),
}

impl Term {
    /// A term at a place.
    pub fn new(kind: TermKind, span: Span) -> Term {
        Term { kind, span }
    }

    /// The name of a constant or compound.
    pub fn name(&self) -> Option<&Name> {
        match &self.kind {
            TermKind::Constant(name) | TermKind::Compound(name, _) => Some(name),
            TermKind::Variable(_) => None,
        }
    }

    /// The arguments of a compound; none for the others.
    pub fn arguments(&self) -> &[Term] {
        match &self.kind {
            TermKind::Compound(_, arguments) => arguments,
            _ => &[],
        }
    }

    /// The same up to places: what the reader means by "equal".
    pub fn same(&self, other: &Term) -> bool {
        match (&self.kind, &other.kind) {
            (TermKind::Constant(a), TermKind::Constant(b)) => a == b,
            (TermKind::Variable(a), TermKind::Variable(b)) => a == b,
            (TermKind::Compound(a, x), TermKind::Compound(b, y)) => {
                a == b && x.len() == y.len() && x.iter().zip(y).all(|(s, t)| s.same(t))
            }
            _ => false,
        }
    }
}

/// The canonical prefix text: one space between parts, none inside parentheses.
impl fmt::Display for Term {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            TermKind::Constant(name) => out.write_str(name),
            TermKind::Variable(name) => write!(out, "?{name}"),
            TermKind::Compound(name, arguments) => {
                write!(out, "({name}")?;
                for argument in arguments {
                    write!(out, " {argument}")?;
                }
                out.write_str(")")
            }
        }
    }
}
