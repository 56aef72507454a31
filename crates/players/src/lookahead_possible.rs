//! All possible states of a match, from the point of view of one role.
//!
//! A role knows its own moves and percepts. [`Possible`] keeps every state that agrees with them, each once,
//! with the probability that it arises if the others move at random. Equal states have equal futures, so
//! different histories of the same state are merged, which keeps their number far below that of the histories
//! that [`belief::Tracker`] keeps. If there are too many, a sample of them is kept.

use std::sync::Arc;

use belief::Seen;
use game::{Deadline, Fault, Game, MoveId, Rng, RoleId, for_each_joint};
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of steps computed at a time.
const BATCH: usize = 512;

/// A possible state of a match.
#[derive(Debug, Clone)]
pub struct Candidate<S> {
    /// The state.
    pub state: S,
    /// The legal moves of all roles.
    pub legal: Vec<Vec<MoveId>>,
    /// Its probability. All probabilities add up to one.
    pub weight: f64,
}

/// The possible states of a match.
pub struct Possible<G: Game> {
    game: Arc<G>,
    pub(crate) scratch: G::Scratch,
    role: RoleId,
    limit: usize,
    pub(crate) states: Vec<Candidate<G::State>>,
    before: usize,
    /// Whether some states were left out because there were too many.
    sampled: bool,
}

impl<G: Game> Possible<G> {
    /// Begins a match, with at most `limit` states.
    pub fn new(game: &Arc<G>, role: RoleId, limit: usize) -> Result<Possible<G>, Fault> {
        let (state, mut scratch) = (game.initial(), game.scratch());
        let mut legal = vec![Vec::new(); game.roles().len()];
        for (index, moves) in legal.iter_mut().enumerate() {
            game.legal(&mut scratch, &state, RoleId(index as u32), moves)?;
        }
        let states = vec![Candidate { state, legal, weight: 1.0 }];
        Ok(Possible { game: Arc::clone(game), scratch, role, limit, states, before: 1, sampled: false })
    }

    /// Returns the states. Empty if none agrees with the percepts.
    pub fn states(&self) -> &[Candidate<G::State>] {
        &self.states
    }

    /// Returns the number of states after the last step before the percepts ruled some out.
    pub fn before(&self) -> usize {
        self.before
    }

    /// Returns `true` if there were too many states at some step, so that these are only a sample.
    pub fn is_sample(&self) -> bool {
        self.sampled
    }

    /// Advances by a step that did not end the match.
    pub fn update(&mut self, seen: &Seen, deadline: &Deadline, chance: &mut Rng) -> Result<(), Fault> {
        let states = std::mem::take(&mut self.states);
        let mut next = Next { index: FxHashMap::default(), list: Vec::new(), all: FxHashSet::default() };
        let (mut weights, mut from, mut joints) = (Vec::new(), Vec::new(), Vec::new());
        for candidate in &states {
            let mut legal = candidate.legal.clone();
            if !legal[self.role.index()].contains(&seen.own) || legal.iter().any(Vec::is_empty) {
                continue;
            }
            legal[self.role.index()] = vec![seen.own];
            let ways: f64 = legal.iter().map(|moves| moves.len() as f64).product();
            for_each_joint(&legal, |joint| {
                if seen.joint.as_ref().is_none_or(|shown| shown == joint) {
                    weights.push(candidate.weight / ways);
                    from.push(candidate.state.clone());
                    joints.push(joint.to_vec());
                    if joints.len() == BATCH {
                        self.take_in(seen, &mut weights, &mut from, &mut joints, &mut next)?;
                    }
                }
                if deadline.is_over() { Err(Fault::Stopped) } else { Ok(true) }
            })?;
        }
        self.take_in(seen, &mut weights, &mut from, &mut joints, &mut next)?;
        self.before = next.all.len();
        self.states = next.list;
        if self.states.len() > self.limit {
            self.sampled = true;
            let kept = sample(&self.states, self.limit, chance);
            let with =
                |(candidate, weight): (&Candidate<G::State>, f64)| Candidate { weight, ..candidate.clone() };
            self.states = kept.into_iter().map(with).collect();
        }
        let sum: f64 = self.states.iter().map(|candidate| candidate.weight).sum();
        self.states.iter_mut().for_each(|candidate| candidate.weight /= sum);
        Ok(())
    }

    fn take_in(
        &mut self,
        seen: &Seen,
        weights: &mut Vec<f64>,
        from: &mut Vec<G::State>,
        joints: &mut Vec<Vec<MoveId>>,
        next: &mut Next<G::State>,
    ) -> Result<(), Fault> {
        let steps = self.game.steps(&mut self.scratch, from, joints)?;
        from.clear();
        joints.clear();
        for (weight, step) in weights.drain(..).zip(steps) {
            if step.terminal {
                continue;
            }
            next.all.insert(step.state.clone());
            if seen.joint.is_none() && !seen.agrees(&step.percepts[self.role.index()]) {
                continue;
            }
            match next.index.get(&step.state) {
                Some(&known) => next.list[known].weight += weight,
                None => {
                    next.index.insert(step.state.clone(), next.list.len());
                    next.list.push(Candidate { state: step.state, legal: step.legal, weight });
                }
            }
        }
        Ok(())
    }
}

/// The states after a step.
struct Next<S> {
    index: FxHashMap<S, usize>,
    list: Vec<Candidate<S>>,
    /// All of them, including those that the percepts rule out.
    all: FxHashSet<S>,
}

/// Returns a sample of the states with their weights, by systematic sampling: one random offset, then equal
/// distances.
pub(crate) fn sample<'a, S>(
    states: &'a [Candidate<S>],
    count: usize,
    chance: &mut Rng,
) -> Vec<(&'a Candidate<S>, f64)> {
    if states.len() <= count {
        return states.iter().map(|candidate| (candidate, candidate.weight)).collect();
    }
    let sum: f64 = states.iter().map(|candidate| candidate.weight).sum();
    let distance = sum / count as f64;
    let mut at = distance * (chance.below(1 << 20) as f64 + 0.5) / f64::from(1 << 20);
    let mut chosen = Vec::new();
    let mut passed = 0.0;
    for candidate in states {
        passed += candidate.weight;
        let mut weight = 0.0;
        while at < passed {
            at += distance;
            weight += distance;
        }
        if weight > 0.0 {
            chosen.push((candidate, weight));
        }
    }
    chosen
}
