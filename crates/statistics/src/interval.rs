//! Intervals and how sure they are.

use statrs::distribution::{ContinuousCDF, Normal};

/// The share of such intervals that hold the true value, between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence(f64);

impl Confidence {
    /// The usual 95 in 100.
    pub const P95: Confidence = Confidence(0.95);
    /// 99 in 100.
    pub const P99: Confidence = Confidence(0.99);

    /// A confidence strictly between 0 and 1; none for other numbers.
    pub fn new(level: f64) -> Option<Confidence> {
        (level > 0.0 && level < 1.0).then_some(Confidence(level))
    }

    /// The level itself.
    pub fn level(self) -> f64 {
        self.0
    }

    /// The chance of missing on one side.
    pub fn tail(self) -> f64 {
        (1.0 - self.0) / 2.0
    }

    /// How many standard errors of a normal estimate the interval reaches to each side.
    pub fn z(self) -> f64 {
        Normal::standard().inverse_cdf(1.0 - self.tail())
    }
}

/// A closed interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Its lower end.
    pub low: f64,
    /// Its upper end.
    pub high: f64,
}

impl Interval {
    /// Whether a value lies in it.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Half its width.
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether the two have a value in common.
    pub fn overlaps(self, other: Interval) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}
