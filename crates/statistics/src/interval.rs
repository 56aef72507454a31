//! Confidence levels and intervals.

use statrs::distribution::{ContinuousCDF, Normal};

/// A confidence level: the proportion of such intervals that contain the true value, between 0 and 1.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Confidence(f64);

impl Confidence {
    /// 95 %, the usual level.
    pub const P95: Confidence = Confidence(0.95);
    /// 99 %.
    pub const P99: Confidence = Confidence(0.99);

    /// Creates a confidence level, or returns `None` unless it is strictly between 0 and 1.
    pub fn new(level: f64) -> Option<Confidence> {
        (level > 0.0 && level < 1.0).then_some(Confidence(level))
    }

    /// Returns the level.
    pub fn level(self) -> f64 {
        self.0
    }

    /// Returns the probability of missing the true value on one side.
    pub fn tail(self) -> f64 {
        (1.0 - self.0) / 2.0
    }

    /// Returns the z-score: the half-width of a normal interval in standard errors.
    pub fn z(self) -> f64 {
        Normal::standard().inverse_cdf(1.0 - self.tail())
    }
}

/// A closed interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl Interval {
    /// Returns `true` if a value lies in the interval.
    pub fn contains(self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }

    /// Returns half the width.
    pub fn half_width(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Returns `true` if the two intervals have a value in common.
    pub fn overlaps(self, other: Interval) -> bool {
        self.low <= other.high && other.low <= self.high
    }
}
