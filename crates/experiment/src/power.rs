//! What a comparison could have found, and whether that is enough to speak of agreement.
//!
//! A test that finds no difference says little if it could hardly have found one. So a figure agrees only
//! if the smallest true difference that its test finds four times out of five, at the level that Holm's
//! correction left to it, is within a margin. A claim or figure may declare it; otherwise it is 10 points on
//! a scale from 0 to 100, and a tenth of the published value where there is no scale.

use statistics::{Histogram, detectable_difference, least_difference};

use super::claim::far;
use super::measure::{Measure, Measured};

/// The probability with which a difference must be found.
const POWER: f64 = 0.8;

/// The number of values up to which probabilities of their sums are computed exactly.
const EXACT: u64 = 100_000;

/// What decides how large a difference a comparison finds.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Power {
    /// The standard error of the difference that the test looks for.
    pub(crate) error: Option<f64>,
    /// The values that were seen, as parts of the scale, the published mean likewise, and the scale.
    pub(crate) seen: Option<(Histogram, f64, f64)>,
    /// Whether it is a difference of shares.
    pub(crate) shares: bool,
    /// The largest difference that may be missed where figures agree; `None` if any.
    pub(crate) margin: Option<f64>,
}

impl Power {
    /// Creates the power of a comparison of shares. A standard error that is not positive is left out.
    pub(crate) fn of_shares(error: f64, margin: Option<f64>) -> Power {
        Power { shares: true, ..Power::of_means(error, margin.or(Some(0.1))) }
    }

    /// Creates the power of a comparison of means.
    pub(crate) fn of_means(error: f64, margin: Option<f64>) -> Power {
        let error = Some(error).filter(|error| *error > 0.0 && error.is_finite());
        Power { error, margin, ..Power::default() }
    }

    /// Adds the values that were seen where they are known and are compared with an exact mean.
    pub(crate) fn seeing(self, found: &Measured, measure: &Measure, expected: f64) -> Power {
        let seen = match found {
            Measured::Share(count, total) if *total <= EXACT => {
                Some((Histogram::of_counts(&[total - count, *count]), expected, 1.0))
            }
            Measured::Mean(mean) if *measure == Measure::Goal && mean.count() <= EXACT => {
                // A mean without spread has no standard error, but all its values are known.
                let always = mean.value().filter(|value| value.fract() == 0.0 && *value >= 0.0);
                always.filter(|_| mean.standard_error() == Some(0.0)).map(|always| {
                    let mut seen = Histogram::new(100);
                    seen.add(always as u32, mean.count());
                    (seen, expected / 100.0, 100.0)
                })
            }
            _ => None,
        };
        Power { seen, ..self }
    }

    /// Returns the smallest difference that is found with the required probability at this level, or `None`
    /// if that is unknown. It is infinite if no difference can be found.
    pub(crate) fn difference(&self, level: f64) -> Option<f64> {
        match (&self.seen, self.error) {
            (Some((seen, expected, scale)), _) => {
                let found = detectable_difference(seen, *expected, level, POWER).either_way();
                Some(found.map_or(f64::INFINITY, |difference| scale * difference))
            }
            (None, error) => error.map(|error| least_difference(error, level)),
        }
    }

    /// Returns `true` if a difference that matters could have been missed at this level.
    pub(crate) fn is_too_small(&self, level: f64) -> bool {
        let Some(margin) = self.margin else { return false };
        self.difference(level).is_some_and(|difference| difference > margin)
    }

    /// Formats the smallest difference that is found at this level.
    pub(crate) fn told(&self, level: f64) -> Option<String> {
        Some(match self.difference(level)? {
            difference if difference.is_finite() => far(difference, self.shares),
            _ => "nothing".to_string(),
        })
    }
}

/// Returns the margin of a measure for which none was declared; `None` if it has no scale and the value
/// gives none.
pub(crate) fn default_margin(measure: &Measure, value: Option<f64>) -> Option<f64> {
    match measure.range() {
        Some((_, most)) if most.is_finite() => Some(most / 10.0),
        _ => value.map(|value| value.abs() / 10.0).filter(|margin| *margin > 0.0),
    }
}
