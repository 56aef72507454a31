//! Which differences are significant, and what the design could have detected.
//!
//! All tests of a report are corrected together (Holm). A draw says nothing about who is stronger, so the
//! tests use decided matches only: the sign test.

use serde::Serialize;
use statistics::{
    Confidence, Proportion, Significance, binomial_test, holm, power_of_proportion, sample_for_proportion,
};

use crate::Score;

/// One test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TestRow {
    /// The question.
    pub question: String,
    /// The name of the test.
    pub test: &'static str,
    /// The number of decided matches.
    pub decided: u64,
    /// The share of them that was won.
    pub share: f64,
    /// The probability of such a share, or a more extreme one, if both sides are equal.
    pub p: f64,
    /// The p-value corrected for the number of tests.
    pub corrected: f64,
    /// Whether the corrected p-value is below the level of the report.
    pub significant: bool,
}

/// The power of a comparison with a fixed number of matches.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Power {
    /// The number of matches of a comparison.
    pub matches: u64,
    /// The probability of detecting a true share of 60 in 100.
    pub at_60: f64,
    /// The smallest true share that is detected with a probability of 80 %.
    pub found: Option<f64>,
    /// The number of matches needed to detect 55 in 100 with a probability of 80 %.
    pub needed_for_55: Option<u64>,
}

impl Power {
    /// Computes the power of a comparison with this many matches.
    pub fn of(matches: u64, confidence: Confidence) -> Power {
        let power = |share: f64| power_of_proportion(0.5, share, matches, confidence);
        let shares = (501..1000).map(|share| f64::from(share) / 1000.0);
        Power {
            matches,
            at_60: power(0.6),
            found: shares.into_iter().find(|share| power(*share) >= 0.8),
            needed_for_55: sample_for_proportion(0.5, 0.55, 0.8, confidence),
        }
    }
}

/// Tests for each score whether wins and losses are equally likely.
pub(crate) fn test_all(questions: Vec<(String, Score)>, level: f64) -> Vec<TestRow> {
    let asked: Vec<(String, Proportion, Significance)> = questions
        .into_iter()
        .filter(|(_, tally)| tally.won + tally.lost > 0)
        .map(|(question, tally)| {
            let seen = Proportion::new(tally.won, tally.won + tally.lost);
            (question, seen, binomial_test(seen, 0.5))
        })
        .collect();
    let ps: Vec<f64> = asked.iter().map(|(_, _, found)| found.p).collect();
    let row = |((question, seen, found), corrected): ((String, Proportion, Significance), f64)| TestRow {
        question,
        test: found.test,
        decided: seen.trials(),
        share: seen.share().unwrap_or(0.5),
        p: found.p,
        corrected,
        significant: corrected < level,
    };
    asked.into_iter().zip(holm(&ps)).map(row).collect()
}
