//! Time to keep back, so that an answer is never late.
//!
//! Between two looks at the clock a search cannot stop. How long that takes
//! depends on the game and on what else the machine has to do, so it is
//! measured, move after move; what was slow once is forgotten only slowly.

use std::time::{Duration, Instant};

use crate::Deadline;

/// Kept back at least, for the way of the answer.
const LEAST: Duration = Duration::from_millis(20);
/// The part of the clock that is kept back, and at most so much of it.
const PART: u32 = 32;
const MOST: Duration = Duration::from_millis(250);
/// How long the machine is watched before a match.
const TRIAL: Duration = Duration::from_millis(25);

/// What was measured of the time between looks at the clock.
#[derive(Debug, Clone)]
pub struct Reserve {
    /// The longest time between two looks.
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
    /// Measures for a small part of a move's clock how long the machine leaves this thread alone.
    pub fn measured(clock: Duration, deadline: &Deadline) -> Reserve {
        let mut reserve = Reserve::default();
        let until = Deadline::after((clock / 8).min(TRIAL));
        while !until.is_over() && !deadline.is_over() {
            reserve.look();
        }
        reserve
    }

    /// A move begins.
    pub fn begin(&mut self) {
        self.slowest -= self.slowest / 4;
        self.closing -= self.closing / 4;
        self.last = Instant::now();
    }

    /// Looks at the clock; the time since the last look counts.
    pub fn look(&mut self) {
        let now = Instant::now();
        self.slowest = self.slowest.max(now - self.last);
        self.last = now;
    }

    /// Something that could not be stopped took this long.
    pub fn took(&mut self, time: Duration) {
        self.slowest = self.slowest.max(time);
    }

    /// The search is over; what comes until the answer is measured apart.
    pub fn close(&mut self) {
        self.last = Instant::now();
    }

    /// The answer is ready.
    pub fn end(&mut self) {
        self.closing = self.closing.max(self.last.elapsed());
    }

    /// The longest time between two looks that is remembered.
    pub fn slowest(&self) -> Duration {
        self.slowest
    }

    /// Time to leave before the deadline of a move with this clock.
    pub fn margin(&self, clock: Duration) -> Duration {
        let share = (clock / PART).min(MOST).max(LEAST);
        (self.slowest + self.slowest / 4 + self.closing).max(share).min(clock / 2)
    }

    /// The moment from which on an answer waits for nothing any more.
    pub fn last_call(&self, deadline: &Deadline, clock: Option<Duration>) -> Deadline {
        let rest = |clock: Duration| (self.closing + LEAST * 3 / 4).min(clock / 3);
        deadline.earlier(clock.map_or(Duration::ZERO, rest))
    }

    /// The deadline of a move with this clock, less the margin.
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
