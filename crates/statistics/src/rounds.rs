//! Games that belong together, counted by the points of all of them.
//!
//! If every opening, or every way to sit, is played from both sides, the two games of a pair are
//! not alike: whoever has the better side wins more often, and this cancels out in the sum. Five
//! sums are possible (0, ½, 1, 1½ and 2 points), and their spread is smaller than that of two
//! independent games. Tests and intervals that look at pairs need fewer games for this reason (the
//! pentanomial model; Van den Bergh, <https://github.com/vdbergh/pentanomial>).

use crate::{Histogram, elo};

/// The scores of rounds, each of the same number of games between two players.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rounds {
    games: u32,
    scores: Histogram,
}

impl Rounds {
    /// Creates an empty count of rounds with this many games each; 0 counts as 1.
    pub fn new(games: u32) -> Rounds {
        let games = games.max(1);
        Rounds { games, scores: Histogram::new(2 * games) }
    }

    /// Creates the count of single games that were won, drawn and lost (the trinomial model), for
    /// games that were not played in pairs.
    pub fn of_games(won: u64, drawn: u64, lost: u64) -> Rounds {
        Rounds { games: 1, scores: Histogram::of_results(won, drawn, lost) }
    }

    /// Creates the count of pairs with 0, ½, 1, 1½ and 2 points.
    pub fn of_pairs(counts: [u64; 5]) -> Rounds {
        Rounds { games: 2, scores: Histogram::of_counts(&counts) }
    }

    /// Counts a round with this many half points: two for a win, one for a draw.
    pub fn add(&mut self, half_points: u32) {
        self.scores.add(half_points, 1);
    }

    /// Returns the number of games in a round.
    pub fn games(&self) -> u32 {
        self.games
    }

    /// Returns the scores of rounds, from 0 to 1. Their mean is the score of the games, and
    /// [`Histogram::interval`] of them is that of the score.
    pub fn scores(&self) -> &Histogram {
        &self.scores
    }

    /// Returns the difference in strength in normalised Elo: how many standard deviations of a game the
    /// score lies above one half, on a scale on which it is nearly Elo where draws are rare. `None`
    /// if there are no rounds, or all have the same score.
    pub fn normalised_elo(&self) -> Option<f64> {
        let seen = self.scores.shares()?;
        let deviation = seen.variance().sqrt();
        let score = (seen.mean() - 0.5) / deviation;
        (deviation > 0.0).then(|| elo::normalised(score / f64::from(self.games).sqrt()))
    }

    /// Returns how many standard deviations of a round's score this many points of normalised Elo are.
    pub(crate) fn deviations(&self, normalised: f64) -> f64 {
        elo::deviations(normalised) * f64::from(self.games).sqrt()
    }
}
