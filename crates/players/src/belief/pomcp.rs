//! Tree search over what a role may do and see.
//!
//! A node of the tree is what the role knows: its own moves and percepts since
//! the root. A descent begins in a history drawn from the weighted bag, chooses
//! the own moves by upper confidence bounds, draws the moves of chance and of the
//! others, and follows the percepts; where it leaves the tree a node is added and
//! a playout says what it is worth. Since a node stands for all states that look
//! the same, moves that tell something are worth what knowing it gains. Against
//! chance alone the values approach the optimum; other roles are taken to move
//! at random.
//!
//! D. Silver, J. Veness: Monte-Carlo planning in large POMDPs (2010). Here the
//! root particles are the weighted models of a bag, and many descents are made
//! side by side, with their steps and playouts in batches.

use std::sync::Arc;

use game::{
    Deadline, Explanation, Fault, Game, MatchContext, MoveId, Observation, Outcomes, PerceptId, Player,
    Playouts, Rng, RoleId, Seed, Spec, Start,
};
use rustc_hash::FxHashMap;

use super::bag::{Remedy, Weights};
use super::evaluate::Score;
use super::hyperplay::{Seat, not_started};
use super::model::Place;
use super::settings::Settings;
use super::view::{Seen, Visited};
use crate::Parameters;

/// Descents for a move where there is neither a number nor a clock.
const ENOUGH: u64 = 20_000;
/// Descents side by side, at most.
const SIDE_BY_SIDE: u64 = 64;
/// Nodes of the tree, at most.
const NODES: usize = 1_000_000;
/// Steps of a playout, at most.
const MAX_STEPS: u32 = 10_000;

/// How a [`Pomcp`] searches.
#[derive(Debug, Clone, Copy)]
pub struct Search {
    /// Descents for a move; as many as there is time for where there is none.
    pub playouts: Option<u64>,
    /// Models in the bag.
    pub models: usize,
    /// How much rarely tried moves are favoured.
    pub c: f64,
}

impl Search {
    /// How a spec is written.
    pub const USAGE: &'static str = "pomcp(playouts=N,models=256,c=1.0)";

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Search, String> {
        let given = Parameters::new(spec, &["playouts", "models", "c"])?;
        Ok(Search {
            playouts: given.number("playouts", 1..=u64::MAX)?,
            models: given.number("models", 1..=1_000_000)?.unwrap_or(256),
            c: given.number("c", 0.0..=100.0)?.unwrap_or(1.0),
        })
    }
}

impl Default for Search {
    fn default() -> Search {
        Search { playouts: None, models: 256, c: 1.0 }
    }
}

/// Searches what it may do and see.
pub struct Pomcp<G: Game> {
    search: Search,
    seat: Option<Seat<G>>,
}

impl<G: Game> Pomcp<G> {
    /// With these settings.
    pub fn new(search: Search) -> Pomcp<G> {
        Pomcp { search, seat: None }
    }

    /// What the moves were worth in the last choice; empty if there was none.
    pub fn scores(&self) -> &[Score] {
        self.seat.as_ref().map_or(&[], |seat| &seat.scores)
    }

    fn think(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let seat = self.seat.as_mut().ok_or_else(not_started)?;
        // Copies of a history share its weight: where the bag has all histories, the weights are exact.
        let (weights, remedy) = (Weights::Choice, Remedy::Weight);
        let settings = Settings { models: self.search.models, playouts: None, remedy, weights };
        let sums = seat.prepare(&settings, deadline)?;
        if !sums.has_choice() {
            return sums.best(&mut seat.chance).ok_or_else(not_started);
        }
        let particles = Particles {
            places: seat.bag.current().map(|model| Arc::clone(model.place())).collect(),
            weights: seat.bag.weights(weights, remedy),
        };
        let margin = deadline.remaining().unwrap_or_default() / 16;
        let endless = deadline.remaining().is_none();
        let deadline = deadline.earlier(margin);
        let wanted = self.search.playouts.or(endless.then_some(ENOUGH));
        let mut tree = Tree { nodes: vec![Node::new(sums.moves())], role: seat.bag.role, c: self.search.c };
        let mut done = 0;
        while wanted.is_none_or(|wanted| done < wanted) && !deadline.is_over() {
            let left = wanted.map_or(u64::MAX, |wanted| wanted - done);
            let count = (done / 8).clamp(1, SIDE_BY_SIDE).min(left);
            tree.grow(&*seat.game, &particles, count, &mut seat.chance, &mut seat.visited, &deadline)?;
            done += count;
        }
        seat.scores = tree.scores();
        let best = seat.scores.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        best.map(|score| score.mv).or_else(|| sums.best(&mut seat.chance)).ok_or_else(not_started)
    }
}

/// Histories to begin in, and how likely each is.
struct Particles<S> {
    places: Vec<Arc<Place<S>>>,
    weights: Vec<f64>,
}

impl<S> Particles<S> {
    fn draw(&self, chance: &mut Rng) -> &Arc<Place<S>> {
        let mut left = chance.unit();
        for (place, weight) in self.places.iter().zip(&self.weights) {
            left -= weight;
            if left < 0.0 {
                return place;
            }
        }
        self.places.last().expect("a bag that was prepared has a model")
    }
}

/// What a role knows, and what its moves were worth there.
struct Node {
    moves: Vec<MoveId>,
    /// Descents, and the sum of their goals, by move.
    tried: Vec<(f64, f64)>,
    children: FxHashMap<(u32, Vec<PerceptId>), usize>,
}

impl Node {
    fn new(moves: &[MoveId]) -> Node {
        let tried = vec![(0.0, 0.0); moves.len()];
        Node { moves: moves.to_vec(), tried, children: FxHashMap::default() }
    }

    /// The place of the move to try: one that was never tried, else the most promising.
    fn select(&self, c: f64, chance: &mut Rng) -> usize {
        let fresh: Vec<usize> = (0..self.tried.len()).filter(|&at| self.tried[at].0 == 0.0).collect();
        if !fresh.is_empty() {
            return fresh[chance.below(fresh.len())];
        }
        let visits: f64 = self.tried.iter().map(|(visits, _)| visits).sum();
        let bound = |&(count, sum): &(f64, f64)| sum / count + 100.0 * c * (visits.ln() / count).sqrt();
        let bounds: Vec<f64> = self.tried.iter().map(bound).collect();
        (0..bounds.len()).max_by(|&a, &b| bounds[a].total_cmp(&bounds[b])).unwrap_or(0)
    }
}

struct Tree {
    nodes: Vec<Node>,
    role: RoleId,
    c: f64,
}

/// A way down the tree.
struct Descent<S> {
    node: usize,
    place: Arc<Place<S>>,
    path: Vec<(usize, usize)>,
    goal: Option<f64>,
}

impl Tree {
    /// Goes down so often, side by side.
    fn grow<G: Game>(
        &mut self,
        game: &G,
        particles: &Particles<G::State>,
        count: u64,
        chance: &mut Rng,
        visited: &mut Visited,
        deadline: &Deadline,
    ) -> Result<(), Fault> {
        let begin =
            |_| Descent { node: 0, place: Arc::clone(particles.draw(chance)), path: Vec::new(), goal: None };
        let mut inside: Vec<Descent<G::State>> = (0..count).map(begin).collect();
        let (mut leaves, mut ended) = (Vec::new(), Vec::new());
        while !inside.is_empty() {
            let mut moving = Vec::new();
            let (mut states, mut joints) = (Vec::new(), Vec::new());
            for mut descent in inside.drain(..) {
                match self.choose(&mut descent, chance) {
                    None => ended.push(descent),
                    Some(joint) => {
                        states.push(descent.place.state.clone());
                        joints.push(joint);
                        moving.push(descent);
                    }
                }
            }
            visited.sampling += moving.len() as u64;
            for (mut descent, step) in moving.into_iter().zip(game.steps(&states, &joints)?) {
                if step.terminal {
                    let goal = game.goal(&step.state, self.role)?;
                    descent.goal = Some(goal.map_or(0.0, f64::from));
                    ended.push(descent);
                    continue;
                }
                let (node, at) = descent.path.last().copied().unwrap_or_default();
                let seen = Seen::hidden(self.nodes[node].moves[at], &step.percepts[self.role.index()]);
                let key = (at as u32, seen.percepts);
                let known = self.nodes[node].children.get(&key).copied();
                descent.place = Arc::new(Place { state: step.state, legal: step.legal });
                match known {
                    Some(child) => {
                        descent.node = child;
                        inside.push(descent);
                    }
                    None => {
                        if self.nodes.len() < NODES {
                            let child = Node::new(&descent.place.legal[self.role.index()]);
                            let number = self.nodes.len();
                            self.nodes[node].children.insert(key, number);
                            self.nodes.push(child);
                        }
                        leaves.push(descent);
                    }
                }
            }
        }
        let start =
            |leaf: &Descent<G::State>| Start { state: leaf.place.state.clone(), first: None, count: 1 };
        let starts: Vec<Start<G::State>> = leaves.iter().map(start).collect();
        let seed = Seed(chance.next_u64());
        let request =
            Playouts { max_steps: MAX_STEPS, deadline: deadline.clone(), ..Playouts::new(&starts, seed) };
        let outcomes = game.playouts(&request)?;
        visited.playouts += outcomes.lengths.iter().map(|&length| u64::from(length)).sum::<u64>();
        for (number, leaf) in leaves.iter_mut().enumerate().take(outcomes.len()) {
            let goal = outcomes.goals_of(number)[self.role.index()];
            leaf.goal = Some(if goal == Outcomes::NO_GOAL { 0.0 } else { f64::from(goal) });
        }
        for descent in leaves.iter().chain(&ended) {
            for &(node, at) in &descent.path {
                let tried = &mut self.nodes[node].tried[at];
                match descent.goal {
                    Some(goal) => tried.1 += goal,
                    // It was not played to its end, so it does not count.
                    None => tried.0 -= 1.0,
                }
            }
        }
        Ok(())
    }

    /// The joint move of a descent in its node; none in a dead end. The own move counts as tried.
    fn choose<S>(&mut self, descent: &mut Descent<S>, chance: &mut Rng) -> Option<Vec<MoveId>> {
        let node = &mut self.nodes[descent.node];
        if node.moves.is_empty() || descent.place.legal.iter().any(Vec::is_empty) {
            descent.goal = Some(0.0);
            return None;
        }
        let at = node.select(self.c, chance);
        node.tried[at].0 += 1.0;
        descent.path.push((descent.node, at));
        let own = node.moves[at];
        let others = descent.place.legal.iter().enumerate();
        let pick = |(index, moves): (usize, &Vec<MoveId>)| match moves.len() {
            _ if index == self.role.index() => own,
            1 => moves[0],
            many => moves[chance.below(many)],
        };
        Some(others.map(pick).collect())
    }

    /// The value of every move at the root that was tried.
    fn scores(&self) -> Vec<Score> {
        let root = self.nodes[0].moves.iter().zip(&self.nodes[0].tried);
        root.filter(|(_, (count, _))| *count > 0.0)
            .map(|(&mv, (count, sum))| Score { mv, value: sum / count })
            .collect()
    }
}

impl<G: Game> Player<G> for Pomcp<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        self.seat = Some(Seat::new(game, context, self.search.models)?);
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.seat.as_mut().ok_or_else(not_started)?.bag.see(Seen::from(observation));
        Ok(())
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let thought = self.think(deadline);
        let rescue = |fault| self.seat.as_mut().and_then(Seat::any_move).ok_or(fault);
        thought.or_else(rescue)
    }

    fn explain(&self) -> Explanation {
        self.seat.as_ref().map(Seat::explain).unwrap_or_default()
    }
}
