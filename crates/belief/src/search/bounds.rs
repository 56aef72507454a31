//! Selection by upper confidence bounds, each role for itself.

use game::{MoveId, Rng, RoleId};

use super::descend::{Descent, Guide};
use super::forest::Forest;
use crate::evaluate::Score;
use crate::sets::View;

/// The values of moves, by tree and sequence.
pub(crate) struct Bounds {
    /// The exploration constant, relative to the range of goals.
    pub c: f64,
    /// The number of descents, and the sum of their goals.
    tried: Vec<Vec<(f64, f64)>>,
    /// The lowest and the highest goal of each seat.
    spread: Vec<(f64, f64)>,
}

impl Bounds {
    /// Creates statistics for this many trees.
    pub fn new(c: f64, trees: usize) -> Bounds {
        Bounds { c, tried: vec![Vec::new(); trees], spread: vec![(f64::INFINITY, f64::NEG_INFINITY); trees] }
    }

    /// Learns from the results of descents.
    pub fn learn<S>(&mut self, descents: &[Descent<S>]) {
        for descent in descents {
            for choice in &descent.choices {
                let tried = &mut self.tried[choice.seat][choice.sequence as usize];
                match &descent.goals {
                    Some(goals) => {
                        let goal = goals[choice.role];
                        tried.1 += goal;
                        let spread = &mut self.spread[choice.seat];
                        *spread = (spread.0.min(goal), spread.1.max(goal));
                    }
                    // A descent that was not played to its end does not count.
                    None => tried.0 -= 1.0,
                }
            }
        }
    }

    /// Returns the fraction of visits of a set in which a sequence was chosen, with a small share for those
    /// that never were.
    pub fn share(&self, forest: &Forest, seat: usize, set: u32, sequence: u32) -> f64 {
        let view = forest.views[seat].set(set);
        let visits = |at: usize| self.tried[seat].get(at).map_or(0.0, |tried| tried.0) + 1.0;
        visits(sequence as usize) / view.sequences().map(visits).sum::<f64>()
    }

    /// Returns the values and visit counts of those moves that were tried in one of these sets.
    pub fn scores(
        &self,
        forest: &Forest,
        role: RoleId,
        sets: &[(u32, f64)],
        moves: &[MoveId],
    ) -> Vec<(Score, f64)> {
        let Some(seat) = forest.seats[role.index()] else { return Vec::new() };
        let views = &forest.views[seat];
        let tried = |at: u32| self.tried[seat].get(at as usize).copied().unwrap_or_default();
        let of_move = |&mv: &MoveId| {
            let places = sets.iter().filter_map(|(set, _)| views.sequence(*set, mv));
            (mv, places.map(tried).fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1)))
        };
        let all = moves.iter().map(of_move).filter(|(_, (count, _))| *count > 0.0);
        all.map(|(mv, (count, sum))| (Score { mv, value: sum / count }, count)).collect()
    }
}

impl Guide for Bounds {
    fn choose(&mut self, seat: usize, view: &View, _: bool, chance: &mut Rng) -> (usize, f64, f64) {
        let end = view.sequences().end;
        if self.tried[seat].len() < end {
            self.tried[seat].resize(end, (0.0, 0.0));
        }
        let (low, high) = self.spread[seat];
        let tried = &mut self.tried[seat][view.sequences()];
        let fresh: Vec<usize> = (0..tried.len()).filter(|&at| tried[at].0 == 0.0).collect();
        let at = if fresh.is_empty() {
            let visits: f64 = tried.iter().map(|(visits, _)| visits).sum();
            let scale = self.c * (high - low).max(0.0);
            let bound = |&(count, sum): &(f64, f64)| sum / count + scale * (libm::log(visits) / count).sqrt();
            let bounds: Vec<f64> = tried.iter().map(bound).collect();
            (0..bounds.len()).max_by(|&a, &b| bounds[a].total_cmp(&bounds[b])).unwrap_or(0)
        } else {
            fresh[chance.below(fresh.len())]
        };
        tried[at].0 += 1.0;
        (at, 1.0, 1.0)
    }
}
