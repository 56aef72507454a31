//! Conversion of bodies to disjunctive normal form.
//!
//! A body with `or` denotes several conjunctions. Their number is the product of the numbers of
//! alternatives, so it is bounded. Single literals, the usual case, are appended in place.

use gdl::{LiteralKind, Span};

use crate::normalise::{Normal, Scope, atom, term};
use crate::{Literal, Term};

/// The maximum number of alternatives in one clause.
pub(crate) const MAX_ALTERNATIVES: usize = 4096;

/// The maximum number of alternatives times literals in one clause.
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

/// Converts the body of one clause.
pub(crate) struct Reader<'n> {
    pub normal: &'n mut Normal,
    pub scope: &'n mut Scope,
    /// The remaining budget of alternatives times literals.
    pub budget: usize,
    /// Set if the body cannot be used; contains a location if the body is too large.
    pub broken: Option<Option<Span>>,
}

impl Reader<'_> {
    /// Returns the conjunctions that the body denotes.
    pub fn body(&mut self, body: &[gdl::Literal]) -> Vec<Conjunction> {
        self.all(body, true)
    }

    /// Returns the alternatives that a literal, or its negation, denotes.
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
