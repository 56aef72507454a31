//! What a clause compiles to: steps over registers.

use rules::{RelationId, Symbol};

use super::extension::ExtensionId;
use crate::TermId;

/// A relation with a pattern; see [`super::program::Program`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct QueryId(pub u32);

impl QueryId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A clause made for one pattern, with its literals in the order they are solved.
#[derive(Debug)]
pub(crate) struct Plan {
    /// Whose rule this is, for messages.
    pub relation: RelationId,
    pub clause: usize,
    /// Registers used; the first hold the call's terms.
    pub registers: usize,
    /// What the call's terms must look like.
    pub entry: Box<[(u32, Match)]>,
    pub steps: Box<[Step]>,
    /// The answer.
    pub outputs: Box<[Operand]>,
    /// How many steps it takes until the answer is known. Those after it only
    /// have to have a solution, so once they had one the search goes back to before them.
    pub decided: usize,
}

/// A term to be had from registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operand {
    Register(u32),
    Constant(TermId),
    Function(Symbol, Box<[Operand]>),
}

/// What a term must look like, and which registers take its parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Match {
    Bind(u32),
    Same(u32),
    Constant(TermId),
    Function(Symbol, Box<[Match]>),
}

/// A term that is known when a step is reached, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Register(u32),
    Constant(TermId),
}

/// One step of a plan.
#[derive(Debug)]
pub(crate) enum Step {
    /// Builds a term into a register.
    Build { register: u32, operand: Operand },
    /// Two terms differ.
    Distinct(Known, Known),
    /// A given fact is there, or is not.
    Test { extension: ExtensionId, index: usize, key: Box<[Known]>, present: bool },
    /// Given facts, by index or all of them.
    Scan { extension: ExtensionId, index: Option<usize>, key: Box<[Known]>, rest: Box<[(usize, Match)]> },
    /// Answers to a call. `inside`: the call may depend on the one that makes it.
    Call { query: QueryId, key: Box<[Known]>, outputs: Box<[Match]>, inside: bool },
    /// A call has no answer.
    Absent { query: QueryId, key: Box<[Known]> },
}
