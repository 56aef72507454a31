//! Sequential probability ratio tests for two players, which stop as soon as the result is clear.
//!
//! Wald's test compares two hypotheses that say everything about the games. Here they say only how
//! much stronger a player is, so each is represented by the likeliest distribution of results that
//! satisfies it (the generalised test: Li, Liu and Ying, Generalized sequential probability ratio
//! test for separate families of hypotheses, Sequential Analysis 33, 2014), with Wald's bounds.
//!
//! Differences in strength are given on one of two scales. On the logistic one, that of Elo's
//! ratings, they stand for a score. On the normalised one they stand for a score less one half, by
//! the standard deviation of a game, which is what the length of a test depends on, whatever the
//! share of draws (Van den Bergh, Normalized Elo, 2021).

use crate::{Rounds, elo};

/// A test of "stronger by at most `weak` Elo" against "stronger by at least `strong` Elo".
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    weak: f64,
    strong: f64,
    lower: f64,
    upper: f64,
    scale: Scale,
}

/// What Elo points stand for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scale {
    /// An expected score.
    #[default]
    Logistic,
    /// Standard deviations of a game, by which the expected score lies above one half.
    Normalised,
}

/// The state of a sequential test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// More games are needed.
    Open,
    /// The player is at least as strong as the upper bound.
    Stronger,
    /// The player is no stronger than the lower bound.
    NotStronger,
}

impl Sprt {
    /// Creates a test with the error probabilities `alpha` (of a wrong `Stronger`) and `beta`
    /// (of a wrong `NotStronger`). Returns `None` unless `weak < strong` and both probabilities
    /// are between 0 and 0.5.
    pub fn new(weak: f64, strong: f64, alpha: f64, beta: f64) -> Option<Sprt> {
        let chance = |p: f64| p > 0.0 && p < 0.5;
        (weak < strong && chance(alpha) && chance(beta)).then(|| Sprt {
            weak,
            strong,
            lower: (beta / (1.0 - alpha)).ln(),
            upper: ((1.0 - beta) / alpha).ln(),
            scale: Scale::Logistic,
        })
    }

    /// Returns the same test with its bounds on another scale.
    pub fn on(self, scale: Scale) -> Sprt {
        Sprt { scale, ..self }
    }

    /// Returns the log-likelihood ratio after these rounds: of the likeliest distributions under
    /// both hypotheses. It is 0 without rounds, and finite with any.
    pub fn ratio(&self, seen: &Rounds) -> f64 {
        let scores = seen.scores();
        let likelihood = |points: f64| {
            let likeliest = match self.scale {
                Scale::Logistic => scores.likeliest(elo::expected(points)),
                Scale::Normalised => scores.likeliest_at(seen.deviations(points)),
            };
            likeliest.map_or(0.0, |likeliest| scores.log_likelihood(&likeliest))
        };
        likelihood(self.strong) - likelihood(self.weak)
    }

    /// Returns the verdict after these rounds. It is to be asked for after every round, and not
    /// within one.
    pub fn decide(&self, seen: &Rounds) -> Verdict {
        self.verdict_of(self.ratio(seen))
    }

    /// Returns the log-likelihood ratio after these wins, draws and losses, by an approximation:
    /// that of normal distributions with the variance of the games. Half a
    /// game of each kind is added, so that the estimate is defined from the first game on.
    pub fn log_ratio(&self, wins: u64, draws: u64, losses: u64) -> f64 {
        let (w, d, l) = (wins as f64 + 0.5, draws as f64 + 0.5, losses as f64 + 0.5);
        let n = w + d + l;
        let score = (w + d / 2.0) / n;
        let variance = (w + d / 4.0) / n - score * score;
        let (low, high) = (elo::expected(self.weak), elo::expected(self.strong));
        (wins + draws + losses) as f64 * (high - low) * (2.0 * score - low - high) / (2.0 * variance)
    }

    /// Returns the verdict for these results, by [`log_ratio`](Sprt::log_ratio).
    pub fn verdict(&self, wins: u64, draws: u64, losses: u64) -> Verdict {
        self.verdict_of(self.log_ratio(wins, draws, losses))
    }

    fn verdict_of(&self, ratio: f64) -> Verdict {
        if ratio >= self.upper {
            Verdict::Stronger
        } else if ratio <= self.lower {
            Verdict::NotStronger
        } else {
            Verdict::Open
        }
    }

    /// Returns the lower and upper log-likelihood ratios at which the test ends.
    pub fn bounds(&self) -> (f64, f64) {
        (self.lower, self.upper)
    }
}
