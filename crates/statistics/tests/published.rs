//! Every function against figures others have published.
#![allow(missing_docs, clippy::unwrap_used)]

use game::Seed;
use statistics::{
    Confidence, Game, Mean, Points, Proportion, RatingError, Sprt, Verdict, binomial_test, bonferroni,
    bootstrap, difference_of_shares, equal_outcomes_test, fisher_exact, goodness_of_fit, holm, homogeneity,
    least_difference, mean_test, permutation_test, power_of_proportion, rate, sample_for_proportion,
    score_test, trend_of_means, trend_of_shares, two_proportions,
};

fn near(seen: f64, published: f64, digits: i32) {
    let half = 0.5001 * 10f64.powi(-digits);
    assert!((seen - published).abs() <= half, "{seen} where {published} is published");
}

/// Newcombe, Statistics in Medicine 17 (1998), table I: 95 % intervals.
#[test]
fn intervals_of_proportions() {
    let rows = [
        (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
        (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
        (0, 20, (0.0000, 0.1611), (0.0000, 0.1684)),
        (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
    ];
    for (k, n, wilson, exact) in rows {
        let share = Proportion::new(k, n);
        let (w, e) = (share.wilson(Confidence::P95), share.exact(Confidence::P95));
        near(w.low, wilson.0, 4);
        near(w.high, wilson.1, 4);
        near(e.low, exact.0, 4);
        near(e.high, exact.1, 4);
    }
    let all = Proportion::new(20, 20).exact(Confidence::P95);
    near(all.low, 0.8316, 4);
    assert_eq!(all.high, 1.0);
    let none = Proportion::new(0, 0).exact(Confidence::P95);
    assert_eq!((none.low, none.high), (0.0, 1.0));
}

/// The exact interval holds the true share at least as often as it says.
#[test]
fn exact_intervals_cover() {
    for truth in [0.02f64, 0.1, 0.37, 0.5, 0.9] {
        for n in [5u64, 23, 60] {
            let mut pmf = (1.0 - truth).powi(n as i32);
            let mut covered = 0.0;
            for k in 0..=n {
                if Proportion::new(k, n).exact(Confidence::P95).contains(truth) {
                    covered += pmf;
                }
                pmf *= (n - k) as f64 / (k + 1) as f64 * truth / (1.0 - truth);
            }
            assert!(covered >= 0.95, "{truth} of {n}: {covered}");
        }
    }
}

/// Fisher's tea-tasting lady, and the corrections of Holm (1979) on four tests.
#[test]
fn tests_and_corrections() {
    near(fisher_exact(Proportion::new(3, 4), Proportion::new(1, 4)).p, 0.4857, 4);
    near(fisher_exact(Proportion::new(4, 4), Proportion::new(0, 4)).p, 0.02857, 5);
    // Mendel's peas as in Conover (1971), page 97: 682 dwarf of 925, three quarters expected.
    near(binomial_test(Proportion::new(682, 925), 0.75).p, 0.3825, 4);
    near(binomial_test(Proportion::new(9, 10), 0.5).p, 0.02148, 5);
    // Mendel's dihybrid cross, 315 : 101 : 108 : 32 against 9 : 3 : 3 : 1, chi-square 0.470.
    near(
        goodness_of_fit(&[315, 101, 108, 32], &[9.0 / 16.0, 3.0 / 16.0, 3.0 / 16.0, 1.0 / 16.0]).p,
        0.9254,
        4,
    );
    assert_eq!(goodness_of_fit(&[1, 2], &[1.0, 0.0]).p, 0.0);
    // Agresti (2007), table 2.5: gender and party, chi-square 30.1 on two degrees of freedom.
    let p = homogeneity(&[vec![762, 327, 468], vec![484, 239, 477]]).p;
    near(p * 1e7, 2.954, 3);
    // Physicians' health study: 189 of 11034 against 104 of 11037, z = 5.0.
    assert!(two_proportions(Proportion::new(189, 11034), Proportion::new(104, 11037)).p < 1e-6);
    let close = |a: Vec<f64>, b: [f64; 4]| a.iter().zip(b).for_each(|(a, b)| near(*a, b, 6));
    close(holm(&[0.01, 0.04, 0.03, 0.005]), [0.03, 0.06, 0.06, 0.02]);
    close(bonferroni(&[0.01, 0.04, 0.03, 0.005]), [0.04, 0.16, 0.12, 0.02]);
}

/// Darwin's maize, as Fisher (The Design of Experiments, section 21) tested it: 863 of the
/// 32768 sign patterns are as high as the total of 314, twice that for both sides.
#[test]
fn permutations() {
    let maize = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48].map(f64::from);
    let p = permutation_test(&maize, 200_000, Seed(1)).p;
    near(p, 2.0 * 863.0 / 32768.0, 2);
    let mean = Mean::of(maize);
    near(mean.value().unwrap(), 20.93, 2);
    near(mean.deviation().unwrap(), 37.74, 2);
    let interval = mean.interval(Confidence::P95).unwrap();
    near(interval.low, 0.03, 2);
    near(interval.high, 41.84, 2);
}

#[test]
fn resampling_agrees_with_the_exact_interval_and_repeats() {
    let sample: Vec<f64> = (0..400).map(|i| f64::from(u8::from(i % 4 == 0))).collect();
    let mean = |sample: &[f64]| sample.iter().sum::<f64>() / sample.len() as f64;
    let interval = || bootstrap(&sample, mean, Confidence::P95, 4000, Seed(7)).unwrap();
    near(interval().low, 0.2085, 1);
    assert!(
        (interval().low - 0.2085).abs() < 0.006 && (interval().high - 0.2955).abs() < 0.006,
        "{:?}",
        interval()
    );
    assert_eq!(interval(), interval());
    assert_eq!(bootstrap(&[], mean, Confidence::P95, 10, Seed(1)), None);
}

/// Fleiss, Levin and Paik, one-sample tables: 0.5 against 0.6 with power 0.8 needs 194 (normal approximation).
#[test]
fn power() {
    assert_eq!(sample_for_proportion(0.5, 0.6, 0.8, Confidence::P95), Some(194));
    assert!(power_of_proportion(0.5, 0.6, 194, Confidence::P95) >= 0.8);
    near(power_of_proportion(0.5, 0.5, 1000, Confidence::P95), 0.05, 6);
    assert_eq!(sample_for_proportion(0.5, 0.5, 0.8, Confidence::P95), None);
}

/// Agresti, Categorical Data Analysis, table 3.7: alcohol and malformations, scores 0, 0.5, 1.5,
/// 4 and 7 drinks a day; the squared statistic is 6.57 and p is 0.010.
#[test]
fn trends() {
    let points = |won: f64, trials: u64| Points { won, trials };
    let infants =
        [points(48.0, 17114), points(38.0, 14502), points(5.0, 793), points(1.0, 127), points(1.0, 38)];
    let found = trend_of_shares(&infants, &[0.0, 0.5, 1.5, 4.0, 7.0]);
    assert!(found.rises);
    near(found.significance.p, 0.0104, 4);
    // With two groups it is the comparison of two shares.
    let two = trend_of_shares(&[points(30.0, 100), points(45.0, 120)], &[1.0, 2.0]).significance.p;
    near(two, two_proportions(Proportion::new(30, 100), Proportion::new(45, 120)).p, 10);
    assert!(!trend_of_shares(&[points(9.0, 10), points(1.0, 10)], &[0.0, 1.0]).rises);
    assert_eq!(trend_of_shares(&[points(0.0, 10), points(0.0, 10)], &[0.0, 1.0]).significance.p, 1.0);
    // Of two means it is their difference in standard errors: 5 by hypot(3, 4) is 1.
    near(trend_of_means(&[0.0, 5.0], &[3.0, 4.0], &[0.0, 1.0]).significance.p, 0.3173, 4);
    // A score of 60 in 100 where 50 is expected is two standard errors off, with draws or without.
    near(score_test(points(60.0, 100), 0.5).p, 0.0455, 4);
    assert_eq!(score_test(points(99.5, 100), 1.0).p, 0.0);
}

/// Newcombe, Statistics in Medicine 17 (1998), differences of independent shares, method 10.
#[test]
fn intervals_of_differences() {
    let rows = [
        ((56.0, 70), (48.0, 80), (0.0524, 0.3339)),
        ((9.0, 10), (3.0, 10), (0.1705, 0.8090)),
        ((10.0, 10), (0.0, 20), (0.6791, 1.0000)),
    ];
    for ((a, n), (b, m), (low, high)) in rows {
        let (a, b) = (Points { won: a, trials: n }, Points { won: b, trials: m });
        let found = difference_of_shares(b, a, Confidence::P95);
        near(found.low, low, 4);
        near(found.high, high, 4);
    }
    // 194 trials find 0.6 where 0.5 is expected four times out of five, nearly: the error is that of 0.5.
    near(least_difference((0.25f64 / 194.0).sqrt(), 0.05), 0.1006, 4);
}

fn baseball(advantage: Option<usize>) -> (Vec<String>, Vec<Game>) {
    let (mut teams, mut games) = (Vec::new(), Vec::new());
    for line in include_str!("data/baseball.csv").lines().filter(|line| !line.starts_with('#')) {
        let words: Vec<&str> = line.split(',').collect();
        let mut team = |name: &str| {
            teams.iter().position(|team| team == name).unwrap_or_else(|| {
                teams.push(name.to_string());
                teams.len() - 1
            })
        };
        let (first, second) = (team(words[0]), team(words[1]));
        let (won, lost): (f64, f64) = (words[2].parse().unwrap(), words[3].parse().unwrap());
        games.push(Game { first, second, advantage, score: won, games: won + lost });
    }
    (teams, games)
}

/// Agresti (2002), table 10.11: strengths against Baltimore, and the advantage of playing at home.
#[test]
fn ratings() {
    let published = [
        ("Milwaukee", 1.58),
        ("Detroit", 1.44),
        ("Toronto", 1.29),
        ("New York", 1.25),
        ("Boston", 1.11),
        ("Cleveland", 0.68),
    ];
    let (teams, games) = baseball(None);
    let find = |name: &str| teams.iter().position(|team| team == name).unwrap();
    let ratings = rate(7, 0, &games, false).unwrap();
    for (team, strength) in published {
        let difference = ratings.difference(find(team), find("Baltimore"));
        near(difference.value, strength, 2);
        near(difference.error, 0.34, 1);
    }
    let (_, games) = baseball(Some(0));
    let at_home = rate(7, 1, &games, false).unwrap();
    near(at_home.advantages[0].value, 0.302, 3);
    near(at_home.advantages[0].error, 0.131, 3);
    let sum: f64 = at_home.players.iter().map(|player| player.value.exp()).sum();
    near(at_home.players[find("Milwaukee")].value.exp() / sum, 0.220, 3);
    near(at_home.players[find("Baltimore")].value.exp() / sum, 0.044, 3);
    near(at_home.players.iter().map(|player| player.value).sum(), 0.0, 6);
}

#[test]
fn ratings_stay_finite_only_with_a_prior() {
    let all = [Game { first: 0, second: 1, advantage: None, score: 10.0, games: 10.0 }];
    assert_eq!(rate(2, 0, &all, false), Err(RatingError::Undetermined));
    let ratings = rate(2, 0, &all, true).unwrap();
    assert!(ratings.difference(0, 1).value > 2.0);
    assert!(ratings.difference(0, 1).elo().interval(Confidence::P95).low > 0.0);
    assert_eq!(rate(3, 0, &all, false), Err(RatingError::Undetermined));
    let alone = [Game { first: 0, second: 0, advantage: None, score: 1.0, games: 1.0 }];
    assert_eq!(rate(2, 0, &alone, true), Err(RatingError::BadGame(0)));
}

/// Wald's test keeps its promises: wrong at most as often as it says, on simulated games.
#[test]
fn sequential_tests() {
    let test = Sprt::new(0.0, 100.0, 0.05, 0.05).unwrap();
    near(test.bounds().1, 2.944, 3);
    let mut rng = Seed(3).rng();
    let mut play = |win: f64, draw: f64| {
        let (mut wins, mut draws, mut losses) = (0, 0, 0);
        loop {
            match rng.unit() {
                x if x < win => wins += 1,
                x if x < win + draw => draws += 1,
                _ => losses += 1,
            }
            match test.verdict(wins, draws, losses) {
                Verdict::Open => (),
                verdict => return (verdict, wins + draws + losses),
            }
        }
    };
    let equal: Vec<_> = (0..2000).map(|_| play(0.3, 0.4)).collect();
    let wrong = equal.iter().filter(|(verdict, _)| *verdict == Verdict::Stronger).count();
    assert!(wrong <= 130, "{wrong} of 2000 wrong");
    let stronger: Vec<_> = (0..2000).map(|_| play(0.44, 0.4)).collect();
    let missed = stronger.iter().filter(|(verdict, _)| *verdict == Verdict::NotStronger).count();
    assert!(missed <= 130, "{missed} of 2000 missed");
    assert!(Sprt::new(10.0, 0.0, 0.05, 0.05).is_none());
}

#[test]
fn the_mean_of_two_samples_is_that_of_all_values() {
    let values = [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0];
    let (left, right) = values.split_at(3);
    let all = Mean::of(values);
    let both = Mean::of(left.iter().copied()).plus(Mean::of(right.iter().copied()));
    near(both.value().unwrap(), all.value().unwrap(), 12);
    near(both.deviation().unwrap(), all.deviation().unwrap(), 12);
    assert_eq!(Mean::default().plus(all), all);
    assert_eq!(all.plus(Mean::default()), all);
}

#[test]
fn means_come_from_sums_too() {
    let values = [3u64, 1, 4, 1, 5, 9, 2, 6];
    let all = Mean::of(values.iter().map(|value| *value as f64));
    let sums = Mean::from_sums(8, values.iter().sum(), values.iter().map(|value| value * value).sum());
    near(sums.value().unwrap(), all.value().unwrap(), 12);
    near(sums.deviation().unwrap(), all.deviation().unwrap(), 12);
    let twice = Mean::repeated(2.0, 3).plus(Mean::repeated(5.0, 1));
    assert_eq!(twice, Mean::of([2.0, 2.0, 2.0, 5.0]));
}

/// Two-sided tails of the normal law: 1.96 standard errors leave 5 in 100, 2.576 leave 1.
#[test]
fn a_mean_is_tested_against_another() {
    // Mean 0, standard error 1.
    let sample = Mean::of([1.0, -1.0].map(|value| value * 1.0));
    let error = sample.standard_error().unwrap();
    near(error, 1.0, 12);
    near(mean_test(sample, 1.96, 0.0).p, 0.05, 4);
    near(mean_test(sample, 2.576, 0.0).p, 0.01, 4);
    near(mean_test(sample, 5.0, 3f64.sqrt()).p, 0.0124, 4);
    assert_eq!(mean_test(Mean::default(), 1.0, 0.0).p, 1.0);
    // Three in n: where none of 300 failed, one in a hundred may (Hanley and Lippman-Hand 1983).
    near(equal_outcomes_test(300, 100.0, 99.0, 0.0, 100.0).p, 0.0490, 4);
    near(equal_outcomes_test(10, 40.0, 37.93, 0.0, 100.0).p, 0.5878, 4);
    assert_eq!(equal_outcomes_test(10, 40.0, 40.0, 0.0, 100.0).p, 1.0);
    assert_eq!(equal_outcomes_test(10, 40.0, 100.0, 0.0, 100.0).p, 0.0);
    near(equal_outcomes_test(1, 0.0, 90.0, 0.0, 100.0).p, 0.1, 9);
}

#[test]
fn means_of_very_large_samples_have_intervals() {
    let coins = Mean::repeated(0.0, 50_000_000).plus(Mean::repeated(1.0, 50_000_000));
    let interval = coins.interval(Confidence::P95).unwrap();
    near(interval.half_width(), 0.000098, 6);
}
