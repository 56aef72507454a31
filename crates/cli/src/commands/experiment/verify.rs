//! `tafl experiment verify`: runs an experiment again and compares the results.

use std::io::Write;

use anyhow::bail;
use clap::Args;
use tafl::tournament::{Comparison, RunOptions, cores};

use super::super::tournament::matches;
use super::{ExperimentCommand, Run, Which, has_parts, stop_after};
use crate::arguments::Arguments;
use crate::numbers::number_in;
use crate::screen::{ERROR, GOOD, Screen};
use crate::{Verdict, interrupt};

#[derive(Debug, Args)]
pub(super) struct Verify {
    #[command(flatten)]
    which: Which,
    /// The number of cores to use [default: all]
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=1024, 4))]
    jobs: Option<u32>,
    /// Run only this part (can be repeated)
    #[arg(long = "part", value_name = "NAME")]
    parts: Vec<String>,
    /// Stop after N minutes and compare what was played
    #[arg(long, value_name = "N", value_parser = number_in::<u64>(1..=1_000_000, 60))]
    minutes: Option<u64>,
}

impl Verify {
    pub(super) fn run(
        &self,
        command: &ExperimentCommand,
        arguments: &Arguments,
        screen: &mut Screen,
    ) -> anyhow::Result<Verdict> {
        let (experiment, folder) = command.read(&self.which, arguments)?;
        has_parts(&experiment, &self.parts)?;
        let Some(kept) = self.which.out(&folder) else {
            bail!("Use --out to give the folder of the quick variant's results.");
        };
        let wanted = |part: &&experiment::Part| {
            part.is_repeatable() && (self.parts.is_empty() || self.parts.contains(&part.name))
        };
        let parts: Vec<String> =
            experiment.parts.iter().filter(wanted).map(|part| part.name.clone()).collect();
        if parts.is_empty() {
            bail!("Nothing to compare: only random games and matches without a clock are repeatable.");
        }
        let options =
            RunOptions { jobs: self.jobs.map_or_else(cores, |jobs| jobs as usize), stop: interrupt::token() };
        stop_after(self.minutes, &options.stop);
        let run = Run { experiment: &experiment, out: None, parts: &parts };
        // Without the store, because stored matches would not be played again.
        let outcomes = run.play(None, &options, arguments, screen)?;
        let mut verdict = Verdict::Good;
        for (part, outcome) in experiment.parts.iter().zip(&outcomes) {
            if !parts.contains(&part.name) {
                continue;
            }
            let compared = match outcome {
                Some(outcome) => outcome.compare(part, &kept)?,
                None => {
                    writeln!(screen.out, "{}: interrupted", part.name)?;
                    continue;
                }
            };
            if matches!(compared, None | Some(Comparison::Differs { .. })) {
                verdict = Verdict::Bad;
            }
            writeln!(screen.out, "{}: {}", part.name, told(compared.as_ref()))?;
        }
        Ok(if options.stop.is_stopped() && self.minutes.is_none() { Verdict::Bad } else { verdict })
    }
}

/// Describes the result of a comparison.
fn told(compared: Option<&Comparison>) -> String {
    match compared {
        None => format!("{ERROR}there is nothing to compare with{ERROR:#}"),
        Some(Comparison::Same) => format!("{GOOD}the same as archived{GOOD:#}"),
        Some(Comparison::Alike { matches: count }) => {
            format!("{} played; goals, lengths and states are the same as archived", matches(*count))
        }
        Some(Comparison::Differs { matches: numbers }) => match &numbers[..] {
            [] => format!("{ERROR}differs from the archive{ERROR:#}"),
            [first, ..] => {
                let count = matches(numbers.len() as u64);
                format!("{ERROR}differs from the archive{ERROR:#} in {count}, the first is number {first}")
            }
        },
    }
}
