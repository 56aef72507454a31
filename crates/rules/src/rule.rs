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

    /// Returns `true` if the term contains no variables.
    pub fn is_ground(&self) -> bool {
        match self {
            Term::Constant(_) => true,
            Term::Variable(_) => false,
            Term::Function(_, arguments) => arguments.iter().all(Term::is_ground),
        }
    }

    /// Returns the nesting depth of functions.
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
    /// The relation.
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
    /// Returns the atom of a positive or negative literal.
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
    /// The derived atom.
    pub head: Atom,
    /// The conditions, all of which must hold.
    pub body: Vec<Literal>,
    /// The names of its variables, by number.
    pub variables: Vec<Name>,
    /// The index of the clause in the sheet that it was made from.
    pub clause: usize,
    /// The location of that clause.
    pub span: Span,
}
