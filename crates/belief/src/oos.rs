//! The search that mixes: regrets from sampled outcomes, at the table.
//!
//! One tree for every role, as in [`super::Ismcts`], but the roles mix their
//! moves by what they regret, and the player draws its move from its average
//! mix. In games of two roles with a constant sum that mix approaches one that
//! nobody can win against, the closer the longer it thinks; trees and regrets are
//! kept from move to move.

use game::{Deadline, Fault, Game, MoveId, Parameter, ParameterError, Parameters, Spec};

use super::believer::{Believer, Seat, Way, no_move};
use super::forward::place;
use super::search::{Descent, Forest, Mark, Pace, Particles, Sampled};
use super::settings::{HISTORIES, LISTED};

/// Descents for a move where there is neither a number nor a clock.
const ENOUGH: u64 = 20_000;
/// The part of a history's weight that does not depend on what the others mix.
const KEPT: f64 = 0.25;
/// How much of a mix may be noise, in standard errors.
const NOISE: f64 = 2.0;

/// How an [`Oos`] searches.
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// Descents for a move; as many as there is time for where there is none.
    pub playouts: Option<u64>,
    /// Histories that are drawn where they are not listed.
    pub models: usize,
    /// How often the role that learns tries any move.
    pub explore: f64,
    /// The part of descents that begin where the match is.
    pub target: f64,
    /// Histories of an information set that are listed as long as there are no more; beyond that
    /// they are drawn.
    pub histories: usize,
}

impl Default for Sampling {
    fn default() -> Sampling {
        Sampling::read(&Spec::named("oos")).expect("the usual values are in range")
    }
}

impl Sampling {
    /// What a spec can say.
    pub const PARAMETERS: &'static [Parameter] = &[
        Parameter::optional("playouts"),
        Parameter::number("models", "256"),
        Parameter::number("explore", "0.4"),
        Parameter::number("target", "0.8"),
        HISTORIES,
    ];

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Sampling, ParameterError> {
        let given = Parameters::new(spec, Self::PARAMETERS)?;
        Ok(Sampling {
            playouts: given.optional("playouts", 1..=u64::MAX)?,
            models: given.number("models", 1..=1_000_000)?,
            explore: given.number("explore", 0.01..=1.0)?,
            target: given.number("target", 0.0..=0.99)?,
            histories: given.number("histories", LISTED)?,
        })
    }
}

/// Searches and mixes.
pub type Oos<G> = Believer<G, Outcomes>;

/// The way of [`Oos`].
pub struct Outcomes {
    sampling: Sampling,
    grown: Option<(Forest, Sampled)>,
    /// Descents made in the match.
    made: usize,
}

impl From<Sampling> for Outcomes {
    fn from(sampling: Sampling) -> Outcomes {
        Outcomes { sampling, grown: None, made: 0 }
    }
}

impl<G: Game> Way<G> for Outcomes {
    fn is_counted(&self) -> bool {
        self.sampling.playouts.is_some()
    }

    fn models(&self) -> usize {
        self.sampling.models
    }

    fn histories(&self) -> Option<usize> {
        Some(self.sampling.histories)
    }

    fn begin(&mut self, seat: &mut Seat<G>, _: &Deadline) -> Result<(), Fault> {
        let forest = Forest::new(&*seat.game, None);
        let sampled = Sampled::new(self.sampling.explore, self.sampling.target, forest.views.len());
        (self.grown, self.made) = (Some((forest, sampled)), 0);
        Ok(())
    }

    fn think(&mut self, seat: &mut Seat<G>, deadline: &Deadline) -> Result<MoveId, Fault> {
        let moves = seat.gather(deadline)?;
        if moves.len() < 2 {
            return moves.first().copied().ok_or_else(no_move);
        }
        let role = seat.role();
        let now = seat.bag.seen().len();
        let initial = place(&*seat.game, seat.game.initial())?;
        let (forest, sampled) = self.grown.as_mut().ok_or_else(no_move)?;
        let roots = forest.roots(&initial);
        let learners: Vec<usize> =
            (0..forest.seats.len()).filter(|&role| forest.seats[role].is_some()).collect();
        let sampler = seat.sampler.as_ref().ok_or_else(no_move)?;
        let mut particles = Particles::of(sampler, role, forest);
        let mut pace = Pace::new(self.sampling.playouts, ENOUGH, deadline);
        let (mut done, mut weighed) = (0, 0);
        while let Some(count) = pace.next() {
            // What the others mix changes; the histories are weighed anew, less and less often.
            if done >= 2 * weighed {
                particles.weigh(forest, KEPT, |tree, set, at| sampled.share(forest, tree, set, at));
                weighed = done.max(1);
            }
            let mut descents = Vec::new();
            for _ in 0..count {
                let learner = learners[self.made % learners.len()];
                self.made += 1;
                let particle =
                    (seat.chance.unit() < self.sampling.target).then(|| particles.draw(&mut seat.chance));
                let mark = Mark { particle, learner };
                descents.push(match particle.map(|at| &particles.all[at]) {
                    Some(particle) => Descent::new(&particle.place, &particle.sets, mark),
                    None => Descent::new(&initial, &roots, mark),
                });
            }
            done += count;
            let (chance, visited) = (&mut seat.chance, &mut seat.visited);
            let ended = forest.descend(&*seat.game, descents, sampled, chance, visited, &pace.deadline)?;
            sampled.learn(forest, &particles, now, &ended);
        }
        let sets = particles.own_sets();
        let (mix, scores) = sampled.average(forest, role, &sets, &moves);
        seat.scores = scores;
        let doubt = doubt(moves.len(), sampled.counted(forest, role, &sets));
        let rare = mix.iter().copied().fold(0.0, f64::max) * doubt;
        let likely = |share: f64| if share < rare { 0.0 } else { share };
        let shares = crate::normalised(&mix.into_iter().map(likely).collect::<Vec<f64>>());
        seat.draw(moves.iter().copied().zip(shares).collect())
    }
}

/// Moves that are less likely than this part of the likeliest are not made: an average over few
/// descents still has parts of what was mixed before anything was known. It goes to nothing.
///
/// S. Ganzfried, T. Sandholm, K. Waugh: Strategy purification and thresholding (2012).
fn doubt(moves: usize, counted: f64) -> f64 {
    (NOISE * (moves as f64 / counted.max(1.0)).sqrt()).min(1.0)
}
