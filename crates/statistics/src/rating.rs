//! Ratings: the strength of players, and the value of a role.
//!
//! The model is that of Bradley and Terry with one additional parameter per kind of advantage:
//! the expected score of the first seat is the logistic function of `strength(first) -
//! strength(second) + advantage`. Scores lie between 0 and 1, and a draw counts one half.
//! Parameters are fitted by Newton's method; intervals come from the observed information. A
//! player who won or lost every game has no finite rating, so a weak prior, equivalent to half
//! a drawn game against the average, keeps all estimates finite. It can be disabled.

use crate::matrix::Symmetric;
use crate::{Confidence, Interval};

/// The Elo scale.
pub mod elo {
    /// Returns the expected score of a player who is this many points stronger.
    pub fn expected(points: f64) -> f64 {
        1.0 / (1.0 + 10f64.powf(-points / 400.0))
    }

    /// Returns the points by which a player with this expected score, above 0 and below 1, is stronger.
    pub fn of_score(score: f64) -> f64 {
        from_strength((score / (1.0 - score)).ln())
    }

    /// Points of normalised Elo for one standard deviation. Without draws, a game between equal
    /// players has one of a half, so that there a point of it is one of Elo.
    const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

    /// Converts normalised Elo to standard deviations of a game.
    pub(crate) fn deviations(normalised: f64) -> f64 {
        normalised / NORMALISED
    }

    /// Converts standard deviations of a game to normalised Elo.
    pub(crate) fn normalised(deviations: f64) -> f64 {
        deviations * NORMALISED
    }

    /// Converts a strength on the natural scale to Elo points.
    pub fn from_strength(strength: f64) -> f64 {
        strength * 400.0 / std::f64::consts::LN_10
    }
}

/// One or more games between two players in the same seats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Game {
    /// The player in the first seat.
    pub first: usize,
    /// The player in the second seat.
    pub second: usize,
    /// The kind of advantage of the first seat; `None` if there is none.
    pub advantage: Option<usize>,
    /// The total score of the first seat in these games.
    pub score: f64,
    /// The number of games.
    pub games: f64,
}

/// The reason why there are no ratings.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum RatingError {
    /// A game refers to an unknown player or advantage, has one player in both seats, or has an
    /// impossible score.
    #[error("game {0} names a player or an advantage that does not exist, or one player twice")]
    BadGame(usize),
    /// The games do not determine all ratings.
    #[error("the games do not connect all players, or one side won everything: ratings are not determined")]
    Undetermined,
}

/// A parameter with its standard error, on the natural scale.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The estimated value.
    pub value: f64,
    /// Its standard error.
    pub error: f64,
}

impl Estimate {
    /// Returns the interval at this confidence.
    pub fn interval(self, confidence: Confidence) -> Interval {
        let reach = confidence.z() * self.error;
        Interval { low: self.value - reach, high: self.value + reach }
    }

    /// Returns the estimate on the Elo scale.
    pub fn elo(self) -> Estimate {
        Estimate { value: elo::from_strength(self.value), error: elo::from_strength(self.error) }
    }
}

/// The estimated strengths and advantages.
#[derive(Debug, Clone, PartialEq)]
pub struct Ratings {
    /// The strengths by player; their mean is 0.
    pub players: Vec<Estimate>,
    /// The advantages of the first seat, by kind.
    pub advantages: Vec<Estimate>,
    covariance: Vec<f64>,
}

impl Ratings {
    /// Returns how much stronger `a` is than `b`. The error accounts for the covariance of the two estimates.
    pub fn difference(&self, a: usize, b: usize) -> Estimate {
        let n = self.players.len();
        let covariance = |i: usize, j: usize| self.covariance[i * n + j];
        let variance = covariance(a, a) + covariance(b, b) - 2.0 * covariance(a, b);
        Estimate { value: self.players[a].value - self.players[b].value, error: variance.max(0.0).sqrt() }
    }
}

/// The precision of the prior on each parameter. It is so weak that it matters only where the
/// games provide no information.
const PRIOR: f64 = 0.125;
/// The maximum number of Newton steps. About ten suffice; if there are more, there is no solution.
const STEPS: usize = 100;

/// Rates `players` players, based on games with `advantages` kinds of advantage.
pub fn rate(players: usize, advantages: usize, games: &[Game], prior: bool) -> Result<Ratings, RatingError> {
    for (number, game) in games.iter().enumerate() {
        let known = game.first < players && game.second < players && game.first != game.second;
        let fits = game.advantage.is_none_or(|advantage| advantage < advantages);
        let counted = game.games > 0.0 && (0.0..=game.games).contains(&game.score);
        if !(known && fits && counted) {
            return Err(RatingError::BadGame(number));
        }
    }
    let size = players + advantages;
    let mut values = vec![0.0; size];
    for _ in 0..STEPS {
        let (gradient, information) = likelihood(players, &values, games, prior);
        let step = information.inverse().ok_or(RatingError::Undetermined)?.times(&gradient);
        let longest = step.iter().fold(0.0, |longest: f64, s| longest.max(s.abs()));
        // The likelihood is flat far from its maximum, where a full step would overshoot.
        let shrink = if longest > 2.0 { 2.0 / longest } else { 1.0 };
        values.iter_mut().zip(&step).for_each(|(value, s)| *value += shrink * s);
        if !longest.is_finite() || values.iter().any(|value| value.abs() > 50.0) {
            return Err(RatingError::Undetermined);
        }
        if longest < 1e-10 {
            return estimates(players, &values, games, prior);
        }
    }
    Err(RatingError::Undetermined)
}

/// Computes the gradient and the information at these values. A separate term keeps the sum of
/// all strengths at zero; it does not affect differences.
fn likelihood(players: usize, values: &[f64], games: &[Game], prior: bool) -> (Vec<f64>, Symmetric) {
    let size = values.len();
    let (mut gradient, mut information) = (vec![0.0; size], Symmetric::zero(size));
    for game in games {
        let mut parameters = vec![(game.first, 1.0), (game.second, -1.0)];
        parameters.extend(game.advantage.map(|advantage| (players + advantage, 1.0)));
        let difference: f64 = parameters.iter().map(|(i, sign)| sign * values[*i]).sum();
        let expected = 1.0 / (1.0 + (-difference).exp());
        let weight = game.games * expected * (1.0 - expected);
        for (i, sign) in &parameters {
            gradient[*i] += sign * (game.score - game.games * expected);
            for (j, other) in &parameters {
                information.add(*i, *j, sign * other * weight);
            }
        }
    }
    let sum: f64 = values[..players].iter().sum();
    for (i, slope) in gradient[..players].iter_mut().enumerate() {
        *slope -= sum;
        (0..players).for_each(|j| information.add(i, j, 1.0));
    }
    if prior {
        for (i, value) in values.iter().enumerate() {
            gradient[i] -= PRIOR * value;
            information.add(i, i, PRIOR);
        }
    }
    (gradient, information)
}

fn estimates(players: usize, values: &[f64], games: &[Game], prior: bool) -> Result<Ratings, RatingError> {
    let (_, information) = likelihood(players, values, games, prior);
    let inverse = information.inverse().ok_or(RatingError::Undetermined)?;
    // The term that fixes the sum contributes the same amount to the variances and covariances
    // of all players. What remains is the spread of the centred strengths.
    let n = players as f64;
    let shift = if players > 0 { 1.0 / (n * (n + if prior { PRIOR } else { 0.0 })) } else { 0.0 };
    let estimate = |i: usize| {
        let variance = inverse.at(i, i) - if i < players { shift } else { 0.0 };
        Estimate { value: values[i], error: variance.max(0.0).sqrt() }
    };
    let covariance = (0..players)
        .flat_map(|i| (0..players).map(move |j| (i, j)))
        .map(|(i, j)| inverse.at(i, j) - shift)
        .collect();
    Ok(Ratings {
        players: (0..players).map(estimate).collect(),
        advantages: (players..values.len()).map(estimate).collect(),
        covariance,
    })
}
