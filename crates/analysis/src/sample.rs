//! The quality of a bag of models: whether it is a uniform sample of the information set, what it costs,
//! and whether it is ever empty.
//!
//! Random matches are played, and a bag follows each of them from the point of view of one role. If the
//! information set can also be tracked exactly, enough models for a test are drawn, and Pearson's
//! chi-square test compares how often each history occurs.
//!
//! The cost of a model is compared with sampling from the beginning, which draws moves at random and starts
//! over as soon as they disagree with what was seen. If a first try agrees with probability p in a round,
//! and a sample of the round before costs `c`, then a sample costs `(c + 1) / p`. This holds for a single
//! information set, so the cost is computed match by match and then averaged.
//!
//! If `k` of `n` models agreed at once, `1 / p` is estimated by `(n + 1) / (k + 1)`. The expectation of this
//! is `1 / p` times `1 - (1 - p)^(n + 1)`, so sampling from the beginning never looks more expensive than it
//! is. If p were estimated over all matches together, the result would be the cost in an average position,
//! which is less than the average cost. It is reported as `pooled`.
//!
//! M. Schofield, M. Thielscher: The efficiency of the HyperPlay technique over random sampling (2017).

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use belief::{Bag, Place, Seen, Tracker, catch_up, place as first_place};
use game::{AnyGame, Deadline, Fault, Game, MoveId, PerceptId, Rng, RoleId, Seed, StopToken};
use library::Library;
use rules::Strictness;
use rustc_hash::FxHashMap;
use serde::Serialize;
use statistics::{Mean, goodness_of_fit};

use crate::ask::{RoleError, role_of};
use crate::estimate::{Estimate, Middle};
use crate::load::{LoadError, REASONER};

/// The number of histories tracked on the way to an information set, per history allowed in it.
const ON_THE_WAY: usize = 20;
/// The number of models in a test: this many per history of the information set, but at least `AT_LEAST`.
const FOR_EACH: usize = 10;
const AT_LEAST: usize = 1000;
/// The smallest p-value reported, as in the publication.
const FLOOR: f64 = 0.001;
/// The minimum number of models in a round for it to count in the largest percentage.
const MANY: u64 = 1000;

/// A request to examine samples.
#[derive(Debug, Clone)]
pub struct SampleRequest {
    /// The games: library names, paths, or `FOLDER:KEY`. If empty, all games of the library with hidden
    /// information.
    pub games: Vec<String>,
    /// The reasoner.
    pub reasoner: String,
    /// The role. If `None`, one bag for each role except chance is examined, as players keep them.
    /// Otherwise each model of the role is in a bag of its own, so that its tries can be counted.
    pub role: Option<String>,
    /// The number of random matches.
    pub matches: u64,
    /// The number of models in a bag.
    pub models: usize,
    /// The maximum number of rounds examined.
    pub rounds: usize,
    /// The rounds in which the sample is tested for uniformity.
    pub tested: Vec<usize>,
    /// The maximum size of an information set that is tested.
    pub histories: usize,
    /// The seed.
    pub seed: Seed,
}

impl Default for SampleRequest {
    fn default() -> SampleRequest {
        SampleRequest {
            games: Vec::new(),
            reasoner: REASONER.to_string(),
            role: None,
            matches: 100,
            models: 4,
            rounds: 1000,
            tested: Vec::new(),
            histories: 2000,
            seed: Seed(1),
        }
    }
}

/// The quality of samples in several games.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Samples {
    /// The version of this format.
    pub version: u32,
    /// The number of times a bag had no model while the match went on, over all games.
    pub empty: u64,
    /// The results by game.
    pub games: Vec<Sampled>,
}

impl From<Vec<Sampled>> for Samples {
    fn from(games: Vec<Sampled>) -> Samples {
        Samples { version: 1, empty: games.iter().map(|game| game.empty).sum(), games }
    }
}

/// The quality of samples in one game.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sampled {
    /// The game.
    pub game: String,
    /// The roles whose information sets were sampled.
    pub roles: Vec<String>,
    /// The number of random matches.
    pub matches: u64,
    /// The seed.
    pub seed: u64,
    /// The number of times a bag had no model while the match went on.
    pub empty: u64,
    /// The number of joint moves tried per model and round.
    pub states: Option<Estimate>,
    /// The maximum number of joint moves tried for a whole bag in one round.
    pub most: u64,
    /// The largest `percent` of a round with enough models.
    pub largest_percent: Option<f64>,
    /// The rounds with enough models in which a model costs more than sampling from the beginning.
    pub dearer: Vec<usize>,
    /// The results by round; the first is round 1.
    pub rounds: Vec<SampledRound>,
}

/// The quality of samples in one round.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SampledRound {
    /// The number of the round.
    pub round: usize,
    /// The number of models in it.
    pub models: u64,
    /// The share of models whose first try agreed, if each model has a bag of its own.
    pub first: Option<f64>,
    /// The number of joint moves tried per model.
    pub states: f64,
    /// The number of joint moves to try per sample from the beginning, averaged over the matches.
    pub from_beginning: Option<f64>,
    /// `states` as a percentage of `from_beginning`.
    pub percent: Option<f64>,
    /// The number of joint moves to try per sample from the beginning, with p estimated over all matches
    /// together.
    pub pooled: Option<f64>,
    /// The sizes of the information sets tested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub histories: Option<Middle>,
    /// The number of information sets that were too large to test.
    #[serde(skip_serializing_if = "is_zero")]
    pub too_large: u64,
    /// The p-values of the tests for uniformity.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub uniform: Option<Middle>,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// The result of one match in one round.
#[derive(Default, Clone)]
struct Round {
    models: u64,
    first: u64,
    tried: u64,
    /// The size of the information set and the p-value, if it was tested.
    test: Option<(usize, f64)>,
    too_large: bool,
}

/// The result of one match.
#[derive(Default)]
struct Found {
    rounds: Vec<Round>,
    empty: u64,
    most: u64,
}

/// Why samples could not be examined.
#[derive(Debug, thiserror::Error)]
pub enum SampleError {
    /// The game could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The game has no hidden information, so there is nothing to sample.
    #[error("{0} hides nothing: everyone sees all moves.")]
    Open(String),
    /// The game has no such role.
    #[error(transparent)]
    Role(#[from] RoleError),
    /// The game failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl SampleRequest {
    /// Examines samples of all its games on `jobs` threads. `watch` is called with the game and the number
    /// of a match, from 1, when that match is over.
    pub fn run(
        &self,
        library: &Library,
        jobs: usize,
        stop: &StopToken,
        watch: &(dyn Fn(&str, u64) + Sync),
    ) -> Result<Samples, SampleError> {
        let mut games = Vec::new();
        for name in self.names(library)? {
            games.extend(self.one(&name, library, jobs, stop, &|done| watch(&name, done))?);
        }
        Ok(games.into())
    }

    /// Returns the games that are named, or all games of the library.
    pub fn names(&self, library: &Library) -> Result<Vec<String>, SampleError> {
        match self.games.is_empty() {
            true => Ok(library.names().map_err(LoadError::from)?),
            false => Ok(self.games.clone()),
        }
    }

    /// Examines samples of one of the [`names`](Self::names). Returns `None` for a game without hidden
    /// information that was not asked for by name.
    pub fn one(
        &self,
        name: &str,
        library: &Library,
        jobs: usize,
        stop: &StopToken,
        watch: &(dyn Fn(u64) + Sync),
    ) -> Result<Option<Sampled>, SampleError> {
        let loaded = library.load(name, Strictness::Lenient).map_err(LoadError::from)?;
        let unnamed = self.games.is_empty();
        // If no game is named, those without hidden information are skipped.
        if unnamed && !loaded.rules().is_some_and(|rules| rules.has_percepts()) {
            return Ok(None);
        }
        let chosen = loaded.play(&self.reasoner).map_err(LoadError::from)?;
        match chosen.game.has_percepts() {
            true => sample(&chosen.game, &loaded.source.name, self, jobs, stop, watch).map(Some),
            false if unnamed => Ok(None),
            false => Err(SampleError::Open(name.to_string())),
        }
    }
}

/// What is asked, and when to stop.
struct Order<'a> {
    request: &'a SampleRequest,
    deadline: Deadline,
}

/// Examines samples of a game on `jobs` threads. `watch` is called with the number of a match, from 1, when
/// that match is over.
pub fn sample(
    game: &AnyGame,
    name: &str,
    request: &SampleRequest,
    jobs: usize,
    stop: &StopToken,
    watch: &(dyn Fn(u64) + Sync),
) -> Result<Sampled, SampleError> {
    reasoner::fastest!(game, game => sample_at(game, name, request, jobs, stop, watch))
}

fn sample_at<G: Game>(
    game: &Arc<G>,
    name: &str,
    request: &SampleRequest,
    jobs: usize,
    stop: &StopToken,
    watch: &(dyn Fn(u64) + Sync),
) -> Result<Sampled, SampleError> {
    let roles: Vec<RoleId> = match &request.role {
        Some(role) => vec![role_of(&**game, Some(role))?],
        None => {
            RoleId::all(game.roles().len()).filter(|role| !game.roles()[role.index()].is_chance()).collect()
        }
    };
    let next = AtomicU64::new(0);
    let order = Order { request, deadline: Deadline::never().with_stop(stop.clone()) };
    let work = || -> Result<Vec<(u64, Found)>, Fault> {
        let (mut found, mut scratch) = (Vec::new(), game.scratch());
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= request.matches {
                return Ok(found);
            }
            let seed = request.seed.derive(number);
            found.push((number, one_match(game, &mut scratch, &roles, &order, seed)?));
            // A bag that was told to stop looks empty, so the result of this match is unusable.
            if stop.is_stopped() {
                return Err(Fault::Stopped);
            }
            watch(number + 1);
        }
    };
    let mut found = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs.max(1)).map(|_| scope.spawn(work)).collect();
        let mut all = Vec::new();
        for thread in threads {
            let broken = |_| Err(Fault::BadState("a thread panicked".to_string()));
            all.extend(thread.join().unwrap_or_else(broken)?);
        }
        Ok::<Vec<(u64, Found)>, Fault>(all)
    })?;
    found.sort_by_key(|(number, _)| *number);
    let found: Vec<Found> = found.into_iter().map(|(_, found)| found).collect();
    let rounds = by_round(&found, request);
    let many = || rounds.iter().filter(|round| round.models >= MANY.min(request.matches));
    let each = found.iter().flat_map(|found| &found.rounds).filter(|round| round.models > 0);
    Ok(Sampled {
        game: name.to_string(),
        roles: roles.iter().map(|role| game.roles()[role.index()].to_string()).collect(),
        matches: request.matches,
        seed: request.seed.0,
        empty: found.iter().map(|found| found.empty).sum(),
        states: Estimate::of(each.map(|round| round.tried as f64 / round.models as f64)),
        most: found.iter().map(|found| found.most).max().unwrap_or(0),
        largest_percent: many().filter_map(|round| round.percent).reduce(f64::max),
        dearer: many()
            .filter(|r| r.percent.is_some_and(|percent| percent > 100.0))
            .map(|r| r.round)
            .collect(),
        rounds,
    })
}

/// Combines the matches by round.
fn by_round(found: &[Found], request: &SampleRequest) -> Vec<SampledRound> {
    let (seed, alone) = (request.seed, request.role.is_some());
    let count = found.iter().map(|found| found.rounds.len()).max().unwrap_or(0);
    let costs: Vec<Vec<f64>> = found.iter().map(|found| from_beginning(&found.rounds)).collect();
    let (mut reach, mut spent) = (1.0, 0.0);
    let mut rounds = Vec::new();
    for at in 0..count {
        let here = || found.iter().filter_map(|found| found.rounds.get(at));
        let models: u64 = here().map(|round| round.models).sum();
        let share = |count: u64| count as f64 / models.max(1) as f64;
        let first = share(here().map(|round| round.first).sum());
        let states = share(here().map(|round| round.tried).sum());
        // `reach` is the probability that a try from the beginning agrees up to this round, and `spent` the
        // expected number of joint moves that it makes.
        spent += reach;
        reach *= first;
        let pooled = (alone && reach > 0.0).then(|| spent / reach);
        let own = costs.iter().filter_map(|costs| costs.get(at)).copied();
        let from_beginning = Mean::of(own).value().filter(|_| alone);
        let tests: Vec<(usize, f64)> = here().filter_map(|round| round.test).collect();
        let sizes: Vec<f64> = tests.iter().map(|(size, _)| *size as f64).collect();
        let ps: Vec<f64> = tests.iter().map(|(_, p)| *p).collect();
        rounds.push(SampledRound {
            round: at + 1,
            models,
            first: alone.then_some(first),
            states,
            from_beginning,
            percent: from_beginning.map(|whole| 100.0 * states / whole),
            pooled,
            histories: Middle::of(&sizes, seed),
            too_large: here().filter(|round| round.too_large).count() as u64,
            uniform: Middle::of(&ps, seed),
        });
    }
    rounds
}

/// Returns the cost of a sample from the beginning in one match, by round.
fn from_beginning(rounds: &[Round]) -> Vec<f64> {
    let mut cost = 0.0;
    let mut costs = Vec::new();
    for round in rounds {
        cost = (cost + 1.0) * (round.models + 1) as f64 / (round.first + 1) as f64;
        costs.push(cost);
    }
    costs
}

/// Plays one random match and follows it with a bag for every role.
fn one_match<G: Game>(
    game: &Arc<G>,
    scratch: &mut G::Scratch,
    roles: &[RoleId],
    order: &Order<'_>,
    seed: Seed,
) -> Result<Found, Fault> {
    let request = order.request;
    let initial = first_place(&**game, scratch, game.initial())?;
    let steps = random_match(&**game, scratch, request.rounds, &mut seed.rng())?;
    let mut found = Found { rounds: vec![Round::default(); steps.len()], ..Found::default() };
    for &role in roles {
        let seen: Vec<Seen> = steps.iter().map(|step| step[role.index()].clone()).collect();
        let seed = seed.derive(u64::from(role.0));
        let (bags, models) = if request.role.is_some() { (request.models, 1) } else { (1, request.models) };
        let mut bags: Vec<Bag<G::State>> =
            (0..bags).map(|bag| Bag::new(role, &initial, models, seed.derive(bag as u64))).collect();
        for (step, round) in seen.iter().zip(&mut found.rounds) {
            bags.iter_mut().for_each(|bag| bag.see(step.clone()));
            let before: Vec<u64> = bags.iter().map(Bag::tried).collect();
            let mut lent: Vec<&mut Bag<G::State>> = bags.iter_mut().collect();
            let caught = catch_up(&**game, scratch, &mut lent, true, &order.deadline);
            let tried: Vec<u64> =
                bags.iter().zip(&before).map(|(bag, before)| bag.tried() - before).collect();
            found.empty +=
                u64::from(caught.is_err() || bags.iter().all(|bag| bag.current().next().is_none()));
            found.most = found.most.max(tried.iter().sum());
            round.models += request.models as u64;
            round.first += tried.iter().filter(|tried| **tried == 1).count() as u64;
            round.tried += tried.iter().sum::<u64>();
        }
        if request.role.is_some() {
            test(game, scratch, (role, &initial), &seen, order, seed, &mut found.rounds)?;
        }
    }
    Ok(found)
}

/// Tests the sample in the requested rounds, each before the move of that round.
fn test<G: Game>(
    game: &Arc<G>,
    scratch: &mut G::Scratch,
    (role, initial): (RoleId, &Arc<Place<G::State>>),
    seen: &[Seen],
    order: &Order<'_>,
    seed: Seed,
    rounds: &mut [Round],
) -> Result<(), Fault> {
    let Order { request, deadline } = order;
    let last = request.tested.iter().copied().filter(|round| (2..=seen.len()).contains(round)).max();
    let Some(last) = last else { return Ok(()) };
    let mut tracker = Tracker::new(game, role, request.histories.saturating_mul(ON_THE_WAY))?;
    for round in 2..=last {
        let done = round - 1;
        let tracked = tracker.update(&seen[done - 1], true, deadline);
        let wanted = request.tested.contains(&round);
        if matches!(tracked, Err(Fault::Budget(_))) {
            let later = (round..=last).filter(|round| request.tested.contains(round));
            later.for_each(|round| rounds[round - 1].too_large = true);
            return Ok(());
        }
        tracked?;
        let size = tracker.histories().len();
        if !wanted || size < 2 {
            continue;
        }
        if size > request.histories {
            rounds[round - 1].too_large = true;
            continue;
        }
        let models = (FOR_EACH * size).max(AT_LEAST);
        let mut bag = Bag::new(role, initial, models, seed.derive_name("test").derive(round as u64));
        for step in &seen[..done] {
            bag.see(step.clone());
            catch_up(&**game, scratch, &mut [&mut bag], true, deadline)?;
        }
        let mut counts = FxHashMap::<Vec<MoveId>, u64>::default();
        bag.current().for_each(|model| *counts.entry(model.path()).or_default() += 1);
        let of = |path: &Vec<MoveId>| counts.get(path).copied().unwrap_or(0);
        let counts: Vec<u64> = tracker.histories().iter().map(|history| of(&history.path)).collect();
        let even = vec![1.0 / size as f64; size];
        rounds[round - 1].test = Some((size, goodness_of_fit(&counts, &even).p.max(FLOOR)));
    }
    Ok(())
}

/// Plays a random match. Returns what every role saw in each step that did not end the match.
fn random_match<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    rounds: usize,
    chance: &mut Rng,
) -> Result<Vec<Vec<Seen>>, Fault> {
    let (mut state, mut moves, mut steps) = (game.initial(), Vec::new(), Vec::new());
    while steps.len() < rounds {
        let mut joint: Vec<MoveId> = Vec::new();
        for role in RoleId::all(game.roles().len()) {
            game.legal(scratch, &state, role, &mut moves)?;
            if moves.is_empty() {
                return Ok(steps);
            }
            joint.push(moves[chance.below(moves.len())]);
        }
        let next = game.next(scratch, &state, &joint)?;
        if game.is_terminal(scratch, &next)? {
            break;
        }
        let mut step = Vec::new();
        for role in RoleId::all(joint.len()) {
            let mut percepts: Vec<PerceptId> = Vec::new();
            game.percepts(scratch, &state, &joint, role, &mut percepts)?;
            step.push(Seen::hidden(joint[role.index()], &percepts));
        }
        steps.push(step);
        state = next;
    }
    Ok(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(models: u64, first: u64, tried: u64) -> Round {
        Round { models, first, tried, ..Round::default() }
    }

    fn request() -> SampleRequest {
        SampleRequest { role: Some("x".to_string()), matches: 2, models: 99, ..SampleRequest::default() }
    }

    #[test]
    fn sampling_from_the_beginning_costs_what_it_costs_in_each_match() {
        // In the first match all agree, in the second one of four: 1 and 4 tries, 2.5 on average. Of both
        // together, five eighths agree, which would give 1.6 tries.
        let one = Found { rounds: vec![round(99, 99, 99)], ..Found::default() };
        let other = Found { rounds: vec![round(99, 24, 247)], ..Found::default() };
        let rounds = by_round(&[one, other], &request());
        assert_eq!(rounds[0].from_beginning, Some(2.5));
        let pooled = rounds[0].pooled.unwrap();
        assert!((pooled - 198.0 / 123.0).abs() < 1e-12, "{pooled}");
        assert!(rounds[0].percent.unwrap() < 100.0 && 100.0 * rounds[0].states / pooled > 100.0);
    }

    #[test]
    fn each_round_begins_from_the_beginning() {
        // Half agree in either round, so a sample of the second costs (2 + 1) / 0.5.
        assert_eq!(from_beginning(&[round(99, 49, 0), round(99, 49, 0)]), [2.0, 6.0]);
        assert_eq!(from_beginning(&[round(50, 0, 0)]), [51.0], "none at once is no reason for infinity");
    }
}
