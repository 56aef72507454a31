//! `tafl check`: checks rule sheets.

mod json;
mod play;
mod sarif;
mod text;

use std::io::Read;

use clap::{Args, ValueEnum};
use tafl::analysis::Trial;
use tafl::library::{Loaded, Source};
use tafl::rules::Strictness;

use crate::Verdict;
use crate::arguments::Arguments;
use crate::numbers::number_in;
use crate::screen::Screen;

/// Check rule sheets for errors
///
/// By default, whatever can be played is accepted, with warnings; with --strict,
/// everything that the language specification forbids is an error. With --play N,
/// also plays random games, to find states where a role has no legal move, matches
/// that do not end, and goals that are missing or not unique. The exit code is 1
/// if anything is wrong.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl check mygame.kif\n  tafl check *.kif --strict --play 100\n  tafl check mygame.kif --format sarif > findings.sarif"
)]
pub(crate) struct Check {
    /// Rule sheets: paths, `-` for standard input, or games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    /// Enforce the specification
    #[arg(long)]
    strict: bool,
    /// The output format
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
    /// Also play N random games
    #[arg(long, value_name = "N", default_value_t = 0, hide_default_value = true)]
    #[arg(value_parser = number_in::<u64>(0..=u64::MAX, 100))]
    play: u64,
    /// The seed for random games
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number_in::<u64>(0..=u64::MAX, 1))]
    seed: u64,
    /// The number of steps after which a random game counts as endless
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = number_in::<u32>(1..=u32::MAX, 5000))]
    max_steps: u32,
    /// The reasoner that evaluates the rules in random games
    #[arg(long, value_name = "NAME", default_value = "auto")]
    reasoner: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON object
    Json,
    /// SARIF, the format of code scanning services
    Sarif,
}

/// A file with all findings.
struct Checked {
    loaded: Loaded,
    /// The result of random games, or why they could not be played.
    trial: Option<Result<Trial, String>>,
}

impl Checked {
    fn is_bad(&self) -> bool {
        self.loaded.errors() > 0 || self.faults() > 0
    }

    /// Returns the number of errors found by random games.
    fn faults(&self) -> usize {
        match &self.trial {
            None => 0,
            Some(Err(_)) => 1,
            Some(Ok(trial)) => trial.findings.len(),
        }
    }
}

impl Check {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let strictness = if self.strict { Strictness::Strict } else { Strictness::Lenient };
        let mut all = Vec::new();
        for file in &self.files {
            let loaded = Loaded::new(find(file, arguments)?, strictness);
            let trial =
                (self.play > 0 && loaded.rules().is_some()).then(|| play::play(self, &loaded, screen));
            let checked = Checked { loaded, trial };
            if self.format == Format::Text {
                text::write(&checked, self, screen)?;
            }
            all.push(checked);
        }
        match self.format {
            Format::Text => text::write_total(&all, screen)?,
            Format::Json => json::write(&all, screen)?,
            Format::Sarif => sarif::write(&all, screen)?,
        }
        Ok(if all.iter().any(Checked::is_bad) { Verdict::Bad } else { Verdict::Good })
    }
}

/// Finds the rule sheet that a FILE argument refers to.
pub(crate) fn find(file: &str, arguments: &Arguments) -> anyhow::Result<Source> {
    if file == "-" {
        let mut bytes = Vec::new();
        std::io::stdin().read_to_end(&mut bytes)?;
        return Ok(tafl::library::from_bytes("stdin".to_string(), "-".to_string(), None, bytes));
    }
    let path = std::path::Path::new(file);
    let source =
        if path.is_file() { tafl::library::read_path(path)? } else { arguments.library().find(file)? };
    source.sheet_syntax()?;
    Ok(source)
}
