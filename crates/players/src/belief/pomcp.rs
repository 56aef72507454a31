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

use super::believer::{Believer, Seat, Way, no_move};
use super::evaluate::Score;
use super::optimum::{Belief, Optimum, OptimumLimits};
use super::search::{Descent, Forest, Mark, Maxima, Pace, Particles};
use super::settings::{HISTORIES, LISTED};
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
    /// Histories that are drawn where they are not listed.
    pub models: usize,
    /// How much rarely tried moves are favoured, in parts of the spread of goals.
    pub c: f64,
    /// Beliefs of a game that is small enough to be searched as a whole.
    pub exact: usize,
    /// Histories of an information set that are listed as long as there are no more; beyond that
    /// they are drawn.
    pub histories: usize,
    /// How often the least tried move is tried.
    pub floor: f64,
}

impl Search {
    /// How a spec is written.
    pub const USAGE: &'static str = 
        "pomcp(playouts=N,models=256,c=4.0,exact=20000,histories=1000,floor=0.1)";

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Search, String> {
        let given = Parameters::new(spec, &["playouts", "models", "c", "exact", "histories", "floor"])?;
        let usual = Search::default();
        Ok(Search {
            playouts: given.number("playouts", 1..=u64::MAX)?,
            models: given.number("models", 1..=1_000_000)?.unwrap_or(usual.models),
            c: given.number("c", 0.0..=100.0)?.unwrap_or(usual.c),
            exact: given.number("exact", 0..=100_000_000)?.unwrap_or(usual.exact),
            histories: given.number("histories", LISTED)?.unwrap_or(usual.histories),
            floor: given.number("floor", 0.0..=1.0)?.unwrap_or(usual.floor),
        })
    }
}

impl Default for Search {
    fn default() -> Search {
        Search { playouts: None, models: 256, c: 4.0, exact: 20_000, histories: HISTORIES, floor: 0.1 }
    }
}

/// Searches what it may do and see.
pub type Pomcp<G> = Believer<G, OwnTree<G>>;

/// The way of [`Pomcp`].
pub struct OwnTree<G: Game> {
    search: Search,
    exact: Option<Exact<G>>,
    grown: Option<(Forest, Maxima)>,
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
    fn models(&self) -> usize {
        self.search.models
    }

    fn histories(&self) -> Option<usize> {
        Some(self.search.histories)
    }

    fn begin(&mut self, seat: &mut Seat<G>, deadline: &Deadline) -> Result<(), Fault> {
        let forest = Forest::new(&*seat.game, Some(seat.role()));
        self.grown = Some((forest, Maxima::new(self.search.c, self.search.floor)));
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
        if let Some(mv) = self.known(seat)? {
            return Ok(mv);
        }
        let moves = seat.gather(deadline)?;
        if moves.len() < 2 {
            return moves.first().copied().ok_or_else(no_move);
        }
        let (forest, maxima) = self.grown.as_mut().ok_or_else(no_move)?;
        let sampler = seat.sampler.as_ref().ok_or_else(no_move)?;
        let particles = Particles::of(sampler, seat.bag.role, forest)?;
        let mut pace = Pace::new(self.search.playouts, ENOUGH, deadline);
        while let Some(count) = pace.next() {
            let mut descents = Vec::new();
            for _ in 0..count {
                let particle = &particles.all[particles.draw(&mut seat.chance)];
                descents.push(Descent::new(&particle.place, &particle.sets, Mark::default()));
            }
            let (chance, visited) = (&mut seat.chance, &mut seat.visited);
            let done = forest.descend(&*seat.game, descents, maxima, chance, visited, &pace.deadline)?;
            maxima.learn(forest, &done);
        }
        seat.scores = maxima.scores(forest, seat.role(), particles.set);
        let best = seat.scores.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        Ok(best.map_or_else(|| moves[seat.chance.below(moves.len())], |score| score.mv))
    }
}

impl<G: Game> OwnTree<G> {
    /// The best move where best play is known.
    fn known(&mut self, seat: &mut Seat<G>) -> Result<Option<MoveId>, Fault> {
        let Some(exact) = &mut self.exact else { return Ok(None) };
        for seen in &seat.bag.seen()[exact.steps..] {
            let Some(belief) = exact.belief.take() else { return Ok(None) };
            exact.belief = exact.optimum.after(&belief, seen.own, &seen.percepts)?;
            exact.steps += 1;
        }
        let Some(belief) = &exact.belief else { return Ok(None) };
        let Ok(best) = exact.optimum.best(belief) else { return Ok(None) };
        seat.scores = vec![Score { mv: best.mv, value: best.value }];
        seat.notes.push(("because".to_string(), "all beliefs were searched".to_string()));
        Ok(Some(best.mv))
    }
}
