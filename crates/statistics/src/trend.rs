//! Trends over ordered groups, and intervals for differences of proportions.
//!
//! Proportions can include half points: a score is the proportion of points won. Its variance
//! is at most that of wins and losses alone, so tests and intervals for it are conservative.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::{Confidence, Interval, Significance};

/// A number of points, at most one per trial.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Points {
    /// The points won.
    pub won: f64,
    /// The number of trials, which is the maximum number of points.
    pub trials: u64,
}

impl Points {
    /// Returns the proportion of points won; 0 without trials.
    pub fn share(self) -> f64 {
        if self.trials > 0 { self.won / self.trials as f64 } else { 0.0 }
    }
}

/// The significance and direction of a trend.
#[derive(Debug, Clone, PartialEq)]
pub struct Trend {
    /// The result of the two-sided test of no trend.
    pub significance: Significance,
    /// Whether the trend is upwards.
    pub rises: bool,
}

/// Tests whether proportions rise or fall with the scores of their groups (Cochran-Armitage test).
pub fn trend_of_shares(groups: &[Points], scores: &[f64]) -> Trend {
    let test = "Cochran-Armitage trend test";
    let trials: f64 = groups.iter().map(|group| group.trials as f64).sum();
    let won: f64 = groups.iter().map(|group| group.won).sum();
    let mean = |of: &dyn Fn(f64) -> f64| -> f64 {
        groups.iter().zip(scores).map(|(group, score)| group.trials as f64 * of(*score)).sum::<f64>() / trials
    };
    let centre = mean(&|score| score);
    let spread = mean(&|score| (score - centre).powi(2)) * trials;
    let all = won / trials;
    let variance = all * (1.0 - all) * spread;
    let contrast: f64 = groups.iter().zip(scores).map(|(group, score)| group.won * (score - centre)).sum();
    let p = if variance > 0.0 { 2.0 * Normal::standard().sf(contrast.abs() / variance.sqrt()) } else { 1.0 };
    Trend { significance: Significance { test, p }, rises: contrast > 0.0 }
}

/// Tests whether means with standard errors rise or fall with the scores of their groups, by a
/// linear contrast with the normal distribution.
pub fn trend_of_means(means: &[f64], errors: &[f64], scores: &[f64]) -> Trend {
    let test = "linear contrast of means";
    let centre = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
    let contrast: f64 = means.iter().zip(scores).map(|(mean, score)| mean * (score - centre)).sum();
    let variance: f64 =
        errors.iter().zip(scores).map(|(error, score)| (error * (score - centre)).powi(2)).sum();
    let p = match variance > 0.0 {
        true => 2.0 * Normal::standard().sf(contrast.abs() / variance.sqrt()),
        false => f64::from(u8::from(contrast == 0.0)),
    };
    Trend { significance: Significance { test, p }, rises: contrast > 0.0 }
}

/// Returns Newcombe's interval for the second proportion minus the first, which combines two
/// Wilson intervals (1998, method 10).
pub fn difference_of_shares(first: Points, second: Points, confidence: Confidence) -> Interval {
    let z = confidence.z();
    let wilson = |points: Points| {
        let (p, n) = (points.share(), points.trials.max(1) as f64);
        let reach = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
        let (centre, scale) = (p + z * z / (2.0 * n), 1.0 + z * z / n);
        ((centre - reach) / scale, (centre + reach) / scale)
    };
    let ((low1, high1), (low2, high2)) = (wilson(first), wilson(second));
    let (p1, p2) = (first.share(), second.share());
    Interval { low: p2 - p1 - (p2 - low2).hypot(high1 - p1), high: p2 - p1 + (high2 - p2).hypot(p1 - low1) }
}

/// Returns the smallest true difference that a two-sided test at this level detects with a
/// power of 80 %, given the standard error of the difference (normal approximation).
pub fn least_difference(error: f64, level: f64) -> f64 {
    let normal = Normal::standard();
    error * (normal.inverse_cdf(1.0 - level / 2.0) + normal.inverse_cdf(0.8))
}

/// Tests whether the true score is `expected`, by the normal distribution with the variance of
/// wins and losses.
pub fn score_test(seen: Points, expected: f64) -> Significance {
    let test = "z-test of a score";
    let error = (expected * (1.0 - expected) / seen.trials.max(1) as f64).sqrt();
    let off = (seen.share() - expected).abs();
    let p = match error > 0.0 {
        true => 2.0 * Normal::standard().sf(off / error),
        false => f64::from(u8::from(off == 0.0)),
    };
    Significance { test, p }
}
