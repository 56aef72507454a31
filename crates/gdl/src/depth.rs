//! The nesting depth of a tree, as limited by [`MAX_DEPTH`](crate::MAX_DEPTH).

use crate::{Clause, Literal, LiteralKind, Term, TermKind};

impl Clause {
    /// Returns how deeply the prefix form of this clause nests parentheses.
    pub(crate) fn depth(&self) -> usize {
        let body = self.body.iter().map(literal_depth).max().unwrap_or(0);
        term_depth(&self.head).max(body) + usize::from(self.is_rule)
    }
}

fn literal_depth(literal: &Literal) -> usize {
    match &literal.kind {
        LiteralKind::Atom(term) => term_depth(term),
        LiteralKind::Not(inner) => 1 + literal_depth(inner),
        LiteralKind::Or(parts) | LiteralKind::And(parts) => {
            1 + parts.iter().map(literal_depth).max().unwrap_or(0)
        }
        LiteralKind::Distinct(one, other) => 1 + term_depth(one).max(term_depth(other)),
    }
}

fn term_depth(term: &Term) -> usize {
    match &term.kind {
        TermKind::Constant(_) | TermKind::Variable(_) => 0,
        TermKind::Compound(_, arguments) => 1 + arguments.iter().map(term_depth).max().unwrap_or(0),
    }
}
