//! The search itself: batches of descents, playouts and backups.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Budget, Deadline, End, Fault, Game, Outcomes, Playouts, Rng, RoleId, Seed, Start};

use super::Settings;
use super::backup::{add, mark};
use super::pace::Pace;
use super::select::{Descent, Path, Reached};
use super::solver::propagate;
use super::tree::{Kind, NodeId, Tree};
use crate::known::chance_roles;

/// Time to keep one node when a tree is cut down, generously.
const KEEP: Duration = Duration::from_nanos(800);

/// A search that goes on from move to move.
pub(super) struct Search<G: Game> {
    pub game: Arc<G>,
    pub settings: Settings,
    pub tree: Tree<G::State>,
    pub root: NodeId,
    /// Playouts made for the current move, and ends met instead of playouts.
    pub playouts: u64,
    /// States seen for the current move.
    pub states: u64,
    pub took: Duration,
    pub chance: Rng,
    pace: Pace,
    seed: Seed,
    index: u64,
    stamp: u32,
    /// Whether all results seen so far give two roles the same sum.
    shared: Shared,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Shared {
    Unknown,
    Sum(i32),
    No,
}

impl<G: Game> Search<G> {
    pub fn new(game: &Arc<G>, settings: &Settings, pace: Pace, seed: Seed) -> Search<G> {
        let chance = chance_roles(&**game);
        let two = chance.iter().filter(|is_chance| !**is_chance).count() == 2;
        Search {
            game: Arc::clone(game),
            settings: settings.clone(),
            tree: Tree::new(chance, settings.nodes),
            root: 0,
            playouts: 0,
            states: 0,
            took: Duration::ZERO,
            chance: seed.derive_name("search").rng(),
            pace,
            seed: seed.derive_name("playouts"),
            index: 0,
            stamp: 0,
            shared: if two { Shared::Unknown } else { Shared::No },
        }
    }

    /// Searches from a state until the budget is spent, the value is proven or time is up.
    pub fn run(&mut self, state: &G::State, role: RoleId, deadline: &Deadline) -> Result<(), Fault> {
        let began = Instant::now();
        let clock = deadline.remaining();
        (self.playouts, self.states) = (0, 0);
        let searched = self.set_root(state, clock).and_then(|()| self.batches(role, deadline, clock));
        self.took = began.elapsed();
        if searched.is_err() {
            // Marks of descents that were broken off would stay for ever.
            self.clear();
            self.root = self.tree.node_of(&*self.game, state.clone())?;
        }
        searched
    }

    fn batches(&mut self, role: RoleId, deadline: &Deadline, clock: Option<Duration>) -> Result<(), Fault> {
        while !self.tree.bounds(self.root, role.index()).is_exact() {
            let margin = clock.map_or(Duration::ZERO, |clock| self.pace.margin(clock));
            let early = deadline.earlier(margin);
            let left = match self.settings.budget {
                Budget::Clock => u64::MAX,
                Budget::Playouts(count) => count.saturating_sub(self.playouts),
                Budget::States(count) => count.saturating_sub(self.states),
            };
            if left == 0 || early.is_over() {
                break;
            }
            let began = Instant::now();
            let (leaves, per_leaf) = self.pace.next(self.tree.nodes[self.root as usize].visits, clock);
            let leaves = u64::from(leaves).min(left.div_ceil(u64::from(per_leaf))) as usize;
            self.batch(leaves, per_leaf, &early)?;
            self.pace.learn(began.elapsed(), clock);
        }
        Ok(())
    }

    /// Goes to the node of a state; what was learned about it is kept.
    fn set_root(&mut self, state: &G::State, clock: Option<Duration>) -> Result<(), Fault> {
        if self.tree.size() > self.tree.limit() / 2 {
            let slow = clock.is_some_and(|clock| KEEP * self.tree.nodes.len() as u32 > clock / 8);
            let fresh = Tree::new(self.tree.chance.clone(), self.tree.limit());
            let old = std::mem::replace(&mut self.tree, fresh);
            match old.find(state) {
                Some(id) if !slow => self.tree = old.keep(id),
                // To free millions of nodes takes time that belongs to the move.
                _ => drop(std::thread::spawn(move || drop(old))),
            }
        }
        self.root = self.tree.node_of(&*self.game, state.clone())?;
        if matches!(self.tree.nodes[self.root as usize].kind, Kind::Leaf) {
            self.tree.expand(&*self.game, self.root)?;
        }
        Ok(())
    }

    fn clear(&mut self) {
        let fresh = Tree::new(self.tree.chance.clone(), self.tree.limit());
        drop(std::mem::replace(&mut self.tree, fresh));
    }

    fn batch(&mut self, leaves: usize, per_leaf: u32, deadline: &Deadline) -> Result<(), Fault> {
        let mut paths = Vec::with_capacity(leaves);
        let mut starts = Vec::with_capacity(leaves);
        let mut exact = 0;
        let before = self.tree.nodes.len();
        while starts.len() < leaves && exact < leaves {
            let mut path = Path::default();
            self.stamp = self.stamp.wrapping_add(1).max(1);
            let game = Arc::clone(&self.game);
            let (settings, chance, stamp) = (&self.settings, &mut self.chance, self.stamp);
            let mut descent = Descent { game: &*game, settings, chance, stamp };
            let reached = descent.walk(&mut self.tree, self.root, &mut path)?;
            let last = *path.nodes.last().expect("a way has a first node");
            match reached {
                Reached::Exact => {
                    exact += 1;
                    self.end(last);
                    let shared = self.is_shared();
                    propagate(&mut self.tree, &path, shared);
                    let values: Vec<f64> = (0..self.tree.roles).map(|r| self.tree.mean(last, r)).collect();
                    add(&mut self.tree, &path, &values);
                    if self.tree.nodes[self.root as usize].solved {
                        break;
                    }
                }
                Reached::Open => {
                    mark(&mut self.tree, &path, true);
                    let state = self.tree.nodes[last as usize].state.clone();
                    starts.push(Start { state, first: None, count: per_leaf });
                    paths.push(path);
                }
            }
        }
        self.states += exact as u64 + (self.tree.nodes.len() - before) as u64;
        self.playouts += exact as u64;
        if starts.is_empty() {
            return Ok(());
        }
        let request = Playouts {
            first_index: self.index,
            max_steps: self.pace.max_steps,
            deadline: deadline.clone(),
            ..Playouts::new(&starts, self.seed)
        };
        self.index += request.total() as u64;
        let outcomes = self.game.playouts(&request)?;
        self.playouts += outcomes.len() as u64;
        self.states += outcomes.lengths.iter().map(|&length| u64::from(length)).sum::<u64>();
        self.take(&paths, &outcomes, per_leaf as usize);
        Ok(())
    }

    /// Gives every way the mean of its playouts.
    fn take(&mut self, paths: &[Path], outcomes: &Outcomes, per_leaf: usize) {
        let roles = self.tree.roles;
        let mut values = vec![0.0; roles];
        for (number, path) in paths.iter().enumerate() {
            mark(&mut self.tree, path, false);
            let range = number * per_leaf..((number + 1) * per_leaf).min(outcomes.len());
            if range.is_empty() {
                continue;
            }
            values.fill(0.0);
            for playout in range.clone() {
                for (sum, &goal) in values.iter_mut().zip(outcomes.goals_of(playout)) {
                    let cut = outcomes.ends[playout] == End::CutOff;
                    *sum += if cut { 0.5 } else { f64::from(goal.clamp(0, 100)) / 100.0 };
                }
            }
            values.iter_mut().for_each(|sum| *sum /= range.len() as f64);
            add(&mut self.tree, path, &values);
        }
        if self.shared != Shared::No {
            for playout in (0..outcomes.len()).filter(|&playout| outcomes.ends[playout] == End::Goals) {
                let goals = outcomes.goals_of(playout);
                let sum = (0..roles).filter(|&r| !self.tree.chance[r]).map(|r| goals[r]).sum();
                self.see(sum);
            }
        }
    }

    /// Sees the result of a node, if it is an end.
    fn end(&mut self, id: NodeId) {
        if self.shared == Shared::No || !matches!(self.tree.nodes[id as usize].kind, Kind::Ended) {
            return;
        }
        let value = |role: usize| i32::from(self.tree.bounds(id, role).low);
        let sum = (0..self.tree.roles).filter(|&role| !self.tree.chance[role]).map(value).sum();
        self.see(sum);
    }

    /// Proofs that took one role's loss for the other's gain are void once that is seen to be wrong.
    fn see(&mut self, sum: i32) {
        match self.shared {
            Shared::Unknown => self.shared = Shared::Sum(sum),
            Shared::Sum(other) if other != sum => {
                self.shared = Shared::No;
                self.tree.forget_proofs();
            }
            _ => {}
        }
    }

    fn is_shared(&self) -> bool {
        matches!(self.shared, Shared::Sum(_))
    }
}
