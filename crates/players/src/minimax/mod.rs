//! Full-width search by iterative deepening.
//!
//! The search uses alpha-beta bounds, a transposition table and the history heuristic. Other roles are
//! opponents (paranoid), or each plays for itself (max-n). Moves of equal value are distinguished by
//! playouts. The search ends early when the value is proven. Games that hide something are rejected.

mod max_n;
mod root;
mod search;
mod turn;

use std::sync::Arc;

use game::{
    Budget, Deadline, Fault, Game, MatchContext, Mix, MoveId, Observation, Parameter, ParameterError,
    Parameters, Player, Reserve, Rng, Spec, Thought, chance_roles,
};

use crate::known::{Known, hides_nothing, refusal};
use search::Memory;

/// The settings of a [`Minimax`].
#[derive(Debug, Clone)]
pub struct Settings {
    /// The search depth in steps; as deep as the budget allows if `None`.
    pub depth: Option<u32>,
    /// The budget of a move: the clock or states.
    pub budget: Budget,
    /// The number of playouts that value a state at the horizon; with 0, its goal counts, or 50.
    pub playouts: u32,
    /// Whether mixed strategies are used, rather than the worst answer, if several roles choose at once.
    pub mixed: bool,
    /// Whether every role plays for itself, rather than all against one.
    pub max_n: bool,
    /// The maximum number of states in the transposition table.
    pub nodes: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::read(&Spec::named("minimax")).expect("the usual values are in range")
    }
}

impl Settings {
    /// What a spec can say.
    pub const PARAMETERS: &'static [Parameter] = &[
        Parameter::optional("depth"),
        Parameter::optional("states"),
        Parameter::number("playouts", "0"),
        Parameter::choice("simultaneous", &["mixed", "pessimistic"]),
        Parameter::choice("others", &["paranoid", "max_n"]),
        Parameter::number("nodes", "1000000"),
    ];

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Settings, ParameterError> {
        let given = Parameters::new(spec, Self::PARAMETERS)?;
        let depth = given.optional("depth", 1..=root::DEEPEST)?;
        let states = given.optional("states", 1..=u64::MAX)?;
        Ok(Settings {
            depth,
            budget: states.map_or(Budget::Clock, Budget::States),
            playouts: given.number("playouts", 0..=4096)?,
            mixed: given.choice("simultaneous")? == "mixed",
            max_n: given.choice("others")? == "max_n",
            nodes: given.number("nodes", 100..=1_000_000_000)?,
        })
    }

    /// Returns the number of playouts that are requested at a time to order moves, or `None` if the budget is
    /// a clock.
    pub fn playouts_at_once(&self) -> Option<u32> {
        (self.budget != Budget::Clock).then_some(root::ALL_TRIALS)
    }
}

/// An evaluation of positions at the horizon.
pub trait Evaluation<G: Game>: Send + Sync {
    /// Returns the points for a role, from 0 to 100.
    fn points(
        &self,
        game: &G,
        scratch: &mut G::Scratch,
        state: &G::State,
        role: game::RoleId,
    ) -> Result<f64, Fault>;
}

/// Searches exhaustively, one step deeper at a time.
pub struct Minimax<G: Game> {
    settings: Settings,
    seat: Option<Playing<G>>,
    thought: Thought,
    mix: Mix,
}

struct Playing<G: Game> {
    known: Known<G>,
    chance: Vec<bool>,
    memory: Memory<G::State>,
    seed: game::Seed,
    rng: Rng,
    evaluation: Option<Arc<dyn Evaluation<G>>>,
    reserve: Reserve,
    /// The number of steps after which playouts are cut off.
    steps: u32,
}

impl<G: Game> Minimax<G> {
    /// Creates a player with these settings.
    pub fn new(settings: Settings) -> Minimax<G> {
        Minimax { settings, seat: None, thought: Thought::default(), mix: Mix::Untold }
    }

    /// Sets the evaluation of positions at the horizon, in the match that was started.
    pub fn evaluate_with(&mut self, evaluation: Arc<dyn Evaluation<G>>) {
        if let Some(seat) = &mut self.seat {
            seat.evaluation = Some(evaluation);
        }
    }
}

impl<G: Game> Player<G> for Minimax<G> {
    fn is_counted(&self) -> bool {
        self.settings.depth.is_some() || self.settings.budget != Budget::Clock
    }

    fn suits(&self, game: &G, _: &Deadline) -> Result<(), Fault> {
        hides_nothing("minimax", game)
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.seat = None;
        let mut known = Known::new("minimax", game, context)?;
        let reserve = match self.settings.budget {
            Budget::Clock => Reserve::measured(context.play_clock, deadline),
            _ => Reserve::default(),
        };
        let steps = match self.settings.budget {
            Budget::Clock => root::trial_steps(&**game, &mut known.scratch, context.play_clock, deadline)?,
            _ => root::TRIAL_STEPS,
        };
        self.seat = Some(Playing {
            known,
            chance: chance_roles(&**game),
            memory: Memory::new(self.settings.nodes),
            seed: context.seed.derive_name("playouts"),
            rng: context.seed.derive_name("minimax").rng(),
            evaluation: None,
            reserve,
            steps,
        });
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.seat.as_mut().ok_or_else(|| refusal("minimax"))?.known.update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let seat = self.seat.as_mut().ok_or_else(|| refusal("minimax"))?;
        let legal = seat.known.legal()?;
        let (chosen, thought, mix) = if legal.len() == 1 {
            (legal[0], Thought::only_move(), Mix::sure(legal[0]))
        } else {
            let found = seat.search(&self.settings, &legal, deadline)?;
            seat.reserve.end();
            found
        };
        (self.thought, self.mix) = (thought, mix);
        Ok(chosen)
    }

    fn mix(&self) -> Mix {
        self.mix.clone()
    }

    fn thought(&self) -> Thought {
        self.thought.clone()
    }
}
