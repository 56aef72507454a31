//! Relations, including the keywords of the language.

use gdl::{Name, Span};

/// The number of a relation of one rule sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationId(pub u32);

impl RelationId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A relation, identified by name and arity, and its properties.
#[derive(Debug, Clone)]
pub struct Relation {
    /// The name as written. Relations created during normalisation have names that cannot occur in a sheet.
    pub name: Name,
    /// The number of arguments.
    pub arity: usize,
    /// The rules and facts that define it, as indices into [`crate::Rules::rules`].
    pub rules: Vec<usize>,
    /// Whether its content depends on the state.
    pub depends_on_true: bool,
    /// Whether its content depends on the moves made.
    pub depends_on_does: bool,
    /// Its first occurrence.
    pub first: Span,
}

impl Relation {
    /// Returns `true` if it is the same in all states, whatever moves are made.
    pub fn is_static(&self) -> bool {
        !self.depends_on_true && !self.depends_on_does
    }

    /// Returns `true` if it was created during normalisation, so that its name cannot occur in a sheet.
    pub fn is_auxiliary(&self) -> bool {
        self.name.contains(' ')
    }
}

/// The relations to which the language itself assigns a meaning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Keyword {
    /// `(role r)`
    Role,
    /// `(init f)`
    Init,
    /// `(true f)`
    True,
    /// `(does r m)`
    Does,
    /// `(next f)`
    Next,
    /// `(legal r m)`
    Legal,
    /// `(goal r v)`
    Goal,
    /// `terminal`
    Terminal,
    /// `(sees r p)`, GDL-II
    Sees,
    /// `(base f)`, the optional domain of fluents
    Base,
    /// `(input r m)`, the optional domain of moves
    Input,
    /// `(percept r p)`, the optional domain of percepts
    Percept,
    /// `(knows r p)`, GDL-III
    Knows,
    /// `(knows p)`, GDL-III: common knowledge
    CommonKnowledge,
}

impl Keyword {
    /// All keywords, in the order of their relation numbers.
    pub const ALL: [Keyword; 14] = [
        Keyword::Role,
        Keyword::Init,
        Keyword::True,
        Keyword::Does,
        Keyword::Next,
        Keyword::Legal,
        Keyword::Goal,
        Keyword::Terminal,
        Keyword::Sees,
        Keyword::Base,
        Keyword::Input,
        Keyword::Percept,
        Keyword::Knows,
        Keyword::CommonKnowledge,
    ];

    /// Returns the number of its relation, which is the same in every rule sheet.
    pub fn id(self) -> RelationId {
        RelationId(self as u32)
    }

    /// Returns the keyword as written.
    pub fn name(self) -> &'static str {
        match self {
            Keyword::Role => "role",
            Keyword::Init => "init",
            Keyword::True => "true",
            Keyword::Does => "does",
            Keyword::Next => "next",
            Keyword::Legal => "legal",
            Keyword::Goal => "goal",
            Keyword::Terminal => "terminal",
            Keyword::Sees => "sees",
            Keyword::Base => "base",
            Keyword::Input => "input",
            Keyword::Percept => "percept",
            Keyword::Knows | Keyword::CommonKnowledge => "knows",
        }
    }

    /// Returns the number of arguments.
    pub fn arity(self) -> usize {
        match self {
            Keyword::Terminal => 0,
            Keyword::Does | Keyword::Legal | Keyword::Goal | Keyword::Sees => 2,
            Keyword::Input | Keyword::Percept | Keyword::Knows => 2,
            _ => 1,
        }
    }

    /// Returns the keyword with this name and arity. `base`, `input` and `percept` with another
    /// arity are ordinary relations of the sheet; for the others, [`Keyword::named`] reveals
    /// that the arity is wrong.
    pub fn find(name: &str, arity: usize) -> Option<Keyword> {
        Keyword::ALL.into_iter().find(|k| k.name() == name && k.arity() == arity)
    }

    /// Returns `true` if it declares a domain. Such a keyword is optional, and an ordinary name
    /// with another arity.
    pub fn is_domain(self) -> bool {
        matches!(self, Keyword::Base | Keyword::Input | Keyword::Percept)
    }

    /// Returns `true` if its first argument is a role, except for `role` itself.
    pub fn has_role(self) -> bool {
        matches!(
            self,
            Keyword::Does
                | Keyword::Legal
                | Keyword::Goal
                | Keyword::Sees
                | Keyword::Input
                | Keyword::Percept
                | Keyword::Knows
        )
    }

    /// Returns the keyword that a relation is, if any.
    pub fn of(relation: RelationId) -> Option<Keyword> {
        Keyword::ALL.get(relation.index()).copied()
    }

    /// Returns any keyword with this name.
    pub fn named(name: &str) -> Option<Keyword> {
        Keyword::ALL.into_iter().find(|k| k.name() == name)
    }
}
