//! `tafl match --repeat N`: many matches between the same players, counted.
//!
//! The seed of each match is derived from its number, so the counts do not depend on how many matches
//! are played at the same time, provided that the players count their work too.

use std::io::Write;

use clap::Args;
use indicatif::ProgressBar;
use tafl::arena::StepRecord;
use tafl::statistics::Confidence;
use tafl::tournament::{FaultRow, FaultsTold, Planned, Progress, Repeated, SeatRow, Watcher};

use super::tournament::matches;
use crate::numbers::number_in;
use crate::screen::{STRONG, Screen, counted};

/// The maximum number of matches that are shown while they are played.
const LINES: usize = 8;

/// How many matches to play, and how to print the counts.
#[derive(Debug, Args)]
pub(crate) struct SeriesArguments {
    /// Play this many matches and count the results
    #[arg(long, value_name = "N", value_parser = number_in::<u32>(1..=u32::MAX, 100))]
    pub(super) repeat: Option<u32>,
    /// Rotate the players through the seats after every match
    #[arg(long, requires = "repeat")]
    pub(super) rotate: bool,
    /// The number of cores to use
    #[arg(long, value_name = "N", default_value_t = 1, requires = "repeat")]
    #[arg(value_parser = number_in::<u32>(1..=1024, 4))]
    pub(super) jobs: u32,
    /// The confidence level of the intervals, in percent
    #[arg(long, value_name = "PERCENT", default_value_t = 95.0, requires = "repeat")]
    pub(super) confidence: f64,
    /// Print the counts as comma-separated values
    #[arg(long, requires = "repeat", conflicts_with = "json")]
    pub(super) csv: bool,
}

impl SeriesArguments {
    /// Returns the confidence level of the intervals.
    pub(super) fn confidence(&self) -> anyhow::Result<Confidence> {
        let wrong = || anyhow::anyhow!("--confidence must be a percentage between 0 and 100, such as 95.");
        Confidence::new(self.confidence / 100.0).ok_or_else(wrong)
    }
}

/// Progress lines for the matches.
pub(super) struct Lines {
    bar: ProgressBar,
    tables: Vec<ProgressBar>,
}

impl Lines {
    pub(super) fn new(screen: &Screen) -> Lines {
        let lines = screen.lines();
        let bar = lines.add(screen.progress("{elapsed_precise} {pos} of {len} matches"));
        let tables = (0..LINES).map(|_| lines.add(screen.progress("  {msg}"))).collect();
        Lines { bar, tables }
    }

    pub(super) fn clear(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watcher for Lines {
    fn progress(&self, progress: &Progress) {
        self.bar.set_length(progress.total);
        self.bar.set_position(progress.done);
    }

    fn wants_steps(&self) -> bool {
        !self.bar.is_hidden()
    }

    fn step(&self, worker: usize, planned: Planned, count: usize, step: &StepRecord) {
        if let Some(line) = self.tables.get(worker) {
            line.set_message(format!("match {}, step {count}: {}", planned.number, step.moves.join("  ")));
        }
    }

    fn rests(&self, worker: usize) {
        if let Some(line) = self.tables.get(worker) {
            line.finish_and_clear();
        }
    }
}

/// Prints the counts in the requested format.
pub(super) fn write(counts: &Repeated, csv: bool, json: bool, screen: &mut Screen) -> anyhow::Result<()> {
    let out = &mut screen.out;
    if json {
        serde_json::to_writer_pretty(&mut *out, counts)?;
        return Ok(writeln!(out)?);
    }
    if csv { write_csv(counts, out) } else { write_table(counts, out) }
}

fn write_csv(counts: &Repeated, out: &mut impl Write) -> anyhow::Result<()> {
    writeln!(out, "game,player,seat,games,won,drawn,lost,score,low,high,goal,moves,late,slowest_ms,seconds")?;
    let count = |value: Option<u64>| value.map_or(String::new(), |value| value.to_string());
    let real = |value: Option<f64>| value.map_or(String::new(), |value| format!("{value:.2}"));
    for row in &counts.counts {
        let SeatRow { seat, games, won, drawn, lost, score, low, high, goal, moves, late, .. } = row;
        writeln!(
            out,
            "{},{},{seat},{games},{},{},{},{},{},{},{},{moves},{late},{:.0},{:.0}",
            counts.game,
            row.player.replace(',', ";"),
            count(*won),
            count(*drawn),
            count(*lost),
            real(*score),
            real(*low),
            real(*high),
            real(*goal),
            row.slowest_ms,
            counts.seconds
        )?;
    }
    Ok(())
}

fn write_table(counts: &Repeated, out: &mut impl Write) -> anyhow::Result<()> {
    let Repeated { game, seed, play_clock, confidence, .. } = counts;
    let played = matches(counts.matches);
    writeln!(out, "{STRONG}{game}{STRONG:#}, {played}, seed {seed}, {play_clock} s per move")?;
    let interval = format!("  {confidence} % interval");
    let alone = counts.seats == 1;
    match alone {
        true => writeln!(out, "\n  {:<24} {:>7} {:>7}{interval}", "", "matches", "goal")?,
        false => writeln!(
            out,
            "\n  {:<24} {:>6} {:>6} {:>6} {:>7}{interval}",
            "", "won", "drawn", "lost", "score"
        )?,
    }
    let mut before = "";
    for row in &counts.counts {
        if row.player != before {
            writeln!(out, "{STRONG}{}{STRONG:#}", row.player)?;
            before = &row.player;
        }
        let real = |value: Option<f64>| value.map_or("–".to_string(), |value| format!("{value:.1}"));
        let count = |value: Option<u64>| value.map_or("–".to_string(), |value| value.to_string());
        let (seat, score) = (&row.seat, real(row.score));
        let range = format!("{} to {}", real(row.low), real(row.high));
        match alone {
            true => writeln!(out, "  {seat:<24} {:>7} {score:>7}  {range}", row.games)?,
            false => {
                let (won, drawn, lost) = (count(row.won), count(row.drawn), count(row.lost));
                writeln!(out, "  {seat:<24} {won:>6} {drawn:>6} {lost:>6} {score:>7}  {range}")?;
            }
        }
    }
    writeln!(out)?;
    if counts.seats > 2 {
        writeln!(out, "Score: the share of opponents beaten; ties count half.")?;
    }
    let late: u64 = counts.counts.iter().filter(|row| row.seat != "all").map(|row| row.late).sum();
    let slowest = counts.counts.iter().map(|row| row.slowest_ms).fold(0.0, f64::max);
    writeln!(out, "The slowest reply took {slowest:.0} ms; {late} came after the deadline.")?;
    if counts.faults > 0 {
        writeln!(out, "The referee had to make {} for a player:", counted(counts.faults, "move"))?;
        listed(&FaultRow::replaced(&counts.faults_of), out)?;
    }
    if counts.forfeited > 0 {
        let (verb, count) = if counts.forfeited == 1 { ("was", "counts") } else { ("were", "count") };
        writeln!(out, "{} {verb} forfeited and {count} as lost:", matches(counts.forfeited))?;
        listed(&FaultRow::forfeited(&counts.faults_of), out)?;
    }
    if counts.broken_off > 0 {
        let treated = match (alone, counts.broken_off) {
            (false, _) => "counted as drawn",
            (true, 1) => "was left out",
            (true, _) => "were left out",
        };
        writeln!(out, "{} did not finish and {treated}.", matches(counts.broken_off))?;
    }
    Ok(())
}

/// Prints a line for each player and seat.
pub(super) fn listed(told: &FaultsTold<'_>, out: &mut impl Write) -> anyhow::Result<()> {
    for line in told.lines() {
        writeln!(out, "  {line}")?;
    }
    Ok(())
}
