//! Distributions with finitely many values, and of sums drawn from them.

use std::f64::consts::PI;

use crate::histogram::divisor;

/// The probabilities of values that are multiples of `1 / steps`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Distribution {
    steps: u32,
    /// Values in steps and ascending order, and their probabilities, all positive.
    chances: Vec<(u32, f64)>,
}

/// What is neglected: the logarithm of a probability, about 4e-18.
const NEGLIGIBLE: f64 = -40.0;

impl Distribution {
    /// Creates a distribution from values in ascending order; those without a chance are left out.
    pub(crate) fn new(steps: u32, chances: Vec<(u32, f64)>) -> Distribution {
        Distribution { steps, chances: chances.into_iter().filter(|(_, chance)| *chance > 0.0).collect() }
    }

    /// Returns the number of steps from 0 to 1.
    pub(crate) fn steps(&self) -> u32 {
        self.steps
    }

    /// Returns the values, in steps and ascending order, with their probabilities, all positive.
    pub(crate) fn chances(&self) -> &[(u32, f64)] {
        &self.chances
    }

    /// Returns the values, from 0 to 1, with their probabilities.
    pub(crate) fn values(&self) -> impl Iterator<Item = (f64, f64)> + '_ {
        self.chances.iter().map(|(step, chance)| (f64::from(*step) / f64::from(self.steps), *chance))
    }

    /// Returns the probability of the value `step / steps`.
    pub(crate) fn chance(&self, step: u32) -> f64 {
        self.chances.iter().find(|(other, _)| *other == step).map_or(0.0, |(_, chance)| *chance)
    }

    pub(crate) fn mean(&self) -> f64 {
        self.values().map(|(value, chance)| value * chance).sum()
    }

    pub(crate) fn variance(&self) -> f64 {
        let mean = self.mean();
        self.values().map(|(value, chance)| (value - mean).powi(2) * chance).sum()
    }

    /// Returns the probability that `count` independent values have a sum of at least this many steps.
    pub(crate) fn at_least(&self, count: u64, sum: u64) -> f64 {
        let mirrored = self.chances.iter().rev().map(|(step, chance)| (self.steps - step, *chance));
        let mirror = Distribution { steps: self.steps, chances: mirrored.collect() };
        (count * u64::from(self.steps)).checked_sub(sum).map_or(0.0, |rest| mirror.at_most(count, rest))
    }

    /// Returns the probability that `count` independent values have a sum of at most this many
    /// steps, with an error of about 1e-14.
    ///
    /// Sums lie on a lattice, so their distribution follows from the powers of the characteristic
    /// function at equidistant points. As many points are taken as the lattice has places in a
    /// window outside of which sums are negligible (Bernstein's inequality), and points at which
    /// the power is negligible are skipped, as far as the slope of the characteristic function,
    /// which is at most the standard deviation, allows it.
    pub(crate) fn at_most(&self, count: u64, sum: u64) -> f64 {
        let first = self.chances.first().map_or(0, |(step, _)| *step);
        let Some(above) = sum.checked_sub(count * u64::from(first)) else { return 0.0 };
        let span = self.chances.iter().fold(0, |span, (step, _)| divisor(span, u64::from(step - first)));
        if span == 0 || count == 0 {
            return 1.0;
        }
        let places: Vec<(f64, f64)> =
            self.chances.iter().map(|(step, p)| ((u64::from(step - first) / span) as f64, *p)).collect();
        let (n, target) = (count as f64, (above / span) as f64);
        let range = places.last().map_or(0.0, |(place, _)| *place);
        let mean: f64 = places.iter().map(|(place, p)| place * p).sum();
        let deviation = places.iter().map(|(place, p)| (place - mean).powi(2) * p).sum::<f64>().sqrt();
        let linear = -NEGLIGIBLE * range / 3.0;
        let reach = linear + (linear * linear - 2.0 * NEGLIGIBLE * n * deviation * deviation).sqrt();
        let low = (n * mean - reach).floor().max(0.0);
        let high = (n * mean + reach).ceil().min(n * range);
        if target < low || target >= high {
            return f64::from(u8::from(target >= high));
        }
        let window = high - low + 1.0;
        let wanted = target - low + 1.0;
        let turn = 2.0 * PI / window;
        let least = (NEGLIGIBLE / n).exp();
        let mut total = wanted;
        let mut point = 1.0;
        while 2.0 * point <= window {
            let angle = turn * point;
            // What the cosine lacks of 1 is summed up by itself, or its digits would be lost.
            let (lack, sine) = places.iter().fold((0.0, 0.0), |(lack, sine), (place, p)| {
                let (s, c) = (angle * (place - mean) / 2.0).sin_cos();
                (lack + p * 2.0 * s * s, sine + p * 2.0 * s * c)
            });
            let size = (lack * (lack - 2.0) + sine * sine).ln_1p() / 2.0;
            if n * size < NEGLIGIBLE {
                point += ((least - size.exp()) / (deviation * turn)).floor().max(1.0);
                continue;
            }
            let phase = n * sine.atan2(1.0 - lack) + angle * (n * mean - (low + target) / 2.0);
            let kernel = (angle * wanted / 2.0).sin() / (angle / 2.0).sin();
            let both = if 2.0 * point < window { 2.0 } else { 1.0 };
            total += both * (n * size).exp() * phase.cos() * kernel;
            point += 1.0;
        }
        (total / window).clamp(0.0, 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All probabilities of sums, by adding one value after another.
    fn sums(of: &Distribution, count: u64) -> Vec<f64> {
        let mut sums = vec![1.0];
        for _ in 0..count {
            let mut next = vec![0.0; sums.len() + of.steps as usize];
            for (sum, p) in sums.iter().enumerate() {
                of.chances.iter().for_each(|(step, chance)| next[sum + *step as usize] += p * chance);
            }
            sums = next;
        }
        sums
    }

    #[test]
    fn sums_have_the_probabilities_of_repeated_addition() {
        let laws = [
            (2, vec![(0, 0.3), (1, 0.5), (2, 0.2)]),
            (2, vec![(0, 0.02), (2, 0.98)]),
            (2, vec![(0, 0.4999), (1, 0.0002), (2, 0.4999)]),
            (4, vec![(1, 0.9), (3, 0.1)]),
            (6, vec![(0, 0.1), (1, 0.2), (4, 0.3), (5, 0.15), (6, 0.25)]),
            (100, vec![(0, 0.001), (37, 0.2), (40, 0.199), (100, 0.6)]),
            (3, vec![(2, 1.0)]),
        ];
        for (steps, chances) in laws {
            let law = Distribution::new(steps, chances);
            for count in [0, 1, 2, 7, 60] {
                let mut below = 0.0;
                let stride = if count * u64::from(steps) > 1000 { 61 } else { 1 };
                for (sum, p) in sums(&law, count).into_iter().enumerate() {
                    if sum % stride != 0 {
                        below += p;
                        continue;
                    }
                    let rest = law.at_least(count, sum as u64);
                    assert!((rest - (1.0 - below)).abs() < 2e-14, "{law:?} {count} {sum}: {rest}");
                    below += p;
                    let seen = law.at_most(count, sum as u64);
                    assert!((seen - below).abs() < 2e-14, "{law:?} {count} {sum}: {seen} for {below}");
                }
            }
        }
    }

    /// Of a million trials with one success expected, none succeeds with probability 1/e, nearly.
    #[test]
    fn sums_of_many_rare_values_are_those_of_poisson() {
        let rare = Distribution::new(2, vec![(0, 1.0 - 1e-6), (2, 1e-6)]);
        let one = (-1.0f64).exp();
        assert!((rare.at_most(1_000_000, 0) - one).abs() < 1e-6);
        assert!((rare.at_most(1_000_000, 3) - 2.0 * one).abs() < 1e-6, "one success is 2 steps");
        assert!((rare.at_most(1_000_000, 4) - 2.5 * one).abs() < 1e-6);
    }

    #[test]
    fn sums_of_many_values_are_normal() {
        let law = Distribution::new(4, vec![(0, 0.2), (1, 0.2), (2, 0.2), (3, 0.2), (4, 0.2)]);
        // Mean 2 and variance 2 in steps; the continuity correction is half a step.
        let (mean, deviation) = (2e8, 2e8f64.sqrt());
        let seen = law.at_most(100_000_000, (mean - 1.96 * deviation).round() as u64);
        assert!((seen - 0.024_998).abs() < 3e-6, "{seen}");
    }
}
