//! Rules in normal form.

use gdl::{Name, Span};

use crate::{RelationId, Symbol};

/// A variable, numbered within its rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Variable(pub u32);

/// A term with variables.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Term {
    /// A constant.
    Constant(Symbol),
    /// A variable of the rule.
    Variable(Variable),
    /// A function applied to at least one term.
    Function(Symbol, Vec<Term>),
}

impl Term {
    /// Calls `visit` with every variable in the term, in order of occurrence.
    pub fn variables(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Term::Constant(_) => {}
            Term::Variable(v) => visit(*v),
            Term::Function(_, arguments) => arguments.iter().for_each(|t| t.variables(visit)),
        }
    }

    /// Whether it has no variables.
    pub fn is_ground(&self) -> bool {
        match self {
            Term::Constant(_) => true,
            Term::Variable(_) => false,
            Term::Function(_, arguments) => arguments.iter().all(Term::is_ground),
        }
    }

    /// How many functions are nested.
    pub fn depth(&self) -> usize {
        match self {
            Term::Function(_, arguments) => 1 + arguments.iter().map(Term::depth).max().unwrap_or(0),
            _ => 0,
        }
    }
}

/// A relation applied to terms.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Atom {
    /// Which relation.
    pub relation: RelationId,
    /// Its arguments.
    pub arguments: Vec<Term>,
}

impl Atom {
    /// Calls `visit` with every variable, in order of occurrence.
    pub fn variables(&self, visit: &mut impl FnMut(Variable)) {
        self.arguments.iter().for_each(|t| t.variables(visit));
    }
}

/// One conjunct of a rule in normal form.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Literal {
    /// The atom holds.
    Positive(Atom),
    /// The atom does not hold; all its variables occur in positive literals.
    Negative(Atom),
    /// The terms differ; all their variables occur in positive literals.
    Distinct(Term, Term),
}

impl Literal {
    /// The atom of a positive or negative literal.
    pub fn atom(&self) -> Option<&Atom> {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => Some(atom),
            Literal::Distinct(..) => None,
        }
    }

    /// Calls `visit` with every variable, in order of occurrence.
    pub fn variables(&self, visit: &mut impl FnMut(Variable)) {
        match self {
            Literal::Positive(atom) | Literal::Negative(atom) => atom.variables(visit),
            Literal::Distinct(a, b) => {
                a.variables(visit);
                b.variables(visit);
            }
        }
    }
}

/// A fact (no body) or rule in normal form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    /// What follows.
    pub head: Atom,
    /// From these together.
    pub body: Vec<Literal>,
    /// The names of its variables, by number.
    pub variables: Vec<Name>,
    /// The clause it was made from, as an index into the sheet's clauses.
    pub clause: usize,
    /// That clause's place.
    pub span: Span,
}
