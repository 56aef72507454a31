//! Games simulated between players that know no more than they would.
//!
//! A simulated game begins at the end of a model of the real match, with a move of the player that simulates.
//! Every role except chance is played by [`super::HyperPlay`] with a bag of its own, built from the initial
//! state by what that role saw in the model. Many games are simulated side by side, so that the models of all
//! their players are brought forward together and the playouts of all their choices form one request.

use std::sync::Arc;

use game::{Deadline, Fault, Game, MoveId, Outcomes, Playouts, Rng, RoleId, Seed, Start, chance_roles};
use rustc_hash::FxHashMap;

use super::bag::{Bag, Remedy, Weights};
use super::evaluate::{Sums, playouts};
use super::forward::catch_up;
use super::model::{Model, Place};
use super::settings::Settings;
use super::share::find_shares;
use super::untried::Untried;
use super::view::{Seen, Visited};

/// The number of steps after which a simulated game is cut off.
pub(super) const MAX_STEPS: u32 = 2_000;

/// Cached bags are this many times larger than those of players, who draw theirs from them: players that
/// shared all their models would all make the same mistakes.
const POOL: usize = 8;

/// Bags by role and by what the role saw.
pub(super) type Cache<S> = FxHashMap<(RoleId, Vec<Seen>), Bag<S>>;

/// A game to simulate.
pub(super) struct Job<'a, S> {
    pub model: &'a Model<S>,
    pub own: MoveId,
}

/// The simulating player and its settings.
pub(super) struct Simulator<'a, G: Game> {
    pub game: &'a G,
    pub scratch: &'a mut G::Scratch,
    pub role: RoleId,
    pub initial: &'a Arc<Place<G::State>>,
    pub inner: &'a Settings,
    /// Whether players also think in the rounds before the simulated game.
    pub full: bool,
    /// The number of steps after which games end with random playouts.
    pub depth: Option<u32>,
    pub deadline: &'a Deadline,
}

struct Sim<S> {
    place: Arc<Place<S>>,
    /// The bags by role; chance has none.
    bags: Vec<Option<Bag<S>>>,
    goal: Option<f64>,
}

impl<G: Game> Simulator<'_, G> {
    /// Creates bags of what each role saw in each of these models, from `old` ones if those can be continued.
    pub fn cache(
        &mut self,
        models: &[&Model<G::State>],
        old: &Cache<G::State>,
        chance: &mut Rng,
        visited: &mut Visited,
    ) -> Result<Cache<G::State>, Fault> {
        let mut keys: Vec<(RoleId, Vec<Seen>)> = Vec::new();
        let mut known = FxHashMap::default();
        for model in models {
            for role in self.players() {
                let key = (role, view(model, role));
                known.entry(key.clone()).or_insert_with(|| keys.push(key));
            }
        }
        let mut bags: Vec<Bag<G::State>> = Vec::new();
        for (role, seen) in &keys {
            let before = seen.len().checked_sub(1).and_then(|last| old.get(&(*role, seen[..last].to_vec())));
            let mut bag = before.cloned().unwrap_or_else(|| self.fresh(*role, POOL, chance));
            bag.tried = 0;
            for step in &seen[bag.seen.len()..] {
                bag.see(step.clone());
            }
            bags.push(bag);
        }
        let mut lent: Vec<&mut Bag<G::State>> = bags.iter_mut().collect();
        catch_up(self.game, self.scratch, &mut lent, true, self.deadline)?;
        visited.sampling += bags.iter().map(|bag| bag.tried).sum::<u64>();
        Ok(keys.into_iter().zip(bags).collect())
    }

    /// Simulates games, and returns the own goal in each; `None` if the deadline passed before its end.
    pub fn run(
        &mut self,
        jobs: &[Job<'_, G::State>],
        cache: &Cache<G::State>,
        chance: &mut Rng,
        visited: &mut Visited,
    ) -> Result<Vec<Option<f64>>, Fault> {
        let mut sims: Vec<Sim<G::State>> = Vec::new();
        for job in jobs {
            let bags = RoleId::all(self.game.roles().len()).map(|role| {
                let plays = self.players().any(|player| player == role);
                let cached = cache.get(&(role, view(job.model, role))).filter(|_| !self.full);
                plays.then(|| match cached {
                    Some(pool) => self.drawn(pool, chance),
                    None => self.fresh(role, 1, chance),
                })
            });
            sims.push(Sim { place: Arc::clone(job.model.place()), bags: bags.collect(), goal: None });
        }
        let depth = jobs.first().map_or(0, |job| job.model.depth());
        for round in 0..depth {
            if self.deadline.is_over() {
                break;
            }
            self.replay(&mut sims, jobs, round, chance, visited)?;
        }
        let mut first = true;
        for _ in 0..self.depth.unwrap_or(MAX_STEPS) {
            if self.deadline.is_over() || sims.iter().all(|sim| sim.goal.is_some()) {
                break;
            }
            self.step(&mut sims, jobs, first, chance, visited)?;
            first = false;
        }
        if self.depth.is_some() && !self.deadline.is_over() {
            self.play_out(&mut sims, chance, visited)?;
        }
        visited.sampling +=
            sims.iter().flat_map(|sim| sim.bags.iter().flatten()).map(|bag| bag.tried).sum::<u64>();
        Ok(sims.into_iter().map(|sim| sim.goal).collect())
    }

    /// Replays a round of the real match as in the models, for players that begin at its beginning.
    fn replay(
        &mut self,
        sims: &mut [Sim<G::State>],
        jobs: &[Job<'_, G::State>],
        round: usize,
        chance: &mut Rng,
        visited: &mut Visited,
    ) -> Result<(), Fault> {
        let behind = |bag: &Bag<G::State>| bag.seen.len() == round;
        let mut thinking: Vec<&mut Bag<G::State>> =
            sims.iter_mut().flat_map(|sim| sim.bags.iter_mut().flatten()).filter(|bag| behind(bag)).collect();
        if thinking.is_empty() {
            return Ok(());
        }
        self.think(&mut thinking, chance, visited)?;
        for (sim, job) in sims.iter_mut().zip(jobs) {
            let Some(taken) = job.model.taken().nth(round) else { continue };
            for bag in sim.bags.iter_mut().flatten().filter(|bag| behind(bag)) {
                let index = bag.role.index();
                bag.see(Seen::hidden(taken.joint[index], &taken.percepts[index]));
            }
        }
        Ok(())
    }

    /// Makes one step in all simulated games that are not over.
    fn step(
        &mut self,
        sims: &mut [Sim<G::State>],
        jobs: &[Job<'_, G::State>],
        first: bool,
        chance: &mut Rng,
        visited: &mut Visited,
    ) -> Result<(), Fault> {
        // In the first step the own move is given: only players that always think do so.
        let (own, full) = (self.role, self.full);
        let idle = |role: RoleId| first && !full && role == own;
        let mut thinking = Vec::new();
        for sim in sims.iter_mut().filter(|sim| sim.goal.is_none()) {
            let choosing = sim.bags.iter_mut().flatten().filter(|bag| !idle(bag.role));
            thinking.extend(choosing.filter(|bag| sim.place.legal[bag.role.index()].len() > 1));
        }
        let mut choices = self.think(&mut thinking, chance, visited)?.into_iter();
        if self.deadline.is_over() {
            return Ok(());
        }
        let (mut acting, mut states, mut joints) = (Vec::new(), Vec::new(), Vec::new());
        for (index, sim) in sims.iter_mut().enumerate().filter(|(_, sim)| sim.goal.is_none()) {
            let mut joint = Vec::with_capacity(sim.bags.len());
            for (role, bag) in RoleId::all(sim.bags.len()).zip(&sim.bags) {
                let legal = &sim.place.legal[role.index()];
                let thought = match bag {
                    Some(_) if legal.len() > 1 && !idle(role) => choices.next().flatten(),
                    _ => None,
                };
                let given = (first && role == own).then_some(jobs[index].own);
                let Some(last) = legal.len().checked_sub(1) else { break };
                let any = if last == 0 { legal[0] } else { legal[chance.below(legal.len())] };
                joint.push(given.or(thought.filter(|mv| legal.contains(mv))).unwrap_or(any));
            }
            if joint.len() < sim.bags.len() {
                sim.goal = Some(0.0);
                continue;
            }
            acting.push(index);
            states.push(sim.place.state.clone());
            joints.push(joint);
        }
        visited.sampling += acting.len() as u64;
        let steps = self.game.steps(self.scratch, &states, &joints)?;
        for ((index, joint), step) in acting.into_iter().zip(joints).zip(steps) {
            let sim = &mut sims[index];
            if step.terminal {
                let goal = self.game.goal(self.scratch, &step.state, own)?;
                sim.goal = Some(goal.map_or(0.0, f64::from));
                continue;
            }
            for bag in sim.bags.iter_mut().flatten() {
                let role = bag.role.index();
                bag.see(Seen::hidden(joint[role], &step.percepts[role]));
            }
            sim.place = Arc::new(Place { state: step.state, legal: step.legal });
        }
        Ok(())
    }

    /// Ends all games that are not over by one playout each.
    fn play_out(
        &mut self,
        sims: &mut [Sim<G::State>],
        chance: &mut Rng,
        visited: &mut Visited,
    ) -> Result<(), Fault> {
        let open = || sims.iter().filter(|sim| sim.goal.is_none());
        let begin = |sim: &Sim<G::State>| Start { state: sim.place.state.clone(), first: None, count: 1 };
        let starts: Vec<Start<G::State>> = open().map(begin).collect();
        let seed = seed(chance);
        let request = Playouts {
            max_steps: MAX_STEPS,
            deadline: self.deadline.clone(),
            ..Playouts::new(&starts, seed)
        };
        let outcomes = self.game.playouts(self.scratch, &request)?;
        visited.playouts += outcomes.lengths.iter().map(|&length| u64::from(length)).sum::<u64>();
        if outcomes.len() < starts.len() {
            // The deadline has passed, and it is unknown whose playouts are missing.
            return Ok(());
        }
        for (number, sim) in sims.iter_mut().filter(|sim| sim.goal.is_none()).enumerate() {
            let goal = outcomes.goals_of(number)[self.role.index()];
            sim.goal = Some(if goal == Outcomes::NO_GOAL { 0.0 } else { f64::from(goal) });
        }
        Ok(())
    }

    /// Returns the choices of players, each with its own bag, computed side by side.
    fn think(
        &mut self,
        bags: &mut [&mut Bag<G::State>],
        chance: &mut Rng,
        visited: &mut Visited,
    ) -> Result<Vec<Option<MoveId>>, Fault> {
        catch_up(self.game, self.scratch, bags, true, self.deadline)?;
        if self.deadline.is_over() {
            return Ok(vec![None; bags.len()]);
        }
        if self.inner.remedy == Remedy::Balance {
            bags.iter_mut().for_each(|bag| bag.balance());
        }
        if self.inner.weights == Weights::Sampled {
            bags.iter_mut().try_for_each(|bag| find_shares(self.game, self.scratch, bag, self.deadline))?;
        }
        let sums = |bag: &&mut Bag<G::State>| Sums::new(bag, self.inner.weights, self.inner.remedy);
        let mut all: Vec<Option<Sums>> = bags.iter().map(sums).collect();
        let paired = bags.iter_mut().zip(&mut all);
        let mut asked: Vec<(&mut Bag<G::State>, &mut Sums)> =
            paired.filter_map(|(bag, sums)| Some((&mut **bag, sums.as_mut()?))).collect();
        let count = self.inner.playouts.unwrap_or(1);
        visited.playouts +=
            playouts(self.game, self.scratch, &mut asked, count, seed(chance), self.deadline)?;
        Ok(all.iter().map(|sums| sums.as_ref().and_then(|sums| sums.best(chance))).collect())
    }

    fn players(&self) -> impl Iterator<Item = RoleId> {
        let chance = chance_roles(self.game);
        RoleId::all(chance.len()).filter(move |role| !chance[role.index()])
    }

    /// Creates a bag at the beginning of a match, `times` as large as that of a player.
    fn fresh(&self, role: RoleId, times: usize, chance: &mut Rng) -> Bag<G::State> {
        Bag::new(role, self.initial, self.inner.models * times, seed(chance))
    }

    /// Draws a player's bag from a larger one.
    fn drawn(&self, pool: &Bag<G::State>, chance: &mut Rng) -> Bag<G::State> {
        let mut order = Untried::new(pool.models.len() as u64);
        let draws = (0..self.inner.models).map_while(|_| order.draw(chance));
        let models = draws.map(|number| pool.models[number as usize].clone()).collect();
        Bag { role: pool.role, seen: pool.seen.clone(), models, chance: seed(chance).rng(), tried: 0 }
    }
}

fn seed(chance: &mut Rng) -> Seed {
    Seed(chance.next_u64())
}

/// Returns what a role saw in a model.
fn view<S: Clone>(model: &Model<S>, role: RoleId) -> Vec<Seen> {
    let see = |joint: &[MoveId], percepts: &[game::PerceptId]| Seen::hidden(joint[role.index()], percepts);
    model.taken().map(|taken| see(&taken.joint, &taken.percepts[role.index()])).collect()
}
