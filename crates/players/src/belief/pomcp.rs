//! Tree search over what a role may do and see.
//!
//! A node of the tree is what the role knows: its own moves and percepts. A
//! descent begins in a history drawn from the weighted bag, chooses the own moves
//! by upper confidence bounds, draws the moves of chance and of the others, and
//! follows the percepts. Since a node stands for all states that look the same,
//! moves that tell something are worth what knowing it gains. Against chance
//! alone the values approach the optimum; other roles are taken to move at
//! random. Where nobody but chance plays besides and the game is small, all
//! beliefs are searched before the match, and the optimum is played.
//!
//! D. Silver, J. Veness: Monte-Carlo planning in large POMDPs (2010). Here the
//! root particles are the weighted models of a bag, and many descents are made
//! side by side, with their steps and playouts in batches.

use game::{Deadline, Fault, Game, MoveId, Spec};

use super::bag::{Remedy, Weights};
use super::believer::{Believer, Seat, Way, no_move};
use super::evaluate::Score;
use super::optimum::{Belief, Optimum, OptimumLimits};
use super::search::{Bounds, Descent, Forest, Mark, Pace, Particles};
use super::settings::Settings;
use crate::Parameters;

/// Descents for a move where there is neither a number nor a clock.
const ENOUGH: u64 = 20_000;
/// Steps looked at for each belief that may be looked into before the match.
const WORK: u64 = 100;

/// How a [`Pomcp`] searches.
#[derive(Debug, Clone, Copy)]
pub struct Search {
    /// Descents for a move; as many as there is time for where there is none.
    pub playouts: Option<u64>,
    /// Models in the bag.
    pub models: usize,
    /// How much rarely tried moves are favoured, in parts of the spread of goals.
    pub c: f64,
    /// Beliefs of a game that is small enough to be searched as a whole.
    pub exact: usize,
}

impl Search {
    /// How a spec is written.
    pub const USAGE: &'static str = "pomcp(playouts=N,models=256,c=1.0,exact=20000)";

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Search, String> {
        let given = Parameters::new(spec, &["playouts", "models", "c", "exact"])?;
        let usual = Search::default();
        Ok(Search {
            playouts: given.number("playouts", 1..=u64::MAX)?,
            models: given.number("models", 1..=1_000_000)?.unwrap_or(usual.models),
            c: given.number("c", 0.0..=100.0)?.unwrap_or(usual.c),
            exact: given.number("exact", 0..=100_000_000)?.unwrap_or(usual.exact),
        })
    }
}

impl Default for Search {
    fn default() -> Search {
        Search { playouts: None, models: 256, c: 1.0, exact: 20_000 }
    }
}

/// Searches what it may do and see.
pub type Pomcp<G> = Believer<G, OwnTree<G>>;

/// The way of [`Pomcp`].
pub struct OwnTree<G: Game> {
    search: Search,
    exact: Option<Exact<G>>,
    grown: Option<(Forest, Bounds)>,
}

/// Best play that is known beforehand.
struct Exact<G: Game> {
    optimum: Optimum<G>,
    /// What is known, and after how many steps.
    belief: Option<Belief>,
    steps: usize,
}

impl<G: Game> From<Search> for OwnTree<G> {
    fn from(search: Search) -> OwnTree<G> {
        OwnTree { search, exact: None, grown: None }
    }
}

impl<G: Game> Way<G> for OwnTree<G> {
    fn is_counted(&self) -> bool {
        self.search.playouts.is_some()
    }

    fn models(&self) -> usize {
        self.search.models
    }

    fn begin(&mut self, seat: &mut Seat<G>, deadline: &Deadline) -> Result<(), Fault> {
        let forest = Forest::new(&*seat.game, Some(seat.role()));
        let bounds = Bounds::new(self.search.c, forest.views.len());
        self.grown = Some((forest, bounds));
        let half = deadline.remaining().unwrap_or_default() / 2;
        let limits = OptimumLimits {
            beliefs: self.search.exact,
            work: self.search.exact as u64 * WORK,
            deadline: deadline.earlier(half),
        };
        self.exact = None;
        if self.search.exact > 0
            && let Some(mut optimum) = Optimum::new(&seat.game, limits)
            && let Some(belief) = optimum.belief(&seat.game.initial())?
            && optimum.best(&belief).is_ok()
            && !optimum.has_loops()
        {
            self.exact = Some(Exact { optimum, belief: Some(belief), steps: 0 });
        }
        Ok(())
    }

    fn think(&mut self, seat: &mut Seat<G>, deadline: &Deadline) -> Result<MoveId, Fault> {
        if let Some(mv) = self.known(seat) {
            return Ok(mv);
        }
        // Copies of a history share its weight: where the bag has all histories, the weights are exact.
        let (weights, remedy) = (Weights::Choice, Remedy::Weight);
        let settings = Settings { models: self.search.models, playouts: None, remedy, weights };
        let sums = seat.prepare(&settings, deadline)?;
        if !sums.has_choice() {
            return sums.best(&mut seat.chance).ok_or_else(no_move);
        }
        let (forest, bounds) = self.grown.as_mut().ok_or_else(no_move)?;
        let particles = Particles::of(&seat.bag, forest);
        let mut pace = Pace::new(self.search.playouts, ENOUGH, deadline);
        while let Some(count) = pace.next() {
            let mut descents = Vec::new();
            for _ in 0..count {
                let particle = &particles.0[particles.draw(&mut seat.chance)];
                descents.push(Descent::new(&particle.place, &particle.sets, Mark::default()));
            }
            let (chance, visited) = (&mut seat.chance, &mut seat.visited);
            let done = forest.descend(&*seat.game, descents, bounds, chance, visited, &pace.deadline)?;
            bounds.learn(&done);
        }
        let role = seat.role();
        let tried = bounds.scores(forest, role, &particles.sets_of(role), sums.moves());
        seat.scores = tried.iter().map(|(score, _)| *score).collect();
        let best = seat.scores.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        best.map(|score| score.mv).or_else(|| sums.best(&mut seat.chance)).ok_or_else(no_move)
    }
}

impl<G: Game> OwnTree<G> {
    /// The best move where best play is known. What was not looked into before the match, because
    /// a move was made for the player that it would not make, is left to the search.
    fn known(&mut self, seat: &mut Seat<G>) -> Option<MoveId> {
        let exact = self.exact.as_mut()?;
        for seen in &seat.bag.seen()[exact.steps..] {
            let belief = exact.belief.take()?;
            exact.belief = exact.optimum.after(&belief, seen.own, &seen.percepts).ok().flatten();
            exact.steps += 1;
        }
        let best = exact.optimum.best(exact.belief.as_ref()?).ok()?;
        seat.scores = vec![Score { mv: best.mv, value: best.value }];
        seat.notes.push(("because".to_string(), "all beliefs were searched".to_string()));
        Some(best.mv)
    }
}
