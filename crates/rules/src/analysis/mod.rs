//! Analyses of a game based only on its rules.
//!
//! No analysis depends on names: a control fluent is recognised by what the rules do with it.
//! All analyses are conservative: whatever is reported holds, but there may be more.

mod control;
mod counters;
mod domains;
mod flow;
mod persistence;
mod strata;
mod support;
mod unstarted;

pub use control::{Control, Passive};
pub use counters::Counter;
pub use domains::{Domain, Domains};
pub use persistence::{FluentPersistence, Persists};
pub(crate) use support::{Support, When, sources};
pub(crate) use unstarted::Unstarted;

use crate::{Atom, Keyword, Literal, Rule, Rules, Symbol, Term};

/// A fluent, a move or a percept, identified by its name and arity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Functor {
    /// The name of the constant or function.
    pub name: Symbol,
    /// The number of arguments; 0 for a constant.
    pub arity: usize,
}

impl Functor {
    /// Returns the functor of a term that is not a variable.
    pub fn of(term: &Term) -> Option<Functor> {
        match term {
            Term::Constant(name) => Some(Functor { name: *name, arity: 0 }),
            Term::Function(name, arguments) => Some(Functor { name: *name, arity: arguments.len() }),
            Term::Variable(_) => None,
        }
    }
}

impl Rules {
    /// Returns the rules that define a keyword.
    pub(crate) fn rules_for(&self, keyword: Keyword) -> impl Iterator<Item = (usize, &Rule)> {
        self.relation(keyword.id()).rules.iter().map(|&number| (number, &self.rules[number]))
    }
}

/// Returns the fluent that a positive `true` literal reads.
fn fluent_read(literal: &Literal) -> Option<&Term> {
    match literal {
        Literal::Positive(Atom { relation, arguments }) if *relation == Keyword::True.id() => {
            arguments.first()
        }
        _ => None,
    }
}
