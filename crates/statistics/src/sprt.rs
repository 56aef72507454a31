//! Wald's sequential probability ratio test for two players, which stops as soon as the result is clear.

use crate::elo;

/// A test of "stronger by at most `weak` Elo" against "stronger by at least `strong` Elo".
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    weak: f64,
    strong: f64,
    lower: f64,
    upper: f64,
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
        })
    }

    /// Returns the log-likelihood ratio after these wins, draws and losses. This is the
    /// generalised test, in which the variance of scores is estimated from the games. Half a
    /// game of each kind is added, so that the estimate is defined from the first game on.
    pub fn log_ratio(&self, wins: u64, draws: u64, losses: u64) -> f64 {
        let (w, d, l) = (wins as f64 + 0.5, draws as f64 + 0.5, losses as f64 + 0.5);
        let n = w + d + l;
        let score = (w + d / 2.0) / n;
        let variance = (w + d / 4.0) / n - score * score;
        let (low, high) = (elo::expected(self.weak), elo::expected(self.strong));
        (wins + draws + losses) as f64 * (high - low) * (2.0 * score - low - high) / (2.0 * variance)
    }

    /// Returns the verdict for these results.
    pub fn verdict(&self, wins: u64, draws: u64, losses: u64) -> Verdict {
        let ratio = self.log_ratio(wins, draws, losses);
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
