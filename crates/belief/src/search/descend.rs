//! Descents through the trees, many side by side.
//!
//! A descent begins in a history. In every step each role that has a tree chooses by what it knows, as a
//! [`Guide`] determines, and the others draw; then all follow what they see. A descent leaves the trees when
//! a role has a choice in an information set that is new; the sets are added, and a playout determines the
//! value. Steps and playouts of all descents are made in batches.

use std::sync::Arc;

use game::{Deadline, Fault, Game, MoveId, Outcomes, Playouts, Rng, RoleId, Seed, Start};

use super::forest::Forest;
use crate::believer::Playing;
use crate::model::Place;
use crate::sets::View;

/// The maximum number of information sets of the trees.
const SETS: usize = 2_000_000;
/// The maximum number of steps of a descent or a playout.
const MAX_STEPS: u32 = 10_000;

/// A choice on the way.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Choice {
    pub seat: usize,
    pub role: usize,
    pub set: u32,
    /// The step since the beginning in which it was made.
    pub step: usize,
    /// The sequence of the move.
    pub sequence: u32,
    /// Its probability in the strategy, and the probability with which it was sampled.
    pub share: f64,
    pub tried: f64,
}

/// A descent through the trees.
pub(crate) struct Descent<S> {
    pub place: Arc<Place<S>>,
    /// The positions of the roles in their trees.
    pub sets: Vec<u32>,
    /// The choices made since it began.
    pub choices: Vec<Choice>,
    /// The joint moves since it began, one after the other.
    pub path: Vec<MoveId>,
    /// For each step, the probability of the moves of roles without a tree.
    pub chance: Vec<f64>,
    /// The goal of each role; `None` if it was not played to its end.
    pub goals: Option<Vec<f64>>,
    /// What the guide needs to know about its beginning.
    pub mark: Mark,
}

/// What a guide needs to know about the beginning of a descent.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Mark {
    /// The particle it began in, unless it began at the beginning of the match.
    pub particle: Option<usize>,
    /// The role that learns from it, if only one does.
    pub learner: usize,
}

/// Selection of moves during descents.
pub(crate) trait Guide {
    /// Returns the index of the move to make among those of the set, its probability in the strategy, and the
    /// probability with which it is sampled.
    fn choose(&mut self, seat: usize, view: &View, learns: bool, chance: &mut Rng) -> (usize, f64, f64);

    /// Returns the number of playouts when a descent leaves the trees. Their mean counts.
    fn playouts(&self) -> u32 {
        1
    }
}

impl<S> Descent<S> {
    /// Begins at a place, with the roles in these sets.
    pub fn new(place: &Arc<Place<S>>, sets: &[u32], mark: Mark) -> Descent<S> {
        let (choices, path, chance) = (Vec::new(), Vec::new(), Vec::new());
        Descent { place: Arc::clone(place), sets: sets.to_vec(), choices, path, chance, goals: None, mark }
    }
}

impl Forest {
    /// Descends side by side until all are played to their ends, or the deadline passes.
    pub fn descend<G: Game>(
        &mut self,
        seat: &mut Playing<G>,
        descents: Vec<Descent<G::State>>,
        guide: &mut impl Guide,
        deadline: &Deadline,
    ) -> Result<Vec<Descent<G::State>>, Fault> {
        let Playing { game, scratch, chance, visited, .. } = seat;
        let (mut inside, mut leaves, mut ended) = (descents, Vec::new(), Vec::new());
        let roles = game.roles().len();
        let mut steps = 0;
        while !inside.is_empty() {
            if deadline.is_over() {
                // Descents of long matches may stay in the trees for long; they do not count.
                ended.append(&mut inside);
                break;
            }
            let (mut moving, mut states, mut joints) = (Vec::new(), Vec::new(), Vec::new());
            for mut descent in inside.drain(..) {
                match self.joint(&mut descent, guide, chance) {
                    None => {
                        descent.goals = Some(vec![0.0; roles]);
                        ended.push(descent);
                    }
                    Some(joint) => {
                        states.push(descent.place.state.clone());
                        joints.push(joint);
                        moving.push(descent);
                    }
                }
            }
            visited.sampling += moving.len() as u64;
            steps += 1;
            let stepped = game.steps(scratch, &states, &joints)?;
            for ((mut descent, joint), step) in moving.into_iter().zip(joints).zip(stepped) {
                descent.path.extend_from_slice(&joint);
                if step.terminal {
                    let goal = |role| Ok(game.goal(scratch, &step.state, role)?.map_or(0.0, f64::from));
                    descent.goals = Some(RoleId::all(roles).map(goal).collect::<Result<Vec<f64>, Fault>>()?);
                    ended.push(descent);
                    continue;
                }
                let sequences = self.sequences(&descent.sets, &joint);
                let met = if self.size() < SETS {
                    Some(self.enter(&sequences, &step.percepts, &step.legal))
                } else {
                    self.find(&sequences, &step.percepts, &step.legal).map(|sets| (sets, false))
                };
                descent.place = Arc::new(Place { state: step.state, legal: step.legal });
                match met {
                    Some((sets, false)) if steps < MAX_STEPS => {
                        descent.sets = sets;
                        inside.push(descent);
                    }
                    _ => leaves.push(descent),
                }
            }
        }
        let count = guide.playouts();
        let start = |leaf: &Descent<G::State>| Start { state: leaf.place.state.clone(), first: None, count };
        let starts: Vec<Start<G::State>> = leaves.iter().map(start).collect();
        let seed = Seed(chance.next_u64());
        let request =
            Playouts { max_steps: MAX_STEPS, deadline: deadline.clone(), ..Playouts::new(&starts, seed) };
        let outcomes = game.playouts(scratch, &request)?;
        visited.playouts += outcomes.lengths.iter().map(|&length| u64::from(length)).sum::<u64>();
        let points = |goal: &i32| if *goal == Outcomes::NO_GOAL { 0.0 } else { f64::from(*goal) };
        let count = count as usize;
        for (number, leaf) in leaves.iter_mut().enumerate().take(outcomes.len() / count) {
            let mut sums = vec![0.0; roles];
            for playout in number * count..(number + 1) * count {
                let goals = outcomes.goals_of(playout).iter().map(points);
                sums.iter_mut().zip(goals).for_each(|(sum, points)| *sum += points);
            }
            leaf.goals = Some(sums.into_iter().map(|sum| sum / count as f64).collect());
        }
        ended.append(&mut leaves);
        Ok(ended)
    }

    /// Returns the joint move of a descent, or `None` in a dead end.
    fn joint<S>(
        &self,
        descent: &mut Descent<S>,
        guide: &mut impl Guide,
        chance: &mut Rng,
    ) -> Option<Vec<MoveId>> {
        if descent.place.legal.iter().any(Vec::is_empty) {
            return None;
        }
        let mut joint = Vec::with_capacity(self.seats.len());
        let mut drawn = 1.0;
        for (role, moves) in descent.place.legal.iter().enumerate() {
            let at = match (moves.len(), self.seats[role]) {
                (1, _) => 0,
                (many, None) => {
                    drawn /= many as f64;
                    chance.below(many)
                }
                (_, Some(seat)) => {
                    let set = descent.sets[role];
                    let view = self.views[seat].set(set);
                    let (at, share, tried) = guide.choose(seat, view, descent.mark.learner == role, chance);
                    let sequence = view.first + at as u32;
                    let step = descent.chance.len();
                    descent.choices.push(Choice { seat, role, set, step, sequence, share, tried });
                    at
                }
            };
            joint.push(moves[at]);
        }
        descent.chance.push(drawn);
        Some(joint)
    }
}
