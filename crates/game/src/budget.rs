//! Limits on time and work.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A flag that tells a computation to stop. Clones share the flag.
#[derive(Debug, Clone, Default)]
pub struct StopToken(Arc<AtomicBool>);

impl StopToken {
    /// Sets the flag.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Returns `true` if the flag is set.
    pub fn is_stopped(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// When an answer is due: a moment, a stop token, both or neither.
#[derive(Debug, Clone, Default)]
pub struct Deadline {
    at: Option<Instant>,
    stop: StopToken,
}

impl Deadline {
    /// Returns a deadline that never passes.
    pub fn never() -> Deadline {
        Deadline::default()
    }

    /// Returns a deadline this long after the call.
    pub fn after(time: Duration) -> Deadline {
        Deadline { at: Instant::now().checked_add(time), stop: StopToken::default() }
    }

    /// Returns the same moment with another stop token.
    pub fn with_stop(self, stop: StopToken) -> Deadline {
        Deadline { stop, ..self }
    }

    /// Returns the token that ends it before its time.
    pub fn stop_token(&self) -> &StopToken {
        &self.stop
    }

    /// Returns a deadline with the same stop token that is earlier by `margin`.
    pub fn earlier(&self, margin: Duration) -> Deadline {
        let at = self.at.map(|at| at.checked_sub(margin).unwrap_or(at));
        Deadline { at, stop: self.stop.clone() }
    }

    /// Returns `true` if the moment has passed or the token is set.
    pub fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.at.is_some_and(|at| Instant::now() >= at)
    }

    /// Returns the time left, or `None` if there is no moment.
    pub fn remaining(&self) -> Option<Duration> {
        self.at.map(|at| at.saturating_duration_since(Instant::now()))
    }
}

/// What a search may spend on one move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Budget {
    /// The time until the deadline.
    Clock,
    /// This many playouts, whatever time they take.
    Playouts(u64),
    /// This many states visited, whatever time they take.
    States(u64),
}
