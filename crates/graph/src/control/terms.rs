//! Terms, each kept once.

use rustc_hash::FxHashMap;

/// The number of a term.
pub type TermId = u32;
/// The number of a call in the program.
pub type CallId = u32;

/// A control term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// Done.
    Eps,
    /// No way on.
    Delta,
    /// A call that has not begun.
    Call(CallId),
    /// One after the other.
    Seq(TermId, TermId),
    /// One or the other.
    Or(TermId, TermId),
    /// If the first step of the first can be done, then also the second, else the third.
    If(TermId, TermId, TermId),
    /// While.
    While(TermId, TermId),
    /// Until.
    Until(TermId, TermId),
    /// Any number of times.
    Star(TermId),
    /// All or nothing, not begun.
    Atomic(TermId),
    /// All or nothing, begun.
    Transit(TermId),
    /// The rest of a procedure that was called; whether its first step was made.
    Active(CallId, TermId, bool),
}

/// Terms by number.
#[derive(Debug, Default)]
pub struct Terms {
    list: Vec<Term>,
    index: FxHashMap<Term, TermId>,
}

/// Done.
pub const EPS: TermId = 0;
/// No way on.
pub const DELTA: TermId = 1;

impl Terms {
    /// With the two constants.
    pub fn new() -> Terms {
        let mut terms = Terms::default();
        terms.add(Term::Eps);
        terms.add(Term::Delta);
        terms
    }

    /// The number of a term.
    pub fn add(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.index.get(&term) {
            return id;
        }
        let id = self.list.len() as TermId;
        self.list.push(term.clone());
        self.index.insert(term, id);
        id
    }

    /// The term with a number.
    pub fn get(&self, id: TermId) -> &Term {
        &self.list[id as usize]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// One after the other.
    pub fn seq(&mut self, a: TermId, b: TermId) -> TermId {
        match (a, b) {
            (EPS, b) => b,
            (DELTA, _) => DELTA,
            (a, EPS) => a,
            (a, b) => self.add(Term::Seq(a, b)),
        }
    }

    /// One or the other.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        match (a, b) {
            (DELTA, other) | (other, DELTA) => other,
            (a, b) if a == b => a,
            (a, b) => self.add(Term::Or(a, b)),
        }
    }

    /// If, then, else.
    pub fn choose(&mut self, condition: TermId, then: TermId, other: TermId) -> TermId {
        match condition {
            EPS => then,
            DELTA => other,
            condition => self.add(Term::If(condition, then, other)),
        }
    }

    /// All or nothing.
    pub fn atomic(&mut self, inner: TermId, begun: bool) -> TermId {
        match inner {
            EPS => EPS,
            DELTA if !begun => DELTA,
            inner => self.add(if begun { Term::Transit(inner) } else { Term::Atomic(inner) }),
        }
    }
}
