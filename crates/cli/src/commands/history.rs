//! `tafl history`: past matches.

use std::io::Write;

use clap::Args;
use serde::Serialize;
use tafl::arena::{End, Ending};
use tafl::store::{Query, Summary};

use crate::numbers::number_in;
use crate::screen::{FAINT, STRONG, Screen, WIDTH, counted};
use crate::storage::StoreArguments;

/// List the matches that were played
///
/// Every match is stored step by step in a file in your data folder, and is
/// listed whether or not it has ended.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tafl history\n  tafl history --game chess --limit 5 --json")]
pub(crate) struct History {
    /// List only matches of this game
    #[arg(long, value_name = "NAME")]
    game: Option<String>,
    /// List only matches of this series
    #[arg(long, value_name = "NAME")]
    series: Option<String>,
    /// List only the latest N matches
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number_in::<usize>(0..=usize::MAX, 20))]
    limit: usize,
    /// Print the list as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArguments,
}

#[derive(Serialize)]
struct Listed<'a> {
    version: u32,
    matches: Vec<Line<'a>>,
}

#[derive(Serialize)]
struct Line<'a> {
    #[serde(rename = "match")]
    key: &'a str,
    game: &'a str,
    series: Option<&'a str>,
    roles: &'a [String],
    players: &'a [String],
    start_time: u64,
    steps: usize,
    end: Option<&'a End>,
}

impl History {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        let query = Query {
            game: self.game.clone(),
            series: self.series.clone(),
            finished: false,
            limit: Some(self.limit),
        };
        let list = self.store.existing()?.history(&query)?;
        let out = &mut screen.out;
        if self.json {
            let matches = list.iter().map(line).collect();
            serde_json::to_writer_pretty(&mut *out, &Listed { version: 1, matches })?;
            return Ok(writeln!(out)?);
        }
        for found in &list {
            let result = result(found);
            let steps = counted(found.steps as u64, "step");
            writeln!(out, "{STRONG}{}{STRONG:#}", found.key)?;
            writeln!(out, "    {}", cut(&format!("{}, {steps}, {result}", found.game), WIDTH - 4))?;
            let players = cut(&found.players.join(", "), WIDTH - 26);
            writeln!(out, "    {FAINT}{}  {players}{FAINT:#}", date(found.created))?;
        }
        if list.is_empty() {
            writeln!(out, "No matches. `tafl match` plays one.")?;
        } else {
            writeln!(out, "`tafl replay NAME` shows a match step by step.")?;
        }
        Ok(())
    }
}

fn line(found: &Summary) -> Line<'_> {
    Line {
        key: &found.key,
        game: &found.game,
        series: found.series.as_deref(),
        roles: &found.roles,
        players: &found.players,
        start_time: found.created,
        steps: found.steps,
        end: found.end.as_ref(),
    }
}

fn result(found: &Summary) -> String {
    let Some(end) = &found.end else {
        return "unfinished".to_string();
    };
    match &end.ending {
        Ending::Terminal => {
            let goal = |(role, goal): (&String, &Option<i32>)| match goal {
                Some(goal) => format!("{role} {goal}"),
                None => format!("{role} none"),
            };
            found.roles.iter().zip(&end.goals).map(goal).collect::<Vec<String>>().join(", ")
        }
        Ending::DeadEnd { role } => format!("dead end of {role}"),
        Ending::StepLimit => "stopped at the step limit".to_string(),
        Ending::Forfeit { role, .. } => format!("forfeited by {role}"),
        Ending::Broken { .. } => "aborted".to_string(),
        Ending::Open | Ending::Interrupted { .. } => match &end.goal_values {
            Some(goals) => goals.iter().map(i32::to_string).collect::<Vec<String>>().join(", "),
            None => "ended".to_string(),
        },
    }
}

fn cut(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_string();
    }
    text.chars().take(width - 1).chain(['…']).collect()
}

/// Formats a time in milliseconds since 1970 as date and time (UTC).
pub(crate) fn date(ms: u64) -> String {
    let (days, rest) = ((ms / 86_400_000) as i64, ms % 86_400_000 / 60_000);
    // Convert days to a date of the Gregorian calendar, with years that begin in March.
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day = days.rem_euclid(146_097);
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = year + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02} {:02}:{:02}", rest / 60, rest % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_dated() {
        assert_eq!(date(0), "1970-01-01 00:00");
        assert_eq!(date(951_782_400_000), "2000-02-29 00:00");
        assert_eq!(date(1_700_000_000_000), "2023-11-14 22:13");
    }
}
