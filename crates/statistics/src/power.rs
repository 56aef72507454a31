//! Power analysis: what a design can detect, before anything is played.

use statrs::distribution::{ContinuousCDF, Normal};

use crate::Confidence;

/// Returns the power of a two-sided test of the proportion `expected` at this confidence: the
/// probability of rejecting it in `trials` trials if the true proportion is `truth` (normal
/// approximation).
pub fn power_of_proportion(expected: f64, truth: f64, trials: u64, confidence: Confidence) -> f64 {
    let n = trials as f64;
    let (null, real) = ((expected * (1.0 - expected) / n).sqrt(), (truth * (1.0 - truth) / n).sqrt());
    if trials == 0 || real == 0.0 {
        return if trials > 0 && expected != truth { 1.0 } else { 1.0 - confidence.level() };
    }
    let normal = Normal::standard();
    let reach = confidence.z() * null;
    normal.cdf((truth - expected - reach) / real) + normal.cdf((expected - truth - reach) / real)
}

/// Returns the smallest number of trials with at least this power, or `None` if the two
/// proportions are equal.
pub fn sample_for_proportion(expected: f64, truth: f64, power: f64, confidence: Confidence) -> Option<u64> {
    if expected == truth || !(0.0..1.0).contains(&power) {
        return None;
    }
    let enough = |trials: u64| power_of_proportion(expected, truth, trials, confidence) >= power;
    let mut high = 1;
    while !enough(high) {
        high = u64::checked_mul(high, 2).filter(|high| *high < 1 << 50)?;
    }
    let mut low = high / 2;
    while low + 1 < high {
        let middle = low + (high - low) / 2;
        if enough(middle) { high = middle } else { low = middle }
    }
    Some(high)
}
