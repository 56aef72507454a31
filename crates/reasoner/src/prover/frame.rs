//! What is being worked on: calls, the rules at work on them, and rules that wait.

use super::extension::NONE;
use super::plan::QueryId;

/// Stands before the first rule of a call.
pub(crate) const NOT_BEGUN: u32 = u32::MAX;
/// Stands after the last one.
pub(crate) const NO_MORE: u32 = u32::MAX - 1;

/// A call by number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Target {
    pub query: QueryId,
    pub call: u32,
}

/// A call being answered, and the rule at work on it.
#[derive(Debug)]
pub(crate) struct Frame {
    /// The call that was asked for.
    pub leader: Target,
    /// The call whose rule is at work; another one only in recursive components.
    pub target: Target,
    pub plan: u32,
    pub step: u32,
    /// The first step that may be taken back.
    pub floor: u32,
    pub forward: bool,
    /// The reader that is going on, or [`NONE`].
    pub reader: u32,
    pub registers: usize,
    pub cursors: usize,
    pub recursive: bool,
    pub bases: Bases,
    /// Candidates looked at when it began.
    pub work: u64,
}

/// Where the things of a recursive component begin.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Bases {
    pub agenda: usize,
    pub readers: usize,
    pub kept: usize,
    pub open: usize,
}

/// Something left to do in a recursive component.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Task {
    Start(Target),
    Resume(u32),
}

/// A rule that waits for answers of a call.
#[derive(Debug)]
pub(crate) struct Reader {
    pub target: Target,
    pub plan: u32,
    pub step: u32,
    pub source: Target,
    /// Where its registers are kept.
    pub kept: usize,
    /// The last answer it has read, or [`NONE`].
    pub last: u32,
    /// The reader of the same call that came before, or [`NONE`].
    pub before: u32,
    pub is_due: bool,
    /// Whether more answers would make no difference.
    pub is_done: bool,
}

/// What running a rule led to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Event {
    /// The rule has nothing more to give here.
    Done,
    /// The target has all the answers it can have.
    Proven,
    /// Another call must be answered first.
    Need(Target),
}

impl Reader {
    /// A rule that stops at a step until `source` has answers.
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
