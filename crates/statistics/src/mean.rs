//! Means of samples, and bootstrap intervals for any statistic.

use game::Seed;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use crate::{Confidence, Interval};

/// The sample size from which the normal distribution replaces Student's t distribution. The
/// two agree to four digits there, and quantiles of the latter cannot be computed for far
/// larger samples.
const NORMAL: u64 = 100_000;

/// The size, mean and spread of a sample, updated value by value.
///
/// The order of the values affects only the last digits. If every digit matters, use
/// [`Mean::of`] on a fixed order.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Mean {
    count: u64,
    mean: f64,
    squares: f64,
}

impl Mean {
    /// Returns the mean of these values.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Mean {
        values.into_iter().fold(Mean::default(), |mut mean, value| {
            mean.add(value);
            mean
        })
    }

    /// Computes the mean of integers from their sum and their sum of squares, without intermediate rounding.
    pub fn from_sums(count: u64, sum: u64, squares: u64) -> Mean {
        if count == 0 {
            return Mean::default();
        }
        let (n, s) = (u128::from(count), u128::from(sum));
        let spread = (n * u128::from(squares)).saturating_sub(s * s) as f64 / n as f64;
        Mean { count, mean: s as f64 / n as f64, squares: spread }
    }

    /// Returns the mean of a value that occurred `count` times.
    pub fn repeated(value: f64, count: u64) -> Mean {
        Mean { count, mean: if count > 0 { value } else { 0.0 }, squares: 0.0 }
    }

    /// Reconstructs a mean from the number of values, their mean and its standard error.
    pub fn with_error(count: u64, mean: f64, error: f64) -> Mean {
        let n = count as f64;
        Mean { count, mean, squares: if count > 1 { error * error * n * (n - 1.0) } else { 0.0 } }
    }

    /// Adds a value (Welford's algorithm).
    pub fn add(&mut self, value: f64) {
        self.count += 1;
        let before = value - self.mean;
        self.mean += before / self.count as f64;
        self.squares += before * (value - self.mean);
    }

    /// Returns the mean of both samples together.
    pub fn plus(self, other: Mean) -> Mean {
        let count = self.count + other.count;
        if self.count == 0 || other.count == 0 {
            return if self.count == 0 { other } else { self };
        }
        let (between, share) = (other.mean - self.mean, other.count as f64 / count as f64);
        Mean {
            count,
            mean: self.mean + between * share,
            squares: self.squares + other.squares + between * between * self.count as f64 * share,
        }
    }

    /// Returns the number of values.
    pub fn count(self) -> u64 {
        self.count
    }

    /// Returns the mean, or `None` if there are no values.
    pub fn value(self) -> Option<f64> {
        (self.count > 0).then_some(self.mean)
    }

    /// Returns the sample standard deviation, or `None` for fewer than two values.
    pub fn deviation(self) -> Option<f64> {
        (self.count > 1).then(|| (self.squares / (self.count - 1) as f64).sqrt())
    }

    /// Returns the standard error of the mean, or `None` for fewer than two values.
    pub fn standard_error(self) -> Option<f64> {
        self.deviation().map(|deviation| deviation / (self.count as f64).sqrt())
    }

    /// Returns Student's t interval for the mean, or `None` for fewer than two values.
    pub fn interval(self, confidence: Confidence) -> Option<Interval> {
        let error = self.standard_error()?;
        let t = match self.count {
            ..NORMAL => {
                StudentsT::new(0.0, 1.0, (self.count - 1) as f64).ok()?.inverse_cdf(1.0 - confidence.tail())
            }
            _ => confidence.z(),
        };
        Some(Interval { low: self.mean - t * error, high: self.mean + t * error })
    }
}

/// Computes the bias-corrected percentile bootstrap interval of a statistic, from `resamples`
/// resamples drawn with replacement. Returns `None` if the sample is empty.
pub fn bootstrap<T: Clone>(
    sample: &[T],
    statistic: impl Fn(&[T]) -> f64,
    confidence: Confidence,
    resamples: usize,
    seed: Seed,
) -> Option<Interval> {
    if sample.is_empty() || resamples == 0 {
        return None;
    }
    let observed = statistic(sample);
    let mut rng = seed.rng();
    let mut values = Vec::with_capacity(resamples);
    let mut drawn = Vec::with_capacity(sample.len());
    for _ in 0..resamples {
        drawn.clear();
        drawn.extend((0..sample.len()).map(|_| sample[rng.below(sample.len())].clone()));
        values.push(statistic(&drawn));
    }
    values.sort_by(f64::total_cmp);
    let below = values.iter().filter(|value| **value < observed).count() as f64;
    let equal = values.iter().filter(|value| **value == observed).count() as f64;
    let share = ((below + equal / 2.0) / resamples as f64)
        .clamp(0.5 / resamples as f64, 1.0 - 0.5 / resamples as f64);
    let normal = Normal::standard();
    let bias = normal.inverse_cdf(share);
    let at = |z: f64| {
        let rank = (normal.cdf(2.0 * bias + z) * resamples as f64).floor() as usize;
        values[rank.min(resamples - 1)]
    };
    Some(Interval { low: at(-confidence.z()), high: at(confidence.z()) })
}
