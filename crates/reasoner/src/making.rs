//! How a game is made: what that may cost, when it must be ready, and who watches.
//!
//! What is ground, proven and refused depends on the limits alone, which count
//! work. A deadline never changes the result: it ends the making as a whole, with
//! [`Fault::Stopped`]. It is looked at, and the observer is told, after every
//! bounded amount of work. An observer that wants to hear less often keeps its
//! own clock.

use std::fmt;
use std::sync::Arc;

use game::{Deadline, Fault};

use crate::ground::GroundLimits;

/// Who is told how far the making of a game has come.
pub type Observer = Arc<dyn Fn(Progress) + Send + Sync>;

/// How far the making of a game has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// So many candidates for atoms that can hold were found.
    Atoms(usize),
    /// So many instances of rules were found.
    Instances(usize),
    /// A circuit is being built or simplified; it has so many wires.
    Circuit(usize),
    /// Programs are being made of circuits of so many wires together.
    Programs(usize),
    /// The making has ended, one way or the other. Whoever asked for the game says this.
    Over,
}

/// What making a game may cost, when it must be ready, and who watches.
///
/// The default has the default limits, no deadline and no observer.
#[derive(Clone, Default)]
pub struct Making {
    /// What grounding may cost, in counted work.
    pub limits: GroundLimits,
    /// When the making ends, ready or not.
    pub deadline: Deadline,
    /// Who is told how far it has come.
    pub observer: Option<Observer>,
}

impl Making {
    /// Within these limits; nobody waits and nobody watches.
    pub fn within(limits: GroundLimits) -> Making {
        Making { limits, ..Making::default() }
    }

    /// Tells the observer that the making has ended, one way or the other.
    pub fn over(&self) {
        if let Some(observer) = &self.observer {
            observer(Progress::Over);
        }
    }

    /// Tells the observer how far the making has come; fails once the deadline is over.
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

/// Called now and then in the course of long work; fails where that is to end.
pub(crate) type Pause<'a> = &'a dyn Fn() -> Result<(), Stopped>;

/// The deadline passed, or its stop token was raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Stopped;

impl From<Stopped> for Fault {
    fn from(_: Stopped) -> Fault {
        Fault::Stopped
    }
}
