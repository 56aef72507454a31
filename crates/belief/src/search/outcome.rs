//! Regret matching, learned by outcome sampling (outcome sampling MCCFR).
//!
//! In every descent one role learns: it explores, while the others follow their strategies. The result for a
//! move is weighted by the probability that the others bring it about, divided by the probability that it was
//! sampled, so that its expectation is what a visit of all histories would yield. The average strategies
//! converge to an equilibrium in games of two roles with a constant sum.
//!
//! Most descents begin in a history that agrees with what was seen in the match, some at the beginning of the
//! match, and the weights account for that. What was not seen is therefore weighted by what the others would
//! do, as far as it is known.
//!
//! M. Lanctot and others: Monte Carlo sampling for regret minimization in extensive games (2009). V. Lisý, M.
//! Lanctot, M. Bowling: Online Monte Carlo counterfactual regret minimization for search in imperfect
//! information games (2015). Here averages count visits, later ones more: those who do not explore visit
//! their sets as often as they would in play. M. Schmid and others: Variance reduction in Monte Carlo
//! counterfactual regret minimization (2019).

use game::{MoveId, Rng, RoleId};

use super::descend::{Choice, Descent, Guide};
use super::forest::{Forest, Particles};
use crate::evaluate::Score;
use crate::sets::View;

/// The number of playouts when a descent leaves the trees. They are fast compared with the descent, and their
/// mean has less noise.
const LEAF: u32 = 16;

/// Regrets and average strategies, by tree and sequence.
pub(crate) struct Sampled {
    /// The probability that the learning role explores.
    pub explore: f64,
    /// The fraction of descents that begin in a particle.
    pub target: f64,
    regrets: Vec<Vec<f64>>,
    sums: Vec<Vec<f64>>,
    /// How often the strategy of a set was added to its average, by tree and set.
    counted: Vec<Vec<f64>>,
    /// The number of descents, and the sum of their goals, from which the values of moves are computed.
    tried: Vec<Vec<(f64, f64)>>,
}

impl Sampled {
    /// Creates empty statistics for this many trees.
    pub fn new(explore: f64, target: f64, trees: usize) -> Sampled {
        let none = vec![Vec::new(); trees];
        let (regrets, sums, counted) = (none.clone(), none.clone(), none);
        Sampled { explore, target, regrets, sums, counted, tried: vec![Vec::new(); trees] }
    }

    /// Returns the strategy of a set, by regret matching.
    fn mix(&self, seat: usize, view: &View) -> Vec<f64> {
        let regret = |at: usize| self.regrets[seat].get(at).map_or(0.0, |regret| regret.max(0.0));
        crate::normalised(&view.sequences().map(regret).collect::<Vec<f64>>())
    }

    /// Returns the probability of a sequence in its set.
    pub fn share(&self, forest: &Forest, seat: usize, set: u32, sequence: u32) -> f64 {
        let view = forest.views[seat].set(set);
        self.mix(seat, view)[(sequence - view.first) as usize]
    }

    /// Returns the average strategy of these moves in these weighted sets, with their values.
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
            let mix =
                if sums.iter().sum::<f64>() > 0.0 { crate::normalised(&sums) } else { self.mix(seat, view) };
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

    /// Learns from the results of descents. `now` is the number of steps of the match so far.
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
            // What the learner and the others did before the current step of the match and after it.
            let (mut before, mut after) = (Side::NEW, Side::NEW);
            // The learner's choices before the current step of the match, for which the samples count too,
            // and after it.
            let (mut past, mut own) = (Vec::new(), Vec::new());
            // The probability that what the player saw comes about at random, and how many times as likely it
            // is with the others' strategies. Neither includes the player's own choices.
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
                        let tried = self.tries(share, mix.len());
                        before.tried *= tried;
                        past.push(Own { seat, set: made.set, sequence: made.sequence, share, tried });
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
                    let Choice { seat, set, sequence, share, tried, .. } = *choice;
                    let list = if at < made_before { &mut past } else { &mut own };
                    list.push(Own { seat, set, sequence, share, tried });
                } else {
                    side.others *= choice.share;
                }
            }
            if descent.mark.particle.is_none() {
                let chance = descent.chance.iter().take(now).product::<f64>();
                before.others *= chance;
                reach *= chance;
            }
            // A descent from the beginning of the match may also have reached the current position.
            let here = |choice: &Choice| choice.step == now && sets.iter().any(|(set, _)| *set == choice.set);
            let is_here = |choice: &Choice| choice.role == particles.own().index() && here(choice);
            let may_be_drawn = descent.mark.particle.is_some() || descent.choices.iter().any(is_here);
            let drawn = if may_be_drawn { particles.likely(reach, others) } else { 0.0 };
            let sampled = (1.0 - self.target) * before.tried * before.others + self.target * drawn;
            if sampled <= 0.0 || after.tried <= 0.0 {
                continue;
            }
            let value = self.regret(forest, &own, before.others / sampled, worth(goals[learner]));
            self.regret_past(forest, &past, value * before.others / sampled);
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

    /// Updates the learner's regrets for its choices from the current position to where the descent left the
    /// trees, which had this `value`. Returns the value of the choices together. `weight` is the probability
    /// that the others reach the first of them, divided by the probability that it was sampled.
    ///
    /// A move that was not sampled gets its average value as a baseline. One that was sampled gets the
    /// baseline plus the importance-weighted difference, which has the right expectation and less variance.
    fn regret(&mut self, forest: &Forest, own: &[Own], mut weight: f64, mut value: f64) -> f64 {
        let mut weights: Vec<f64> = Vec::with_capacity(own.len());
        for choice in own {
            weights.push(weight);
            weight /= choice.tried;
        }
        for (choice, weight) in own.iter().zip(weights).rev() {
            let view = forest.views[choice.seat].set(choice.set);
            let mix = self.mix(choice.seat, view);
            let usual = self.usual(choice.seat, view);
            let corrected = |(place, usual): (usize, &f64)| {
                let chosen = view.first as usize + place == choice.sequence as usize;
                if chosen { usual + (value - usual) / choice.tried } else { *usual }
            };
            let values: Vec<f64> = usual.iter().enumerate().map(corrected).collect();
            value = mix.iter().zip(&values).map(|(share, value)| share * value).sum();
            for (sequence, worth) in view.sequences().zip(&values) {
                *entry(&mut self.regrets[choice.seat], sequence) += weight * (worth - value);
            }
        }
        value
    }

    /// Returns the average values of the moves of a set. Moves that were never tried get the average of the
    /// others.
    fn usual(&self, seat: usize, view: &View) -> Vec<f64> {
        let tried = |at: usize| self.tried[seat].get(at).copied().unwrap_or_default();
        let (count, sum) =
            view.sequences().map(tried).fold((0.0, 0.0), |all, one| (all.0 + one.0, all.1 + one.1));
        let all = if count > 0.0 { worth(sum / count) } else { 0.0 };
        let usual = |(count, sum): (f64, f64)| if count > 0.0 { worth(sum / count) } else { all };
        view.sequences().map(|at| usual(tried(at))).collect()
    }

    /// Updates the learner's regrets for choices before the current position, for which a sample is
    /// informative too.
    fn regret_past(&mut self, forest: &Forest, past: &[Own], mut value: f64) {
        for choice in past.iter().rev() {
            for sequence in forest.views[choice.seat].set(choice.set).sequences() {
                let regret = entry(&mut self.regrets[choice.seat], sequence);
                *regret -= value * choice.share;
                if sequence == choice.sequence as usize {
                    *regret += value;
                }
            }
            value *= choice.share;
        }
    }

    /// Adds the strategy of a set to its average. Later ones, which are better informed, count more.
    fn count(&mut self, forest: &Forest, seat: usize, set: u32) {
        let view = forest.views[seat].set(set);
        let mix = self.mix(seat, view);
        let counted = entry(&mut self.counted[seat], set as usize);
        *counted += 1.0;
        let weight = *counted;
        for (sequence, share) in view.sequences().zip(mix) {
            *entry(&mut self.sums[seat], sequence) += weight * share;
        }
    }

    /// Returns how often the strategies of these weighted sets were added to their averages.
    pub fn counted(&self, forest: &Forest, role: RoleId, sets: &[(u32, f64)]) -> f64 {
        let Some(seat) = forest.seats[role.index()] else { return 0.0 };
        let counted = |set: u32| self.counted[seat].get(set as usize).copied().unwrap_or(0.0);
        sets.iter().map(|&(set, weight)| weight * counted(set)).sum()
    }

    fn tries(&self, share: f64, moves: usize) -> f64 {
        self.explore / moves as f64 + (1.0 - self.explore) * share
    }
}

/// A choice of the role that learns.
#[derive(Clone, Copy)]
struct Own {
    seat: usize,
    set: u32,
    sequence: u32,
    /// Its probability in the strategy, and the probability with which it was sampled.
    share: f64,
    tried: f64,
}

/// Scales points to the range from -1 to 1.
fn worth(points: f64) -> f64 {
    (points - 50.0) / 50.0
}

/// A part of a descent: the probability that the learner sampled it, and that the others did it.
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
    fn playouts(&self) -> u32 {
        LEAF
    }

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
