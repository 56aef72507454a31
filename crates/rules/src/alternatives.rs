//! The alternatives a body stands for.
//!
//! A body with `or` is several conjunctions. Their number grows as the product
//! of the alternatives, so it is bounded; single literals, which most are, are
//! added in place.

use gdl::{LiteralKind, Span};

use crate::normalise::{Normal, Scope, atom, term};
use crate::{Literal, Term};

/// More alternatives than this in one clause are refused.
pub(crate) const MAX_ALTERNATIVES: usize = 4096;

/// Alternatives times their literals in one clause; more are refused.
pub(crate) const MAX_SIZE: usize = 1 << 18;

/// A conjunction under construction, and the equalities it implies.
#[derive(Debug, Clone, Default)]
pub(crate) struct Conjunction {
    pub literals: Vec<(Literal, Span)>,
    pub equal: Vec<(Term, Term, Span)>,
}

impl Conjunction {
    fn len(&self) -> usize {
        self.literals.len() + self.equal.len()
    }
}

/// Reads the body of one clause.
pub(crate) struct Reader<'n> {
    pub normal: &'n mut Normal,
    pub scope: &'n mut Scope,
    /// Alternatives times their literals that can be had.
    pub budget: usize,
    /// Set when the body cannot be used; with a place when it is too large.
    pub broken: Option<Option<Span>>,
}

impl Reader<'_> {
    /// The conjunctions the body stands for.
    pub fn body(&mut self, body: &[gdl::Literal]) -> Vec<Conjunction> {
        self.all(body, true)
    }

    /// The alternatives a literal (or its negation) stands for.
    fn literal(&mut self, literal: &gdl::Literal, positive: bool) -> Vec<Conjunction> {
        let span = literal.span;
        match &literal.kind {
            LiteralKind::Atom(sentence) => match atom(self.normal, sentence, self.scope) {
                Some(atom) => {
                    let literal = if positive { Literal::Positive(atom) } else { Literal::Negative(atom) };
                    vec![Conjunction { literals: vec![(literal, span)], equal: Vec::new() }]
                }
                None => {
                    self.broken = self.broken.or(Some(None));
                    Vec::new()
                }
            },
            LiteralKind::Not(inner) => self.literal(inner, !positive),
            LiteralKind::Or(parts) if positive => self.any(parts, positive, span),
            LiteralKind::And(parts) if !positive => self.any(parts, positive, span),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => self.all(parts, positive),
            LiteralKind::Distinct(a, b) => {
                let (a, b) = (term(self.normal, a, self.scope), term(self.normal, b, self.scope));
                vec![if positive {
                    Conjunction { literals: vec![(Literal::Distinct(a, b), span)], equal: Vec::new() }
                } else {
                    Conjunction { literals: Vec::new(), equal: vec![(a, b, span)] }
                }]
            }
        }
    }

    fn any(&mut self, parts: &[gdl::Literal], positive: bool, span: Span) -> Vec<Conjunction> {
        let mut all = Vec::new();
        let mut size = 0;
        for part in parts {
            all.extend(self.literal(part, positive));
            size += all.last().map_or(0, Conjunction::len);
            if all.len() > MAX_ALTERNATIVES || size > MAX_SIZE {
                self.broken = Some(Some(span));
            }
            if self.broken.is_some() {
                return Vec::new();
            }
        }
        all
    }

    fn all(&mut self, parts: &[gdl::Literal], positive: bool) -> Vec<Conjunction> {
        let mut all = vec![Conjunction::default()];
        let mut length = 0;
        for part in parts {
            let next = self.literal(part, positive);
            if self.broken.is_some() {
                return Vec::new();
            }
            length += next.iter().map(Conjunction::len).max().unwrap_or(0);
            let count = all.len().saturating_mul(next.len());
            if count > MAX_ALTERNATIVES || count > 1 && count.saturating_mul(length) > self.budget {
                self.broken = Some(Some(part.span));
                return Vec::new();
            }
            all = product(all, next);
        }
        all
    }
}

fn product(mut left: Vec<Conjunction>, right: Vec<Conjunction>) -> Vec<Conjunction> {
    if let [only] = &right[..] {
        for conjunction in &mut left {
            conjunction.literals.extend(only.literals.iter().cloned());
            conjunction.equal.extend(only.equal.iter().cloned());
        }
        return left;
    }
    let mut all = Vec::with_capacity(left.len() * right.len());
    for a in &left {
        for b in &right {
            let mut both = a.clone();
            both.literals.extend(b.literals.iter().cloned());
            both.equal.extend(b.equal.iter().cloned());
            all.push(both);
        }
    }
    all
}
