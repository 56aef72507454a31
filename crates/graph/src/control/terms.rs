//! Interned control terms.

use rustc_hash::FxHashMap;

/// The number of a term.
pub type TermId = u32;
/// The number of a call in the program.
pub type CallId = u32;

/// A control term.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Term {
    /// The program has ended.
    Eps,
    /// A dead end.
    Delta,
    /// A call that has not begun.
    Call(CallId),
    /// A sequence.
    Seq(TermId, TermId),
    /// A choice.
    Or(TermId, TermId),
    /// If the first part can do its first step, the second part follows it; otherwise the third is used.
    If(TermId, TermId, TermId),
    /// A `while` loop: condition and body.
    While(TermId, TermId),
    /// An `until` loop: condition and body.
    Until(TermId, TermId),
    /// Any number of repetitions.
    Star(TermId),
    /// An atomic block that has not begun.
    Atomic(TermId),
    /// An atomic block that has begun.
    Transit(TermId),
    /// The rest of a procedure that was called, and whether its first step has been made.
    Active(CallId, TermId, bool),
}

/// The interned terms, by number.
#[derive(Debug, Default)]
pub struct Terms {
    list: Vec<Term>,
    index: FxHashMap<Term, TermId>,
}

/// The term of a program that has ended.
pub const EPS: TermId = 0;
/// The term of a dead end.
pub const DELTA: TermId = 1;

impl Terms {
    /// Creates the table with the two constants.
    pub fn new() -> Terms {
        let mut terms = Terms::default();
        terms.add(Term::Eps);
        terms.add(Term::Delta);
        terms
    }

    /// Interns a term and returns its number.
    pub fn add(&mut self, term: Term) -> TermId {
        if let Some(&id) = self.index.get(&term) {
            return id;
        }
        let id = self.list.len() as TermId;
        self.list.push(term.clone());
        self.index.insert(term, id);
        id
    }

    /// Returns the term with this number.
    pub fn get(&self, id: TermId) -> &Term {
        &self.list[id as usize]
    }

    /// Returns the number of terms.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Returns the sequence of two terms.
    pub fn seq(&mut self, a: TermId, b: TermId) -> TermId {
        match (a, b) {
            (EPS, b) => b,
            (DELTA, _) => DELTA,
            (a, EPS) => a,
            (a, b) => self.add(Term::Seq(a, b)),
        }
    }

    /// Returns the choice between two terms.
    pub fn or(&mut self, a: TermId, b: TermId) -> TermId {
        match (a, b) {
            (DELTA, other) | (other, DELTA) => other,
            (a, b) if a == b => a,
            (a, b) => self.add(Term::Or(a, b)),
        }
    }

    /// Returns a conditional term.
    pub fn choose(&mut self, condition: TermId, then: TermId, other: TermId) -> TermId {
        match condition {
            EPS => then,
            DELTA => other,
            condition => self.add(Term::If(condition, then, other)),
        }
    }

    /// Returns an atomic block.
    pub fn atomic(&mut self, inner: TermId, begun: bool) -> TermId {
        match inner {
            EPS => EPS,
            DELTA if !begun => DELTA,
            // A dead end inside a block that has begun stays inside it. Plain `DELTA` would
            // look as if the block had been left.
            inner => self.add(if begun { Term::Transit(inner) } else { Term::Atomic(inner) }),
        }
    }
}
