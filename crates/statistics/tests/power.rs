//! What a test could have found: the power of the test itself, by enumeration of all samples.
#![allow(missing_docs, clippy::unwrap_used)]

mod enumeration;

use enumeration::coverage_by;
use game::Seed;
use statistics::{
    Detectable, Histogram, bounded_mean_test, detectable_difference, holm, holm_level, power_of_proportion,
};

/// The likeliest chances of this mean, by bisection for Lagrange's multiplier.
fn likeliest(seen: &Histogram, mean: f64) -> Vec<(u32, f64)> {
    let steps = seen.steps();
    let share = |step: u32| (seen.count_of(step) as f64 / seen.count() as f64).max(1e-13);
    let known = |step: &u32| seen.count_of(*step) > 0 || *step == 0 || *step == steps;
    let values: Vec<(u32, f64)> = (0..=steps).filter(known).map(|step| (step, share(step))).collect();
    let offset = |step: u32| f64::from(step) / f64::from(steps) - mean;
    let (mut low, mut high) = (-1.0 / (1.0 - mean), 1.0 / mean);
    for _ in 0..200 {
        let middle = (low + high) / 2.0;
        let sum: f64 =
            values.iter().map(|(step, w)| w * offset(*step) / (1.0 + middle * offset(*step))).sum();
        if sum > 0.0 { low = middle } else { high = middle }
    }
    let chances = values.iter().map(|(step, w)| (*step, w / (1.0 + low * offset(*step))));
    chances.filter(|(_, chance)| *chance > 1e-9).collect()
}

/// The power of the test of `expected` if the true mean is another.
fn power(seen: &Histogram, truth: f64, expected: f64, level: f64) -> f64 {
    let law = likeliest(seen, truth);
    let kept = |sample: &Histogram, _: f64| bounded_mean_test(sample, expected).p >= level;
    1.0 - coverage_by(seen.steps(), &law, seen.count(), &kept)
}

/// Counts, the expected mean, the level, and the power of the test where 0.8 was asked for, for a true
/// mean below and above.
#[test]
fn detectable_differences_are_found_with_nearly_that_power() {
    let cases: [(&[u64], f64, f64, [f64; 2]); 9] = [
        (&[30, 0, 30], 0.5, 0.05, [0.8, 0.8]),
        (&[100, 0, 100], 0.4, 0.001, [0.8, 0.8]),
        (&[18, 24, 18], 0.5, 0.05, [0.792, 0.792]),
        (&[18, 24, 18], 0.4, 0.001, [0.766, 0.782]),
        (&[6, 48, 6], 0.5, 0.01, [0.793, 0.793]),
        (&[15, 120, 15], 0.4, 0.05, [0.789, 0.808]),
        (&[36, 18, 6], 0.15, 0.05, [0.763, 0.816]),
        // At strict levels it can be less, near the ends of the range.
        (&[36, 18, 6], 0.15, 0.001, [0.690, 0.815]),
        (&[4, 4, 4, 4, 4], 0.5, 0.01, [0.778, 0.778]),
    ];
    for (counts, expected, level, [below, above]) in cases {
        let seen = Histogram::of_counts(counts);
        let found = detectable_difference(&seen, expected, level, 0.8);
        for (truth, known) in
            [(expected - found.below.unwrap(), below), (expected + found.above.unwrap(), above)]
        {
            let seen = power(&seen, truth, expected, level);
            assert!((seen - known).abs() < 0.001, "{counts:?}, {expected} for {truth}: {seen}");
        }
    }
}

/// All were won, and that is what was expected: the first loss says that it is not so.
#[test]
fn equal_values_can_find_something_too() {
    let won = Histogram::of_results(20, 0, 0);
    let Detectable { below, above } = detectable_difference(&won, 1.0, 0.01, 0.8);
    assert!((below.unwrap() - (1.0 - 0.2f64.powf(0.05))).abs() < 1e-8 && above.is_none());
    // Ten draws cannot be told from 0.9 wins at a strict level, whatever their results.
    let few = Histogram::of_results(0, 10, 0);
    assert_eq!(detectable_difference(&few, 0.9, 0.01, 0.8).above, None);
    assert!(detectable_difference(&few, 0.9, 0.01, 0.8).either_way().is_some());
    assert_eq!(detectable_difference(&few, 1.5, 0.01, 0.8).either_way(), None);
    assert_eq!(detectable_difference(&Histogram::new(2), 0.5, 0.01, 0.8).either_way(), None);
}

/// Of many matches without draws it is what the normal approximation says.
#[test]
fn detectable_differences_of_many_matches_are_normal() {
    let seen = Histogram::of_results(5000, 0, 5000);
    let found = detectable_difference(&seen, 0.5, 0.05, 0.8);
    let power = power_of_proportion(0.5, 0.5 + found.above.unwrap(), 10_000, statistics::Confidence::P95);
    assert!((power - 0.8).abs() < 0.01, "{power}");
    assert!((found.below.unwrap() - found.above.unwrap()).abs() < 1e-6);
    assert!(found.either_way() == found.below || found.either_way() == found.above);
}

/// The level of one test is where its corrected p-value passes that of all.
#[test]
fn the_level_of_one_test_agrees_with_the_correction_of_all() {
    let mut chance = Seed(1).rng();
    for tests in 1..8 {
        for _ in 0..200 {
            let others: Vec<f64> = (1..tests).map(|_| chance.unit().powi(5)).collect();
            let level = holm_level(&others, 0.05);
            for (p, significant) in [(level * 0.999_999, true), (level * 1.000_001, false)] {
                let all: Vec<f64> = others.iter().copied().chain([p]).collect();
                assert_eq!(holm(&all)[others.len()] < 0.05, significant, "{all:?}");
            }
        }
    }
    assert!((holm_level(&[0.001, 0.4, 0.9], 0.06) - 0.02).abs() < 1e-15, "one of four is significant");
    assert_eq!(holm_level(&[], 0.05), 0.05);
}
