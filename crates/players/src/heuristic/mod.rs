//! Full-width search with an evaluation derived from the rules.
//!
//! Before the match, features are derived from the possible fluents, and their weights are learned from
//! playouts; see [`learn`]. The search is that of `minimax`, and the evaluation values positions at its
//! horizon. If nothing predictive was learned, the search has no evaluation.

mod features;
mod learn;

use std::sync::Arc;
use std::time::Duration;

use game::{
    Deadline, Fault, FluentId, Game, Goal, MatchContext, MoveId, Observation, Parameter, ParameterError,
    Parameters, Player, RoleId, Spec, Thought, numbered,
};

use crate::Minimax;
use crate::minimax::{self, Evaluation};
use features::Measure;
pub(crate) use features::words;
pub use learn::{Learned, Weighted, learn};

/// The minimum explained variance for an evaluation to be used.
const LEAST: f64 = 0.02;
/// The number of features listed in an explanation.
const LISTED: usize = 5;

/// The settings of a [`Heuristic`].
#[derive(Debug, Clone)]
pub struct Settings {
    /// The maximum number of positions to learn from.
    pub positions: usize,
    /// The settings of the search.
    pub search: minimax::Settings,
}

impl Settings {
    /// What a spec can say.
    pub const PARAMETERS: &'static [Parameter] = &[
        Parameter::optional("depth"),
        Parameter::optional("states"),
        Parameter::number("positions", "2000"),
    ];

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Settings, ParameterError> {
        let given = Parameters::new(spec, Self::PARAMETERS)?;
        let positions = given.number("positions", 100..=1_000_000)?;
        let states = given.optional("states", 1..=u64::MAX)?;
        let budget = states.map_or(game::Budget::Clock, game::Budget::States);
        let search =
            minimax::Settings { depth: given.optional("depth", 1..=500)?, budget, ..Default::default() };
        Ok(Settings { positions, search })
    }
}

/// Searches with an evaluation that it learns itself.
pub struct Heuristic<G: Game> {
    settings: Settings,
    search: Minimax<G>,
    learned: Option<Learned>,
}

impl<G: Game> Heuristic<G> {
    /// Creates a player with these settings.
    pub fn new(settings: Settings) -> Heuristic<G> {
        let search = Minimax::new(settings.search.clone());
        Heuristic { settings, search, learned: None }
    }
}

impl<G: Game> Player<G> for Heuristic<G> {
    fn is_counted(&self) -> bool {
        Player::<G>::is_counted(&self.search)
    }

    fn suits(&self, game: &G, deadline: &Deadline) -> Result<(), Fault> {
        self.search.suits(game, deadline)
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.search = Minimax::new(self.settings.search.clone());
        self.search.start(game, context, deadline)?;
        // A batch that has started is finished, so some time is reserved for it.
        let reserve = deadline.remaining().map_or(Duration::ZERO, |left| left / 4);
        let until = deadline.earlier(reserve);
        let seed = context.seed.derive_name("heuristic");
        let (role, scratch) = (context.role, &mut game.scratch());
        let learned = learn(&**game, scratch, role, seed, self.settings.positions, &until)?;
        if learned.predicted >= LEAST {
            self.search.evaluate_with(Arc::new(Evaluator::new(&**game, &learned)));
        }
        self.learned = Some(learned);
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.search.update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        self.search.select(deadline)
    }

    fn stop(&mut self, last: Option<&Observation>, goals: Option<&[Option<Goal>]>) {
        self.search.stop(last, goals);
    }

    fn thought(&self) -> Thought {
        let mut thought = self.search.thought();
        let Some(learned) = &self.learned else { return thought };
        let (predicted, positions) = (learned.predicted * 100.0, learned.positions);
        let text = if learned.predicted >= LEAST {
            format!("predicts {predicted:.0} % of the variance, learned from {positions} positions")
        } else {
            format!("none: nothing was learned from {positions} positions")
        };
        thought.note("evaluation", text);
        for feature in learned.features.iter().take(LISTED).filter(|_| learned.predicted >= LEAST) {
            thought.note(feature.name(), format!("{:+.2} per unit", feature.weight));
        }
        thought
    }
}

/// Learned weights in a form that is fast to apply: sums over fluents are combined into one number per
/// fluent.
pub(crate) struct Evaluator {
    role: RoleId,
    base: f64,
    numbers: Vec<f64>,
    others: Vec<(Measure, f64)>,
}

impl Evaluator {
    pub(crate) fn new<G: Game>(game: &G, learned: &Learned) -> Evaluator {
        let mut numbers = vec![0.0; game::fluent_count(game)];
        let mut others = Vec::new();
        for Weighted { feature, weight, .. } in &learned.features {
            match &feature.measure {
                Measure::Sum(parts) => {
                    parts.iter().for_each(|(fluent, number)| numbers[fluent.0 as usize] += weight * number);
                }
                other => others.push((other.clone(), *weight)),
            }
        }
        Evaluator { role: learned.role, base: learned.base, numbers, others }
    }
}

impl<G: Game> Evaluation<G> for Evaluator {
    fn points(
        &self,
        game: &G,
        scratch: &mut G::Scratch,
        state: &G::State,
        role: RoleId,
    ) -> Result<f64, Fault> {
        let mut fluents: Vec<FluentId> = Vec::new();
        numbered(game)?.fluents(state, &mut fluents)?;
        let mut sum = self.base + fluents.iter().map(|fluent| self.numbers[fluent.0 as usize]).sum::<f64>();
        if !self.others.is_empty() {
            let mut holds = vec![false; self.numbers.len()];
            fluents.iter().for_each(|fluent| holds[fluent.0 as usize] = true);
            for (measure, weight) in &self.others {
                sum += weight * measure.of(game, scratch, state, &holds)?;
            }
        }
        // Values beyond the range of goals are squashed, not clamped, so that they keep their order.
        let points = 50.0 + 50.0 * libm::tanh((sum - 50.0) / 50.0);
        Ok(if role == self.role { points } else { 100.0 - points })
    }
}
