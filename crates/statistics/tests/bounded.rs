//! Means of bounded values: coverage by enumeration of all samples, and known special cases.
#![allow(missing_docs, clippy::unwrap_used)]

mod enumeration;

use enumeration::{coverage, coverage_by};
use proptest::prelude::*;
use statistics::{Confidence, Histogram, Mean, Proportion, bounded_mean_test, equal_outcomes_test};

/// The coverage of 95 % intervals: a row for each number of matches and share of draws, a column for
/// each score. By symmetry, 98 in 100 is as good as 2.
const RESULTS: &str = include_str!("data/coverage.txt");

#[test]
fn intervals_of_results_hold_the_score_as_often_as_they_say() {
    let scores = [0.02, 0.05, 0.1, 0.25, 0.4, 0.5];
    let mut table = format!("   n draws{}\n", scores.map(|score| format!("{score:7.2}")).concat());
    for count in [10, 20, 30, 60, 100, 300, 1000] {
        for draws in [0.0, 0.05, 0.2, 0.5, 0.8, 0.95] {
            table += &format!("{count:4} {draws:5.2}");
            for score in scores {
                let won = score - draws / 2.0;
                if won < 0.0 {
                    table += "      -";
                    continue;
                }
                let covered = coverage(2, &[(0, 1.0 - draws - won), (1, draws), (2, won)], count);
                assert!(covered >= 0.95, "{count} matches, {draws} drawn, score {score}: {covered}");
                table += &format!(" {covered:.4}");
            }
            table += "\n";
        }
    }
    assert_eq!(table, RESULTS);
}

/// Steps, values with their chances, and sample sizes with the coverage.
type Case = (u32, &'static [(u32, f64)], [(u64, f64); 3]);

/// The same for other values. The last two are the worst cases that `examples/coverage.rs` and its like
/// have found.
#[test]
fn intervals_of_other_values_hold_the_mean_nearly_as_often_as_they_say() {
    let laws: [Case; 9] = [
        // Shares of two others that were beaten, and points of pairs.
        (4, &[(0, 0.2), (1, 0.2), (2, 0.2), (3, 0.2), (4, 0.2)], [(5, 1.0), (10, 0.9643), (20, 0.9581)]),
        (
            4,
            &[(0, 0.0159), (1, 0.2189), (2, 0.5304), (3, 0.2189), (4, 0.0159)],
            [(5, 1.0), (10, 0.9991), (20, 0.9865)],
        ),
        (
            4,
            &[(0, 0.02), (1, 0.03), (2, 0.05), (3, 0.2), (4, 0.7)],
            [(5, 0.9865), (10, 0.9831), (20, 0.9812)],
        ),
        // Goals: mostly nothing, mostly everything, never either, and a rare one far off.
        (100, &[(0, 0.9), (5, 0.05), (50, 0.03), (100, 0.02)], [(5, 0.9839), (10, 0.9856), (30, 0.9790)]),
        (100, &[(0, 0.05), (60, 0.15), (100, 0.8)], [(10, 0.9804), (30, 0.9793), (60, 0.9511)]),
        (100, &[(30, 0.5), (70, 0.5)], [(10, 1.0), (60, 0.9727), (300, 0.9569)]),
        (100, &[(0, 0.02), (49, 0.49), (51, 0.49)], [(10, 1.0), (30, 0.9998), (100, 0.9957)]),
        (100, &[(0, 0.11), (97, 0.21), (100, 0.68)], [(10, 0.9822), (30, 0.9519), (60, 0.9397)]),
        (100, &[(0, 0.2337), (96, 0.3158), (100, 0.4505)], [(10, 0.9859), (20, 0.9400), (60, 0.9549)]),
    ];
    for (steps, law, published) in laws {
        for (count, expected) in published {
            let covered = coverage(steps, law, count);
            assert!((covered - expected).abs() <= 0.000_051, "{count} of {law:?}: {covered}");
        }
    }
}

/// Two goals close together, and one in fifty far off, which most samples of 10 or 30 lack.
#[test]
fn students_interval_misses_rare_goals() {
    let law = [(0, 0.02), (49, 0.49), (51, 0.49)];
    let student = |seen: &Histogram, truth: f64| {
        let counted = |goal: u32| Mean::repeated(f64::from(goal) / 100.0, seen.count_of(goal));
        let mean = [0, 49, 51].map(counted).into_iter().fold(Mean::default(), Mean::plus);
        mean.interval(Confidence::P95).is_some_and(|interval| interval.contains(truth))
    };
    for (count, expected) in [(10, 0.3233), (30, 0.4542), (100, 0.8654)] {
        let covered = coverage_by(100, &law, count, &student);
        assert!((covered - expected).abs() <= 0.000_051, "{count}: {covered}");
        assert!(coverage(100, &law, count) >= 0.95);
    }
}

fn near(a: f64, b: f64) {
    assert!((a - b).abs() < 1e-9, "{a} is not {b}");
}

/// Where every value is 0 or 1 there is nothing to estimate but the mean.
#[test]
fn without_draws_it_is_the_interval_of_clopper_and_pearson() {
    for (won, count) in [(0, 1), (1, 1), (3, 7), (0, 20), (1, 29), (15, 148), (81, 263), (500, 1000)] {
        for confidence in [Confidence::P95, Confidence::P99] {
            let found = Histogram::of_results(won, 0, count - won).interval(confidence);
            let exact = Proportion::new(won, count).exact(confidence);
            near(found.low, exact.low);
            near(found.high, exact.high);
        }
    }
}

/// Some values at the far end were missed with the probability `(1 - share) ^ count`.
#[test]
fn equal_values_have_an_interval_with_a_width() {
    let missed = |count: f64| 0.025f64.powf(1.0 / count);
    let drawn = Histogram::of_results(0, 12, 0).interval(Confidence::P95);
    near(drawn.low, 0.5 * missed(12.0));
    near(drawn.high, 1.0 - 0.5 * missed(12.0));
    let mut goals = Histogram::new(100);
    goals.add(40, 30);
    let found = goals.interval(Confidence::P95);
    near(found.low, 0.4 * missed(30.0));
    near(found.high, 1.0 - 0.6 * missed(30.0));
    near(bounded_mean_test(&goals, 0.4 * missed(30.0)).p, 0.05);
    // The one-sided test of values without spread, doubled.
    for expected in [0.1, 0.39, 0.41, 0.9] {
        let known = equal_outcomes_test(30, 40.0, 100.0 * expected, 0.0, 100.0).p;
        near(bounded_mean_test(&goals, expected).p, (2.0 * known).min(1.0));
    }
    let nothing = Histogram::new(2).interval(Confidence::P95);
    assert_eq!((nothing.low, nothing.high), (0.0, 1.0));
    assert_eq!(bounded_mean_test(&Histogram::new(2), 0.3).p, 1.0);
    assert_eq!(bounded_mean_test(&goals, 1.5).p, 0.0);
}

/// The mean of equal chances to win and to lose, given how many matches were decided, is the sign
/// test without conditioning: of 10 matches, the six decided ones all won. If three in ten are won
/// and as many lost, wins exceed losses by six or more in the following share of all cases.
#[test]
fn the_test_of_an_even_score_is_a_sign_test_with_the_draws_seen() {
    let choose = |n: u64, k: u64| (1..=k).fold(1.0, |product, i| product * (n - k + i) as f64 / i as f64);
    let mut chance = 0.0;
    for won in 0..=10u64 {
        for lost in 0..=10 - won {
            if won >= lost + 6 {
                let ways = choose(10, won) * choose(10 - won, lost);
                chance += ways * 0.3f64.powi((won + lost) as i32) * 0.4f64.powi((10 - won - lost) as i32);
            }
        }
    }
    near(bounded_mean_test(&Histogram::of_results(6, 4, 0), 0.5).p, 2.0 * chance);
}

/// With many matches it is the normal interval with the variance of the sample, and Student's of goals.
#[test]
fn draws_make_intervals_shorter() {
    for (won, drawn, lost, half) in
        [(5000, 0, 5000, 0.009_800), (2500, 5000, 2500, 0.006_930), (500, 9000, 500, 0.003_099)]
    {
        let found = Histogram::of_results(won, drawn, lost).interval(Confidence::P95).half_width();
        assert!(found > half && found < 1.025 * half, "{found} for {half}");
    }
    let (mut goals, mut mean) = (Histogram::new(100), Mean::default());
    for goal in 0..=100 {
        let count = 1 + u64::from(goal) * 7919 % 13;
        goals.add(goal, count);
        mean = mean.plus(Mean::repeated(f64::from(goal) / 100.0, count));
    }
    let (found, student) = (goals.interval(Confidence::P95), mean.interval(Confidence::P95).unwrap());
    assert!((found.low - student.low).abs() < 1e-4 && (found.high - student.high).abs() < 1e-4, "{found:?}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn intervals_are_nested_mirrored_and_agree_with_the_test(
        counts in proptest::collection::vec(0u64..40, 2..6),
        expected in 0.001f64..0.999,
    ) {
        let seen = Histogram::of_counts(&counts);
        let found = seen.interval(Confidence::P95);
        let wider = seen.interval(Confidence::P99);
        prop_assert!(wider.low <= found.low && found.high <= wider.high);
        let mean = seen.mean().unwrap_or(0.5);
        prop_assert!(0.0 <= found.low && found.low <= mean && mean <= found.high && found.high <= 1.0);
        prop_assert!(found.low < found.high);
        let mirror: Vec<u64> = counts.iter().rev().copied().collect();
        let mirrored = Histogram::of_counts(&mirror).interval(Confidence::P95);
        prop_assert!((found.low + mirrored.high - 1.0).abs() < 1e-10);
        let near_an_end = (expected - found.low).abs().min((expected - found.high).abs()) < 1e-9;
        let p = bounded_mean_test(&seen, expected).p;
        prop_assert!(near_an_end || (p >= 0.05) == found.contains(expected), "{p} {found:?}");
        let both = seen.plus(&seen.plus(&seen)).interval(Confidence::P95);
        prop_assert!(seen.count() == 0 || both.half_width() < found.half_width());
    }
}
