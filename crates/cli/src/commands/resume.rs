//! `tafl resume`: goes on with matches that were interrupted.

use anyhow::bail;
use clap::Args;

use super::plan::Plan;
use super::play::Play;
use crate::arguments::Arguments;
use crate::screen::Screen;
use crate::storage::StoreArguments;

/// Go on with matches that were interrupted
///
/// A match or a series that was interrupted (by Ctrl-C or a crash)
/// goes on where it was: every step that was finished stands. Players think
/// about those steps again, so that they come to where they were.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tafl resume tafl.connect_four.7")]
pub(crate) struct Resume {
    /// The name of the match or series, as `tafl match` or `tafl history` tells it
    name: String,
    /// Matches played side by side [default: one for each core in a tournament, else 1]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
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
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let store = self.store.existing()?;
        let series = store.series(&self.name)?;
        if let Some(plan) = lab::tournament::plan_of_series(&store, &series.name)? {
            let (store, jobs) = (&self.store, self.jobs);
            return super::tournament::resume(plan, series.name, store, jobs, self.json, screen);
        }
        let plan: Plan = match serde_json::from_value(series.plan) {
            Ok(plan) => plan,
            Err(_) => bail!("{} was begun by another version of tafl, which has to end it.", series.name),
        };
        if plan.games.is_some() && arguments.games.is_none() {
            let folder = plan.games.as_ref().map(|path| path.display().to_string()).unwrap_or_default();
            bail!("{} was begun with --games {folder}; give that again.", series.name);
        }
        let store = self.store.clone();
        let play = Play::again(plan, series.name, store, self.jobs.unwrap_or(1), self.json, self.csv);
        play.run(arguments, screen)
    }
}
