//! `tafl trace`: records random games.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use tafl::analysis::trace::{Request, TraceError, record};
use tafl::game::{AnyGame, Seed};

use crate::arguments::{Arguments, GameArguments, StateArguments};
use crate::numbers::number_in;
use crate::screen::Screen;

/// Record random games, state by state, as JSON lines
///
/// The first line names the game and its roles. Each further line is one state:
/// playout, ply, state, terminal, legal (by role), goals (in terminal states),
/// joint (the moves made) and, if the rules hide something, percepts.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl trace nim --playouts 1 --seed 1 > playthrough.jsonl\n  tafl verify nim playthrough.jsonl"
)]
pub(crate) struct Trace {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    state: StateArguments,
    /// The number of games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u64>(0..=u64::MAX, 5))]
    playouts: u64,
    /// The seed for all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number_in::<u64>(0..=u64::MAX, 1))]
    seed: u64,
    /// Stop games after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number_in::<u32>(1..=u32::MAX, 1000))]
    max_steps: u32,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

struct Record<'a>(&'a Trace, Request, &'a mut dyn Write);

impl Trace {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let (loaded, chosen) = self.game.load(arguments)?;
        let request = Request {
            game: loaded.source.name.clone(),
            playouts: self.playouts,
            seed: Seed(self.seed),
            max_steps: self.max_steps,
            from: self.state.canonical()?,
        };
        match &self.output {
            None => Record(self, request, &mut screen.out).run(&chosen.game),
            Some(path) => {
                let file = std::fs::File::create(path)
                    .with_context(|| format!("Cannot write {}", path.display()))?;
                let mut file = std::io::BufWriter::new(file);
                Record(self, request, &mut file).run(&chosen.game)?;
                Ok(file.flush()?)
            }
        }
    }
}

impl Record<'_> {
    fn run(self, game: &AnyGame) -> anyhow::Result<()> {
        let Record(trace, request, out) = self;
        let start = trace.state.of(game)?;
        record(game, &start, &request, out).map_err(|error| match error {
            TraceError::Write(error) => error.into(),
            TraceError::Fault(fault) => anyhow::anyhow!("The game cannot be played any further: {fault}."),
        })
    }
}
