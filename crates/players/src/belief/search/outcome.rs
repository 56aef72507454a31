//! Choosing by regret, learned from sampled outcomes.
//!
//! For every descent one role learns: it explores, while the others do what they
//! mix. What an outcome says about a move is weighed by how likely the others
//! bring it about, divided by how likely it was to be sampled, so that on
//! average it is what visiting all histories would say. Averages of the mixes
//! approach an equilibrium in games of two roles with a constant sum.
//!
//! Most descents begin in a history that agrees with what was seen in the match,
//! some at the beginning of the match, and the weights allow for that; so what
//! was not seen is weighed by what the others would do, as far as it is known.
//!
//! M. Lanctot and others: Monte Carlo sampling for regret minimization in
//! extensive games (2009). V. Lisý, M. Lanctot, M. Bowling: Online Monte Carlo
//! counterfactual regret minimization for search in imperfect information games
//! (2015). Here averages count every visit once: those who do not explore visit
//! their sets as often as they would.

use game::{MoveId, Rng, RoleId};

use super::descend::{Choice, Descent, Guide};
use super::forest::{Forest, Particles};
use crate::belief::evaluate::Score;
use crate::belief::sets::View;

/// Regrets and averages, by tree and sequence.
pub(crate) struct Sampled {
    /// How often the one who learns tries any move.
    pub explore: f64,
    /// How many descents begin in a particle.
    pub target: f64,
    regrets: Vec<Vec<f64>>,
    sums: Vec<Vec<f64>>,
    /// Descents, and the sum of their goals, to say what moves were worth.
    tried: Vec<Vec<(f64, f64)>>,
}

impl Sampled {
    /// For so many trees.
    pub fn new(explore: f64, target: f64, trees: usize) -> Sampled {
        let (regrets, sums, tried) =
            (vec![Vec::new(); trees], vec![Vec::new(); trees], vec![Vec::new(); trees]);
        Sampled { explore, target, regrets, sums, tried }
    }

    /// The mix of a set, by regret.
    fn mix(&self, seat: usize, view: &View) -> Vec<f64> {
        let regret = |at: usize| self.regrets[seat].get(at).map_or(0.0, |regret| regret.max(0.0));
        crate::matrix::normalised(&view.sequences().map(regret).collect::<Vec<f64>>())
    }

    /// How likely a sequence is in its set.
    pub fn share(&self, forest: &Forest, seat: usize, set: u32, sequence: u32) -> f64 {
        let view = forest.views[seat].set(set);
        self.mix(seat, view)[(sequence - view.first) as usize]
    }

    /// The average mix of these moves in these weighted sets, with what they were worth.
    pub fn average(
        &self,
        forest: &Forest,
        role: RoleId,
        sets: &[(u32, f64)],
        moves: &[MoveId],
    ) -> (Vec<f64>, Vec<Score>) {
        let Some(seat) = forest.seats[role.index()] else { return Default::default() };
        let mut all = vec![0.0; moves.len()];
        let mut tried = vec![(0.0, 0.0); moves.len()];
        for (set, weight) in sets {
            let view = forest.views[seat].set(*set);
            let sum = |at: usize| self.sums[seat].get(at).copied().unwrap_or(0.0);
            let sums: Vec<f64> = view.sequences().map(sum).collect();
            let mix = if sums.iter().sum::<f64>() > 0.0 {
                crate::matrix::normalised(&sums)
            } else {
                self.mix(seat, view)
            };
            for ((share, at), mv) in mix.iter().zip(view.sequences()).zip(&view.moves) {
                let Some(place) = moves.iter().position(|other| other == mv) else { continue };
                all[place] += weight * share;
                let (count, sum) = self.tried[seat].get(at).copied().unwrap_or_default();
                tried[place] = (tried[place].0 + count, tried[place].1 + sum);
            }
        }
        let tried = moves.iter().zip(tried).filter(|(_, (count, _))| *count > 0.0);
        (all, tried.map(|(&mv, (count, sum))| Score { mv, value: sum / count }).collect())
    }

    /// Takes in what descents came to. `now` is how many steps the match is long.
    pub fn learn<S>(
        &mut self,
        forest: &Forest,
        particles: &Particles<S>,
        now: usize,
        descents: &[Descent<S>],
    ) {
        let sets = particles.own_sets();
        for descent in descents {
            let Some(goals) = &descent.goals else { continue };
            let learner = descent.mark.learner;
            // What the learner and the others did before the match's last step and after it.
            let (mut before, mut after) = (Side::NEW, Side::NEW);
            // The learner's choices, also those before a particle: its samples count for them too.
            let mut own = Vec::new();
            // How likely what the player saw came about at random, and how many times as likely it is as
            // the others mix; for both it does not count what the player itself did.
            let (mut reach, mut others) = (1.0, 1.0);
            if let Some(at) = descent.mark.particle {
                let particle = &particles.all[at];
                before.others = particle.chance;
                reach = particle.chance;
                for made in &particle.made {
                    let Some(seat) = forest.seats[made.role] else { continue };
                    let view = forest.views[seat].set(made.set);
                    let mix = self.mix(seat, view);
                    let share = mix[(made.sequence - view.first) as usize];
                    if made.role != particles.own().index() {
                        reach /= mix.len() as f64;
                        others *= share * mix.len() as f64;
                    }
                    if made.role == learner {
                        before.tried *= self.tries(share, mix.len());
                        own.push((seat, made.set, made.sequence, share));
                    } else {
                        before.others *= share;
                    }
                }
            }
            let made_before = match descent.mark.particle {
                Some(_) => 0,
                None => descent.choices.iter().take_while(|choice| choice.step < now).count(),
            };
            for (at, choice) in descent.choices.iter().enumerate() {
                let side = if at < made_before { &mut before } else { &mut after };
                if at < made_before && choice.role != particles.own().index() {
                    let moves = forest.views[choice.seat].set(choice.set).moves.len() as f64;
                    reach /= moves;
                    others *= choice.share * moves;
                }
                if choice.role == learner {
                    side.tried *= choice.tried;
                    own.push((choice.seat, choice.set, choice.sequence, choice.share));
                } else {
                    side.others *= choice.share;
                }
            }
            if descent.mark.particle.is_none() {
                let chance = descent.chance.iter().take(now).product::<f64>();
                before.others *= chance;
                reach *= chance;
            }
            // Also what began at the beginning of the match may have come to where the match is.
            let here = |choice: &Choice| choice.step == now && sets.iter().any(|(set, _)| *set == choice.set);
            let is_here = |choice: &Choice| choice.role == particles.own().index() && here(choice);
            let may_be_drawn = descent.mark.particle.is_some() || descent.choices.iter().any(is_here);
            let drawn = if may_be_drawn { particles.likely(reach, others) } else { 0.0 };
            let sampled = (1.0 - self.target) * before.tried * before.others + self.target * drawn;
            if sampled <= 0.0 || after.tried <= 0.0 {
                continue;
            }
            let weight = before.others / (sampled * after.tried) * (goals[learner] - 50.0) / 50.0;
            self.regret(forest, &own, weight);
            for choice in &descent.choices[made_before..] {
                if choice.role != learner {
                    self.count(forest, choice.seat, choice.set);
                }
            }
            for choice in &descent.choices {
                let tried = entry(&mut self.tried[choice.seat], choice.sequence as usize);
                *tried = (tried.0 + 1.0, tried.1 + goals[choice.role]);
            }
        }
    }

    /// What the learner regrets of its choices: tree, set, sequence, and how likely it was.
    fn regret(&mut self, forest: &Forest, own: &[(usize, u32, u32, f64)], weight: f64) {
        let mut value = weight;
        for &(seat, set, chosen, share) in own.iter().rev() {
            for sequence in forest.views[seat].set(set).sequences() {
                let regret = entry(&mut self.regrets[seat], sequence);
                *regret -= value * share;
                if sequence == chosen as usize {
                    *regret += value;
                }
            }
            value *= share;
        }
    }

    /// Adds the mix of a set to its average.
    fn count(&mut self, forest: &Forest, seat: usize, set: u32) {
        let view = forest.views[seat].set(set);
        for (sequence, share) in view.sequences().zip(self.mix(seat, view)) {
            *entry(&mut self.sums[seat], sequence) += share;
        }
    }

    fn tries(&self, share: f64, moves: usize) -> f64 {
        self.explore / moves as f64 + (1.0 - self.explore) * share
    }
}

/// What was done in a part of a descent: how likely the learner tried it, and the others did it.
#[derive(Clone, Copy)]
struct Side {
    tried: f64,
    others: f64,
}

impl Side {
    const NEW: Side = Side { tried: 1.0, others: 1.0 };
}

fn entry<T: Clone + Default>(list: &mut Vec<T>, at: usize) -> &mut T {
    if list.len() <= at {
        list.resize(at + 1, T::default());
    }
    &mut list[at]
}

impl Guide for Sampled {
    fn choose(&mut self, seat: usize, view: &View, learns: bool, chance: &mut Rng) -> (usize, f64, f64) {
        let mix = self.mix(seat, view);
        let tries: Vec<f64> = match learns {
            true => mix.iter().map(|share| self.tries(*share, mix.len())).collect(),
            false => mix.clone(),
        };
        let mut left = chance.unit();
        let mut at = 0;
        for (place, share) in tries.iter().enumerate().filter(|(_, share)| **share > 0.0) {
            at = place;
            left -= share;
            if left < 0.0 {
                break;
            }
        }
        (at, mix[at], tries[at])
    }
}
