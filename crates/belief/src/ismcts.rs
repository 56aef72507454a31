//! Information set Monte Carlo tree search, with one tree for every role.
//!
//! Descents begin in histories drawn by their probabilities. In each of them all roles choose by what they
//! know, each in a tree of its own, by upper confidence bounds. Nobody acts on what it cannot know, and
//! others are assumed to play well, not at random. The trees of earlier moves weight the histories: the
//! others more likely did what seemed good to them.
//!
//! P. Cowling, E. Powley, D. Whitehouse: Information set Monte Carlo tree search (2012), with multiple
//! observers; roles that move at the same time choose independently.

use game::{Deadline, Fault, Game, MoveId, Parameter, ParameterError, Parameters, Spec};

use super::believer::{Believer, Playing, Way, no_move};
use super::search::{Bounds, Descent, Forest, Mark, Pace, Particles};
use super::settings::{HISTORIES, LISTED};

/// The number of descents for a move if there is neither a number nor a clock.
const ENOUGH: u64 = 10_000;
/// The fraction of a history's weight that does not depend on the assumed play of the others.
const KEPT: f64 = 0.5;

/// The settings of an [`Ismcts`].
#[derive(Debug, Clone, Copy)]
pub struct Observers {
    /// The number of descents for a move; as many as there is time for if `None`.
    pub playouts: Option<u64>,
    /// The number of histories that are drawn if they are not listed.
    pub models: usize,
    /// The exploration constant, relative to the range of goals.
    pub c: f64,
    /// Whether histories are weighted by the assumed play of the others.
    pub learned: bool,
    /// The maximum size of an information set whose histories are listed; larger ones are sampled.
    pub histories: usize,
}

impl Default for Observers {
    fn default() -> Observers {
        Observers::read(&Spec::named("ismcts")).expect("the usual values are in range")
    }
}

impl Observers {
    /// What a spec can say.
    pub const PARAMETERS: &'static [Parameter] = &[
        Parameter::optional("playouts"),
        Parameter::number("models", "256"),
        Parameter::number("c", "0.7"),
        Parameter::choice("others", &["learned", "random"]),
        HISTORIES,
    ];

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Observers, ParameterError> {
        let given = Parameters::new(spec, Self::PARAMETERS)?;
        Ok(Observers {
            playouts: given.optional("playouts", 1..=u64::MAX)?,
            models: given.number("models", 1..=1_000_000)?,
            c: given.number("c", 0.0..=100.0)?,
            learned: given.choice("others")? == "learned",
            histories: given.number("histories", LISTED)?,
        })
    }
}

/// Searches what all roles may do and see.
pub type Ismcts<G> = Believer<G, AllTrees>;

/// The way of [`Ismcts`].
pub struct AllTrees {
    observers: Observers,
    grown: Option<(Forest, Bounds)>,
}

impl From<Observers> for AllTrees {
    fn from(observers: Observers) -> AllTrees {
        AllTrees { observers, grown: None }
    }
}

impl<G: Game> Way<G> for AllTrees {
    fn is_counted(&self) -> bool {
        self.observers.playouts.is_some()
    }

    fn models(&self) -> usize {
        self.observers.models
    }

    fn histories(&self) -> Option<usize> {
        Some(self.observers.histories)
    }

    fn begin(&mut self, seat: &mut Playing<G>, _: &Deadline) -> Result<(), Fault> {
        let forest = Forest::new(&*seat.game, None);
        let bounds = Bounds::new(self.observers.c, forest.views.len());
        self.grown = Some((forest, bounds));
        Ok(())
    }

    fn think(&mut self, seat: &mut Playing<G>, deadline: &Deadline) -> Result<MoveId, Fault> {
        let moves = seat.gather(deadline)?;
        if moves.len() < 2 {
            return moves.first().copied().ok_or_else(no_move);
        }
        let role = seat.role();
        let (forest, bounds) = self.grown.as_mut().ok_or_else(no_move)?;
        let sampler = seat.sampler.as_ref().ok_or_else(no_move)?;
        let mut particles = Particles::of(sampler, role, forest);
        if self.observers.learned {
            particles.weigh(forest, KEPT, |tree, set, at| bounds.share(forest, tree, set, at));
        }
        let mut pace = Pace::new(self.observers.playouts, ENOUGH, deadline);
        while let Some(count) = pace.next() {
            let mut descents = Vec::new();
            for _ in 0..count {
                let particle = &particles.all[particles.draw(&mut seat.chance)];
                descents.push(Descent::new(&particle.place, &particle.sets, Mark::default()));
            }
            let done = forest.descend(seat, descents, bounds, &pace.deadline)?;
            bounds.learn(&done);
        }
        let tried = bounds.scores(forest, role, &particles.own_sets(), &moves);
        seat.scores = tried.iter().map(|(score, _)| *score).collect();
        let most = tried.iter().max_by(|a, b| a.1.total_cmp(&b.1).then(a.0.value.total_cmp(&b.0.value)));
        Ok(most.map_or_else(|| moves[seat.chance.below(moves.len())], |(score, _)| score.mv))
    }
}
