//! Binomial proportions.

use statrs::distribution::{Beta, ContinuousCDF};

use crate::{Confidence, Interval};

/// A number of successes among independent trials.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Proportion {
    successes: u64,
    trials: u64,
}

impl Proportion {
    /// Creates the proportion `successes` out of `trials`. More successes than trials are clamped.
    pub fn new(successes: u64, trials: u64) -> Proportion {
        Proportion { successes: successes.min(trials), trials }
    }

    /// Returns the number of successes.
    pub fn successes(self) -> u64 {
        self.successes
    }

    /// Returns the number of trials.
    pub fn trials(self) -> u64 {
        self.trials
    }

    /// Returns the observed proportion, or `None` if there are no trials.
    pub fn share(self) -> Option<f64> {
        (self.trials > 0).then(|| self.successes as f64 / self.trials as f64)
    }

    /// Returns the Clopper-Pearson interval. It is exact in the sense that its coverage is at
    /// least the nominal level. Without trials it is the whole unit interval.
    pub fn exact(self, confidence: Confidence) -> Interval {
        let (k, n) = (self.successes as f64, self.trials as f64);
        let quantile = |a: f64, b: f64, p: f64| match Beta::new(a, b) {
            Ok(beta) => beta.inverse_cdf(p),
            Err(_) => p,
        };
        let low = if self.successes == 0 { 0.0 } else { quantile(k, n - k + 1.0, confidence.tail()) };
        let high = if self.successes == self.trials {
            1.0
        } else {
            quantile(k + 1.0, n - k, 1.0 - confidence.tail())
        };
        Interval { low, high }
    }

    /// Returns the Wilson score interval. Its coverage is close to the nominal level on
    /// average, and it is shorter.
    pub fn wilson(self, confidence: Confidence) -> Interval {
        let Some(p) = self.share() else {
            return Interval { low: 0.0, high: 1.0 };
        };
        let (n, z) = (self.trials as f64, confidence.z());
        let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let centre = p + z * z / (2.0 * n);
        let scale = 1.0 + z * z / n;
        let low = if self.successes == 0 { 0.0 } else { (centre - spread) / scale };
        let high = if self.successes == self.trials { 1.0 } else { (centre + spread) / scale };
        Interval { low, high }
    }
}
