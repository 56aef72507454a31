//! The work in progress: calls, the rules being evaluated for them, and rules that wait.

use super::extension::NONE;
use super::plan::QueryId;

/// The plan number before the first rule of a call.
pub(crate) const NOT_BEGUN: u32 = u32::MAX;
/// The plan number after the last rule.
pub(crate) const NO_MORE: u32 = u32::MAX - 1;

/// A query and the number of one of its calls.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target {
    pub query: QueryId,
    pub call: u32,
}

/// A call being answered, and the rule being evaluated for it.
#[derive(Debug, Clone)]
pub(crate) struct Frame {
    /// The call that was requested.
    pub leader: Target,
    /// The call whose rule is being evaluated; different from the leader only in recursive components.
    pub target: Target,
    pub plan: u32,
    pub step: u32,
    /// The first step that backtracking may return to.
    pub floor: u32,
    pub forward: bool,
    /// The reader that is being resumed, or [`NONE`].
    pub reader: u32,
    pub registers: usize,
    pub cursors: usize,
    pub recursive: bool,
    pub bases: Bases,
    /// The number of candidates visited when it began.
    pub work: u64,
}

/// The sizes of the stacks when a recursive component began.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bases {
    pub agenda: usize,
    pub readers: usize,
    pub kept: usize,
    pub open: usize,
}

/// A pending task in a recursive component.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Task {
    Start(Target),
    Resume(u32),
}

/// A rule that waits for answers of a call.
#[derive(Debug, Clone)]
pub(crate) struct Reader {
    pub target: Target,
    pub plan: u32,
    pub step: u32,
    pub source: Target,
    /// The position of its saved registers.
    pub kept: usize,
    /// The last answer it has read, or [`NONE`].
    pub last: u32,
    /// The previous reader of the same call, or [`NONE`].
    pub before: u32,
    pub is_due: bool,
    /// Whether more answers would make no difference.
    pub is_done: bool,
}

/// The result of running a rule.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event {
    /// The rule has no more solutions here.
    Done,
    /// The target has all the answers it can have.
    Proven,
    /// Another call must be answered first.
    Need(Target),
}

impl Reader {
    /// Creates a reader for a rule that stops at a step until `source` has answers.
    pub fn new(frame: &Frame, step: usize, source: Target, kept: usize, before: u32) -> Reader {
        Reader {
            target: frame.target,
            plan: frame.plan,
            step: step as u32,
            source,
            kept,
            last: NONE,
            before,
            is_due: false,
            is_done: false,
        }
    }
}
