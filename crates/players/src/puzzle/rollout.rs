//! Nested rollout policy adaptation (NRPA, Rosin 2011).
//!
//! A rollout draws moves by softmax weights. A search of one level makes many searches of the level below and
//! adapts the weights towards the best sequence so far. Moves are identified by their number alone, not by
//! the position in which they are made.

use game::{Deadline, Fault, Game, MoveId, Rng, RoleId};
use rustc_hash::FxHashMap;

use super::Plan;

/// The number of searches of the level below, and the learning rate.
const ROUNDS: u32 = 60;
const RATE: f64 = 1.0;
/// The number of levels above single rollouts.
const LEVELS: u32 = 3;
/// The maximum number of steps of a rollout.
const LONGEST: usize = 2000;

/// The logarithmic weights of moves.
type Weights = FxHashMap<MoveId, f64>;

/// A sequence of moves, with the legal moves at each step.
#[derive(Clone)]
struct Sequence {
    goal: i32,
    steps: Vec<(MoveId, Vec<MoveId>)>,
}

/// A search by rollouts.
pub(super) struct Rollouts<'a, G: Game> {
    game: &'a G,
    scratch: &'a mut G::Scratch,
    deadline: Deadline,
    left: u64,
    states: u64,
    rng: &'a mut Rng,
}

impl<'a, G: Game> Rollouts<'a, G> {
    pub fn new(
        game: &'a G,
        scratch: &'a mut G::Scratch,
        deadline: Deadline,
        states: u64,
        rng: &'a mut Rng,
    ) -> Rollouts<'a, G> {
        Rollouts { game, scratch, deadline, left: states, states: 0, rng }
    }

    /// Returns the number of visited states.
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Returns the best sequence found until the time or the number of states is used up.
    pub fn search(&mut self, from: &G::State) -> Result<Option<Plan>, Fault> {
        let mut best: Option<Sequence> = None;
        while !self.is_over() {
            let found = self.level(from, LEVELS, Weights::default(), &mut best)?;
            if found.goal >= super::TOP || found.steps.is_empty() {
                break;
            }
        }
        Ok(best.map(|best| {
            let moves = best.steps.iter().rev().map(|(mv, _)| *mv).collect();
            Plan { moves, goal: best.goal, how: "nested rollouts" }
        }))
    }

    fn is_over(&self) -> bool {
        self.states >= self.left || self.deadline.is_over()
    }

    fn level(
        &mut self,
        from: &G::State,
        level: u32,
        mut weights: Weights,
        overall: &mut Option<Sequence>,
    ) -> Result<Sequence, Fault> {
        if level == 0 {
            let found = self.rollout(from, &weights)?;
            let longer = |best: &Sequence| {
                found.goal > best.goal || (found.goal == best.goal && found.steps.len() < best.steps.len())
            };
            if overall.as_ref().is_none_or(longer) {
                *overall = Some(found.clone());
            }
            return Ok(found);
        }
        let mut best: Option<Sequence> = None;
        for _ in 0..ROUNDS {
            let found = self.level(from, level - 1, weights.clone(), overall)?;
            if best.as_ref().is_none_or(|best| found.goal >= best.goal) {
                best = Some(found);
            }
            if self.is_over() || best.as_ref().is_some_and(|best| best.goal >= super::TOP) {
                break;
            }
            if let Some(best) = &best {
                adapt(&mut weights, best);
            }
        }
        Ok(best.unwrap_or(Sequence { goal: 0, steps: Vec::new() }))
    }

    fn rollout(&mut self, from: &G::State, weights: &Weights) -> Result<Sequence, Fault> {
        let mut state = from.clone();
        let mut steps = Vec::new();
        while !self.game.is_terminal(self.scratch, &state)? && steps.len() < LONGEST {
            let mut legal = Vec::new();
            self.game.legal(self.scratch, &state, RoleId(0), &mut legal)?;
            if legal.is_empty() {
                return Ok(Sequence { goal: 0, steps });
            }
            let chosen = self.draw(&legal, weights);
            state = self.game.next(self.scratch, &state, &[chosen])?;
            steps.push((chosen, legal));
            self.states += 1;
            if self.is_over() {
                break;
            }
        }
        let over = self.game.is_terminal(self.scratch, &state)?;
        let goal = if over { self.game.goal(self.scratch, &state, RoleId(0))? } else { None };
        Ok(Sequence { goal: goal.unwrap_or(0).clamp(0, 100), steps })
    }

    fn draw(&mut self, legal: &[MoveId], weights: &Weights) -> MoveId {
        let parts: Vec<f64> = legal.iter().map(|mv| libm::exp(weight(weights, *mv))).collect();
        let mut left = self.rng.unit() * parts.iter().sum::<f64>();
        for (mv, part) in legal.iter().zip(&parts) {
            left -= part;
            if left <= 0.0 {
                return *mv;
            }
        }
        legal[legal.len() - 1]
    }
}

fn weight(weights: &Weights, mv: MoveId) -> f64 {
    weights.get(&mv).copied().unwrap_or(0.0)
}

/// Adapts the weights towards a sequence.
fn adapt(weights: &mut Weights, best: &Sequence) {
    let mut change: FxHashMap<MoveId, f64> = FxHashMap::default();
    for (chosen, legal) in &best.steps {
        let parts: Vec<f64> = legal.iter().map(|mv| libm::exp(weight(weights, *mv))).collect();
        let sum: f64 = parts.iter().sum();
        *change.entry(*chosen).or_default() += RATE;
        for (mv, part) in legal.iter().zip(&parts) {
            *change.entry(*mv).or_default() -= RATE * part / sum;
        }
    }
    for (mv, change) in change {
        let weight = weights.entry(mv).or_default();
        *weight = (*weight + change).clamp(-50.0, 50.0);
    }
}
