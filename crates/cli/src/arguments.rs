//! The command line.

use std::fmt;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Parser, Subcommand};
use tafl::game::Game;
use tafl::library::{Chosen, Library, Loaded, Observer};

use crate::commands;
use crate::screen::Color;

const ABOUT: &str = "tafl plays any game from its rules alone.";
const AFTER: &str = "\
A GAME is a name in the library (`tafl games`), the path of a rule sheet (.kif,
.gdl, .hrf) or a graph grammar (.gps), or FOLDER:KEY for a checkout of the
public game repository.

Examples:
  tafl show connect_four            show the board and the legal moves
  tafl match connect_four random legal
  tafl check mygame.kif             find errors in a rule sheet

Exit codes: 0 on success, 1 if what was checked is wrong or a run was
interrupted, 2 if the command failed.";

/// The command line.
#[derive(Debug, Parser)]
#[command(name = "tafl", version, about = ABOUT, after_help = AFTER, max_term_width = 80)]
pub(crate) struct Arguments {
    /// Use the games in this folder instead of the library
    #[arg(long, global = true, value_name = "DIR", env = "TAFL_GAMES", hide_env_values = true)]
    pub(crate) games: Option<PathBuf>,
    /// When to use colours
    #[arg(long, global = true, value_enum, value_name = "WHEN", default_value = "auto")]
    pub(crate) color: Color,
    #[command(subcommand)]
    pub(crate) command: Command,
    /// Called with the progress of compiling rules.
    #[arg(skip)]
    pub(crate) observer: Observed,
}

/// An observer of compiling rules.
#[derive(Clone, Default)]
pub(crate) struct Observed(pub(crate) Option<Observer>);

impl fmt::Debug for Observed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("Observed").field(&self.0.is_some()).finish()
    }
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Check(commands::check::Check),
    Convert(commands::convert::Convert),
    Games(commands::games::Games),
    Show(commands::show::Show),
    Perft(commands::perft::Perft),
    Possible(commands::possible::Possible),
    Analyse(commands::analyse::Analyse),
    Solve(commands::solve::Solve),
    Exploit(commands::exploit::ExploitCommand),
    Ask(commands::ask::AskCommand),
    Sample(commands::sample::SampleCommand),
    Verify(commands::verify::Verify),
    Trace(commands::trace::Trace),
    Match(commands::play::Play),
    Tournament(commands::tournament::Tournament),
    Experiment(commands::experiment::ExperimentCommand),
    Worker(commands::worker::Worker),
    Collect(commands::worker::Collect),
    Player(commands::player::PlayerCommand),
    Serve(commands::serve::Serve),
    Resume(commands::resume::Resume),
    History(commands::history::History),
    Replay(commands::replay::Replay),
    Export(commands::transfer::Export),
    Import(commands::transfer::ImportCommand),
    Bench(commands::bench::Bench),
    BenchSheet(commands::bench::BenchSheet),
    Profile(commands::profile::ProfileCommand),
    New(commands::new::New),
    Graph(commands::graph::GraphCommand),
    GraphOf(commands::graph_of::GraphOf),
    Players(commands::names::Players),
    Reasoners(commands::names::Reasoners),
    Completions(commands::completions::Completions),
    Install(commands::install::Install),
}

impl Arguments {
    /// Returns the games that are known by name.
    pub(crate) fn library(&self) -> Library {
        let library = self.games.as_ref().map_or_else(Library::embedded, Library::folder);
        match &self.observer.0 {
            Some(observer) => library.watched_by(observer.clone()),
            None => library,
        }
    }
}

/// A game and its reasoner.
#[derive(Debug, Args)]
pub(crate) struct GameArguments {
    /// A name in the library, a path, or FOLDER:KEY
    pub(crate) game: String,
    /// The reasoner that evaluates the rules (see `tafl reasoners`)
    #[arg(long, value_name = "NAME", default_value = "auto")]
    pub(crate) reasoner: String,
}

impl GameArguments {
    /// Loads the game and puts it behind the reasoner.
    pub(crate) fn load(&self, arguments: &Arguments) -> anyhow::Result<(Loaded, Chosen)> {
        Ok(tafl::analysis::load(&arguments.library(), &self.game, &self.reasoner)?)
    }
}

/// A state to start from instead of the initial one.
#[derive(Debug, Args)]
pub(crate) struct StateArguments {
    /// Start from this state, for example '((cell 1 1 x) (control o))'
    #[arg(long, value_name = "TEXT", conflicts_with = "state_file")]
    pub(crate) state: Option<String>,
    /// Start from the state in this file
    #[arg(long, value_name = "FILE")]
    pub(crate) state_file: Option<PathBuf>,
}

impl StateArguments {
    /// Returns the text of the given state, if any.
    pub(crate) fn text(&self) -> anyhow::Result<Option<String>> {
        if let Some(file) = &self.state_file {
            let text = std::fs::read_to_string(file);
            return Ok(Some(text.with_context(|| format!("Cannot read {}", file.display()))?));
        }
        Ok(self.state.clone())
    }

    /// Returns the given state, or the initial one.
    pub(crate) fn of<G: Game>(&self, game: &G) -> anyhow::Result<G::State> {
        Ok(tafl::analysis::state_of(game, self.text()?.as_deref())?)
    }

    /// Returns the canonical text of the given state, if any.
    pub(crate) fn canonical(&self) -> anyhow::Result<Option<String>> {
        let Some(text) = self.text()? else { return Ok(None) };
        Ok(Some(tafl::library::write_state(&tafl::library::read_state(&text)?)))
    }
}
