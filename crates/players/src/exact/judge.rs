//! A guess at how a question will be answered, learned from answers.
//!
//! A depth-first proof settles millions of positions, and each of them teaches
//! what the next ones are worth: a number for each fluent and, where there are
//! few enough, for each two fluents that hold together, fitted one position at a
//! time (logistic regression). Positions after a choice of one side and of the
//! other are judged apart, because what a tempo is worth depends on it.

use game::FluentId;

/// Fluents above which pairs of them are not looked at.
const MOST: usize = 1024;
/// How far one position moves the numbers; pairs are moved less.
const RATE: f32 = 0.03;
const PAIR_RATE: f32 = 0.015;

/// What was learned.
#[derive(Debug)]
pub(super) struct Judge {
    fluents: usize,
    sides: [Side; 2],
}

#[derive(Debug)]
struct Side {
    base: f32,
    single: Vec<f32>,
    /// By two fluents, the larger first; empty where there are too many.
    pairs: Vec<f32>,
}

impl Judge {
    /// Knows nothing about a game with so many fluents.
    pub fn new(fluents: usize) -> Judge {
        let pairs = if fluents <= MOST { fluents * fluents } else { 0 };
        let side = || Side { base: 0.0, single: vec![0.0; fluents], pairs: vec![0.0; pairs] };
        Judge { fluents, sides: [side(), side()] }
    }

    /// Above 0 where the answer will be yes, more likely than not.
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

    /// Learns from a position of which the answer is known.
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
