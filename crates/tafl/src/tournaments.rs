//! Many matches.

use std::path::Path;

use library::Library;
use tournament::report::{Analysis, document};
use tournament::{Keep, Plan, Ready, Results, RunOptions, Standings, run};

use crate::Error;

/// A tournament that was played.
#[derive(Debug, Clone)]
pub struct Tournament {
    /// All its matches, with their players, seats and seeds.
    pub plan: Plan,
    /// What came of them, in the order of the plan.
    pub results: Results,
    /// Who has won how much.
    pub standings: Standings,
}

/// Plays a tournament on all cores. It is written down as in a file for `tafl tournament`:
/// TOML with games, players and the number of matches. Everybody sits everywhere equally often,
/// and where nobody thinks by the clock the results follow from the text alone.
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
/// Nothing is kept; [`tournament::run`] keeps matches in a store, shows progress and can be
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
    /// The report in Markdown: scores with their intervals, tests, ratings.
    pub fn report(&self) -> String {
        document(&self.plan, &Analysis::of(&self.plan, &self.results)).markdown()
    }
}
