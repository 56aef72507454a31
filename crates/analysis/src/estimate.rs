//! Measured numbers as they appear in the JSON output of commands.
//!
//! Experiments read them back: anything with a `value` and an error or interval can be compared with
//! published figures.

use serde::Serialize;
use statistics::{Confidence, Interval, Mean, bootstrap};

use game::Seed;

/// A mean and its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// The standard error; 0 if all values are equal or there is only one.
    pub error: f64,
    /// The number of values.
    pub count: u64,
}

impl Estimate {
    /// Computes the mean of some values. Returns `None` if there are none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Estimate> {
        let mean = Mean::of(values);
        let error = mean.standard_error().unwrap_or(0.0);
        Some(Estimate { value: mean.value()?, error, count: mean.count() })
    }
}

/// A number that is exact, or estimated with a 95 % interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum Gauge {
    /// It is exact.
    Exact {
        /// The number.
        value: f64,
    },
    /// It is estimated.
    Estimated {
        /// The number.
        value: f64,
        /// The lower end of the interval.
        low: f64,
        /// The upper end of the interval.
        high: f64,
        /// The number of samples.
        count: u64,
    },
}

impl Gauge {
    /// Creates an exact number.
    pub fn exact(value: f64) -> Gauge {
        Gauge::Exact { value }
    }

    /// Returns the number.
    pub fn value(self) -> f64 {
        match self {
            Gauge::Exact { value } | Gauge::Estimated { value, .. } => value,
        }
    }

    /// Returns `true` if it is exact.
    pub fn is_exact(self) -> bool {
        matches!(self, Gauge::Exact { .. })
    }

    /// Returns the ends of the interval, which are the number itself if it is exact.
    pub fn interval(self) -> Interval {
        match self {
            Gauge::Exact { value } => Interval { low: value, high: value },
            Gauge::Estimated { low, high, .. } => Interval { low, high },
        }
    }

    /// Returns the same for a number that is certainly between these.
    pub fn within(self, least: f64, most: f64) -> Gauge {
        let limit = |end: f64| end.min(most).max(least);
        match self {
            Gauge::Exact { value } => Gauge::Exact { value: limit(value) },
            Gauge::Estimated { value, low, high, count } => {
                let [value, low, high] = [value, low, high].map(limit);
                Gauge::Estimated { value, low, high, count }
            }
        }
    }
}

/// A median, the quartiles around it, and its 95 % bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Middle {
    /// The lower quartile.
    pub lower: f64,
    /// The median.
    pub value: f64,
    /// The upper quartile.
    pub upper: f64,
    /// The lower end of the interval of the median.
    pub low: f64,
    /// The upper end of the interval.
    pub high: f64,
    /// The number of values.
    pub count: u64,
}

/// The number of bootstrap samples.
const RESAMPLES: usize = 1000;

impl Middle {
    /// Computes the median of some values. Returns `None` if there are none.
    pub fn of(values: &[f64], seed: Seed) -> Option<Middle> {
        let quartiles = crate::bench::Quartiles::of(values)?;
        let median =
            |drawn: &[f64]| crate::bench::Quartiles::of(drawn).map_or(quartiles.median, |found| found.median);
        let interval = bootstrap(values, median, Confidence::P95, RESAMPLES, seed)?;
        Some(Middle {
            lower: quartiles.lower,
            value: quartiles.median,
            upper: quartiles.upper,
            low: interval.low,
            high: interval.high,
            count: values.len() as u64,
        })
    }
}
