//! Equality of trees that ignores spans and, for [`RuleSheet::alike`], the names of variables.

use std::collections::HashMap;

use crate::{Clause, Literal, LiteralKind, Name, RuleSheet, Term, TermKind};

impl RuleSheet {
    /// Returns `true` if the clauses are the same, ignoring spans and comments.
    pub fn same(&self, other: &RuleSheet) -> bool {
        all(&self.clauses, &other.clauses, Clause::same)
    }

    /// Returns `true` if the clauses are the same, ignoring spans and, within each clause, variable names.
    ///
    /// ```
    /// let one = gdl::parse_kif("(<= (p ?x) (q ?x ?y))").sheet;
    /// let other = gdl::parse_hrf("p(A) :- q(A,B)").sheet;
    /// assert!(one.alike(&other));
    /// assert!(!one.same(&other));
    /// ```
    pub fn alike(&self, other: &RuleSheet) -> bool {
        all(&self.clauses, &other.clauses, Clause::alike)
    }
}

impl Clause {
    /// Returns `true` if the clauses are the same, ignoring spans.
    pub fn same(&self, other: &Clause) -> bool {
        self.is_rule == other.is_rule
            && self.head.same(&other.head)
            && all(&self.body, &other.body, Literal::same)
    }

    /// Returns `true` if the clauses are the same, ignoring spans and the names of variables.
    pub fn alike(&self, other: &Clause) -> bool {
        let mut renaming = Renaming::default();
        self.is_rule == other.is_rule
            && renaming.terms(&self.head, &other.head)
            && all(&self.body, &other.body, |a, b| renaming.literals(a, b))
    }
}

impl Literal {
    /// Returns `true` if the literals are the same, ignoring spans.
    pub fn same(&self, other: &Literal) -> bool {
        match (&self.kind, &other.kind) {
            (LiteralKind::Atom(a), LiteralKind::Atom(b)) => a.same(b),
            (LiteralKind::Not(a), LiteralKind::Not(b)) => a.same(b),
            (LiteralKind::Or(a), LiteralKind::Or(b)) | (LiteralKind::And(a), LiteralKind::And(b)) => {
                all(a, b, Literal::same)
            }
            (LiteralKind::Distinct(a, b), LiteralKind::Distinct(c, d)) => a.same(c) && b.same(d),
            _ => false,
        }
    }
}

/// A one-to-one mapping between the variables of two clauses.
#[derive(Default)]
struct Renaming<'s> {
    there: HashMap<&'s Name, &'s Name>,
    back: HashMap<&'s Name, &'s Name>,
}

impl<'s> Renaming<'s> {
    fn literals(&mut self, one: &'s Literal, other: &'s Literal) -> bool {
        match (&one.kind, &other.kind) {
            (LiteralKind::Atom(a), LiteralKind::Atom(b)) => self.terms(a, b),
            (LiteralKind::Not(a), LiteralKind::Not(b)) => self.literals(a, b),
            (LiteralKind::Or(a), LiteralKind::Or(b)) | (LiteralKind::And(a), LiteralKind::And(b)) => {
                all(a, b, |a, b| self.literals(a, b))
            }
            (LiteralKind::Distinct(a, b), LiteralKind::Distinct(c, d)) => {
                self.terms(a, c) && self.terms(b, d)
            }
            _ => false,
        }
    }

    fn terms(&mut self, one: &'s Term, other: &'s Term) -> bool {
        match (&one.kind, &other.kind) {
            (TermKind::Constant(a), TermKind::Constant(b)) => a == b,
            (TermKind::Variable(a), TermKind::Variable(b)) => {
                *self.there.entry(a).or_insert(b) == b && *self.back.entry(b).or_insert(a) == a
            }
            (TermKind::Compound(a, x), TermKind::Compound(b, y)) => {
                a == b && all(x, y, |s, t| self.terms(s, t))
            }
            _ => false,
        }
    }
}

fn all<'a, T>(one: &'a [T], other: &'a [T], mut same: impl FnMut(&'a T, &'a T) -> bool) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same(a, b))
}
