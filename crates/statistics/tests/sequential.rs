//! Sequential tests of pairs: published ratios, closed forms, and errors on simulated games.
#![allow(missing_docs, clippy::unwrap_used)]

use game::{Rng, Seed};
use statistics::{Confidence, Rounds, Scale, Sprt, Verdict, elo};

fn test(elo0: f64, elo1: f64) -> Sprt {
    Sprt::new(elo0, elo1, 0.05, 0.05).unwrap()
}

fn near(seen: f64, expected: f64, within: f64) {
    assert!((seen - expected).abs() <= within, "{seen} is not {expected}");
}

/// Tests of Stockfish on fishtest, as its pull requests quote them: number, Elo, pairs, ratio.
/// <https://github.com/official-stockfish/Stockfish/pull/3209> and so on; logistic Elo.
#[test]
fn logistic_ratios_are_those_of_fishtest() {
    let published = [
        (3209, -0.25, 1.25, [253, 4282, 17604, 4431, 286], 2.94),
        (3209, 0.25, 1.25, [58, 3302, 33130, 3518, 84], 2.97),
        (3098, -0.25, 1.25, [491, 7345, 29693, 7670, 465], 2.96),
        (3098, 0.25, 1.25, [53, 2220, 21459, 2445, 47], 2.97),
        (2971, -0.5, 1.5, [17, 253, 1042, 337, 39], 2.96),
        (2971, 0.25, 1.75, [11, 407, 3238, 513, 11], 2.93),
        (3331, 0.25, 1.25, [14, 1030, 14318, 1163, 19], 2.93),
        (3017, -1.5, 0.5, [174, 2658, 10273, 2713, 178], 2.96),
        (3017, -1.5, 0.5, [40, 1272, 12142, 1300, 30], 3.01),
        (2493, -1.0, 3.0, [424, 2948, 5832, 3045, 460], 2.94),
        (2920, -0.5, 1.5, [665, 4806, 9333, 4893, 747], 2.95),
    ];
    for (_, elo0, elo1, pairs, ratio) in published {
        near(test(elo0, elo1).ratio(&Rounds::of_pairs(pairs)), ratio, 0.005);
    }
}

/// The same of later years, when they were in normalised Elo.
#[test]
fn normalised_ratios_are_those_of_fishtest() {
    let published = [
        (4194, 0.0, 2.0, [371, 10263, 24989, 10642, 379], 2.95),
        (4194, 0.5, 2.5, [47, 8181, 25234, 8575, 47], 2.94),
        (5712, 0.0, 2.0, [831, 31795, 68460, 32448, 834], 2.93),
        (5712, 0.5, 2.5, [307, 54901, 140959, 56230, 281], 2.95),
    ];
    for (_, elo0, elo1, pairs, ratio) in published {
        let normalised = test(elo0, elo1).on(Scale::Normalised);
        near(normalised.ratio(&Rounds::of_pairs(pairs)), ratio, 0.005);
    }
}

/// Won, drawn and lost, with the ratios and differences that the tests of fastchess expect
/// (`app/tests/sprt_test.cpp`, `app/tests/elo_test.cpp`).
#[test]
fn ratios_of_single_games_are_those_of_fastchess() {
    for (scale, elo0, elo1, [won, drawn, lost], ratio) in [
        (Scale::Normalised, 0.0, 2.0, [36433, 68692, 36027], 0.92),
        (Scale::Normalised, -1.75, 0.25, [10871, 20431, 10650], 2.30),
        (Scale::Logistic, 0.5, 2.5, [21404, 40708, 21184], -1.57),
        (Scale::Logistic, 0.0, 2.0, [57433, 106593, 57030], -2.59),
    ] {
        near(test(elo0, elo1).on(scale).ratio(&Rounds::of_games(won, drawn, lost)), ratio, 0.005);
    }
    near(Rounds::of_games(76, 123, 89).normalised_elo().unwrap(), -20.76, 0.005);
    near(Rounds::of_games(136, 111, 96).normalised_elo().unwrap(), 49.77, 0.005);
    near(Rounds::of_pairs([34, 54, 63, 64, 75]).normalised_elo().unwrap(), 57.94, 0.005);
    near(Rounds::of_pairs([332, 433, 498, 333, 334]).normalised_elo().unwrap(), -9.17, 0.005);
    assert_eq!(Rounds::of_games(0, 9, 0).normalised_elo(), None);
    // Without draws a point of normalised Elo is one of Elo, where players are nearly equal.
    near(elo::of_score(0.501), Rounds::of_games(501, 0, 499).normalised_elo().unwrap(), 1e-5);
}

/// Without draws both hypotheses say everything, and this is Wald's own test.
#[test]
fn without_draws_it_is_the_test_of_a_proportion() {
    let (low, high) = (elo::expected(-10.0), elo::expected(30.0));
    for (won, lost) in [(0u32, 7u32), (7, 0), (30, 20), (1, 1)] {
        let known = f64::from(won) * (high / low).ln() + f64::from(lost) * ((1.0 - high) / (1.0 - low)).ln();
        let seen = Rounds::of_games(u64::from(won), 0, u64::from(lost));
        near(test(-10.0, 30.0).ratio(&seen), known, 1e-9);
        // Pairs that were won or lost twice have as much to say as half of their games.
        near(test(-10.0, 30.0).ratio(&Rounds::of_pairs([lost.into(), 0, 0, 0, won.into()])), known, 1e-9);
    }
}

/// All drawn: a score `s` is likeliest if `2 s - 1` of all games are won and the others drawn. If
/// `w` are won, these are `t` standard deviations where `t² = w / (1 - w)`.
#[test]
fn ratios_of_equal_results_are_finite() {
    let wins = 2.0 * elo::expected(20.0) - 1.0;
    near(test(0.0, 20.0).ratio(&Rounds::of_games(0, 50, 0)), 50.0 * (1.0 - wins).ln(), 1e-9);
    let t = 20.0 * std::f64::consts::LN_10 / 800.0;
    let normalised = test(0.0, 20.0).on(Scale::Normalised);
    near(normalised.ratio(&Rounds::of_games(0, 50, 0)), -50.0 * (1.0 + t * t).ln(), 1e-9);
    near(normalised.ratio(&Rounds::of_pairs([0, 0, 50, 0, 0])), -50.0 * (1.0 + 2.0 * t * t).ln(), 1e-9);
    for pairs in [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 1, 0, 0, 0], [0, 1, 0, 1, 0], [1, 0, 0, 0, 1]] {
        for scale in [Scale::Logistic, Scale::Normalised] {
            let ratio = test(-50.0, 200.0).on(scale).ratio(&Rounds::of_pairs(pairs));
            assert!(ratio.is_finite(), "{pairs:?} {scale:?}: {ratio}");
        }
    }
    assert_eq!(test(0.0, 20.0).ratio(&Rounds::new(2)), 0.0);
    assert_eq!(normalised.ratio(&Rounds::new(2)), 0.0);
}

/// Where both hypotheses are near to what was seen, the ratio is that of normal distributions:
/// of the scores (Van den Bergh, GSPRT approximation), or of the deviations (Normalized Elo
/// practical, section 4.2).
#[test]
fn ratios_are_nearly_those_of_normal_distributions() {
    let counts = [159, 2189, 5304, 2239, 179];
    let pairs = Rounds::of_pairs(counts);
    let n = counts.iter().sum::<u64>() as f64;
    let average = |of: &dyn Fn(f64) -> f64| -> f64 {
        counts.iter().zip(0..).map(|(count, step)| *count as f64 * of(f64::from(step) / 4.0)).sum::<f64>() / n
    };
    let mean = average(&|score| score);
    let variance = average(&|score| (score - mean).powi(2));
    let (low, high) = (elo::expected(0.0), elo::expected(5.0));
    let known = n * (high - low) * (2.0 * mean - low - high) / (2.0 * variance);
    near(test(0.0, 5.0).ratio(&pairs) / known, 1.0, 0.002);
    let t = |points: f64| points * std::f64::consts::LN_10 / 800.0;
    let seen = (mean - 0.5) / (2.0 * variance).sqrt();
    let known = n * ((1.0 + (seen - t(0.0)).powi(2)) / (1.0 + (seen - t(5.0)).powi(2))).ln();
    near(test(0.0, 5.0).on(Scale::Normalised).ratio(&pairs) / known, 1.0, 0.002);
}

/// A pair of games with this expected score and share of draws; the first seat is worth `seat` more.
fn pair(score: f64, draws: f64, seat: f64, chance: &mut Rng) -> [u32; 2] {
    [score + seat, score - seat].map(|score| match chance.unit() {
        x if x < score - draws / 2.0 => 2,
        x if x < score + draws / 2.0 => 1,
        _ => 0,
    })
}

/// Plays pairs until a test is decided; returns how often it said "stronger", and games on average.
fn play(test: Sprt, in_pairs: bool, runs: u32, mut pair: impl FnMut() -> [u32; 2]) -> (f64, f64) {
    let (mut stronger, mut games) = (0, 0);
    for _ in 0..runs {
        let mut seen = Rounds::new(if in_pairs { 2 } else { 1 });
        let verdict = loop {
            let [first, second] = pair();
            games += 2;
            if in_pairs {
                seen.add(first + second);
            } else {
                seen.add(first);
                seen.add(second);
            }
            match test.decide(&seen) {
                Verdict::Open => (),
                verdict => break verdict,
            }
        };
        stronger += u32::from(verdict == Verdict::Stronger);
    }
    (f64::from(stronger) / f64::from(runs), f64::from(games) / f64::from(runs))
}

/// Errors of 5 in 100 were allowed; with 1000 runs the standard error is 0.7.
#[test]
fn tests_are_wrong_no_more_often_than_they_say() {
    let mut chance = Seed(9).rng();
    for (elo1, draws, seat) in [(100.0, 0.0, 0.0), (100.0, 0.3, 0.2), (50.0, 0.8, 0.0), (100.0, 0.0, 0.3)] {
        let (mut wrong, _) = play(test(0.0, elo1), true, 1000, || pair(0.5, draws, seat, &mut chance));
        assert!(wrong <= 0.065, "{elo1}, {draws} drawn: {wrong} wrong");
        let truth = elo::expected(elo1);
        wrong = 1.0 - play(test(0.0, elo1), true, 1000, || pair(truth, draws, seat, &mut chance)).0;
        assert!(wrong <= 0.065, "{elo1}, {draws} drawn: {wrong} missed");
    }
}

/// Where the first seat wins four games out of five between equals, pairs have a variance of 0.16
/// of that of independent games with the same results, which is 0.25, and need as many games less.
/// Single games are safe but slow.
#[test]
fn pairs_need_fewer_games_where_a_seat_is_worth_something() {
    let mut chance = Seed(10).rng();
    let (wrong, games) = play(test(0.0, 50.0), true, 300, || pair(0.5, 0.0, 0.3, &mut chance));
    let (safe, slow) = play(test(0.0, 50.0), false, 300, || pair(0.5, 0.0, 0.3, &mut chance));
    assert!(wrong <= 0.09 && safe <= 0.03, "{wrong} {safe}");
    assert!((0.5..0.75).contains(&(games / slow)), "{games} in pairs, {slow} without");
    // The interval of the score knows it too.
    let single = Rounds::of_games(500, 0, 500).scores().interval(Confidence::P95).half_width();
    let pairs = Rounds::of_pairs([80, 0, 340, 0, 80]).scores().interval(Confidence::P95).half_width();
    near(pairs / single, 0.8, 0.01);
}

/// Van den Bergh, <https://github.com/vdbergh/pentanomial>: chances of pairs between equals, and
/// 1809 games expected for 0 against 10 Elo. His test corrects for the overshoot at the bounds;
/// this one is longer.
#[test]
fn pairs_take_as_many_games_as_published() {
    let mut chance = Seed(12).rng();
    let pair = || {
        let mut x = chance.unit();
        let sum = [0.0159, 0.2189, 0.5303, 0.2189].iter().take_while(|p| {
            x -= **p;
            x >= 0.0
        });
        [sum.count() as u32, 0]
    };
    let (_, games) = play(test(0.0, 10.0), true, 150, pair);
    near(games, 1809.0, 250.0);
}
