//! What `solve` is asked, and which of its two ways answers.

use std::time::Duration;

use game::{AnyGame, Deadline, Fault, Game, StopToken};
use library::Library;

use crate::load::{LoadError, REASONER, StateError, load, state_of};
use crate::solve::{Solution, SolveLimits, SolveProgress, solve};
use crate::solve_hidden::{HiddenLimits, solve_hidden};

/// What is to be solved, and what it may cost.
#[derive(Debug, Clone)]
pub struct SolveRequest {
    /// The game: a name of the library, a path, or `FOLDER:KEY`.
    pub game: String,
    /// What evaluates its rules.
    pub reasoner: String,
    /// The state to begin with, as text; the initial state where there is none.
    pub state: Option<String>,
    /// Positions, histories or beliefs to visit, at most.
    pub positions: usize,
    /// Positions that a proof or a search for long plans keeps in mind, at most.
    pub proof_memory: usize,
    /// The time after which to give up.
    pub time: Duration,
    /// Where the rules hide something: points by which mixed strategies may be off.
    pub gap: f64,
    /// Where the rules hide something: rounds of CFR+, at most.
    pub rounds: u64,
    /// Where the rules hide something: information sets whose best play is told, at most.
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

/// Why there is no solution.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// The game cannot be played.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// It has no such state.
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

    /// Solves a game that is loaded.
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
