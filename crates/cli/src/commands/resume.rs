//! `tafl resume`: resumes interrupted matches.

use std::path::PathBuf;

use anyhow::bail;
use clap::Args;
use tafl::statistics::Confidence;
use tafl::tournament::MatchSpec;

use super::play::Playing;
use super::tournament::How;
use crate::Verdict;
use crate::arguments::Arguments;
use crate::interrupt;
use crate::numbers::number_in;
use crate::screen::Screen;
use crate::storage::StoreArguments;

/// Resume interrupted matches
///
/// Resumes a match or a series that was interrupted, by Ctrl-C or a crash, where
/// it stopped: all finished steps are kept. Players think about these steps again,
/// to get back to where they were. The exit code is 1 if it is interrupted again.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tafl resume tafl.connect_four.7\n  tafl resume spec --out report")]
pub(crate) struct Resume {
    /// The match or series, as named by `tafl match` or `tafl history`
    name: String,
    /// Write plan, results and report of a tournament to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The number of cores to use [default: all for a tournament, otherwise 1]
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=1024, 4))]
    jobs: Option<u32>,
    /// Print the match record, or the counts of many matches, as JSON
    #[arg(long)]
    json: bool,
    /// Print the counts as comma-separated values
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    #[command(flatten)]
    store: StoreArguments,
}

impl Resume {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let store = self.store.existing()?;
        let series = store.series(&self.name)?;
        if let Some(plan) = tafl::tournament::plan_of_series(&store, &series.name)? {
            let out = self.out.as_deref();
            let how = How { jobs: self.jobs, out, json: self.json, store: &self.store };
            return super::tournament::resume(plan, series.name, &how, screen);
        }
        if self.out.is_some() {
            bail!("{} is not a tournament; only tournaments have a report for --out.", series.name);
        }
        let spec = MatchSpec::read(&series.plan, &series.name)?;
        if spec.games.is_some() && arguments.games.is_none() {
            let folder = spec.games.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
            bail!("{} was started with --games {folder}; give this option again.", series.name);
        }
        let playing = Playing {
            csv: self.csv && spec.repeat.is_some(),
            spec,
            explain: false,
            json: self.json,
            times: false,
            jobs: self.jobs.unwrap_or(1),
            confidence: Confidence::P95,
            store: self.store.clone(),
            no_store: false,
            resume: Some(series.name),
        };
        playing.run(arguments, screen)?;
        Ok(interrupt::verdict())
    }
}
