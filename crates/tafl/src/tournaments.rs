//! Running tournaments.

use std::path::Path;

use library::Library;
use tournament::report::{Analysis, document};
use tournament::{Keep, Plan, Ready, Results, RunOptions, Standings, run};

use crate::Error;

/// A finished tournament.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// All matches, with their players, seats and seeds.
    pub plan: Plan,
    /// The results of the matches, in the order of the plan.
    pub results: Results,
    /// The standings of the players.
    pub standings: Standings,
}

/// Plays a tournament on all cores. The spec has the format of a file for `tafl tournament`:
/// TOML with games, players and the number of matches. Every player takes every role equally
/// often. If no player thinks by the clock, the results depend on the spec alone.
///
/// ```
/// let played = tafl::run_tournament(
///     r#"
///     games = ["tic_tac_toe"]
///     players = ["mcts(playouts=20)", "random"]
///     matches = 6
///     "#,
/// )?;
/// assert_eq!(played.results.matches.len(), 6);
/// assert!(played.standings.players[0].tally.won > 3, "{:?}", played.standings);
/// # Ok::<(), tafl::Error>(())
/// ```
///
/// Nothing is stored; [`tournament::run`] can store the matches, show progress and be
/// interrupted.
pub fn run_tournament(spec: &str) -> Result<Tournament, Error> {
    let name = "tournament";
    let ready = Ready::read(name, spec, name, &Library::embedded(), Path::new("."))?;
    let results = run(&ready, &Keep::Nothing, &RunOptions::default(), &tournament::Quiet)?;
    let plan = ready.plan().clone();
    let standings = Standings::of(&plan, &results.matches);
    Ok(Tournament { plan, results, standings })
}

impl Tournament {
    /// Returns the report in Markdown: scores with confidence intervals, tests, ratings.
    pub fn report(&self) -> String {
        document(&self.plan, &Analysis::of(&self.plan, &self.results)).markdown()
    }
}
