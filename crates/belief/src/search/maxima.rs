//! Selection for one role that plays against chance: the value of a set is that of its best move.
//!
//! The value of a move is the mean over what is seen after it. The value of an information set is the maximum
//! of its moves, not the mean of all that was tried there. Exploration therefore costs nothing, and what lies
//! several moves deep is backed up as soon as it is found. With means, a move that pays off only if good
//! moves follow looks bad until those are found, and confidence bounds try it more and more rarely meanwhile.
//!
//! Every set tries its least tried move again and again, so no move is ever out of reach, and values converge
//! to those of optimal play.
//!
//! T. Keller, M. Helmert: Trial-based heuristic tree search for finite horizon MDPs (2013), there MaxUCT;
//! here on the tree of what a role does and sees.

use game::{MoveId, Rng, RoleId};

use super::descend::{Choice, Descent, Guide};
use super::forest::Forest;
use crate::evaluate::Score;
use crate::sets::View;

/// The statistics of a sequence.
#[derive(Debug, Clone, Copy, Default)]
struct Tried {
    /// The number of descents.
    count: f64,
    /// The sum of their values: ends by their goals, sets after it by their values.
    sum: f64,
}

impl Tried {
    fn value(self) -> f64 {
        self.sum / self.count
    }
}

/// The statistics of the role's moves, by sequence and by set.
pub(crate) struct Maxima {
    /// The exploration constant, relative to the range of goals.
    c: f64,
    /// The probability with which the least tried move is tried.
    floor: f64,
    tried: Vec<Tried>,
    /// The number of descents through a set, and their total value.
    worth: Vec<(f64, f64)>,
    /// The lowest and the highest goal of the role.
    spread: (f64, f64),
}

impl Maxima {
    /// Creates empty statistics with this exploration constant and this probability for the least tried move.
    pub fn new(c: f64, floor: f64) -> Maxima {
        let spread = (f64::INFINITY, f64::NEG_INFINITY);
        Maxima { c, floor, tried: Vec::new(), worth: Vec::new(), spread }
    }

    /// Learns from the results of descents.
    pub fn learn<S>(&mut self, forest: &Forest, descents: &[Descent<S>]) {
        for descent in descents {
            let played = descent.goals.is_some();
            // What the part of the descent below adds to the sum of a sequence.
            let mut gain = match (&descent.goals, descent.choices.last()) {
                (Some(goals), Some(last)) => goals[last.role],
                _ => 0.0,
            };
            if played && !descent.choices.is_empty() {
                self.spread = (self.spread.0.min(gain), self.spread.1.max(gain));
            }
            for choice in descent.choices.iter().rev() {
                let tried = &mut self.tried[choice.sequence as usize];
                tried.sum += gain;
                // A descent that was not played to its end does not count.
                tried.count -= f64::from(u8::from(!played));
                gain = self.weigh(forest, choice, f64::from(u8::from(played)));
            }
        }
    }

    /// Updates the value of a set after `more` further descents. Returns the change of their sum.
    fn weigh(&mut self, forest: &Forest, choice: &Choice, more: f64) -> f64 {
        let set = choice.set as usize;
        if self.worth.len() <= set {
            self.worth.resize(set + 1, (0.0, 0.0));
        }
        let moves = &self.tried[forest.views[choice.seat].set(choice.set).sequences()];
        let best = moves.iter().filter(|tried| tried.count > 0.0).map(|tried| tried.value());
        let best = best.fold(f64::NEG_INFINITY, f64::max);
        let (count, before) = self.worth[set];
        let after = if best.is_finite() { (count + more) * best } else { 0.0 };
        self.worth[set] = (count + more, after);
        after - before
    }

    /// Returns the values of those moves that were tried in one of these sets.
    pub fn scores(&self, forest: &Forest, role: RoleId, sets: &[(u32, f64)], moves: &[MoveId]) -> Vec<Score> {
        let Some(seat) = forest.seats[role.index()] else { return Vec::new() };
        let tried = |at: u32| self.tried.get(at as usize).copied().unwrap_or_default();
        let of_move = |&mv: &MoveId| {
            let places = sets.iter().filter_map(|(set, _)| forest.views[seat].sequence(*set, mv));
            let known = places.map(tried).filter(|tried| tried.count > 0.0);
            (
                mv,
                known
                    .fold((0.0, 0.0), |(count, sum), one| (count + one.count, sum + one.count * one.value())),
            )
        };
        let all = moves.iter().map(of_move).filter(|(_, (count, _))| *count > 0.0);
        all.map(|(mv, (count, sum))| Score { mv, value: sum / count }).collect()
    }
}

impl Guide for Maxima {
    fn choose(&mut self, _: usize, view: &View, _: bool, chance: &mut Rng) -> (usize, f64, f64) {
        let end = view.sequences().end;
        if self.tried.len() < end {
            self.tried.resize(end, Tried::default());
        }
        let moves = &mut self.tried[view.sequences()];
        let least = moves.iter().map(|tried| tried.count).fold(f64::INFINITY, f64::min);
        let at = if least == 0.0 || chance.unit() < self.floor {
            let rare: Vec<usize> = (0..moves.len()).filter(|&at| moves[at].count == least).collect();
            rare[chance.below(rare.len())]
        } else {
            let visits: f64 = moves.iter().map(|tried| tried.count).sum();
            let scale = self.c * (self.spread.1 - self.spread.0).max(0.0);
            let bound = |tried: &Tried| tried.value() + scale * (libm::log(visits) / tried.count).sqrt();
            let bounds: Vec<f64> = moves.iter().map(bound).collect();
            (0..bounds.len()).max_by(|&a, &b| bounds[a].total_cmp(&bounds[b])).unwrap_or(0)
        };
        moves[at].count += 1.0;
        (at, 1.0, 1.0)
    }
}
