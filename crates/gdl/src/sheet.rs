//! The syntax tree that both syntaxes share.

use std::fmt;
use std::sync::Arc;

use crate::Span;

/// A name as written. The parsers fold keywords to lower case; all other names keep their case.
/// The name of a variable does not include its mark: `?x` in prefix and `X` in infix are both
/// the variable `x`.
pub type Name = Arc<str>;

/// A parsed rule sheet: clauses and comments in source order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RuleSheet {
    /// Facts and rules.
    pub clauses: Vec<Clause>,
    /// Comments, for conversion and formatting.
    pub comments: Vec<Comment>,
    /// Offsets of blank lines, one per gap that has any; used for formatting.
    pub blank_lines: Vec<u32>,
}

/// A comment without its mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comment {
    /// The text after `;` or `%`, without the line ending.
    pub text: String,
    /// The location of mark and text.
    pub span: Span,
    /// Whether it shares its line with something before it.
    pub trailing: bool,
}

/// A fact, or a rule with a head and a conjunction of literals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clause {
    /// What holds: an atom, which is a constant or a compound.
    pub head: Term,
    /// The conditions, all of which must hold.
    pub body: Vec<Literal>,
    /// Whether it was written as a rule (`<=`, `:-`), even if the body is empty.
    pub is_rule: bool,
    /// The location of the whole clause.
    pub span: Span,
}

/// One conjunct of a body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Literal {
    /// The kind of literal.
    pub kind: LiteralKind,
    /// Its location.
    pub span: Span,
}

/// The kinds of literals.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LiteralKind {
    /// A sentence: constant or compound, for example `(true (cell 1 1 b))` or `open`.
    Atom(Term),
    /// `(not …)`, `~…`
    Not(Box<Literal>),
    /// `(or …)`, `…|…`
    Or(Vec<Literal>),
    /// `(and …)`, accepted although the language does not have it.
    And(Vec<Literal>),
    /// `(distinct a b)`
    Distinct(Term, Term),
}

/// A constant, a variable or a compound, with its location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The kind of term.
    pub kind: TermKind,
    /// Its location.
    pub span: Span,
}

/// The kinds of terms.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TermKind {
    /// `b`, `noop`, `100`
    Constant(Name),
    /// `?x`, `X`
    Variable(Name),
    /// `(cell 1 1 b)`, `cell(1,1,b)`. The parsers never produce one without arguments.
    Compound(Name, Vec<Term>),
}

impl Term {
    /// Creates a term.
    pub fn new(kind: TermKind, span: Span) -> Term {
        Term { kind, span }
    }

    /// Returns the name of a constant or compound.
    pub fn name(&self) -> Option<&Name> {
        match &self.kind {
            TermKind::Constant(name) | TermKind::Compound(name, _) => Some(name),
            TermKind::Variable(_) => None,
        }
    }

    /// Returns the arguments of a compound; other terms have none.
    pub fn arguments(&self) -> &[Term] {
        match &self.kind {
            TermKind::Compound(_, arguments) => arguments,
            _ => &[],
        }
    }

    /// Returns `true` if the terms are the same, ignoring spans.
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

/// Writes the canonical prefix text: one space between parts, none inside parentheses.
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
