//! The distribution that makes a sample likeliest among all that satisfy a hypothesis.
//!
//! This is the constrained maximum likelihood estimate of a multinomial distribution. If the
//! chances `p` must satisfy `Σ p a = 0`, Lagrange's method gives `p = w / (1 + λ a)`, where `w` is
//! the share that a value had in the sample, and one equation for `λ` (Owen, Empirical Likelihood,
//! 2001; Van den Bergh, Comments on the MLE of a multinomial distribution). A value that can occur
//! and did not has a chance only if nothing else satisfies the hypothesis well enough, and then
//! it is the one whose `a` is furthest out; `λ` then lies at the end of its range (Honda and Takemura,
//! An asymptotically optimal bandit algorithm for bounded support models, 2010). So nothing has
//! to be mixed in where counts are 0.

use crate::Histogram;
use crate::distribution::Distribution;
use crate::root::root;

/// How often a hypothesis that is not linear is made linear at most.
const ROUNDS: usize = 200;
/// The change of a chance that ends it.
const SETTLED: f64 = 1e-13;
/// The least standard deviation that it looks at, so that it can be divided by.
const LEAST: f64 = 1e-9;

impl Distribution {
    /// Returns the likeliest distribution on the values from 0 to 1 with this mean, for a sample in
    /// which all values have these shares. It does not depend on which values can occur between
    /// these two.
    ///
    /// For rising means these distributions have a monotone likelihood ratio: that of two of them
    /// is a quotient of linear functions. So the probabilities that sums of values are high rise
    /// with the mean.
    pub(crate) fn likeliest(&self, mean: f64) -> Distribution {
        let (steps, mean) = (self.steps(), mean.clamp(0.0, 1.0));
        if mean == 0.0 || mean == 1.0 {
            return Distribution::new(steps, vec![(if mean == 0.0 { 0 } else { steps }, 1.0)]);
        }
        let mut values: Vec<(u32, f64)> = self.chances().to_vec();
        if self.chance(0) == 0.0 {
            values.insert(0, (0, 0.0));
        }
        if self.chance(steps) == 0.0 {
            values.push((steps, 0.0));
        }
        let shares: Vec<f64> = values.iter().map(|(_, share)| *share).collect();
        let offsets: Vec<f64> =
            values.iter().map(|(step, _)| f64::from(*step) / f64::from(steps) - mean).collect();
        let chances = constrained(&shares, &offsets);
        Distribution::new(steps, values.iter().map(|(step, _)| *step).zip(chances).collect())
    }
}

impl Histogram {
    /// Returns the likeliest distribution on the values from 0 to 1 with this mean, or `None` if
    /// there are no values.
    pub(crate) fn likeliest(&self, mean: f64) -> Option<Distribution> {
        self.shares().map(|shares| shares.likeliest(mean))
    }

    /// Returns the likeliest distribution on all multiples of `1 / steps` whose mean lies this many
    /// of its standard deviations above one half.
    ///
    /// The standard deviation is the least value of `((x - c)² / s + s) / 2` on average, for any `c`
    /// and `s`, and attained at the mean and the deviation. For those of some distribution the
    /// hypothesis is linear; the likeliest distribution has others, and so on until
    /// nothing changes (Van den Bergh, Normalized Elo practical, section 4.1). It begins with one
    /// that satisfies the hypothesis and has no values but 0 and 1.
    pub(crate) fn likeliest_at(&self, deviations: f64) -> Option<Distribution> {
        let (steps, wanted) = (self.steps(), deviations.abs());
        let seen = self.shares()?;
        if wanted == 0.0 {
            return self.likeliest(0.5);
        }
        // Whatever lies below one half is looked at in a mirror.
        let in_mirror = |step: u32| if deviations < 0.0 { steps - step } else { step };
        let shares: Vec<f64> = (0..=steps).map(|step| seen.chance(in_mirror(step))).collect();
        let values: Vec<f64> = (0..=steps).map(|step| f64::from(step) / f64::from(steps)).collect();
        let moments = |chances: &[f64]| {
            let average = |of: &dyn Fn(f64) -> f64| -> f64 {
                values.iter().zip(chances).map(|(value, chance)| of(*value) * chance).sum()
            };
            let mean = average(&|value| value);
            (mean, average(&|value| (value - mean).powi(2)).sqrt().max(LEAST))
        };
        let (mean, deviation) = moments(&shares);
        let falls = mean - 0.5 > wanted * deviation;
        let root = wanted.hypot(1.0);
        let (mut centre, mut spread) = (0.5 + wanted / root / 2.0, 0.5 / root);
        let mut chances = vec![f64::INFINITY; shares.len()];
        for _ in 0..ROUNDS {
            let offset =
                |value: &f64| value - 0.5 - wanted * ((value - centre).powi(2) / spread + spread) / 2.0;
            let offsets: Vec<f64> = values.iter().map(offset).collect();
            let sample: f64 = shares.iter().zip(&offsets).map(|(share, offset)| share * offset).sum();
            // The sample exceeds what is wanted, and yet this linear hypothesis allows it.
            let next = if falls && sample <= 0.0 { shares.clone() } else { constrained(&shares, &offsets) };
            let change = chances.iter().zip(&next).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
            (chances, (centre, spread)) = (next.clone(), moments(&next));
            if change < SETTLED {
                break;
            }
        }
        let mirrored = (0..=steps).map(|step| (step, chances[in_mirror(step) as usize]));
        Some(Distribution::new(steps, mirrored.collect()))
    }

    /// Returns the logarithm of the probability of this sample, up to a term that is the same for
    /// all distributions.
    pub(crate) fn log_likelihood(&self, of: &Distribution) -> f64 {
        self.counts().map(|(step, count)| count as f64 * of.chance(step).ln()).sum()
    }
}

/// Returns the chances `p` that maximise `Σ share ln p`, where `Σ p offset = 0`. Offsets of both
/// signs must be among them; else all chances are with the offset that is nearest to 0.
fn constrained(shares: &[f64], offsets: &[f64]) -> Vec<f64> {
    let best = |better: &dyn Fn(f64, f64) -> bool| {
        (1..offsets.len()).fold(0, |best, at| if better(offsets[at], offsets[best]) { at } else { best })
    };
    let (lowest, highest) = (best(&|a, b| a < b), best(&|a, b| a > b));
    if offsets[lowest] >= 0.0 || offsets[highest] <= 0.0 {
        let nearest = best(&|a, b| a.abs() < b.abs());
        return (0..offsets.len()).map(|at| f64::from(u8::from(at == nearest))).collect();
    }
    // The sum has poles at the ends of the range of λ where the outermost values occurred.
    // Multiplied by what vanishes there, it is finite and has the same sign.
    let factor = |at: usize, lambda: f64| if shares[at] > 0.0 { 1.0 + lambda * offsets[at] } else { 1.0 };
    let slope = |lambda: f64| -> f64 {
        let (low, high) = (factor(lowest, lambda), factor(highest, lambda));
        let term = |(at, (share, offset)): (usize, (&f64, &f64))| {
            share
                * offset
                * match at {
                    _ if *share == 0.0 => 0.0,
                    _ if at == lowest => high,
                    _ if at == highest => low,
                    _ => low * high / (1.0 + lambda * offset),
                }
        };
        shares.iter().zip(offsets).enumerate().map(term).sum()
    };
    let ends = (-1.0 / offsets[highest], -1.0 / offsets[lowest]);
    let (end, outermost) = if slope(0.0) > 0.0 { (ends.1, lowest) } else { (ends.0, highest) };
    let lambda = match slope(0.0) * slope(end) > 0.0 {
        true => end,
        false => root(slope, end.min(0.0), end.max(0.0), end.abs() * 1e-15),
    };
    let chance =
        |(share, offset): (&f64, &f64)| if *share > 0.0 { share / (1.0 + lambda * offset) } else { 0.0 };
    let mut chances: Vec<f64> = shares.iter().zip(offsets).map(chance).collect();
    let sum: f64 = chances.iter().sum();
    if shares[outermost] == 0.0 && sum < 1.0 {
        chances[outermost] = 1.0 - sum;
    } else {
        chances.iter_mut().for_each(|chance| *chance /= sum);
    }
    chances
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(seen: f64, expected: f64) {
        assert!((seen - expected).abs() < 1e-12, "{seen} is not {expected}");
    }

    /// If wins and losses must be equally likely, each has half of the decided matches.
    #[test]
    fn an_even_score_splits_the_decided_matches() {
        let law = Histogram::of_results(6, 3, 1).likeliest(0.5).unwrap();
        [0.35, 0.3, 0.35].iter().zip(0..).for_each(|(expected, step)| near(law.chance(step), *expected));
        let drawn = Histogram::of_results(0, 9, 0).likeliest(0.5).unwrap();
        near(drawn.chance(1), 1.0);
    }

    /// By hand: with losses `a`, draws `b` and wins `c` of which none is 0, and a mean of `m`, let
    /// `w` be the chance to win. Draws have `2 (m - w)`, losses `1 - 2 m + w`, and where the
    /// derivative of the logarithm of the likelihood vanishes, `a / (1 - 2 m + w) - b / (m - w) + c
    /// / w = 0`.
    #[test]
    fn chances_of_results_solve_the_equation_of_the_likelihood() {
        for (lost, drawn, won) in [(3, 4, 5), (1, 90, 2), (40, 1, 3), (1, 1, 1000)] {
            for mean in [0.02, 0.3, 0.5, 0.77, 0.99] {
                let law = Histogram::of_results(won, drawn, lost).likeliest(mean).unwrap();
                let w = law.chance(2);
                near(law.chance(1), 2.0 * (mean - w));
                near(law.chance(0), 1.0 - 2.0 * mean + w);
                let (a, b, c) = (lost as f64, drawn as f64, won as f64);
                let terms = [a / (1.0 - 2.0 * mean + w), -b / (mean - w), c / w];
                let scale: f64 = terms.iter().map(|term| term.abs()).sum();
                assert!(terms.iter().sum::<f64>().abs() < 1e-9 * scale, "{mean}: {terms:?}");
            }
        }
    }

    /// Nine draws and a win: a mean of 0.3 takes losses, which were not seen. The likelihood
    /// `d⁹ w` with `w + d / 2 = 0.3` is greatest where `d = 0.54`.
    #[test]
    fn values_that_were_not_seen_have_a_chance_where_they_are_needed() {
        let seen = Histogram::of_results(1, 9, 0);
        let law = seen.likeliest(0.3).unwrap();
        [0.43, 0.54, 0.03].iter().zip(0..).for_each(|(expected, step)| near(law.chance(step), *expected));
        // A higher mean is possible without them.
        let law = seen.likeliest(0.6).unwrap();
        [0.0, 0.8, 0.2].iter().zip(0..).for_each(|(expected, step)| near(law.chance(step), *expected));
        let mut goals = Histogram::new(100);
        goals.add(40, 3);
        let law = goals.likeliest(0.5).unwrap();
        near(law.chance(100), 0.1 / 0.6);
        assert_eq!(law.chance(0), 0.0);
    }

    /// Every law of the same mean has a smaller likelihood.
    #[test]
    fn nothing_is_likelier_with_the_same_mean() {
        let seen = Histogram::of_counts(&[3, 0, 7, 2, 0]);
        for mean in [0.1, 0.4, 0.5, 0.9] {
            let best = seen.likeliest(mean).unwrap();
            let of = |chances: &[f64; 5]| {
                [0, 2, 3]
                    .map(|step| seen.count_of(step as u32) as f64 * chances[step].ln())
                    .iter()
                    .sum::<f64>()
            };
            let chances = [0, 1, 2, 3, 4].map(|step| best.chance(step));
            near(chances.iter().sum(), 1.0);
            near(
                chances.iter().zip(0..).map(|(chance, step)| chance * f64::from(step)).sum::<f64>(),
                4.0 * mean,
            );
            let mut chance = game::Seed(2).rng();
            for _ in 0..2000 {
                // A step that changes neither the sum nor the mean.
                let (a, b, c) = (chance.unit() - 0.5, chance.unit() - 0.5, chance.unit() - 0.5);
                let step = [a, -2.0 * a + b, a - 2.0 * b + c, b - 2.0 * c, c].map(|part| 0.02 * part);
                let mut other = chances;
                other.iter_mut().zip(step).for_each(|(chance, part)| *chance += part);
                if other.iter().all(|chance| *chance >= 0.0) {
                    assert!(of(&other) <= of(&chances), "{mean}: {other:?}");
                }
            }
        }
    }

    fn all_counts(values: usize, total: u64) -> Vec<Vec<u64>> {
        if values == 1 {
            return vec![vec![total]];
        }
        let with = |first: u64| {
            all_counts(values - 1, total - first).into_iter().map(move |rest| [vec![first], rest].concat())
        };
        (0..=total).flat_map(with).collect()
    }

    fn deviations(law: &Distribution) -> f64 {
        (law.mean() - 0.5) / law.variance().sqrt()
    }

    #[test]
    fn hypotheses_about_deviations_are_satisfied() {
        for values in [3, 5] {
            for counts in (1..=6).flat_map(|total| all_counts(values, total)) {
                for wanted in [-1.5, -0.3, -0.02, 0.003, 0.1, 0.7, 1.5] {
                    let law = Histogram::of_counts(&counts).likeliest_at(wanted).unwrap();
                    let seen = deviations(&law);
                    assert!((seen - wanted).abs() < 1e-7, "{counts:?}: {seen} for {wanted}: {law:?}");
                }
            }
        }
    }

    /// Any distribution satisfies the hypothesis that it has the deviations it has.
    #[test]
    fn nothing_is_likelier_with_the_same_deviations() {
        let mut chance = game::Seed(4).rng();
        for counts in [[0, 0, 3, 0, 1], [5, 0, 0, 0, 0], [0, 0, 4, 0, 0], [3, 1, 0, 2, 4], [1, 8, 20, 9, 2]] {
            let seen = Histogram::of_counts(&counts);
            for _ in 0..400 {
                let near = chance.unit();
                let weights = counts.map(|count| near * count as f64 - 2.0 * (1.0 - chance.unit()).ln());
                let sum: f64 = weights.iter().sum();
                let other =
                    Distribution::new(4, weights.iter().zip(0..).map(|(w, step)| (step, w / sum)).collect());
                let best = seen.likeliest_at(deviations(&other)).unwrap();
                let (best, other) = (seen.log_likelihood(&best), seen.log_likelihood(&other));
                assert!(other <= best + 1e-9, "{counts:?}: {other} exceeds {best}");
            }
        }
    }
}
