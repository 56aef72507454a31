//! Histories to begin in, drawn by their probabilities.
//!
//! A search that begins in histories needs each of them with the probability that chance, and others who move
//! at random, bring it about. Models of a [`super::Bag`] occur as often as its search finds them, and if
//! there are more histories than models, weights cannot correct that. Histories therefore come from:
//!
//! 1. the full list of those that agree, with their probabilities, as long as it is short;
//! 2. rejection sampling: a history of the last full list is drawn by its probability, then the moves of the
//!    others, step by step, and histories that do not agree with what was seen are rejected. The rest is an
//!    unweighted sample of the information set with independent histories;
//! 3. if too few of them agree, histories of the previous round, drawn by their weights and brought forward
//!    by one step in the same way (a particle filter);
//! 4. if too few of those agree as well, a bag, which always finds some, with the weights of its models.
//!
//! D. Silver, J. Veness: Monte-Carlo planning in large POMDPs (2010), for the third. All but the last also
//! estimate the probability of seeing what was seen, and with it the probability that each history was drawn.

use std::borrow::Cow;

use game::{Deadline, Fault, Game, MoveId, Rng, RoleId, Seed, for_each_joint};

use super::bag::{Bag, Remedy, Weights};
use super::model::{Model, Place, choices, joint};
use super::repair::Sight;
use super::view::Seen;

/// The number of steps computed at a time.
const BATCH: usize = 256;
/// The number of steps for each history that may be in the full list.
const LIST_WORK: f64 = 16.0;
/// The number of steps for each requested history, drawn from the last full list.
const AFRESH: usize = 16;
/// The number of steps for each requested history, drawn from the previous round.
const ONE_STEP: usize = 64;
/// A sample that is smaller than requested by more than this factor is too small.
const FEW: usize = 4;
/// Histories drawn from the previous round are too similar if fewer than one in this many are different.
const ALIKE: usize = 16;

/// A history and its probability.
#[derive(Debug, Clone)]
pub(super) struct World<S> {
    pub model: Model<S>,
    /// The natural logarithm of the probability that the others make these moves, given the own ones.
    pub ln_reach: f64,
    /// Its probability after what was seen. Those of all worlds add up to one.
    pub weight: f64,
}

/// The origin of the histories of a [`Sampler`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// All histories that agree.
    All,
    /// Histories drawn by their probabilities.
    Drawn,
    /// The models of a bag.
    Mended,
}

/// Histories after a number of steps.
#[derive(Debug, Clone)]
struct Stage<S> {
    worlds: Vec<World<S>>,
    depth: usize,
    /// The natural logarithm of the probability of seeing what was seen.
    ln_seen: f64,
}

impl<S> Stage<S> {
    const NONE: Stage<S> = Stage { worlds: Vec::new(), depth: 0, ln_seen: 0.0 };
}

/// Keeps histories that agree with what a role saw.
#[derive(Debug, Clone)]
pub(super) struct Sampler<S> {
    role: RoleId,
    /// The maximum number of histories of a full list, and the size of a sample.
    limit: usize,
    wanted: usize,
    now: Stage<S>,
    /// The last full list, once there are too many histories for one.
    full: Option<Stage<S>>,
    origin: Origin,
    chance: Rng,
    /// The number of joint moves tried.
    tried: u64,
}

impl<S: Clone> Sampler<S> {
    /// Begins a match, with full lists of at most `limit` histories, or samples of `wanted` ones.
    pub fn new(role: RoleId, initial: Model<S>, limit: usize, wanted: usize, seed: Seed) -> Sampler<S> {
        let worlds = vec![World { model: initial, ln_reach: 0.0, weight: 1.0 }];
        let now = Stage { worlds, depth: 0, ln_seen: 0.0 };
        Sampler { role, limit, wanted, now, full: None, origin: Origin::All, chance: seed.rng(), tried: 0 }
    }

    /// Returns the histories.
    pub fn worlds(&self) -> &[World<S>] {
        &self.now.worlds
    }

    /// Returns their origin.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// Returns the number of joint moves tried so far.
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// Returns the natural logarithm of the probability of seeing what was seen if all move at random.
    pub fn ln_seen(&self) -> f64 {
        self.now.ln_seen
    }

    /// Brings the histories to the current step of a match that continues. Returns `false` if too few agree
    /// or the deadline passes; then they are those of an earlier round.
    pub fn follow<G>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        seen: &[Seen],
        deadline: &Deadline,
    ) -> Result<bool, Fault>
    where
        G: Game<State = S> + ?Sized,
    {
        while self.now.depth < seen.len() && self.full.is_none() {
            if deadline.is_over() {
                return Ok(false);
            }
            match self.list(game, scratch, seen)? {
                Some(stage) => self.now = stage,
                None => self.full = Some(self.now.clone()),
            }
        }
        if self.now.depth == seen.len() {
            return Ok(true);
        }
        if let Some(full) = self.full.take() {
            let afresh = self.draw(game, scratch, &full, seen, AFRESH, deadline);
            self.full = Some(full);
            if let Some(stage) = afresh? {
                (self.now, self.origin) = (stage, Origin::Drawn);
                return Ok(true);
            }
        }
        while self.now.depth < seen.len() {
            let before = std::mem::replace(&mut self.now, Stage::NONE);
            let next = self.draw(game, scratch, &before, &seen[..=before.depth], ONE_STEP, deadline);
            self.now = before;
            match next? {
                Some(stage) if different(&stage.worlds) * ALIKE >= self.wanted => self.now = stage,
                _ => return Ok(false),
            }
        }
        self.origin = Origin::Drawn;
        Ok(true)
    }

    /// Takes over the models of a bag that is up to date, merging copies of a history.
    pub fn take(&mut self, bag: &Bag<S>) {
        let weights = bag.weights(Weights::Choice, Remedy::Weight);
        let mut worlds: Vec<World<S>> = Vec::new();
        let mut known = rustc_hash::FxHashMap::<Vec<MoveId>, usize>::default();
        for (model, weight) in bag.current().zip(weights) {
            let at = *known.entry(model.path()).or_insert(worlds.len());
            match worlds.get_mut(at) {
                Some(world) => world.weight += weight,
                None => worlds.push(World { model: model.clone(), ln_reach: self.reach(model), weight }),
            }
        }
        // Each is drawn with a probability equal to its weight.
        let ln_seen = worlds.first().map_or(0.0, |world| world.ln_reach - libm::log(world.weight));
        self.now = Stage { worlds, depth: bag.seen().len(), ln_seen };
        self.origin = Origin::Mended;
    }

    /// Returns the logarithm of the probability that the others make the moves of a model.
    fn reach(&self, model: &Model<S>) -> f64 {
        (0..model.depth()).map(|at| -libm::log(self.ways(model.place_at(at)))).sum()
    }

    /// Returns the number of ways in which the others can move.
    fn ways(&self, place: &Place<S>) -> f64 {
        let others = place.legal.iter().enumerate().filter(|(role, _)| *role != self.role.index());
        others.map(|(_, moves)| moves.len() as f64).product()
    }

    /// Returns `true` if the role can have made its move here, and there is a next step at all.
    fn goes_on(&self, place: &Place<S>, seen: &Seen) -> bool {
        let can = |joint: &Vec<MoveId>| place.legal.iter().zip(joint).all(|(moves, mv)| moves.contains(mv));
        let own = place.legal[self.role.index()].contains(&seen.own);
        own && !place.legal.iter().any(Vec::is_empty) && seen.joint.as_ref().is_none_or(can)
    }

    /// Returns the full list one step later, or `None` if it would be too long, or take too long to find.
    fn list<G>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        seen: &[Seen],
    ) -> Result<Option<Stage<S>>, Fault>
    where
        G: Game<State = S> + ?Sized,
    {
        let depth = self.now.depth;
        let step = &seen[depth];
        let before: Vec<&World<S>> =
            self.now.worlds.iter().filter(|world| self.goes_on(world.model.place(), step)).collect();
        let ways =
            |world: &&World<S>| if step.joint.is_some() { 1.0 } else { self.ways(world.model.place()) };
        if before.iter().map(ways).sum::<f64>() > LIST_WORK * self.limit as f64 {
            return Ok(None);
        }
        let (mut owners, mut states, mut joints) = (Vec::new(), Vec::new(), Vec::new());
        for (owner, world) in before.iter().enumerate() {
            let place = world.model.place();
            let mut legal = place.legal.clone();
            legal[self.role.index()] = vec![step.own];
            for_each_joint(&legal, |joint| {
                if step.joint.as_ref().is_none_or(|shown| shown == joint) {
                    owners.push(owner);
                    states.push(place.state.clone());
                    joints.push(joint.to_vec());
                }
                Ok::<bool, Fault>(true)
            })?;
        }
        let sight = Sight { role: self.role, seen: &seen[..=depth], going_on: true };
        let mut worlds: Vec<World<S>> = Vec::new();
        self.tried += joints.len() as u64;
        let batches = owners.chunks(BATCH).zip(states.chunks(BATCH)).zip(joints.chunks(BATCH));
        for ((owners, states), joints) in batches {
            let steps = game.steps(scratch, states, joints)?;
            for ((&owner, joint), stepped) in owners.iter().zip(joints).zip(steps) {
                if !sight.agrees(depth, &stepped) {
                    continue;
                }
                if worlds.len() == self.limit {
                    return Ok(None);
                }
                let World { model, ln_reach, .. } = before[owner];
                let ln_reach = ln_reach - libm::log(self.ways(model.place()));
                worlds.push(World { model: model.after(joint, stepped), ln_reach, weight: 0.0 });
            }
        }
        let most = worlds.iter().map(|world| world.ln_reach).fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = worlds.iter().map(|world| libm::exp(world.ln_reach - most)).sum();
        worlds.iter_mut().for_each(|world| world.weight = libm::exp(world.ln_reach - most) / sum);
        if worlds.is_empty() {
            return Err(Fault::BadState("no history of this game agrees with what was seen".to_string()));
        }
        Ok(Some(Stage { worlds, depth: depth + 1, ln_seen: most + libm::log(sum) }))
    }

    /// Draws histories of a stage, and moves of the others in the steps seen since, until enough agree.
    /// Returns `None` if too few do.
    fn draw<G>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        from: &Stage<S>,
        seen: &[Seen],
        work: usize,
        deadline: &Deadline,
    ) -> Result<Option<Stage<S>>, Fault>
    where
        G: Game<State = S> + ?Sized,
    {
        let sight = Sight { role: self.role, seen, going_on: true };
        let cumulated: Vec<f64> = from
            .worlds
            .iter()
            .scan(0.0, |sum, world| {
                *sum += world.weight;
                Some(*sum)
            })
            .collect();
        let (mut worlds, mut drawn, mut left) = (Vec::new(), 0.0, work * self.wanted);
        while worlds.len() < self.wanted && left > 0 && !deadline.is_over() {
            let count = BATCH.min(left);
            drawn += count as f64;
            let mut going: Vec<Cow<'_, World<S>>> = Vec::with_capacity(count);
            for _ in 0..count {
                let share = self.chance.unit();
                let at = cumulated.partition_point(|sum| *sum <= share).min(cumulated.len() - 1);
                going.push(Cow::Borrowed(&from.worlds[at]));
            }
            for (at, last) in seen.iter().enumerate().skip(from.depth) {
                going.retain(|world| self.goes_on(world.model.place(), last));
                let (mut states, mut joints) = (Vec::new(), Vec::new());
                for world in &going {
                    let place = world.model.place();
                    let ways = usize::try_from(choices(place, self.role, last)).unwrap_or(usize::MAX);
                    joints.push(joint(place, self.role, last, self.chance.below(ways) as u64));
                    states.push(place.state.clone());
                }
                left = left.saturating_sub(going.len().max(1));
                self.tried += going.len() as u64;
                let steps = game.steps(scratch, &states, &joints)?;
                let tries = going.into_iter().zip(joints).zip(steps);
                let agreeing = tries.filter(|(_, stepped)| sight.agrees(at, stepped));
                going = agreeing
                    .map(|((world, joint), stepped)| {
                        let mut world = world.into_owned();
                        world.ln_reach -= libm::log(self.ways(world.model.place()));
                        world.model.push(joint, stepped);
                        Cow::Owned(world)
                    })
                    .collect();
            }
            worlds.extend(going.into_iter().map(Cow::into_owned));
        }
        if worlds.len() * FEW < self.wanted {
            return Ok(None);
        }
        let count = worlds.len() as f64;
        worlds.iter_mut().for_each(|world| world.weight = 1.0 / count);
        Ok(Some(Stage { worlds, depth: seen.len(), ln_seen: from.ln_seen + libm::log(count / drawn) }))
    }
}

/// Returns the number of different histories.
pub(super) fn different<S: Clone>(worlds: &[World<S>]) -> usize {
    let mut paths: Vec<Vec<MoveId>> = worlds.iter().map(|world| world.model.path()).collect();
    paths.sort_unstable();
    paths.dedup();
    paths.len()
}
