//! Monte Carlo tree search (UCT) on a graph of states.
//!
//! Statistics are kept for every role, so any number of roles can play, each for itself. Leaves are collected
//! in batches and played out together, which fills the lanes of games that play many playouts side by side.
//! Proven values are backed up and end the search when the root is solved. The subtree below the moves made
//! is kept for the next search. With a clock all cores are used; with a counted budget only one, unless the
//! spec says otherwise. Games that hide something are rejected.

mod amaf;
mod backup;
mod choose;
mod constant_sum;
mod crew;
mod explain;
mod grow;
mod pace;
mod policy;
mod ponder;
mod search;
pub(crate) mod select;
mod solver;
#[cfg(test)]
mod tests;
mod tree;

use std::sync::Arc;

use game::{
    Budget, Deadline, Fault, Game, Goal, MatchContext, MoveId, Observation, Parameter, ParameterError,
    Parameters, Player, Reserve, Seed, Spec, Thought, all_legal,
};

use crate::known::{Known, hides_nothing, refusal};
use pace::Pace;
pub use policy::Memory;
use ponder::Mind;
use search::Search;

/// The settings of an [`Mcts`].
#[derive(Debug, Clone)]
pub struct Settings {
    /// The budget of a move.
    pub budget: Budget,
    /// The exploration constant of UCT.
    pub c: f32,
    /// The number of leaves of a batch; chosen by the search if `None`.
    pub batch: Option<u32>,
    /// The number of playouts from each leaf; chosen by the search if `None`.
    pub leaf: Option<u32>,
    /// The maximum number of nodes.
    pub nodes: usize,
    /// The number of steps after which playouts are cut off; chosen by the search if `None`.
    pub steps: Option<u32>,
    /// Whether regret matching is used, rather than confidence bounds, if several roles choose at once.
    pub regret: bool,
    /// The number of playout threads; if `None`, all cores with a clock and one without.
    pub threads: Option<usize>,
    /// Whether to think also before the match and while others think.
    pub ponder: bool,
    /// The number of visits after which a move's own value counts as much as its AMAF value; 0 disables it
    /// (GRAVE).
    pub grave: f32,
    /// The factor by which each step of a playout discounts its result.
    pub discount: f64,
    /// What playouts remember about moves; uniformly random playouts if `None`.
    pub policy: Option<Memory>,
    /// Whether new states are made a batch at a time; chosen by the search if `None`.
    pub together: Option<bool>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings::read(&Spec::named("mcts")).expect("the usual values are in range")
    }
}

impl Settings {
    /// What a spec can say.
    pub const PARAMETERS: &'static [Parameter] = &[
        Parameter::optional("playouts"),
        Parameter::optional("states"),
        Parameter::number("c", "0.7"),
        Parameter::optional("batch"),
        Parameter::optional("leaf"),
        Parameter::number("nodes", "1000000"),
        Parameter::optional("steps"),
        Parameter::choice("simultaneous", &["regret", "ucb"]),
        Parameter::optional("threads"),
        Parameter::choice("ponder", &["no", "yes"]),
        Parameter::number("grave", "0"),
        Parameter::number("discount", "1"),
        Parameter::choice("policy", &["uniform", "mast", "ngram"]),
        Parameter::choice("expand", &["auto", "single", "batch"]),
    ];

    /// Reads the parameters of a spec.
    pub fn read(spec: &Spec) -> Result<Settings, ParameterError> {
        let given = Parameters::new(spec, Self::PARAMETERS)?;
        let settings = Settings {
            budget: given.budget()?,
            c: given.number("c", 0.0..=100.0)?,
            batch: given.optional("batch", 1..=4096)?,
            leaf: given.optional("leaf", 1..=4096)?,
            nodes: given.number("nodes", 100..=1_000_000_000)?,
            steps: given.optional("steps", 1..=1_000_000)?,
            regret: given.choice("simultaneous")? == "regret",
            threads: given.optional("threads", 1..=256)?,
            ponder: given.choice("ponder")? == "yes",
            grave: given.number("grave", 0.0..=1e6)?,
            discount: given.number("discount", 0.5..=1.0)?,
            policy: match given.choice("policy")? {
                "mast" => Some(Memory::Mast),
                "ngram" => Some(Memory::Ngram),
                _ => None,
            },
            together: match given.choice("expand")? {
                "single" => Some(false),
                "batch" => Some(true),
                _ => None,
            },
        };
        if settings.ponder && settings.budget != Budget::Clock {
            return Err(ParameterError::Conflict(
                "`ponder=yes` needs a clock; leave out `playouts` and `states`.",
            ));
        }
        if settings.policy.is_some() && settings.threads.is_some_and(|threads| threads > 1) {
            return Err(ParameterError::Conflict(
                "`policy` learns from one playout to the next and needs `threads=1`.",
            ));
        }
        Ok(settings)
    }

    /// Returns the number of leaves of a batch if work is counted.
    fn leaves(&self) -> u32 {
        let budget = match self.budget {
            Budget::Clock => 256,
            Budget::Playouts(count) => count,
            Budget::States(count) => count / 16,
        };
        self.batch.unwrap_or((budget / 32).clamp((budget / 8).clamp(1, 8), 128) as u32)
    }

    /// Returns the number of playouts that are requested at a time, or `None` if the budget is a clock or
    /// playouts follow a policy.
    pub fn playouts_at_once(&self) -> Option<u32> {
        let counted = self.budget != Budget::Clock && self.policy.is_none();
        let batches = match self.threads() {
            1 => 1,
            threads => threads as u32 + 1,
        };
        counted.then(|| self.leaves() * self.leaf.unwrap_or(1) * batches)
    }

    /// Returns the number of playout threads.
    fn threads(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        match (self.policy, self.budget) {
            (Some(_), _) => 1,
            (None, Budget::Clock) => self.threads.unwrap_or_else(cores),
            (None, _) => self.threads.unwrap_or(1),
        }
    }
}

/// Searches with playouts.
pub struct Mcts<G: Game> {
    settings: Settings,
    seat: Option<Playing<G>>,
    thought: Thought,
}

struct Playing<G: Game> {
    known: Known<G>,
    mind: Mind<G>,
    pace: Pace,
    seed: Seed,
}

impl<G: Game> Mcts<G> {
    /// Creates a player with these settings.
    pub fn new(settings: Settings) -> Mcts<G> {
        Mcts { settings, seat: None, thought: Thought::default() }
    }
}

impl<G: Game + 'static> Player<G> for Mcts<G> {
    fn is_counted(&self) -> bool {
        self.settings.budget != Budget::Clock
    }

    fn suits(&self, game: &G, _: &Deadline) -> Result<(), Fault> {
        hides_nothing("mcts", game)
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.seat = None;
        let known = Known::new("mcts", game, context)?;
        let mut scratch = game.scratch();
        let pace = Pace::measured(&**game, &mut scratch, &self.settings, context.play_clock, deadline)?;
        let reserve = match self.settings.budget {
            Budget::Clock => Reserve::measured(context.play_clock, deadline),
            _ => Reserve::default(),
        };
        let search = Search::new(game, scratch, &self.settings, pace.clone(), reserve, context.seed);
        let mut search = Box::new(search);
        if self.settings.ponder && deadline.remaining().is_some() {
            search.run(&known.state, known.role, deadline)?;
        }
        self.seat = Some(Playing { known, mind: Mind::Home(search), pace, seed: context.seed });
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.seat.as_mut().ok_or_else(|| refusal("mcts"))?.known.update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let seat = self.seat.as_mut().ok_or_else(|| refusal("mcts"))?;
        let chosen;
        (chosen, self.thought) = seat.select(&self.settings, deadline)?;
        if self.settings.ponder {
            seat.ponder(chosen)?;
        }
        Ok(chosen)
    }

    fn stop(&mut self, _: Option<&Observation>, _: Option<&[Option<Goal>]>) {
        self.seat = None;
    }

    fn thought(&self) -> Thought {
        self.thought.clone()
    }
}

impl<G: Game + 'static> Playing<G> {
    fn select(&mut self, settings: &Settings, deadline: &Deadline) -> Result<(MoveId, Thought), Fault> {
        let known = &mut self.known;
        if self.mind.call().is_none() {
            let (pace, reserve) = (self.pace.clone(), Reserve::default());
            let scratch = known.game.scratch();
            let search = Search::new(&known.game, scratch, settings, pace, reserve, self.seed);
            self.mind = Mind::Home(Box::new(search));
        }
        let search = self.mind.call().expect("a search that is at home");
        let legal = known.legal()?;
        if legal.len() == 1 {
            return Ok((legal[0], Thought::only_move()));
        }
        let searched = search.run(&known.state, known.role, deadline);
        let candidates = search.candidates(known.role);
        let chosen = search.choose(&candidates).unwrap_or(legal[0]);
        let thought = search.thought(known.role, candidates, chosen, searched.err());
        search.answered();
        Ok((chosen, thought))
    }

    /// Continues to think; about the state after the own move, if nobody else has a choice.
    fn ponder(&mut self, chosen: MoveId) -> Result<(), Fault> {
        let Known { game, scratch, role, state, .. } = &mut self.known;
        let Some(legal) = all_legal(&**game, scratch, state)? else { return Ok(()) };
        let alone = (0..legal.len()).all(|other| other == role.index() || legal[other].len() == 1);
        let next = if alone {
            let mut joint: Vec<MoveId> = legal.iter().map(|moves| moves[0]).collect();
            joint[role.index()] = chosen;
            game.next(scratch, state, &joint)?
        } else {
            state.clone()
        };
        if !game.is_terminal(scratch, &next)? {
            self.mind.send(next, *role);
        }
        Ok(())
    }
}
