//! Search over what roles may do and see, from weighted histories.

mod bounds;
mod descend;
mod forest;
mod maxima;
mod outcome;

use game::Deadline;

pub(crate) use bounds::Bounds;
pub(crate) use descend::{Descent, Mark};
pub(crate) use forest::{Forest, Particles};
pub(crate) use maxima::Maxima;
pub(crate) use outcome::Sampled;

/// The maximum number of descents side by side.
const SIDE_BY_SIDE: u64 = 64;

/// The number of descents for a move.
pub(crate) struct Pace {
    wanted: Option<u64>,
    done: u64,
    /// The moment after which no descent begins.
    pub deadline: Deadline,
}

impl Pace {
    /// Creates a pace of `wanted` descents; as many as there is time for if `None`, and `enough` if there is
    /// no clock either.
    pub fn new(wanted: Option<u64>, enough: u64, deadline: &Deadline) -> Pace {
        let wanted = wanted.or(deadline.remaining().is_none().then_some(enough));
        Pace { wanted, done: 0, deadline: deadline.clone() }
    }

    /// Returns the number of descents to make next, side by side, which grows with the number made before;
    /// `None` when there are enough.
    pub fn next(&mut self) -> Option<u64> {
        let left = self.wanted.map_or(u64::MAX, |wanted| wanted - self.done);
        let count = (self.done / 8).clamp(1, SIDE_BY_SIDE).min(left);
        self.done += count;
        (count > 0 && !self.deadline.is_over()).then_some(count)
    }
}
