//! `tafl graph`: tools for graph grammars.

mod explore;
mod inspect;
mod serve;
mod show;

use std::path::Path;
use std::sync::Arc;

use clap::{Args, Subcommand};
use graph::{Bundle, Grammar};

use crate::Verdict;
use crate::arguments::Arguments;
use crate::screen::Screen;

/// Explore, draw, check and serve graph grammars
///
/// A GRAMMAR is a folder or zip file in the GROOVE format (.gps), or a game of the
/// library that is a grammar. Use `tafl match` to play one.
#[derive(Debug, Args)]
pub(crate) struct GraphCommand {
    #[command(subcommand)]
    command: Subcommands,
}

#[derive(Debug, Subcommand)]
enum Subcommands {
    Explore(explore::Explore),
    Show(show::Show),
    Check(inspect::Inspect),
    Serve(serve::Serve),
}

impl GraphCommand {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
        match &self.command {
            Subcommands::Explore(explore) => explore.run(arguments, screen)?,
            Subcommands::Show(show) => show.run(arguments, screen)?,
            Subcommands::Check(inspect) => return inspect.run(arguments, screen),
            Subcommands::Serve(serve) => serve.run(screen)?,
        }
        Ok(Verdict::Good)
    }
}

/// A grammar.
#[derive(Debug, Args)]
pub(crate) struct GrammarArguments {
    /// A folder or zip file (.gps), or a name in the library
    grammar: String,
    /// Use this start graph
    #[arg(long, value_name = "NAME")]
    start: Option<String>,
}

impl GrammarArguments {
    fn bundle(&self, arguments: &Arguments) -> anyhow::Result<Bundle> {
        let path = Path::new(&self.grammar);
        if path.is_dir() && !path.join("rules.gps").is_dir() {
            return Ok(Bundle::read(path)?);
        }
        let source = arguments.library().find(&self.grammar)?;
        if source.language.name() != "graph" {
            anyhow::bail!("{} is a {}, not a graph grammar.", source.place, source.language.noun());
        }
        Ok(Bundle { name: source.name, files: Arc::unwrap_or_clone(source.files) })
    }

    fn load(&self, arguments: &Arguments) -> anyhow::Result<Grammar> {
        Ok(Grammar::new(&self.bundle(arguments)?, self.start.as_deref())?)
    }
}
