//! What a rule sheet means.
//!
//! A parsed [`gdl::RuleSheet`] becomes [`Rules`]: relations and rules in normal
//! form (conjunctions of positive, negative and `distinct` literals, every
//! variable bound by a positive literal), ordered so that negation is always
//! over finished relations. On the way everything that is wrong or doubtful is
//! reported. Nothing here knows how rules are evaluated or what a state is.

mod depend;
mod normalise;
mod relation;
mod rule;
mod split;
mod symbol;

use gdl::{Diagnostic, RuleSheet, Severity};

pub use depend::{Component, Dependence};
pub use relation::{Keyword, Relation, RelationId};
pub use rule::{Atom, Literal, Rule, Term, Variable};
pub use symbol::{Symbol, Symbols};

/// How strictly a sheet is held to the specification.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// What plays is accepted, with warnings.
    #[default]
    Lenient,
    /// The specification's restrictions are errors.
    Strict,
}

/// What checking a sheet gives: rules if it can be played, and everything there is to say.
#[derive(Debug, Clone)]
pub struct Checked {
    /// The rules; none if there was an error.
    pub rules: Option<Rules>,
    /// All diagnostics, in source order.
    pub diagnostics: Vec<Diagnostic>,
}

/// A checked rule sheet, the form every reasoner starts from.
#[derive(Debug, Clone)]
pub struct Rules {
    /// Names of constants, functions and relations.
    pub symbols: Symbols,
    /// All relations; keywords first, see [`Keyword::id`].
    pub relations: Vec<Relation>,
    /// Facts and rules in source order.
    pub rules: Vec<Rule>,
    /// The roles in the order of their facts.
    pub roles: Vec<Symbol>,
    /// Groups of mutually dependent relations, each after all it depends on.
    pub components: Vec<Component>,
}

impl Rules {
    /// Checks a sheet.
    pub fn check(sheet: &RuleSheet, strictness: Strictness) -> Checked {
        let mut diagnostics = Vec::new();
        let normal = normalise::normalise(sheet, strictness, &mut diagnostics);
        let rules = depend::order(normal, strictness, &mut diagnostics);
        diagnostics.sort_by_key(|d| d.span);
        let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
        Checked { rules: rules.filter(|_| !failed), diagnostics }
    }

    /// The relation with this number.
    pub fn relation(&self, id: RelationId) -> &Relation {
        &self.relations[id.index()]
    }

    /// Whether the sheet says what players see (GDL-II).
    pub fn has_percepts(&self) -> bool {
        !self.relation(Keyword::Sees.id()).rules.is_empty()
    }

    /// The relation that a clause of the sheet defines.
    pub fn rules_of_clause(&self, clause: usize) -> RelationId {
        self.rules.iter().find(|r| r.clause == clause).map_or(RelationId(0), |r| r.head.relation)
    }

    /// The name of a symbol.
    pub fn name(&self, symbol: Symbol) -> &str {
        self.symbols.name(symbol)
    }
}
