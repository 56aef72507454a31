//! Requests to solve a game, and the choice between the two solvers.

use std::time::Duration;

use game::{AnyGame, Deadline, Fault, Game, StopToken};
use library::Library;

use crate::load::{LoadError, REASONER, StateError, load, state_of};
use crate::solve::{Solution, SolveLimits, SolveProgress, solve};
use crate::solve_hidden::{HiddenLimits, solve_hidden};

/// A request to solve a game, with its limits.
#[derive(Debug, Clone)]
pub struct SolveRequest {
    /// The game: a library name, a path, or `FOLDER:KEY`.
    pub game: String,
    /// The reasoner.
    pub reasoner: String,
    /// The state to start from, as text; the initial state if `None`.
    pub state: Option<String>,
    /// The maximum number of positions, histories or beliefs to visit.
    pub positions: usize,
    /// The maximum number of positions that a proof or a search for long plans stores.
    pub proof_memory: usize,
    /// The time limit.
    pub time: Duration,
    /// With hidden information: the gap, in points, at which mixed strategies count as solved.
    pub gap: f64,
    /// With hidden information: the maximum number of CFR+ iterations.
    pub rounds: u64,
    /// With hidden information: the maximum number of information sets per role for which best play is
    /// reported.
    pub sets: usize,
}

impl Default for SolveRequest {
    fn default() -> SolveRequest {
        SolveRequest {
            game: String::new(),
            reasoner: REASONER.to_string(),
            state: None,
            positions: 4_000_000,
            proof_memory: 32_000_000,
            time: Duration::from_secs(600),
            gap: 0.002,
            rounds: 20_000,
            sets: 6,
        }
    }
}

/// Why a game could not be solved.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The game could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The text is not a state of the game.
    #[error(transparent)]
    State(#[from] StateError),
    /// The game failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl SolveRequest {
    /// Loads the game and solves it.
    pub fn run(
        &self,
        library: &Library,
        stop: &StopToken,
        watch: &mut dyn FnMut(SolveProgress),
    ) -> Result<Solution, SolveError> {
        let (_, chosen) = load(library, &self.game, &self.reasoner)?;
        self.solve(&chosen.game, stop, watch)
    }

    /// Solves a game that is already loaded.
    pub fn solve(
        &self,
        game: &AnyGame,
        stop: &StopToken,
        watch: &mut dyn FnMut(SolveProgress),
    ) -> Result<Solution, SolveError> {
        let from = state_of(game, self.state.as_deref())?;
        let deadline = Deadline::after(self.time).with_stop(stop.clone());
        if game.has_percepts() {
            let limits = HiddenLimits {
                histories: self.positions,
                rounds: self.rounds,
                gap: self.gap,
                told: self.sets,
                deadline,
            };
            return Ok(solve_hidden(game, &from, &limits, watch)?);
        }
        let limits = SolveLimits { positions: self.positions, proof: self.proof_memory, deadline };
        Ok(solve(game, &from, &limits, watch)?)
    }
}
