//! Making a game: its limits, its deadline and its observer.
//!
//! What is grounded, proven and refused depends only on the limits, which count work. A deadline never
//! changes the result: it aborts the making as a whole, with [`Fault::Stopped`]. After every bounded amount
//! of work the deadline is checked and the observer is called. An observer that wants fewer calls must keep
//! its own clock.

use std::fmt;
use std::sync::Arc;

use game::{Deadline, Fault};

use crate::ground::GroundLimits;

/// A function that is called with the progress of making a game.
pub type Observer = Arc<dyn Fn(Progress) + Send + Sync>;

/// The progress of making a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// The number of candidates found so far for atoms that can hold.
    Atoms(usize),
    /// The number of rule instances found so far.
    Instances(usize),
    /// A circuit is being built or simplified; its number of wires.
    Circuit(usize),
    /// Circuits are being compiled to programs; their total number of wires.
    Programs(usize),
    /// The making has ended, successfully or not. This is reported by whoever requested the game.
    Over,
}

/// The limits, the deadline and the observer of making a game.
///
/// The default has the default limits, no deadline and no observer.
#[derive(Clone, Default)]
pub struct Making {
    /// The limits of grounding, in counted work.
    pub limits: GroundLimits,
    /// When the making is aborted.
    pub deadline: Deadline,
    /// Called with the progress.
    pub observer: Option<Observer>,
}

impl Making {
    /// Creates a value with these limits, without a deadline or an observer.
    pub fn within(limits: GroundLimits) -> Making {
        Making { limits, ..Making::default() }
    }

    /// Tells the observer that the making has ended, successfully or not.
    pub fn over(&self) {
        if let Some(observer) = &self.observer {
            observer(Progress::Over);
        }
    }

    /// Reports progress to the observer. Fails once the deadline has passed.
    pub(crate) fn look(&self, progress: Progress) -> Result<(), Stopped> {
        if let Some(observer) = &self.observer {
            observer(progress);
        }
        if self.deadline.is_over() { Err(Stopped) } else { Ok(()) }
    }
}

impl fmt::Debug for Making {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = out.debug_struct("Making");
        shown.field("limits", &self.limits).field("deadline", &self.deadline);
        shown.field("observer", &self.observer.is_some()).finish()
    }
}

/// Called regularly during long computations. Fails if the computation should stop.
pub(crate) type Pause<'a> = &'a dyn Fn() -> Result<(), Stopped>;

/// The deadline passed, or its stop token was set.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stopped;

impl From<Stopped> for Fault {
    fn from(_: Stopped) -> Fault {
        Fault::Stopped
    }
}
