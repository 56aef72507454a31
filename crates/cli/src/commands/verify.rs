//! `tafl verify`: compares a game with recordings.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Context;
use clap::Args;
use serde_json::{Value, json};
use tafl::analysis::verify::{Difference, Report, VerifyError, verify};
use tafl::game::AnyGame;
use tafl::library::Loaded;

use crate::Verdict;
use crate::arguments::{Arguments, GameArguments};
use crate::numbers::number_in;
use crate::screen::{ERROR, GOOD, Screen, WARNING, counted, wrapped};

/// The maximum number of texts that are shown of each side of a difference.
const SHOWN: usize = 20;

/// Replay recorded games and compare the results
///
/// Compares state, terminal, legal moves, goals and percepts, ignoring case, and
/// prints the first difference in each file. The exit code is 1 if there is any.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tafl verify nim playthrough.jsonl --reasoner interpreter")]
pub(crate) struct Verify {
    #[command(flatten)]
    game: GameArguments,
    /// Recordings in the format of `tafl trace`
    #[arg(required = true, value_name = "TRACE")]
    traces: Vec<PathBuf>,
    /// Compare at most N states of each file
    #[arg(long, value_name = "N", default_value_t = usize::MAX, hide_default_value = true)]
    #[arg(value_parser = number_in::<usize>(1..=usize::MAX, 1000))]
    limit: usize,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

struct Replay<'a>(&'a Loaded, &'a str, usize);

impl Replay<'_> {
    fn run(self, game: &AnyGame) -> Result<Report, VerifyError> {
        verify(game, self.0.sheet(), self.1, self.2)
    }
}

impl Verify {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let (loaded, chosen) = self.game.load(arguments)?;
        let mut verdict = Verdict::Good;
        let mut files: Vec<Value> = Vec::new();
        for path in &self.traces {
            let place = path.display();
            let text = std::fs::read_to_string(path).with_context(|| format!("Cannot read {place}"))?;
            let out = &mut screen.out;
            let found = Replay(&loaded, &text, self.limit).run(&chosen.game);
            if self.json && !matches!(found, Err(VerifyError::Format { .. })) {
                let (file, is_same) = listed(&place.to_string(), &found);
                files.push(file);
                if !is_same {
                    verdict = Verdict::Bad;
                }
                continue;
            }
            match found {
                Err(error @ VerifyError::Format { .. }) => anyhow::bail!("{place}: {error}."),
                Err(error) => {
                    verdict = Verdict::Bad;
                    writeln!(out, "{ERROR}failed{ERROR:#} {place}: {error}")?;
                }
                Ok(Report { difference: Some(difference), .. }) => {
                    verdict = Verdict::Bad;
                    writeln!(out, "{ERROR}differs{ERROR:#} {place}")?;
                    out.write_all(told(&difference).as_bytes())?;
                }
                Ok(report) => {
                    let states = counted(report.states as u64, "state");
                    writeln!(out, "{GOOD}same{GOOD:#} {place}: {states}")?;
                    if report.left_out > 0 {
                        let left_out = counted(report.left_out as u64, "state");
                        writeln!(
                            out,
                            "  {WARNING}{left_out} skipped{WARNING:#}: names that differ only by case"
                        )?;
                    }
                }
            }
        }
        if self.json {
            serde_json::to_writer_pretty(&mut screen.out, &json!({ "version": 1, "files": files }))?;
            writeln!(screen.out)?;
        }
        Ok(verdict)
    }
}

/// Returns the result for a file as JSON, and whether all is as recorded.
fn listed(place: &str, found: &Result<Report, VerifyError>) -> (Value, bool) {
    let (word, report, failed) = match found {
        Ok(report) if report.difference.is_some() => ("differs", report.clone(), None),
        Ok(report) => ("same", report.clone(), None),
        Err(error) => ("failed", Report::default(), Some(error.to_string())),
    };
    let Report { states, left_out, difference } = report;
    let file = json!({
        "file": place, "result": word, "states": states, "skipped": left_out,
        "difference": difference, "error": failed,
    });
    (file, word == "same")
}

fn told(difference: &Difference) -> String {
    let Difference { line, playout, ply, what, only_recorded, only_here } = difference;
    let mut text = format!("  line {line}, playout {playout}, ply {ply}: {what}\n");
    for (side, texts) in [("only recorded:", only_recorded), ("only here:", only_here)] {
        if !texts.is_empty() {
            text.push_str(&format!("  {side}\n{}", wrapped(texts.iter().take(SHOWN), 4)));
        }
        if texts.len() > SHOWN {
            text.push_str(&format!("    and {} more\n", texts.len() - SHOWN));
        }
    }
    text
}
