//! The time reserved so that an answer is never late.
//!
//! Between two checks of the clock a search cannot stop. How long that takes depends on the game and on the
//! load of the machine, so it is measured, move after move. A slow interval is forgotten only slowly.

use std::time::{Duration, Instant};

use crate::Deadline;

/// The minimum that is reserved, for the transmission of the answer.
const LEAST: Duration = Duration::from_millis(20);
/// The clock is divided by this to get the reserved time, which has this maximum.
const PART: u32 = 32;
const MOST: Duration = Duration::from_millis(250);
/// How long the machine is observed before a match.
const TRIAL: Duration = Duration::from_millis(25);

/// Measurements of the time between checks of the clock.
#[derive(Debug, Clone)]
pub struct Reserve {
    /// The longest time between two checks.
    slowest: Duration,
    /// The longest time from the end of a search to the answer.
    closing: Duration,
    last: Instant,
}

impl Default for Reserve {
    fn default() -> Reserve {
        Reserve { slowest: Duration::ZERO, closing: Duration::ZERO, last: Instant::now() }
    }
}

impl Reserve {
    /// Measures, for a small fraction of a move's clock, how long this thread is interrupted.
    pub fn measured(clock: Duration, deadline: &Deadline) -> Reserve {
        let mut reserve = Reserve::default();
        let until = Deadline::after((clock / 8).min(TRIAL));
        while !until.is_over() && !deadline.is_over() {
            reserve.look();
        }
        reserve
    }

    /// Records that a move begins.
    pub fn begin(&mut self) {
        self.slowest -= self.slowest / 4;
        self.closing -= self.closing / 4;
        self.last = Instant::now();
    }

    /// Checks the clock. The time since the last check counts.
    pub fn look(&mut self) {
        let now = Instant::now();
        self.slowest = self.slowest.max(now - self.last);
        self.last = now;
    }

    /// Records that something that could not be stopped took this long.
    pub fn took(&mut self, time: Duration) {
        self.slowest = self.slowest.max(time);
    }

    /// Records that the search is over. The time until the answer is measured separately.
    pub fn close(&mut self) {
        self.last = Instant::now();
    }

    /// Records that the answer is ready.
    pub fn end(&mut self) {
        self.closing = self.closing.max(self.last.elapsed());
    }

    /// Returns the longest time between two checks that is remembered.
    pub fn slowest(&self) -> Duration {
        self.slowest
    }

    /// Returns the time to reserve before the deadline of a move with this clock.
    pub fn margin(&self, clock: Duration) -> Duration {
        let share = (clock / PART).min(MOST).max(LEAST);
        (self.slowest + self.slowest / 4 + self.closing).max(share).min(clock / 2)
    }

    /// Returns the moment after which an answer must not wait for anything.
    pub fn last_call(&self, deadline: &Deadline, clock: Option<Duration>) -> Deadline {
        let rest = |clock: Duration| (self.closing + LEAST * 3 / 4).min(clock / 3);
        deadline.earlier(clock.map_or(Duration::ZERO, rest))
    }

    /// Returns the deadline of a move with this clock, minus the margin.
    pub fn early(&self, deadline: &Deadline, clock: Option<Duration>) -> Deadline {
        deadline.earlier(clock.map_or(Duration::ZERO, |clock| self.margin(clock)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_slow_is_kept_back_and_forgotten_slowly() {
        let clock = Duration::from_secs(1);
        let mut reserve = Reserve::default();
        assert_eq!(reserve.margin(clock), clock / 32);
        assert_eq!(reserve.margin(Duration::from_millis(10)), Duration::from_millis(5));
        reserve.took(Duration::from_millis(100));
        assert_eq!(reserve.margin(clock), Duration::from_millis(125));
        reserve.begin();
        assert_eq!(reserve.margin(clock), Duration::from_micros(93_750));
        reserve.close();
        assert!(reserve.margin(clock) < Duration::from_millis(200), "a search that is over is no gap");
        reserve.took(Duration::from_secs(9));
        assert_eq!(reserve.margin(clock), clock / 2);
        for _ in 0..100 {
            reserve.begin();
        }
        assert_eq!(reserve.margin(clock), clock / 32);
    }
}
