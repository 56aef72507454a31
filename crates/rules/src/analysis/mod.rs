//! What can be seen of a game from its rules alone.
//!
//! Nothing here is told a name: a control fluent is one because of what the
//! rules do with it. All answers are on the safe side: what is reported holds,
//! what is not reported may hold too.

mod control;
mod counters;
mod domains;
mod flow;
mod persistence;
mod strata;
mod support;

pub use control::{Control, Passive};
pub use counters::Counter;
pub use domains::{Domain, Domains};
pub use persistence::{FluentPersistence, Persists};
pub(crate) use support::Support;

use crate::{Atom, Keyword, Literal, Rule, Rules, Symbol, Term};

/// A fluent, a move or a percept by its name and its number of arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Functor {
    /// The name of the constant or function.
    pub name: Symbol,
    /// How many arguments it has; 0 for a constant.
    pub arity: usize,
}

impl Functor {
    /// The functor of a term that is no variable.
    pub fn of(term: &Term) -> Option<Functor> {
        match term {
            Term::Constant(name) => Some(Functor { name: *name, arity: 0 }),
            Term::Function(name, arguments) => Some(Functor { name: *name, arity: arguments.len() }),
            Term::Variable(_) => None,
        }
    }
}

impl Rules {
    /// The rules that define a keyword.
    pub(crate) fn rules_for(&self, keyword: Keyword) -> impl Iterator<Item = (usize, &Rule)> {
        self.relation(keyword.id()).rules.iter().map(|&number| (number, &self.rules[number]))
    }
}

/// The fluent a positive `true` literal reads.
fn fluent_read(literal: &Literal) -> Option<&Term> {
    match literal {
        Literal::Positive(Atom { relation, arguments }) if *relation == Keyword::True.id() => {
            arguments.first()
        }
        _ => None,
    }
}
