//! Measured numbers as they appear in the JSON output of commands.
//!
//! Experiments read them back: anything with a `value` and an error or interval can be compared with
//! published figures.

use serde::Serialize;
use statistics::{Confidence, Mean, bootstrap};

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
