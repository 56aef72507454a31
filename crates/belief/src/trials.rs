//! Trials in the graph of beliefs: an anytime search for optimal play of one role against chance.
//!
//! What the role knows is a belief, the possible states with their probabilities. If these are few, a move
//! can be expanded exactly: the ends it leads to, what may be seen after it with which probability, and the
//! beliefs then. Histories with the same belief are one node. A trial descends from the current belief by
//! upper confidence bounds until it finds a move that is not expanded, and then backs up the values. The
//! value of a belief is that of its best move; the value of a new belief is estimated by random playouts.
//! Exact values are marked as settled and not visited again, so the values converge to those of optimal play.
//!
//! T. Keller, M. Helmert: Trial-based heuristic tree search for finite horizon MDPs (2013), there UCT*; F.
//! Geißer, T. Keller, R. Mattmüller: Past, present, and future: an optimal online algorithm for single-player
//! GDL-II games (2014).

use game::{Fault, Game, MoveId, Outcomes, Playouts, Rng, Seed, Start};
use rustc_hash::FxHashMap;

use super::evaluate::Score;
use super::optimum::{Belief, Optimum};

/// The maximum number of beliefs.
const BELIEFS: usize = 1_000_000;
/// The number of playouts from a new belief.
const PLAYOUTS: usize = 4;
/// The maximum number of steps of a trial or a playout.
const MAX_STEPS: usize = 10_000;
/// The highest goal.
const MOST: f64 = 100.0;

/// The result of a move: the sum of goals where the match ends, and beliefs with their probabilities.
struct Led {
    ends: f64,
    beliefs: Vec<(f64, u32)>,
}

/// The statistics of a move.
struct Arm {
    mv: MoveId,
    count: f64,
    led: Option<Led>,
    /// Whether its value is exact.
    settled: bool,
}

struct Node {
    belief: Belief,
    arms: Vec<Arm>,
    value: f64,
    settled: bool,
}

/// The graph of beliefs.
pub(super) struct Trials {
    nodes: Vec<Node>,
    known: FxHashMap<Vec<(u32, u64)>, u32>,
    /// The exploration constant, and the probability with which the least tried move is tried.
    c: f64,
    floor: f64,
    /// The number of steps made in playouts.
    pub steps: u64,
}

impl Trials {
    /// Creates an empty graph.
    pub fn new(c: f64, floor: f64) -> Trials {
        Trials { nodes: Vec::new(), known: FxHashMap::default(), c, floor, steps: 0 }
    }

    /// Returns the node of a belief, and creates it if necessary.
    pub fn node<G: Game>(&mut self, optimum: &Optimum<G>, belief: &Belief) -> Result<u32, Fault> {
        let fresh = self.nodes.len() as u32;
        let node = *self.known.entry(Optimum::<G>::key(belief)).or_insert(fresh);
        if node == fresh {
            if self.nodes.len() == BELIEFS {
                return Err(Fault::Budget(format!("there are more than {BELIEFS} beliefs")));
            }
            let arm = |mv| Arm { mv, count: 0.0, led: None, settled: false };
            let arms = optimum.moves(belief)?.into_iter().map(arm).collect();
            self.nodes.push(Node { belief: belief.clone(), arms, value: 0.0, settled: false });
        }
        Ok(node)
    }

    /// Returns `true` if the value of a belief is exact.
    pub fn is_settled(&self, node: u32) -> bool {
        self.nodes[node as usize].settled
    }

    /// Returns the values of the expanded moves of a belief.
    pub fn scores(&self, node: u32) -> Vec<Score> {
        let arms = self.nodes[node as usize].arms.iter();
        arms.filter_map(|arm| Some(Score { mv: arm.mv, value: self.value(arm.led.as_ref()?) })).collect()
    }

    /// Performs one trial.
    pub fn run<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        optimum: &mut Optimum<G>,
        root: u32,
        chance: &mut Rng,
    ) -> Result<(), Fault> {
        let mut path = Vec::new();
        let mut at = root;
        loop {
            let arm = self.choose(at, chance);
            path.push((at, arm));
            self.nodes[at as usize].arms[arm].count += 1.0;
            if self.nodes[at as usize].arms[arm].led.is_none() {
                self.look(game, scratch, optimum, at, arm, chance)?;
                break;
            }
            match self.draw(at, arm, chance) {
                Some(next) if path.len() < MAX_STEPS => at = next,
                _ => break,
            }
        }
        for (node, arm) in path.into_iter().rev() {
            self.bring_up(node as usize, arm);
        }
        Ok(())
    }

    fn value(&self, led: &Led) -> f64 {
        led.ends
            + led.beliefs.iter().map(|(share, node)| share * self.nodes[*node as usize].value).sum::<f64>()
    }

    /// Returns the move to try: one that is not expanded, otherwise by upper confidence bounds, among those
    /// that are not settled.
    fn choose(&self, node: u32, chance: &mut Rng) -> usize {
        let arms = &self.nodes[node as usize].arms;
        let open: Vec<usize> = (0..arms.len()).filter(|&at| !arms[at].settled).collect();
        let least = open.iter().map(|&at| arms[at].count).fold(f64::INFINITY, f64::min);
        if open.is_empty() || least == 0.0 || chance.unit() < self.floor {
            let rare: Vec<usize> = open.into_iter().filter(|&at| arms[at].count == least).collect();
            return if rare.is_empty() { 0 } else { rare[chance.below(rare.len())] };
        }
        let visits: f64 = arms.iter().map(|arm| arm.count).sum();
        let bound = |at: &usize| {
            let arm = &arms[*at];
            let value = arm.led.as_ref().map_or(MOST, |led| self.value(led));
            value + self.c * MOST * (libm::log(visits) / arm.count).sqrt()
        };
        let bounds: Vec<f64> = open.iter().map(bound).collect();
        (0..open.len()).max_by(|&a, &b| bounds[a].total_cmp(&bounds[b])).map_or(0, |best| open[best])
    }

    /// Draws a belief after a move, among those that are not settled.
    fn draw(&self, node: u32, arm: usize, chance: &mut Rng) -> Option<u32> {
        let led = self.nodes[node as usize].arms[arm].led.as_ref()?;
        let open = || led.beliefs.iter().filter(|(_, next)| !self.is_settled(*next));
        let mut left = chance.unit() * open().map(|(share, _)| share).sum::<f64>();
        for (share, next) in open() {
            left -= share;
            if left < 0.0 {
                return Some(*next);
            }
        }
        open().next_back().map(|(_, next)| *next)
    }

    /// Expands a move: computes what it leads to, and estimates new beliefs by random playouts.
    fn look<G: Game>(
        &mut self,
        game: &G,
        scratch: &mut G::Scratch,
        optimum: &mut Optimum<G>,
        node: u32,
        arm: usize,
        chance: &mut Rng,
    ) -> Result<(), Fault> {
        let mv = self.nodes[node as usize].arms[arm].mv;
        let (ends, groups) = optimum.led(&self.nodes[node as usize].belief, mv)?;
        let (mut beliefs, mut fresh, mut starts) = (Vec::new(), Vec::new(), Vec::new());
        for (share, belief) in groups {
            let met = self.nodes.len();
            let next = self.node(optimum, &belief)?;
            beliefs.push((share, next));
            if next as usize == met {
                fresh.push(next);
                for _ in 0..PLAYOUTS {
                    let state = optimum.state(drawn(&belief, chance)).clone();
                    starts.push(Start { state, first: None, count: 1 });
                }
            }
        }
        if !starts.is_empty() {
            let seed = Seed(chance.next_u64());
            let request = Playouts { max_steps: MAX_STEPS as u32, ..Playouts::new(&starts, seed) };
            let outcomes = game.playouts(scratch, &request)?;
            self.steps += outcomes.lengths.iter().map(|&length| u64::from(length)).sum::<u64>();
            let role = optimum.role().index();
            for (place, next) in fresh.into_iter().enumerate() {
                let numbers = place * PLAYOUTS..(place + 1) * PLAYOUTS;
                let goals = numbers.map(|number| outcomes.goals_of(number)[role]);
                let goals = goals.filter(|goal| *goal != Outcomes::NO_GOAL).map(f64::from);
                self.nodes[next as usize].value = goals.sum::<f64>() / PLAYOUTS as f64;
            }
        }
        self.nodes[node as usize].arms[arm].led = Some(Led { ends, beliefs });
        Ok(())
    }

    /// Updates the value of a belief after one of its moves was tried.
    fn bring_up(&mut self, node: usize, arm: usize) {
        let settled = |led: &Led| led.beliefs.iter().all(|(_, next)| self.is_settled(*next));
        let is_settled = self.nodes[node].arms[arm].led.as_ref().is_some_and(settled);
        let values = self.nodes[node].arms.iter().filter_map(|arm| Some(self.value(arm.led.as_ref()?)));
        let value = values.fold(f64::NEG_INFINITY, f64::max);
        let Node { arms, value: worth, settled, .. } = &mut self.nodes[node];
        arms[arm].settled = is_settled;
        *worth = value;
        *settled = arms.iter().all(|arm| arm.settled);
    }
}

/// Draws a state from a belief.
fn drawn(belief: &Belief, chance: &mut Rng) -> u32 {
    let mut left = chance.unit();
    for (number, share) in belief {
        left -= share;
        if left < 0.0 {
            return *number;
        }
    }
    belief.last().map_or(0, |(number, _)| *number)
}
