//! How long replies took.
//!
//! Times differ between two runs of the same plan, so they are reported to watchers but never become part
//! of the results. A reply is late if it comes after the deadline, even if the referee would still accept
//! it.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arena::MatchRecord;
use game::{Deadline, Fault, Goal, MatchContext, Seat, Thought, Turn};

/// How long the replies of a seat took, in one match or in many.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Replies {
    /// The number of replies.
    pub moves: u64,
    /// The number of replies after the deadline.
    pub late: u64,
    /// The longest time.
    pub slowest: Duration,
}

impl Replies {
    /// Returns the replies of a role in a match that was played before, from the times in its record.
    pub fn of(record: &MatchRecord, role: usize, play_clock: Duration) -> Replies {
        let times = record.times.as_ref().map(|times| &times.thinking_times[..]).unwrap_or_default();
        // The first entry is the time of the start message.
        let took = times.iter().skip(1).filter_map(|step| step.get(role).copied());
        took.map(Duration::from_millis).fold(Replies::default(), |all, time| {
            all.plus(&Replies { moves: 1, late: u64::from(time > play_clock), slowest: time })
        })
    }

    /// Returns the sum of both.
    pub fn plus(self, other: &Replies) -> Replies {
        Replies {
            moves: self.moves + other.moves,
            late: self.late + other.late,
            slowest: self.slowest.max(other.slowest),
        }
    }
}

/// Counters shared by a seat and its readers.
#[derive(Debug, Default)]
pub(super) struct Times {
    moves: AtomicU64,
    late: AtomicU64,
    slowest_us: AtomicU64,
}

impl Times {
    pub fn replies(&self) -> Replies {
        Replies {
            moves: self.moves.load(Ordering::Relaxed),
            late: self.late.load(Ordering::Relaxed),
            slowest: Duration::from_micros(self.slowest_us.load(Ordering::Relaxed)),
        }
    }
}

/// A seat whose replies are timed.
pub(super) struct Timed {
    seat: Box<dyn Seat>,
    times: Arc<Times>,
}

impl Timed {
    pub fn new(seat: Box<dyn Seat>) -> Timed {
        Timed { seat, times: Arc::default() }
    }

    pub fn times(&self) -> Arc<Times> {
        Arc::clone(&self.times)
    }
}

impl Seat for Timed {
    fn preview(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.seat.preview(context, deadline)
    }

    fn start(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.seat.start(context, deadline)
    }

    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        let began = Instant::now();
        let reply = self.seat.play(last, deadline);
        self.times.moves.fetch_add(1, Ordering::Relaxed);
        self.times.slowest_us.fetch_max(began.elapsed().as_micros() as u64, Ordering::Relaxed);
        if deadline.remaining() == Some(Duration::ZERO) {
            self.times.late.fetch_add(1, Ordering::Relaxed);
        }
        reply
    }

    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>) {
        self.seat.stop(last, goals);
    }

    fn is_remote(&self) -> bool {
        self.seat.is_remote()
    }

    fn thought(&self) -> Thought<String> {
        self.seat.thought()
    }
}
