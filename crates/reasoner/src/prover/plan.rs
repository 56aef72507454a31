//! The compiled form of a clause: steps over registers.

use rules::{RelationId, Symbol};

use super::extension::ExtensionId;
use crate::TermId;

/// The number of a relation with a pattern; see [`super::program::Program`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct QueryId(pub u32);

impl QueryId {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A clause compiled for one pattern, with its literals in the order in which they are solved.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// The relation and the clause, for messages.
    pub relation: RelationId,
    pub clause: usize,
    /// The number of registers. The first ones contain the inputs of the call.
    pub registers: usize,
    /// The patterns that the inputs of the call must match.
    pub entry: Box<[(u32, Match)]>,
    pub steps: Box<[Step]>,
    /// The answer.
    pub outputs: Box<[Operand]>,
    /// The number of steps after which the answer is known. The remaining steps only need one solution, so
    /// once they had one, backtracking returns to before them.
    pub decided: usize,
}

/// A term built from registers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Operand {
    Register(u32),
    Constant(TermId),
    Function(Symbol, Box<[Operand]>),
}

/// The pattern that a term must match, and the registers for its parts.
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
#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Builds a term into a register.
    Build { register: u32, operand: Operand },
    /// Tests that two terms differ.
    Distinct(Known, Known),
    /// Tests that a given fact is present, or absent.
    Test { extension: ExtensionId, index: usize, key: Box<[Known]>, present: bool },
    /// Iterates over given facts, by index or all of them.
    Scan { extension: ExtensionId, index: Option<usize>, key: Box<[Known]>, rest: Box<[(usize, Match)]> },
    /// Iterates over the answers to a call. If `inside` is set, the call may depend on the one that makes it.
    Call { query: QueryId, key: Box<[Known]>, outputs: Box<[Match]>, inside: bool },
    /// Tests that a call has no answer.
    Absent { query: QueryId, key: Box<[Known]> },
}
