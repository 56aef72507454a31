//! A number that was measured, as it stands in what commands print as JSON.
//!
//! Experiments read these back: whatever has a `value` and says how far it can
//! be trusted is compared with published figures by that.

use serde::Serialize;
use statistics::{Confidence, Mean, bootstrap};

use game::Seed;

/// A mean and its standard error.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// The mean.
    pub value: f64,
    /// Its standard error; 0 where all values were the same, and where there was only one.
    pub error: f64,
    /// How many values there were.
    pub count: u64,
}

impl Estimate {
    /// Of these values; none of none.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Option<Estimate> {
        let mean = Mean::of(values);
        let error = mean.standard_error().unwrap_or(0.0);
        Some(Estimate { value: mean.value()?, error, count: mean.count() })
    }
}

/// A median, the quartiles around it, and its 95 % interval by resampling.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Middle {
    /// A quarter of the values are below.
    pub lower: f64,
    /// The median.
    pub value: f64,
    /// Three quarters of the values are below.
    pub upper: f64,
    /// The lower end of the median's interval.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// How many values there were.
    pub count: u64,
}

/// Samples drawn for the interval of a median.
const RESAMPLES: usize = 1000;

impl Middle {
    /// Of these values; none of none.
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
