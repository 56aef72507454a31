//! `tafl bench`: how fast games can be played.

mod corpus;
mod limit;
mod sheet;
mod text;

use std::path::PathBuf;
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use tafl::analysis::bench::{Measured, Pace, measure};
use tafl::game::Seed;

use crate::arguments::Arguments;
use crate::numbers::number_in;
use crate::screen::Screen;
pub(super) use seconds as time_argument;
pub(crate) use sheet::BenchSheet;
pub(super) use text::time as short_time;

/// Play random games and measure the speed
///
/// A state is one executed joint move; a playout is a whole game from the initial
/// state, with every legal move of a role equally likely.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl bench tic_tac_toe connect_four --seconds 2\n  tafl bench chess --threads 2 --json\n  tafl bench --limit                    against hand-written code\n  tafl bench --corpus sheets/ > corpus.csv"
)]
pub(crate) struct Bench {
    /// Names in the library, paths, or FOLDER:KEY
    #[arg(value_name = "GAME", required_unless_present_any = ["limit", "corpus"])]
    wanted: Vec<String>,
    /// The reasoner that evaluates the rules (see `tafl reasoners`)
    #[arg(long, value_name = "NAME", default_value = "auto")]
    reasoner: String,
    /// Play each game for this long, in seconds
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    seconds: Duration,
    /// The number of threads; with --corpus, of sheets examined at the same time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u64>(1..=1024, 4))]
    threads: u64,
    /// The seed for all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number_in::<u64>(0..=u64::MAX, 1))]
    seed: u64,
    /// Stop playouts after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = number_in::<u32>(1..=u32::MAX, 1000))]
    max_steps: u32,
    /// Query states one by one, as a search does, instead of many games at once
    #[arg(long)]
    one_by_one: bool,
    /// Compare with hand-written code, alternating in the same process
    #[arg(long, conflicts_with = "corpus")]
    limit: bool,
    /// With --limit: the number of slices of each side
    #[arg(long, value_name = "N", default_value_t = 20, requires = "limit")]
    #[arg(value_parser = number_in::<usize>(1..=usize::MAX, 20))]
    slices: usize,
    /// With --limit: the time of a slice in seconds, if games are short
    #[arg(long, value_name = "N", default_value = "0.1", value_parser = seconds, requires = "limit")]
    slice_seconds: Duration,
    /// Measure every sheet (.kif) in this folder, each in a separate process
    #[arg(long, value_name = "DIR", conflicts_with = "wanted")]
    corpus: Option<PathBuf>,
    /// With --corpus: play each sheet for this long, in seconds
    #[arg(long, value_name = "N", default_value = "1", value_parser = seconds, requires = "corpus")]
    seconds_each: Duration,
    /// With --corpus: the memory limit per sheet, in MiB
    #[arg(long, value_name = "N", default_value_t = 4096, requires = "corpus")]
    #[arg(value_parser = number_in::<u64>(1..=u64::MAX, 4096))]
    memory: u64,
    /// With --corpus: give up on a sheet after this many seconds
    #[arg(long, value_name = "N", default_value = "90", value_parser = seconds, requires = "corpus")]
    give_up: Duration,
    /// Print JSON
    #[arg(long, conflicts_with = "corpus")]
    json: bool,
}

/// Parses a time in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse::<f64>().ok().filter(|s| *s > 0.0 && *s <= 1e6);
    time.map(Duration::from_secs_f64)
        .ok_or_else(|| "the time must be a number of seconds above 0, such as 0.5".into())
}

impl Bench {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        if let Some(folder) = &self.corpus {
            return corpus::run(self, folder, screen);
        }
        if self.limit {
            return limit::run(self, arguments, screen);
        }
        let mut all: Vec<Measured> = Vec::new();
        for name in &self.wanted {
            let source = arguments.library().find(name)?;
            let bar = screen.progress("{elapsed_precise} {msg}");
            let measured = measure(source, &self.reasoner, &self.pace(), |elapsed| {
                if elapsed > Duration::from_secs(2) {
                    bar.set_message(format!("{name}: playing {:.0} s", self.seconds.as_secs_f64()));
                    bar.tick();
                }
            });
            bar.finish_and_clear();
            let measured = measured?;
            if !self.json {
                text::write(&mut screen.out, &measured)?;
                std::io::Write::flush(&mut screen.out)?;
            }
            all.push(measured);
        }
        if self.json {
            write_json(screen, &all)?;
        }
        Ok(())
    }

    fn pace(&self) -> Pace {
        Pace {
            time: self.seconds,
            threads: self.threads as usize,
            seed: Seed(self.seed),
            max_steps: self.max_steps,
            one_by_one: self.one_by_one,
        }
    }

    /// Returns the games to compare with hand-written code.
    fn compared(&self) -> anyhow::Result<Vec<&str>> {
        if self.wanted.is_empty() {
            return Ok(tafl::analysis::bench::baselines().to_vec());
        }
        if let Some(game) = self.wanted.iter().find(|game| !tafl::analysis::bench::has_baseline(game)) {
            let known = tafl::analysis::bench::baselines().join(", ");
            bail!("There is no hand-written code for `{game}`, only for {known}.");
        }
        Ok(self.wanted.iter().map(String::as_str).collect())
    }
}

fn write_json(screen: &mut Screen, results: &impl serde::Serialize) -> anyhow::Result<()> {
    #[derive(serde::Serialize)]
    struct Report<'a, T> {
        version: u32,
        processors: Option<usize>,
        results: &'a T,
    }
    let processors = std::thread::available_parallelism().ok().map(usize::from);
    serde_json::to_writer_pretty(&mut screen.out, &Report { version: 1, processors, results })?;
    Ok(std::io::Write::write_all(&mut screen.out, b"\n")?)
}
