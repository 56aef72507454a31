//! The search itself: batches of descents, playouts and backups.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{
    Budget, Deadline, End, Fault, Game, Outcomes, Reserve, Rng, RoleId, Seed, SharedPlayouts, Start,
    chance_roles,
};

use super::backup::{add, mark};
use super::constant_sum::ConstantSum;
use super::crew::{Batch, Crew, Played};
use super::pace::Pace;
use super::policy::Policy;
use super::select::{Descent, Path, Reached};
use super::solver::propagate;
use super::tree::{Kind, NodeId, Tree};
use super::{Settings, amaf};

/// A generous estimate of the time to keep one node when a tree is pruned, and the number of bytes of its
/// state that take that time again.
const KEEP: Duration = Duration::from_nanos(800);
const KEEP_BYTES: usize = 2048;
/// The memory that the states of a tree may take, in bytes.
const MEMORY: usize = 1 << 30;
/// The number of nodes that are allocated at the start if there is a clock.
const ROOM: usize = 1 << 20;
/// The size of a tree in bytes from which unreachable nodes are dropped before every move, if work is
/// counted: many such matches may be played side by side.
const MODEST: usize = 32 << 20;
/// Collecting the leaves of one batch may take at most the clock divided by this.
const SEEK: u32 = 20;
/// Freeing earlier trees may take at most the clock divided by this at the beginning of a move, and the
/// number of nodes freed at a time.
const SWEEP: u32 = 8;
const SWEPT: usize = 1000;
/// The approximate size of a node without its state, in bytes.
const NODE: usize = 256;

/// Paths to leaves, and the leaves as starts of playouts.
type Leaves<S> = (Vec<Path>, Vec<Start<S>>);

/// A search that continues from move to move.
pub(super) struct Search<G: Game> {
    pub game: Arc<G>,
    /// The memory of the thread that leads; others have their own.
    pub scratch: G::Scratch,
    pub settings: Settings,
    pub tree: Tree<G::State>,
    pub root: NodeId,
    /// The number of playouts for the current move, including terminal states reached instead of playouts.
    pub playouts: u64,
    /// The number of states visited for the current move.
    pub states: u64,
    pub took: Duration,
    pub chance: Rng,
    pace: Pace,
    reserve: Reserve,
    /// The last clock of a move. While others think there is none, but it may start at any moment.
    pub(super) clock: Option<Duration>,
    threads: usize,
    crew: Option<Crew<G::State>>,
    /// Plays the batches of the crew together, if they are.
    pub(super) together: Option<SharedPlayouts>,
    /// The playout policy, if playouts are not uniformly random.
    policy: Option<Policy>,
    pub(super) seed: Seed,
    index: u64,
    /// The number of requested playouts whose results have not arrived.
    under_way: u64,
    stamp: u32,
    /// Whether the goals of two roles had a constant sum in all results so far.
    pub(super) constant_sum: ConstantSum,
    /// Discarded trees. Freeing millions of nodes takes longer than a move may, and another thread that did
    /// it would block this one in the allocator.
    pub(super) litter: Vec<Tree<G::State>>,
}

impl<G: Game + 'static> Search<G> {
    pub fn new(
        game: &Arc<G>,
        scratch: G::Scratch,
        settings: &Settings,
        pace: Pace,
        reserve: Reserve,
        seed: Seed,
    ) -> Search<G> {
        let chance = chance_roles(&**game);
        let two = chance.iter().filter(|is_chance| !**is_chance).count() == 2;
        let room = settings.nodes.min(MEMORY / bytes_of_state(&**game)).max(1);
        Search {
            game: Arc::clone(game),
            scratch,
            settings: settings.clone(),
            tree: Tree::new(chance, room, if settings.budget == Budget::Clock { ROOM } else { 0 }),
            root: 0,
            playouts: 0,
            states: 0,
            took: Duration::ZERO,
            chance: seed.derive_name("search").rng(),
            clock: pace.clock,
            pace,
            reserve,
            threads: settings.threads(),
            crew: None,
            together: None,
            policy: settings.policy.map(Policy::new),
            seed: seed.derive_name("playouts"),
            index: 0,
            under_way: 0,
            stamp: 0,
            constant_sum: if two { ConstantSum::Unknown } else { ConstantSum::No },
            litter: Vec::new(),
        }
    }

    /// Searches from a state until the budget is spent, the value is proven or time is up.
    pub fn run(&mut self, state: &G::State, role: RoleId, deadline: &Deadline) -> Result<(), Fault> {
        self.reserve.begin();
        let began = Instant::now();
        let clock = deadline.remaining();
        // Before the match there is more time than a move will have.
        let of_a_move = |left: Duration| self.pace.clock.map_or(left, |clock| clock.min(left));
        self.clock = clock.map(of_a_move).or(self.clock);
        (self.playouts, self.states) = (0, 0);
        let searched = self.set_root(state, self.clock).and_then(|()| self.batches(role, deadline, clock));
        self.took = began.elapsed();
        self.reserve.close();
        if searched.is_err() {
            // Virtual visits of aborted descents would stay forever.
            self.clear();
            (self.crew, self.under_way) = (None, 0);
            self.root = self.tree.node_of(&*self.game, &mut self.scratch, state.clone())?;
        }
        searched
    }

    /// Records that the answer is ready.
    pub fn answered(&mut self) {
        self.reserve.end();
    }

    fn batches(&mut self, role: RoleId, deadline: &Deadline, clock: Option<Duration>) -> Result<(), Fault> {
        let game = Arc::clone(&self.game);
        let (seed, threads) = (self.seed, self.threads);
        if threads == 1 {
            while let Some(batch) = self.collect(role, deadline, clock)? {
                let played = match &self.policy {
                    None => batch.play(&*game, &mut self.scratch, seed),
                    Some(policy) => policy.play(batch, &*game, &mut self.scratch, seed),
                };
                self.take(played, clock)?;
            }
            return Ok(());
        }
        let mut crew = match self.crew.take() {
            Some(crew) => crew,
            None => {
                self.together =
                    game.batches().filter(|_| self.pace.flows).and_then(|batches| batches.share(threads));
                Crew::new(&game, seed, self.under_way_at_once())?
            }
        };
        let most = self.under_way_at_once() as u64;
        let mut goes_on = true;
        loop {
            while goes_on && crew.busy() <= most {
                match self.collect(role, deadline, clock)? {
                    Some(batch) => crew.give(batch),
                    None => goes_on = false,
                }
            }
            if crew.busy() == 0 {
                break;
            }
            match crew.take(&self.reserve.last_call(deadline, clock))? {
                Some(played) => self.take(played, clock)?,
                None => break,
            }
        }
        self.crew = Some(crew);
        Ok(())
    }

    /// Returns the number of batches that are played at the same time.
    fn under_way_at_once(&self) -> usize {
        self.together.as_ref().map_or(self.threads, |together| self.pace.ahead(together.room))
    }

    /// Waits for the batches in progress and processes them.
    pub(super) fn gather(&mut self) -> Result<(), Fault> {
        let Some(mut crew) = self.crew.take() else { return Ok(()) };
        while crew.busy() > 0
            && let Some(played) = crew.take(&Deadline::never())?
        {
            self.take(played, None)?;
        }
        self.crew = Some(crew);
        Ok(())
    }

    /// Makes the node of a state the root, and keeps what was learned about it.
    fn set_root(&mut self, state: &G::State, clock: Option<Duration>) -> Result<(), Fault> {
        let bytes = bytes_of_state(&*self.game);
        let by_clock = self.settings.budget == Budget::Clock;
        let modest = if by_clock { usize::MAX } else { MODEST / (bytes + NODE) };
        let large = (self.tree.limit() / 2).min(modest);
        self.sweep(clock);
        if self.tree.size() > large {
            self.gather()?;
            let each = KEEP * (1 + bytes / KEEP_BYTES) as u32;
            let late = |clock: Duration| each * self.tree.nodes.len() as u32 > clock / 8;
            let slow = by_clock && clock.is_some_and(late);
            let fresh = self.tree.fresh();
            let old = std::mem::replace(&mut self.tree, fresh);
            match old.find(state) {
                Some(id) if !slow => self.tree = old.keep(id),
                _ if by_clock => self.litter.push(old),
                _ => drop(old),
            }
        }
        let (game, scratch) = (&*self.game, &mut self.scratch);
        self.root = self.tree.node_of(game, scratch, state.clone())?;
        if matches!(self.tree.nodes[self.root as usize].kind, Kind::Leaf) {
            self.tree.expand(game, scratch, self.root)?;
        }
        Ok(())
    }

    /// Frees a part of the discarded trees.
    fn sweep(&mut self, clock: Option<Duration>) {
        let began = Instant::now();
        let is_time = || clock.is_none_or(|clock| began.elapsed() < clock / SWEEP);
        while let Some(old) = self.litter.last_mut().filter(|_| is_time()) {
            old.nodes.truncate(old.nodes.len().saturating_sub(SWEPT));
            if old.nodes.is_empty() {
                self.litter.pop();
            }
        }
    }

    fn clear(&mut self) {
        let fresh = self.tree.fresh();
        drop(std::mem::replace(&mut self.tree, fresh));
    }

    /// Collects leaves to be played out. Returns `None` once the search is over.
    fn collect(
        &mut self,
        role: RoleId,
        deadline: &Deadline,
        clock: Option<Duration>,
    ) -> Result<Option<Batch<G::State>>, Fault> {
        loop {
            let began = Instant::now();
            let early = self.reserve.early(deadline, clock);
            let (early, stop) = match self.together {
                None => (early, self.reserve.last_call(deadline, clock)),
                // Most playouts of a batch are over after half of its time; the others are cut off.
                Some(_) => (early.earlier(self.pace.usual / 2), early),
            };
            let left = match self.settings.budget {
                Budget::Clock => u64::MAX,
                Budget::Playouts(count) => count.saturating_sub(self.playouts + self.under_way),
                Budget::States(count) => count.saturating_sub(self.states),
            };
            // Without a deadline, the search ends when the memory is full.
            let full = clock.is_none() && self.settings.budget == Budget::Clock && self.tree.is_full();
            let proven = self.tree.bounds(self.root, role.index()).is_exact();
            if proven || left == 0 || full || early.is_over() {
                return Ok(None);
            }
            let visits = self.tree.nodes[self.root as usize].visits;
            // Also while others think, because an answer may be requested at any moment.
            let clock_to_come = clock.or(self.clock);
            let batch = match self.together {
                None => self.reserve.slowest(),
                Some(_) => self.pace.usual,
            };
            let (leaves, per_leaf) = self.pace.next(visits, clock_to_come, batch);
            let leaves = u64::from(leaves).min(left.div_ceil(u64::from(per_leaf))) as usize;
            // If states are slow to make, there must be fewer leaves.
            let by_clock = self.settings.budget == Budget::Clock;
            let time = clock_to_come.filter(|_| by_clock).map(|clock| clock / SEEK);
            let (paths, starts) = self.descend(leaves, per_leaf, time)?;
            if starts.is_empty() {
                self.reserve.took(began.elapsed());
                continue;
            }
            let batch = Batch {
                paths,
                starts,
                per_leaf,
                first_index: self.index,
                max_steps: self.pace.max_steps,
                trace: self.settings.grave > 0.0 || self.policy.is_some(),
                deadline: early,
                stop,
                sought: began.elapsed(),
            };
            let playouts = batch.paths.len() as u64 * u64::from(per_leaf);
            self.index += playouts;
            self.under_way += playouts;
            return Ok(Some(batch));
        }
    }

    /// Descends until there are enough leaves, or as many solved nodes were reached, or time is up.
    fn descend(
        &mut self,
        leaves: usize,
        per_leaf: u32,
        time: Option<Duration>,
    ) -> Result<Leaves<G::State>, Fault> {
        let mut paths = Vec::with_capacity(leaves);
        let mut exact = 0;
        let mut unmade: Vec<Path> = Vec::new();
        let before = self.tree.nodes.len();
        let game = Arc::clone(&self.game);
        let together = self.pace.together;
        let began = Instant::now();
        while paths.len() + unmade.len() < leaves && exact < leaves {
            let some = paths.len() + unmade.len() + exact > 0;
            if some && time.is_some_and(|time| began.elapsed() > time) {
                break;
            }
            let mut path = Path::default();
            self.stamp = self.stamp.wrapping_add(1).max(1);
            let (settings, chance, stamp) = (&self.settings, &mut self.chance, self.stamp);
            let (game, scratch) = (&*game, &mut self.scratch);
            let mut descent = Descent { game, scratch, settings, chance, stamp, guide: None, together };
            match descent.walk(&mut self.tree, self.root, &mut path)? {
                Reached::Exact => {
                    exact += 1;
                    self.settle(&path);
                    if self.tree.nodes[self.root as usize].solved {
                        break;
                    }
                }
                Reached::Open => {
                    mark(&mut self.tree, &path, true);
                    paths.push(path);
                }
                Reached::Unmade => {
                    mark(&mut self.tree, &path, true);
                    unmade.push(path);
                }
            }
        }
        if !unmade.is_empty() {
            self.grow(&mut unmade)?;
            for path in unmade {
                let last = *path.nodes.last().expect("a way has a first node") as usize;
                self.tree.nodes[last].flying += 1;
                if self.tree.nodes[last].solved {
                    mark(&mut self.tree, &path, false);
                    exact += 1;
                    self.settle(&path);
                } else {
                    paths.push(path);
                }
            }
        }
        let start = |path: &Path| {
            let last = *path.nodes.last().expect("a way has a first node") as usize;
            Start { state: self.tree.nodes[last].state.clone(), first: None, count: per_leaf }
        };
        let starts = paths.iter().map(start).collect();
        self.states += exact as u64 + (self.tree.nodes.len() - before) as u64;
        self.playouts += exact as u64;
        Ok((paths, starts))
    }

    /// Backs up what is known at the end of a path.
    fn settle(&mut self, path: &Path) {
        let last = *path.nodes.last().expect("a way has a first node");
        self.see_end(last);
        let shared = self.is_shared();
        propagate(&mut self.tree, path, shared);
        let values: Vec<f64> = (0..self.tree.roles).map(|role| self.tree.mean(last, role)).collect();
        add(&mut self.tree, path, &values);
    }

    /// Backs up the mean of the playouts of every path of a batch.
    fn take(&mut self, played: Played<G::State>, clock: Option<Duration>) -> Result<(), Fault> {
        let began = Instant::now();
        let Played { batch, outcomes, took, stopped } = played;
        let per_leaf = batch.per_leaf as usize;
        self.under_way -= batch.paths.len() as u64 * u64::from(batch.per_leaf);
        let outcomes = outcomes?;
        self.playouts += outcomes.len() as u64;
        self.states += outcomes.lengths.iter().map(|&length| u64::from(length)).sum::<u64>();
        let roles = self.tree.roles;
        let mut values = vec![0.0; roles];
        for (number, path) in batch.paths.iter().enumerate() {
            mark(&mut self.tree, path, false);
            let range = number * per_leaf..((number + 1) * per_leaf).min(outcomes.len());
            // Playouts that were cut short by the deadline carry no information.
            let told = |playout: &usize| !stopped || outcomes.ends[*playout] != End::CutOff;
            let count = range.clone().filter(told).count();
            if count == 0 {
                continue;
            }
            values.fill(0.0);
            for playout in range.clone().filter(told) {
                for (sum, role) in values.iter_mut().zip(0..) {
                    *sum += self.value(&outcomes, playout, role);
                }
            }
            values.iter_mut().for_each(|sum| *sum /= count as f64);
            add(&mut self.tree, path, &values);
            if self.settings.grave > 0.0 {
                amaf::learn(&mut self.tree, path, &outcomes, range);
            }
        }
        if let Some(policy) = &mut self.policy {
            policy.learn(&outcomes);
        }
        self.see_outcomes(&outcomes);
        self.pace.learn(took, clock);
        // Batches that are still queued when time is up are not started, and overlapping ones stop on
        // request, so only the rest of the time counts.
        let played = if self.together.is_some() { Duration::ZERO } else { took };
        self.reserve.took(batch.sought + played + began.elapsed());
        Ok(())
    }

    /// Returns the value of a playout for a role, from 0 to 1. Long playouts are discounted towards 0.5.
    fn value(&self, outcomes: &Outcomes, playout: usize, role: usize) -> f64 {
        if outcomes.ends[playout] == End::CutOff {
            return 0.5;
        }
        let value = f64::from(outcomes.goals_of(playout)[role].clamp(0, 100)) / 100.0;
        if self.settings.discount >= 1.0 {
            return value;
        }
        0.5 + (value - 0.5) * self.settings.discount.powi(outcomes.lengths[playout] as i32)
    }
}

/// Returns the approximate size of a state in bytes.
fn bytes_of_state<G: Game>(game: &G) -> usize {
    game::fluent_count(game) / 8 + 1
}
