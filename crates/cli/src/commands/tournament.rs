//! `tafl tournament`: many matches by a plan.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context, bail};
use clap::Args;
use serde_json::json;
use tafl::statistics::Confidence;
use tafl::tournament::{
    FaultRow, Keep, OnProgress, Plan, PlanGame, Progress, Ready, Results, RunOptions, Score, SequentialTest,
    Standings, cores, run, series_of,
};

use super::series::listed;
use crate::arguments::Arguments;
use crate::numbers::number_in;
use crate::screen::{FAINT, STRONG, Screen, counted, grouped};
use crate::storage::{StoreArguments, quoted};
use crate::{Verdict, interrupt};

/// Play a tournament described by a file
///
/// The file defines games, players, budgets and pairings; see
/// docs/experiments.md. Every player takes every role equally often. All matches
/// are stored, and the same command resumes a tournament that was interrupted.
/// Results do not depend on how many matches are played at the same time. The
/// exit code is 1 if the tournament is interrupted.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl tournament spec.toml\n  tafl tournament spec.toml --out report --jobs 2\n  tafl tournament spec.toml --write-plan plan.json"
)]
pub(crate) struct Tournament {
    /// A spec (.toml), or a plan that was written earlier (.json)
    spec: PathBuf,
    /// Write plan, results and report to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The number of cores to use [default: all]
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=1024, 4))]
    jobs: Option<u32>,
    /// Use this seed instead of the one in the file
    #[arg(long, value_name = "S", value_parser = number_in::<u64>(0..=u64::MAX, 1))]
    seed: Option<u64>,
    /// Start again, even if the tournament has already been played
    #[arg(long)]
    fresh: bool,
    /// Write the plan to this file and play nothing
    #[arg(long, value_name = "FILE")]
    write_plan: Option<PathBuf>,
    /// Print the standings as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    store: StoreArguments,
    /// Do not store the matches
    #[arg(long)]
    no_store: bool,
}

impl Tournament {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let ready = read(&self.spec, self.seed, arguments)?;
        if let Some(path) = &self.write_plan {
            fs::write(path, ready.plan().write())
                .with_context(|| format!("Cannot write {}", path.display()))?;
            let matches = matches(ready.plan().len());
            writeln!(screen.out, "{}: a plan of {matches}", path.display())?;
            return Ok(Verdict::Good);
        }
        let keep = match self.no_store {
            true => None,
            false => self.store.open()?,
        };
        let keep = match keep {
            None => Keep::Nothing,
            Some(store) => {
                let series = series_of(&store, ready.plan(), self.fresh)?;
                Keep::Series(store, series)
            }
        };
        let how = How { jobs: self.jobs, out: self.out.as_deref(), json: self.json, store: &self.store };
        play(&ready, &keep, &how, screen)
    }
}

/// How a tournament is played and reported.
pub(crate) struct How<'a> {
    /// The number of cores to use.
    pub jobs: Option<u32>,
    /// The folder of the report.
    pub out: Option<&'a Path>,
    /// Whether the standings are printed as JSON.
    pub json: bool,
    /// The store arguments.
    pub store: &'a StoreArguments,
}

/// Resumes a stored tournament.
pub(crate) fn resume(
    plan: Plan,
    series: String,
    how: &How<'_>,
    screen: &mut Screen,
) -> anyhow::Result<Verdict> {
    let ready = Ready::of(plan)?;
    play(&ready, &Keep::Series(how.store.existing()?, series), how, screen)
}

/// Reads a spec or a plan.
fn read(path: &Path, seed: Option<u64>, arguments: &Arguments) -> anyhow::Result<Ready> {
    let place = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| format!("Cannot read {place}"))?;
    if path.extension().is_some_and(|ending| ending == "json") {
        let mut plan = Plan::read(&text, &place)?;
        plan.seed = seed.unwrap_or(plan.seed);
        return Ok(Ready::of(plan)?);
    }
    let name = path.file_stem().and_then(|name| name.to_str()).unwrap_or("tournament");
    let folder = path.parent().unwrap_or(Path::new("."));
    let ready = match Ready::read(&place, &text, name, &arguments.library(), folder) {
        Ok(ready) => ready,
        Err(bad) => bail!("Nothing was started.\n{bad}"),
    };
    match seed {
        None => Ok(ready),
        Some(seed) => Ok(ready.with_seed(seed)),
    }
}

fn play(ready: &Ready, keep: &Keep, how: &How<'_>, screen: &mut Screen) -> anyhow::Result<Verdict> {
    let (plan, out) = (ready.plan(), how.out);
    let options =
        RunOptions { jobs: how.jobs.map_or_else(cores, |jobs| jobs as usize), stop: interrupt::token() };
    let bar = screen.progress("{elapsed_precise} {msg}");
    let log = screen.log();
    let tell = |progress: &Progress| {
        let text = told(progress);
        log.tell(&text);
        bar.set_message(text);
    };
    let results = run(ready, keep, &options, &OnProgress(tell))?;
    bar.finish_and_clear();
    let standings = Standings::of(plan, &results.matches);
    if let Some(folder) = out {
        write_files(plan, &results, folder)?;
    }
    let test = SequentialTest::of(plan, &results.matches);
    if how.json {
        let text = json!({
            "version": 1, "name": plan.name, "plan": plan.digest(), "seed": plan.seed,
            "complete": results.complete, "planned": plan.len(), "verdict": test.map(|test| test.decision),
            "standings": standings,
        });
        serde_json::to_writer_pretty(&mut screen.out, &text)?;
        writeln!(screen.out)?;
    } else {
        print(plan, &results, &standings, screen)?;
        if let Some(test) = test {
            writeln!(screen.out, "\n{}", verdict(&test))?;
        }
        if let Some(folder) = out {
            writeln!(screen.out, "\nWritten to {}.", folder.display())?;
        }
    }
    if !results.complete && options.stop.is_stopped() {
        screen.out.flush()?;
        match keep.series() {
            Some(series) => {
                let out =
                    out.map_or(String::new(), |out| format!(" --out {}", quoted(&out.to_string_lossy())));
                eprintln!("Interrupted. To resume: tafl resume {}{out}{}", quoted(series), how.store.again());
            }
            None => eprintln!("Interrupted, and nothing was stored."),
        }
        return Ok(Verdict::Bad);
    }
    Ok(Verdict::Good)
}

/// Writes plan, results and report. The files depend only on the plan, whoever played it.
pub(crate) fn write_files(plan: &Plan, results: &Results, folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("Cannot create the folder {}", folder.display()))?;
    for (name, text) in tafl::tournament::report::bundle(plan, results) {
        let path = folder.join(name);
        fs::write(&path, text).with_context(|| format!("Cannot write {}", path.display()))?;
    }
    Ok(())
}

/// Formats progress as one line.
pub(crate) fn told(progress: &Progress) -> String {
    let (done, total) = (grouped(progress.done), grouped(progress.total));
    let mut line = format!("{done} of {total} matches");
    if progress.rate > 0.0 {
        line.push_str(&match progress.rate {
            rate if rate >= 10.0 => format!(", {rate:.0}/s"),
            rate if rate >= 0.1 => format!(", {rate:.1}/s"),
            rate => format!(", {:.1}/min", 60.0 * rate),
        });
    }
    if let Some(left) = progress.left.filter(|_| progress.done < progress.total) {
        line.push_str(&format!(", {} left", duration(left)));
    }
    let mut players: Vec<_> = progress.standings.players.iter().collect();
    players.sort_by(|a, b| b.tally.score().unwrap_or(0.0).total_cmp(&a.tally.score().unwrap_or(0.0)));
    let row = |row: &&tafl::tournament::PlayerCount| {
        row.tally.score().map(|score| format!("{} {:.1}", short(&row.player, 20), 100.0 * score))
    };
    let standing: Vec<String> = players.iter().filter_map(row).take(3).collect();
    if !standing.is_empty() {
        line.push_str(&format!("; {}", standing.join(", ")));
    }
    line
}

fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    match seconds {
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds.div_ceil(60)),
        3600..172_800 => format!("{:.1} h", seconds as f64 / 3600.0),
        _ => format!("{} days", seconds.div_ceil(86_400)),
    }
}

/// Formats a number of matches: "1 match", "10,000 matches".
pub(crate) fn matches(count: u64) -> String {
    counted(count, "match").replace("matchs", "matches")
}

/// Truncates a name to a width.
fn short(name: &str, width: usize) -> String {
    if name.chars().count() <= width {
        return name.to_string();
    }
    name.chars().take(width - 1).chain(['…']).collect()
}

fn print(plan: &Plan, results: &Results, standings: &Standings, screen: &mut Screen) -> anyhow::Result<()> {
    let out = &mut screen.out;
    let confidence = Confidence::new(plan.confidence).unwrap_or(Confidence::P95);
    let title = plan.title.as_deref().unwrap_or(&plan.name);
    let count = match results.matches.len() as u64 {
        count if count == plan.len() => matches(count),
        count => format!("{} of {}", grouped(count), matches(plan.len())),
    };
    writeln!(out, "{STRONG}{title}{STRONG:#}, {count}, seed {}", plan.seed)?;
    if !plan.repeatable {
        writeln!(out, "{FAINT}Some players think by the clock, so another run will differ.{FAINT:#}")?;
    }
    let interval = format!("{} % interval", 100.0 * plan.confidence);
    let head = |first: &str| {
        format!(
            "\n  {first:<25}{:>7}{:>7}{:>7}{:>7}  {interval:<15}{:>5}",
            "won", "drawn", "lost", "score", "goal"
        )
    };
    let row = |name: &str, tally: &Score| {
        let range = tally.interval(confidence);
        let range = format!("{:.1} to {:.1}", 100.0 * range.low, 100.0 * range.high);
        let score = tally.score().map_or("-".to_string(), |score| format!("{:.1}", 100.0 * score));
        let goal = tally.goals.value().map_or("-".to_string(), |goal| format!("{goal:.1}"));
        let count = |place: usize| tally.wdl().map_or("-".to_string(), |wdl| wdl[place].to_string());
        let (won, drawn, lost) = (count(0), count(1), count(2));
        format!("  {:<25}{won:>7}{drawn:>7}{lost:>7}{score:>7}  {range:<15}{goal:>5}", short(name, 25))
    };
    let mut players: Vec<_> = standings.players.iter().filter(|player| player.tally.games > 0).collect();
    if !players.is_empty() {
        writeln!(out, "{}", head("Player"))?;
    }
    players.sort_by(|a, b| b.tally.score().unwrap_or(0.0).total_cmp(&a.tally.score().unwrap_or(0.0)));
    for player in players {
        writeln!(out, "{}", row(&player.player, &player.tally))?;
    }
    for game in &plan.games {
        writeln!(out, "{}", head(&short(&game.name, 25)))?;
        for seat in standings.seats.iter().filter(|seat| seat.game == game.name) {
            writeln!(out, "{}", row(&seat.role, &seat.tally))?;
        }
    }
    let faults = tafl::tournament::faults(plan, &results.matches);
    if standings.replaced > 0 {
        let moves = counted(standings.replaced, "move");
        writeln!(out, "\nThe referee had to make {moves} for a player:")?;
        listed(&FaultRow::replaced(&faults), out)?;
    }
    if standings.forfeited > 0 {
        let (verb, count) = if standings.forfeited == 1 { ("was", "counts") } else { ("were", "count") };
        writeln!(out, "\n{} {verb} forfeited and {count} as lost:", matches(standings.forfeited))?;
        listed(&FaultRow::forfeited(&faults), out)?;
    }
    if standings.broken_off > 0 {
        let broken = matches(standings.broken_off);
        let alone = |game: &PlanGame| game.seats().len() == 1;
        let left_out = if standings.broken_off == 1 { "was left out" } else { "were left out" };
        let treated = match (plan.games.iter().all(alone), plan.games.iter().any(alone)) {
            (true, _) => left_out.to_string(),
            (false, true) => format!("counted as drawn, or {left_out} in a game of one role"),
            (false, false) => "counted as drawn".to_string(),
        };
        writeln!(out, "\n{broken} did not finish and {treated}.")?;
    }
    Ok(())
}

/// Formats the result of a sequential test.
fn verdict(test: &SequentialTest) -> String {
    let SequentialTest { alpha, beta, ratio, lower, upper, .. } = test;
    format!(
        "{}\n(sequential probability ratio test, alpha {alpha}, beta {beta}; log-likelihood\nratio {ratio:.2} between {lower:.2} and {upper:.2}).",
        test.sentence()
    )
}
