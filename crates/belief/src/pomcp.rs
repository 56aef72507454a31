//! Tree search over what a role may do and see (POMCP).
//!
//! A node of the tree is what the role knows: its own moves and percepts. A descent begins in a history drawn
//! by its probability, chooses the own moves by upper confidence bounds, draws the moves of chance and of the
//! others, and follows the percepts. A node represents all states that look the same, so the value of a move
//! includes the value of the information it reveals. Against chance alone the values converge to the optimum;
//! other roles are assumed to move at random. If chance is the only other role and few states are possible,
//! nodes are beliefs, which needs far fewer descents ([`super::trials`]). If the game is also small, all
//! beliefs are searched before the match, and optimal play follows.
//!
//! D. Silver, J. Veness: Monte-Carlo planning in large POMDPs (2010). Here many descents are made side by
//! side, with their steps and playouts in batches, and the value of a node is that of its best move
//! ([`super::search`]).

use std::sync::Arc;

use game::{Deadline, Fault, Game, MoveId, Parameter, ParameterError, Parameters, Spec};

use super::believer::{Believer, Playing, Way, no_move};
use super::evaluate::Score;
use super::optimum::{Belief, Optimum, OptimumLimits};
use super::search::{Descent, Forest, Mark, Maxima, Pace, Particles};
use super::settings::{HISTORIES, LISTED};
use super::trials::Trials;
use super::view::Seen;

/// The number of descents for a move if there is neither a number nor a clock.
const ENOUGH: u64 = 20_000;
/// The number of steps for each belief that may be searched before the match.
const WORK: u64 = 100;
/// The maximum number of steps for a move in trials of beliefs.
const TRIAL_WORK: u64 = 20_000_000;

/// The settings of a [`Pomcp`].
#[derive(Debug, Clone, Copy)]
pub struct Search {
    /// The number of descents for a move; as many as there is time for if `None`.
    pub playouts: Option<u64>,
    /// The number of histories that are drawn if they are not listed.
    pub models: usize,
    /// The exploration constant, relative to the range of goals.
    pub c: f64,
    /// The number of beliefs up to which a game is searched completely.
    pub exact: usize,
    /// The maximum size of an information set whose histories are listed; larger ones are sampled. Against
    /// chance alone, also the maximum number of possible states for trials of beliefs.
    pub histories: usize,
    /// The probability with which the least tried move is tried.
    pub floor: f64,
}

impl Search {
    /// What a spec can say.
    pub const PARAMETERS: &'static [Parameter] = &[
        Parameter::optional("playouts"),
        Parameter::number("models", "256"),
        Parameter::number("c", "4.0"),
        Parameter::number("exact", "20000"),
        HISTORIES,
        Parameter::number("floor", "0.1"),
    ];

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Search, ParameterError> {
        let given = Parameters::new(spec, Self::PARAMETERS)?;
        Ok(Search {
            playouts: given.optional("playouts", 1..=u64::MAX)?,
            models: given.number("models", 1..=1_000_000)?,
            c: given.number("c", 0.0..=100.0)?,
            exact: given.number("exact", 0..=100_000_000)?,
            histories: given.number("histories", LISTED)?,
            floor: given.number("floor", 0.0..=1.0)?,
        })
    }
}

impl Default for Search {
    fn default() -> Search {
        Search::read(&Spec::named("pomcp")).expect("the usual values are in range")
    }
}

/// Searches what it may do and see.
pub type Pomcp<G> = Believer<G, OwnTree<G>>;

/// The way of [`Pomcp`].
pub struct OwnTree<G: Game> {
    search: Search,
    exact: Option<Followed<G>>,
    trials: Option<(Followed<G>, Trials)>,
    grown: Option<(Forest, Maxima)>,
}

/// The exact belief of a role whose only opponent is chance.
struct Followed<G: Game> {
    optimum: Optimum<G>,
    /// The belief, and the number of steps after which it holds.
    belief: Option<Belief>,
    steps: usize,
}

impl<G: Game> Followed<G> {
    /// Begins a match. Returns `None` if there are other roles.
    fn new(game: &Arc<G>, limits: OptimumLimits) -> Result<Option<Followed<G>>, Fault> {
        let Some(mut optimum) = Optimum::new(game, limits) else { return Ok(None) };
        let belief = optimum.belief(&game.initial())?;
        Ok(belief.map(|belief| Followed { optimum, belief: Some(belief), steps: 0 }))
    }

    /// Updates the belief by what was seen, as long as at most this many states are possible.
    fn follow(&mut self, seen: &[Seen], most: usize) -> Result<(), Fault> {
        for seen in &seen[self.steps..] {
            let Some(belief) = self.belief.take() else { return Ok(()) };
            let after = self.optimum.after(&belief, seen.own, &seen.percepts)?;
            self.belief = after.filter(|belief| belief.len() <= most);
            self.steps += 1;
        }
        Ok(())
    }
}

impl<G: Game> From<Search> for OwnTree<G> {
    fn from(search: Search) -> OwnTree<G> {
        OwnTree { search, exact: None, trials: None, grown: None }
    }
}

impl<G: Game> Way<G> for OwnTree<G> {
    fn is_counted(&self) -> bool {
        self.search.playouts.is_some()
    }

    fn models(&self) -> usize {
        self.search.models
    }

    fn histories(&self) -> Option<usize> {
        Some(self.search.histories)
    }

    fn begin(&mut self, seat: &mut Playing<G>, deadline: &Deadline) -> Result<(), Fault> {
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
            && let Some(mut exact) = Followed::new(&seat.game, limits)?
            && let Some(belief) = &exact.belief
            && exact.optimum.best(belief).is_ok()
            && !exact.optimum.has_loops()
        {
            self.exact = Some(exact);
        }
        let limits = OptimumLimits { beliefs: usize::MAX, work: TRIAL_WORK, deadline: Deadline::never() };
        let trials = || Trials::new(self.search.c, self.search.floor);
        self.trials = match self.search.histories {
            0 => None,
            _ => Followed::new(&seat.game, limits)?.map(|followed| (followed, trials())),
        };
        Ok(())
    }

    fn think(&mut self, seat: &mut Playing<G>, deadline: &Deadline) -> Result<MoveId, Fault> {
        if let Some(mv) = self.known(seat) {
            return Ok(mv);
        }
        if let Some(mv) = self.tried(seat, deadline) {
            return Ok(mv);
        }
        let moves = seat.gather(deadline)?;
        if moves.len() < 2 {
            return moves.first().copied().ok_or_else(no_move);
        }
        let (forest, maxima) = self.grown.as_mut().ok_or_else(no_move)?;
        let sampler = seat.sampler.as_ref().ok_or_else(no_move)?;
        let particles = Particles::of(sampler, seat.bag.role, forest);
        let mut pace = Pace::new(self.search.playouts, ENOUGH, deadline);
        while let Some(count) = pace.next() {
            let mut descents = Vec::new();
            for _ in 0..count {
                let particle = &particles.all[particles.draw(&mut seat.chance)];
                descents.push(Descent::new(&particle.place, &particle.sets, Mark::default()));
            }
            let done = forest.descend(seat, descents, maxima, &pace.deadline)?;
            maxima.learn(forest, &done);
        }
        seat.scores = maxima.scores(forest, seat.role(), &particles.own_sets(), &moves);
        let best = seat.scores.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        Ok(best.map_or_else(|| moves[seat.chance.below(moves.len())], |score| score.mv))
    }
}

impl<G: Game> OwnTree<G> {
    /// Returns the best move if optimal play is known. Beliefs that were not searched before the match,
    /// because the referee made a move for the player that it would not make, are left to the search.
    fn known(&mut self, seat: &mut Playing<G>) -> Option<MoveId> {
        let exact = self.exact.as_mut()?;
        exact.follow(seat.bag.seen(), usize::MAX).ok()?;
        let best = exact.optimum.best(exact.belief.as_ref()?).ok()?;
        seat.scores = vec![Score { mv: best.mv, value: best.value }];
        seat.sure = Some(best.mv);
        seat.notes.push(("because".to_string(), "all beliefs were searched".to_string()));
        Some(best.mv)
    }

    /// Returns the best move by trials in the graph of beliefs, or `None` if there is no such graph or it has
    /// too many beliefs.
    fn tried(&mut self, seat: &mut Playing<G>, deadline: &Deadline) -> Option<MoveId> {
        let best = self.try_beliefs(seat, deadline).ok().flatten();
        if best.is_none() {
            self.trials = None;
        }
        best
    }

    fn try_beliefs(&mut self, seat: &mut Playing<G>, deadline: &Deadline) -> Result<Option<MoveId>, Fault> {
        let Some((followed, trials)) = &mut self.trials else { return Ok(None) };
        let half = deadline.remaining().unwrap_or_default() / 2;
        followed.optimum.go_on(deadline.earlier(half));
        followed.follow(seat.bag.seen(), self.search.histories)?;
        let Some(belief) = &followed.belief else { return Ok(None) };
        let root = trials.node(&followed.optimum, belief)?;
        if let [only] = followed.optimum.moves(belief)?[..] {
            return Ok(Some(only));
        }
        let (steps, played) = (followed.optimum.steps(), trials.steps);
        let mut pace = Pace::new(self.search.playouts, ENOUGH, deadline);
        followed.optimum.go_on(pace.deadline.clone());
        'thinking: while let Some(count) = pace.next() {
            for _ in 0..count {
                if trials.is_settled(root) {
                    break 'thinking;
                }
                let (game, scratch) = (&*seat.game, &mut seat.scratch);
                match trials.run(game, scratch, &mut followed.optimum, root, &mut seat.chance) {
                    Err(Fault::Stopped) => break 'thinking,
                    done => done?,
                }
            }
        }
        seat.visited.sampling += followed.optimum.steps() - steps;
        seat.visited.playouts += trials.steps - played;
        seat.scores = trials.scores(root);
        let because = if trials.is_settled(root) {
            "the value is exact"
        } else {
            "the value is estimated by trials of beliefs"
        };
        seat.notes.push(("because".to_string(), because.to_string()));
        let best = seat.scores.iter().max_by(|a, b| a.value.total_cmp(&b.value));
        Ok(best.map(|score| score.mv))
    }
}
