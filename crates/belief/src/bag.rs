//! A bag of models: a weighted sample of an information set.

use std::sync::Arc;

use game::{MoveId, Rng, RoleId, Seed};
use rustc_hash::FxHashMap;

use super::model::{Model, Place};
use super::view::Seen;

/// What is done about histories that occur more often in the bag than others.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Remedy {
    /// Nothing.
    #[default]
    Base,
    /// The copies of a history share its weight.
    Weight,
    /// In every round, copies of frequent histories are replaced by copies of rare ones.
    Balance,
}

/// How models are weighted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Weights {
    /// By the probability that chance, and others who move at random, made these moves.
    #[default]
    Choice,
    /// By that probability, divided by the probability that the sampler makes these moves.
    Sampled,
    /// Equally.
    Even,
}

/// Models of one match from the point of view of one role.
#[derive(Debug, Clone)]
pub struct Bag<S> {
    pub(super) role: RoleId,
    pub(super) seen: Vec<Seen>,
    pub(super) models: Vec<Model<S>>,
    pub(super) chance: Rng,
    /// The number of joint moves tried for models.
    pub(super) tried: u64,
}

impl<S: Clone> Bag<S> {
    /// Creates this many models at the initial state.
    pub fn new(role: RoleId, initial: &Arc<Place<S>>, size: usize, seed: Seed) -> Bag<S> {
        let models = (0..size).map(|_| Model::new(initial)).collect();
        Bag { role, seen: Vec::new(), models, chance: seed.rng(), tried: 0 }
    }

    /// Records a step. The models follow when [`super::catch_up`] is called.
    pub fn see(&mut self, seen: Seen) {
        self.seen.push(seen);
    }

    /// Returns the steps seen so far.
    pub fn seen(&self) -> &[Seen] {
        &self.seen
    }

    /// Returns the number of joint moves tried for models so far.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Returns the models that agree with everything that was seen.
    pub fn current(&self) -> impl Iterator<Item = &Model<S>> {
        self.models.iter().filter(|model| model.depth() == self.seen.len())
    }

    /// Returns the model that agrees with most of what was seen.
    pub fn furthest(&self) -> Option<&Model<S>> {
        self.models.iter().max_by_key(|model| model.depth())
    }

    /// Returns the legal moves of the role in canonical order, according to the models that agree with most
    /// of what was seen, and whether these models agree about them. In well-formed rules they do. Otherwise
    /// only moves count that are legal in all of these models; if there are none, all moves that are legal in
    /// one of them.
    pub fn own_moves(&self) -> (Vec<MoveId>, bool) {
        let depth = self.furthest().map_or(0, Model::depth);
        moves_in(self.models.iter().filter(|model| model.depth() == depth), self.role)
    }

    /// Returns the weights of the current models, in order. They add up to one.
    pub fn weights(&self, weights: Weights, remedy: Remedy) -> Vec<f64> {
        let logs: Vec<f64> = match weights {
            Weights::Choice => self.current().map(|model| -model.ln_choices()).collect(),
            Weights::Sampled => self.current().map(Model::ln_shares).collect(),
            Weights::Even => self.current().map(|_| 0.0).collect(),
        };
        let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut result: Vec<f64> = logs.iter().map(|log| libm::exp(log - most)).collect();
        if remedy == Remedy::Weight {
            let paths: Vec<Vec<MoveId>> = self.current().map(Model::path).collect();
            let mut copies = FxHashMap::<&[MoveId], f64>::default();
            paths.iter().for_each(|path| *copies.entry(path).or_default() += 1.0);
            result.iter_mut().zip(&paths).for_each(|(weight, path)| *weight /= copies[&path[..]]);
        }
        let sum: f64 = result.iter().sum();
        result.iter_mut().for_each(|weight| *weight /= sum);
        result
    }

    /// Returns the number of different histories among the current models.
    pub fn different(&self) -> usize {
        let mut paths: Vec<Vec<MoveId>> = self.current().map(Model::path).collect();
        paths.sort_unstable();
        paths.dedup();
        paths.len()
    }

    /// Replaces copies of the most frequent history by copies of the rarest one until all are equally
    /// frequent, as far as that is possible.
    pub fn balance(&mut self) {
        let mut places = FxHashMap::<Vec<MoveId>, usize>::default();
        let mut groups: Vec<Vec<usize>> = Vec::new();
        for (index, model) in self.models.iter().enumerate() {
            if model.depth() == self.seen.len() {
                let fresh = groups.len();
                let group = *places.entry(model.path()).or_insert(fresh);
                if group == fresh {
                    groups.push(Vec::new());
                }
                groups[group].push(index);
            }
        }
        loop {
            let most = (0..groups.len()).max_by_key(|&group| groups[group].len());
            let least = (0..groups.len()).min_by_key(|&group| groups[group].len());
            let (Some(most), Some(least)) = (most, least) else { return };
            if groups[most].len() <= groups[least].len() + 1 {
                return;
            }
            let Some(index) = groups[most].pop() else { return };
            self.models[index] = self.models[groups[least][0]].clone();
            groups[least].push(index);
        }
    }
}

/// Returns the moves of a role that are legal in all models, or those that are legal in some if there are
/// none; and whether the models agree about them.
pub(super) fn moves_in<'m, S: Clone + 'm>(
    models: impl Iterator<Item = &'m Model<S>>,
    role: RoleId,
) -> (Vec<MoveId>, bool) {
    let own = |model: &Model<S>| Arc::clone(model.place());
    let mut places = models.map(own);
    let Some(first) = places.next() else { return (Vec::new(), true) };
    let role = role.index();
    let differ: Vec<Arc<Place<S>>> = places.filter(|place| place.legal[role] != first.legal[role]).collect();
    let mut moves = first.legal[role].clone();
    moves.retain(|mv| differ.iter().all(|place| place.legal[role].contains(mv)));
    if moves.is_empty() {
        moves.clone_from(&first.legal[role]);
        for mv in differ.iter().flat_map(|place| &place.legal[role]) {
            if !moves.contains(mv) {
                moves.push(*mv);
            }
        }
    }
    (moves, differ.is_empty())
}
