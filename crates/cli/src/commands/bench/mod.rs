//! `tafl bench`: how fast games are played.

mod corpus;
mod limit;
mod sheet;
mod text;

use std::path::PathBuf;
use std::time::Duration;

use analysis::bench::{Measured, Pace, measure};
use anyhow::bail;
use clap::Args;
use game::Seed;

use crate::arguments::Arguments;
use crate::screen::Screen;
pub(super) use seconds as time_argument;
pub(crate) use sheet::BenchSheet;
pub(super) use text::time as short_time;

/// Play games at random and tell how fast that is
///
/// A state is one executed joint move; a playout is a whole game from the
/// initial state, every legal move of a role equally likely.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl bench tic_tac_toe connect_four --seconds 2\n  tafl bench chess --threads 2 --json\n  tafl bench --limit                    against hand-written code\n  tafl bench --corpus sheets/ > corpus.csv"
)]
pub(crate) struct Bench {
    /// Library names, paths, or FOLDER:KEY
    #[arg(value_name = "GAME", required_unless_present_any = ["limit", "corpus"])]
    wanted: Vec<String>,
    /// What evaluates the rules (`tafl reasoners` lists them)
    #[arg(long, value_name = "NAME", default_value = "auto")]
    reasoner: String,
    /// Time to play each game for
    #[arg(long, value_name = "N", default_value = "5", value_parser = seconds)]
    seconds: Duration,
    /// Threads that play; with --corpus, sheets looked at side by side
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1024))]
    threads: u64,
    /// Where chance comes from
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Playouts longer than this are cut off
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_steps: u32,
    /// Ask state by state, as search does, not for many games at once
    #[arg(long)]
    one_by_one: bool,
    /// Compare with hand-written code, in turns in the same process
    #[arg(long, conflicts_with = "corpus")]
    limit: bool,
    /// With --limit: slices of each side
    #[arg(long, value_name = "N", default_value_t = 20, requires = "limit")]
    slices: usize,
    /// With --limit: time of a slice, where games are short
    #[arg(long, value_name = "N", default_value = "0.1", value_parser = seconds, requires = "limit")]
    slice_seconds: Duration,
    /// Every sheet (.kif) in this folder, each in a process of its own
    #[arg(long, value_name = "DIR", conflicts_with = "wanted")]
    corpus: Option<PathBuf>,
    /// With --corpus: time to play each sheet for
    #[arg(long, value_name = "N", default_value = "1", value_parser = seconds, requires = "corpus")]
    seconds_each: Duration,
    /// With --corpus: memory for each sheet, in MiB
    #[arg(long, value_name = "N", default_value_t = 4096, requires = "corpus")]
    memory: u64,
    /// With --corpus: a sheet is given up after this time
    #[arg(long, value_name = "N", default_value = "90", value_parser = seconds, requires = "corpus")]
    give_up: Duration,
    /// Print JSON
    #[arg(long, conflicts_with = "corpus")]
    json: bool,
}

/// A time in seconds.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let time = text.parse::<f64>().ok().filter(|s| *s > 0.0 && *s <= 1e6);
    time.map(Duration::from_secs_f64)
        .ok_or_else(|| "a time in seconds is a number above 0, such as 0.5".into())
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

    /// The games to compare with hand-written code.
    fn compared(&self) -> anyhow::Result<Vec<&str>> {
        if self.wanted.is_empty() {
            return Ok(analysis::bench::baselines().to_vec());
        }
        if let Some(game) = self.wanted.iter().find(|game| !analysis::bench::has_baseline(game)) {
            let known = analysis::bench::baselines().join(", ");
            bail!("There is no hand-written code for `{game}`. It exists for {known}.");
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
