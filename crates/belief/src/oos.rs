//! Online outcome sampling (OOS): a search that mixes its moves.
//!
//! There is one tree for every role, as in [`super::Ismcts`], but the roles mix their moves by regret
//! matching, and the player draws its move from its average strategy. In games of two roles with a constant
//! sum that strategy converges to one that nobody can win against, the closer the longer it thinks. Trees and
//! regrets are kept from move to move.

use game::{Deadline, Fault, Game, MoveId, Parameter, ParameterError, Parameters, Spec};

use super::believer::{Believer, Playing, Way, no_move};
use super::forward::place;
use super::search::{Descent, Forest, Mark, Pace, Particles, Sampled};
use super::settings::{HISTORIES, LISTED};

/// The number of descents for a move if there is neither a number nor a clock.
const ENOUGH: u64 = 20_000;
/// The fraction of a history's weight that does not depend on the strategies of the others.
const KEPT: f64 = 0.25;
/// How much of a strategy may be noise, in standard errors.
const NOISE: f64 = 2.0;

/// The settings of an [`Oos`].
#[derive(Debug, Clone, Copy)]
pub struct Sampling {
    /// The number of descents for a move; as many as there is time for if `None`.
    pub playouts: Option<u64>,
    /// The number of histories that are drawn if they are not listed.
    pub models: usize,
    /// The probability that the learning role explores.
    pub explore: f64,
    /// The fraction of descents that begin at the current step of the match.
    pub target: f64,
    /// The maximum size of an information set whose histories are listed; larger ones are sampled.
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

/// Searches and mixes its moves.
pub type Oos<G> = Believer<G, Outcomes>;

/// The way of [`Oos`].
pub struct Outcomes {
    sampling: Sampling,
    grown: Option<(Forest, Sampled)>,
    /// The number of descents made in the match.
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

    fn begin(&mut self, seat: &mut Playing<G>, _: &Deadline) -> Result<(), Fault> {
        let forest = Forest::new(&*seat.game, None);
        let sampled = Sampled::new(self.sampling.explore, self.sampling.target, forest.views.len());
        (self.grown, self.made) = (Some((forest, sampled)), 0);
        Ok(())
    }

    fn think(&mut self, seat: &mut Playing<G>, deadline: &Deadline) -> Result<MoveId, Fault> {
        let moves = seat.gather(deadline)?;
        if moves.len() < 2 {
            return moves.first().copied().ok_or_else(no_move);
        }
        let role = seat.role();
        let now = seat.bag.seen().len();
        let initial = place(&*seat.game, &mut seat.scratch, seat.game.initial())?;
        let (forest, sampled) = self.grown.as_mut().ok_or_else(no_move)?;
        let roots = forest.roots(&initial);
        let learners: Vec<usize> =
            (0..forest.seats.len()).filter(|&role| forest.seats[role].is_some()).collect();
        let sampler = seat.sampler.as_ref().ok_or_else(no_move)?;
        let mut particles = Particles::of(sampler, role, forest);
        let mut pace = Pace::new(self.sampling.playouts, ENOUGH, deadline);
        let (mut done, mut weighed) = (0, 0);
        while let Some(count) = pace.next() {
            // The strategies of the others change; the histories are weighted again, less and less often.
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
            let ended = forest.descend(seat, descents, sampled, &pace.deadline)?;
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

/// Returns the threshold below which moves are not made, relative to the likeliest: an average over few
/// descents still contains parts of what was mixed before anything was known. It tends to zero.
///
/// S. Ganzfried, T. Sandholm, K. Waugh: Strategy purification and thresholding (2012).
fn doubt(moves: usize, counted: f64) -> f64 {
    (NOISE * (moves as f64 / counted.max(1.0)).sqrt()).min(1.0)
}
