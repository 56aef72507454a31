//! A prediction of the answer to a question, learned from answers.
//!
//! A depth-first proof settles millions of positions, and each of them improves the prediction for the next
//! ones. There is a weight for each fluent and, if there are few enough, for each pair of fluents that hold
//! together, fitted one position at a time by logistic regression (stochastic gradient descent). Positions
//! after a choice of one side and of the other have separate weights, because the value of a tempo depends on
//! it.

use game::FluentId;

/// The number of fluents above which pairs are not used.
const MOST: usize = 1024;
/// The learning rates for single fluents and for pairs.
const RATE: f32 = 0.03;
const PAIR_RATE: f32 = 0.015;

/// The learned weights.
#[derive(Debug)]
pub(super) struct Judge {
    fluents: usize,
    sides: [Side; 2],
}

#[derive(Debug)]
struct Side {
    base: f32,
    single: Vec<f32>,
    /// The weights of pairs of fluents, the larger first; empty if there are too many fluents.
    pairs: Vec<f32>,
}

impl Judge {
    /// Creates a judge without knowledge, for a game with this many fluents.
    pub fn new(fluents: usize) -> Judge {
        let pairs = if fluents <= MOST { fluents * fluents } else { 0 };
        let side = || Side { base: 0.0, single: vec![0.0; fluents], pairs: vec![0.0; pairs] };
        Judge { fluents, sides: [side(), side()] }
    }

    /// Returns the log-odds of the answer yes: above 0 if it is more likely.
    pub fn guess(&self, fluents: &[FluentId], chosen: bool) -> f32 {
        let side = &self.sides[usize::from(chosen)];
        let mut sum = side.base;
        for (place, fluent) in fluents.iter().enumerate() {
            let fluent = fluent.0 as usize;
            sum += side.single[fluent];
            if !side.pairs.is_empty() {
                let row = &side.pairs[fluent * self.fluents..][..self.fluents];
                sum += fluents[..place].iter().map(|other| row[other.0 as usize]).sum::<f32>();
            }
        }
        sum
    }

    /// Learns from a position with a known answer.
    pub fn learn(&mut self, fluents: &[FluentId], chosen: bool, answer: bool) {
        let sure = 1.0 / (1.0 + libm::expf(-self.guess(fluents, chosen)));
        let off = f32::from(u8::from(answer)) - sure;
        let side = &mut self.sides[usize::from(chosen)];
        side.base += RATE * off;
        for (place, fluent) in fluents.iter().enumerate() {
            let fluent = fluent.0 as usize;
            side.single[fluent] += RATE * off;
            if !side.pairs.is_empty() {
                let row = &mut side.pairs[fluent * self.fluents..][..self.fluents];
                fluents[..place].iter().for_each(|other| row[other.0 as usize] += PAIR_RATE * off);
            }
        }
    }
}
