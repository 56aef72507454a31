//! How often each value occurred, where the values that can occur are known.

use std::collections::BTreeMap;

use crate::distribution::Distribution;

/// Counts of values between 0 and 1 that are multiples of `1 / steps`.
///
/// Results of matches have 2 steps (lost, drawn, won), the share of `k` others that were beaten
/// has `2 k`, the points of a pair of games have 4, and goals have 100. Values are counted as
/// whole numbers of steps, so that sums of them are exact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Histogram {
    steps: u32,
    counts: BTreeMap<u32, u64>,
}

impl Histogram {
    /// Creates an empty histogram of multiples of `1 / steps`; 0 steps count as 1.
    pub fn new(steps: u32) -> Histogram {
        Histogram { steps: steps.max(1), counts: BTreeMap::new() }
    }

    /// Creates the histogram of matches that were won, drawn and lost.
    pub fn of_results(won: u64, drawn: u64, lost: u64) -> Histogram {
        Histogram::of_counts(&[lost, drawn, won])
    }

    /// Creates a histogram from the counts of all values in ascending order, from 0 to 1.
    pub fn of_counts(counts: &[u64]) -> Histogram {
        let mut histogram = Histogram::new(counts.len().saturating_sub(1) as u32);
        for (step, count) in counts.iter().enumerate() {
            histogram.add(step as u32, *count);
        }
        histogram
    }

    /// Counts the value `step / steps` as having occurred `count` times. Steps beyond the last
    /// are clamped.
    pub fn add(&mut self, step: u32, count: u64) {
        if count > 0 {
            *self.counts.entry(step.min(self.steps)).or_default() += count;
        }
    }

    /// Returns the histogram of both samples together. If their steps differ, it has the least
    /// common multiple of both.
    pub fn plus(&self, other: &Histogram) -> Histogram {
        let divisor = divisor(u64::from(self.steps), u64::from(other.steps)) as u32;
        let mut both = Histogram::new(self.steps / divisor * other.steps);
        for one in [self, other] {
            let scale = both.steps / one.steps;
            one.counts.iter().for_each(|(step, count)| both.add(step * scale, *count));
        }
        both
    }

    /// Returns the number of steps from 0 to 1.
    pub fn steps(&self) -> u32 {
        self.steps
    }

    /// Returns the number of values.
    pub fn count(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Returns how often the value `step / steps` occurred.
    pub fn count_of(&self, step: u32) -> u64 {
        self.counts.get(&step).copied().unwrap_or(0)
    }

    /// Returns the mean, or `None` if there are no values.
    pub fn mean(&self) -> Option<f64> {
        let count = self.count();
        (count > 0).then(|| self.sum() as f64 / (f64::from(self.steps) * count as f64))
    }

    /// Returns the sum of all values, in steps.
    pub(crate) fn sum(&self) -> u64 {
        self.counts().map(|(step, count)| u64::from(step) * count).sum()
    }

    /// Returns the values that occurred, in steps and ascending order, with their counts.
    pub(crate) fn counts(&self) -> impl Iterator<Item = (u32, u64)> + '_ {
        self.counts.iter().map(|(step, count)| (*step, *count))
    }

    /// Returns the distribution in which each value has the share that it had in the sample, or
    /// `None` if there are no values.
    pub(crate) fn shares(&self) -> Option<Distribution> {
        let count = self.count();
        let share = |(step, of)| (step, of as f64 / count as f64);
        (count > 0).then(|| Distribution::new(self.steps, self.counts().map(share).collect()))
    }
}

/// The greatest common divisor.
pub(crate) fn divisor(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { divisor(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_with_different_steps_go_together() {
        let mut two = Histogram::of_results(3, 1, 0);
        let three = Histogram::of_counts(&[0, 0, 0, 1]);
        let both = two.plus(&three);
        assert_eq!((both.steps(), both.count(), both.mean()), (6, 5, Some(0.9)));
        two.add(7, 1);
        assert_eq!(two.count_of(2), 4, "more than everything is everything");
        assert_eq!(Histogram::new(0).steps(), 1);
        assert_eq!(Histogram::new(2).mean(), None);
    }
}
