//! Relations and the words of the language among them.

use gdl::{Name, Span};

/// The number of a relation of one rule sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RelationId(pub u32);

impl RelationId {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A name with an arity, and what is known of it.
#[derive(Debug, Clone)]
pub struct Relation {
    /// As written; relations made while normalising have names no sheet can write.
    pub name: Name,
    /// Number of arguments.
    pub arity: usize,
    /// The rules and facts that define it, as indices into [`crate::Rules::rules`].
    pub rules: Vec<usize>,
    /// Whether its content depends on the state.
    pub depends_on_true: bool,
    /// Whether its content depends on the moves made.
    pub depends_on_does: bool,
    /// Where it first occurs.
    pub first: Span,
}

impl Relation {
    /// Whether it is the same in all states, whatever is done.
    pub fn is_static(&self) -> bool {
        !self.depends_on_true && !self.depends_on_does
    }

    /// Whether it was made while normalising: no sheet can write its name.
    pub fn is_auxiliary(&self) -> bool {
        self.name.contains(' ')
    }
}

/// The relations that the language itself gives a meaning.
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
    /// `(base f)`, optional domain of fluents
    Base,
    /// `(input r m)`, optional domain of moves
    Input,
    /// `(percept r p)`, optional domain of percepts
    Percept,
    /// `(knows r p)`, GDL-III
    Knows,
    /// `(knows p)`, GDL-III: common knowledge
    CommonKnowledge,
}

impl Keyword {
    /// All of them, in the order of their relation numbers.
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

    /// The number of its relation in every rule sheet.
    pub fn id(self) -> RelationId {
        RelationId(self as u32)
    }

    /// As written.
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

    /// Number of arguments.
    pub fn arity(self) -> usize {
        match self {
            Keyword::Terminal => 0,
            Keyword::Does | Keyword::Legal | Keyword::Goal | Keyword::Sees => 2,
            Keyword::Input | Keyword::Percept | Keyword::Knows => 2,
            _ => 1,
        }
    }

    /// The keyword with this name and arity. `base`, `input` and `percept` with
    /// another arity are ordinary relations of the sheet; for the others
    /// [`Keyword::named`] tells that the arity is wrong.
    pub fn find(name: &str, arity: usize) -> Option<Keyword> {
        Keyword::ALL.into_iter().find(|k| k.name() == name && k.arity() == arity)
    }

    /// Whether it declares a domain: optional, and an ordinary name with another arity.
    pub fn is_domain(self) -> bool {
        matches!(self, Keyword::Base | Keyword::Input | Keyword::Percept)
    }

    /// Whether its first argument is a role (and it is not about roles alone).
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

    /// The keyword a relation is.
    pub fn of(relation: RelationId) -> Option<Keyword> {
        Keyword::ALL.get(relation.index()).copied()
    }

    /// Any keyword with this name.
    pub fn named(name: &str) -> Option<Keyword> {
        Keyword::ALL.into_iter().find(|k| k.name() == name)
    }
}
