//! `tafl profile`: the cost of each rule.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::bail;
use clap::Args;
use tafl::analysis::profile::{Basis, ClauseCost, GroundLimits, Profile, Sampling, profile};
use tafl::game::Seed;
use tafl::gdl::LineIndex;
use tafl::library::Loaded;
use tafl::rules::Strictness;

use super::bench::{short_time, time_argument};
use crate::arguments::{Arguments, GameArguments};
use crate::numbers::number_in;
use crate::screen::{FAINT, STRONG, Screen, WARNING, WIDTH, counted, grouped, wrapped};

/// Show what each rule costs, most expensive first
///
/// For the circuit, the cost of a clause is its share of the gates: every gate is
/// evaluated in every step. For the interpreter, it is time. How often a clause
/// fires (derives something when it is evaluated) is measured in games of the
/// interpreter. For known expensive patterns, there is advice on what to write
/// instead.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl profile reversi\n  tafl profile mygame.kif --reasoner interpreter --playouts 50\n  tafl profile mygame.kif --source     costs beside the text"
)]
pub(crate) struct ProfileCommand {
    #[command(flatten)]
    game: GameArguments,
    /// The maximum number of games of the interpreter
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number_in::<u64>(1..=u64::MAX, 20))]
    playouts: u64,
    /// The maximum time for these games, in seconds
    #[arg(long, value_name = "N", default_value = "5", value_parser = time_argument)]
    seconds: Duration,
    /// The seed for all random choices
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = number_in::<u64>(0..=u64::MAX, 1))]
    seed: u64,
    /// The number of clauses to show
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = number_in::<usize>(1..=usize::MAX, 20))]
    top: usize,
    /// Print the sheet with the costs beside it
    #[arg(long)]
    source: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "source")]
    json: bool,
}

impl ProfileCommand {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let loaded = arguments.library().load(&self.game.game, Strictness::Lenient)?;
        loaded.source.sheet_syntax()?;
        let Some(rules) = loaded.rules() else {
            loaded.play("interpreter")?;
            bail!("{} cannot be played.", loaded.source.place);
        };
        let basis = match self.game.reasoner.as_str() {
            "auto" | "circuit" => Basis::Gates,
            "interpreter" => Basis::Time,
            other => bail!("`{other}` cannot be profiled. Use `circuit` or `interpreter`."),
        };
        let limits = GroundLimits::default();
        let (playouts, time, seed) = (self.playouts, self.seconds, Seed(self.seed));
        let profile = profile(&loaded, &rules, &Sampling { basis, playouts, time, seed, limits });
        let out = &mut screen.out;
        if self.json {
            #[derive(serde::Serialize)]
            struct Report<'a> {
                version: u32,
                game: &'a str,
                #[serde(flatten)]
                profile: &'a Profile,
            }
            let report = Report { version: 1, game: &loaded.source.name, profile: &profile };
            serde_json::to_writer_pretty(&mut *out, &report)?;
            return Ok(writeln!(out)?);
        }
        summary(out, &loaded, &profile)?;
        if self.source {
            source(out, &loaded, &profile)?;
        } else {
            table(out, &profile, self.top)?;
        }
        Ok(advice(out, &profile)?)
    }
}

fn summary(out: &mut impl Write, loaded: &Loaded, profile: &Profile) -> io::Result<()> {
    let mut text = match profile.basis {
        Basis::Gates => format!(
            "{} grounded in {} to {} and {}.",
            counted(loaded.sheet().map_or(0, |sheet| sheet.clauses.len()) as u64, "clause"),
            short_time(profile.ground_seconds),
            counted(profile.instances, "instance"),
            counted(profile.gates, "gate")
        ),
        Basis::Time => format!("{} spent in the rules.", short_time(profile.play_seconds)),
        Basis::Grounding => {
            format!("{} spent in grounding, which failed.", short_time(profile.ground_seconds))
        }
    };
    if let Some(why) = &profile.no_circuit {
        text.push_str(&format!(" No circuit: {why}"));
    }
    match &profile.no_playouts {
        Some(why) => text.push_str(&format!(" The interpreter played no games: {why}")),
        None => {
            let (playouts, states) = (counted(profile.playouts, "game"), counted(profile.states, "state"));
            text.push_str(&format!(" The interpreter played {playouts} with {states} in total."));
        }
    }
    let title = format!("{STRONG}{}{STRONG:#}: {text}", loaded.title());
    out.write_all(wrapped(title.split(' '), 0).as_bytes())
}

/// Formats the columns of a clause before its text.
fn figures(basis: Basis, cost: &ClauseCost) -> String {
    let share = format!("{:.1} %", cost.share * 100.0);
    let fires = cost.fires.map_or(String::new(), |f| format!("{:.0} %", f * 100.0));
    let (first, second) = match basis {
        Basis::Gates => (grouped(cost.gates.round() as u64), grouped(cost.instances)),
        Basis::Time => (short_time(cost.play_seconds), grouped(cost.rows)),
        Basis::Grounding => (short_time(cost.ground_seconds), grouped(cost.ground_rows)),
    };
    format!("{share:>7} {first:>9} {second:>10} {fires:>6}")
}

fn headings(basis: Basis) -> String {
    let (first, second) = match basis {
        Basis::Gates => ("gates", "instances"),
        Basis::Time => ("time", "rows"),
        Basis::Grounding => ("time", "rows"),
    };
    format!("{:>7} {first:>9} {second:>10} {:>6}", "share", "fires")
}

fn table(out: &mut impl Write, profile: &Profile, top: usize) -> io::Result<()> {
    writeln!(out, "{} {:>6}  clause", headings(profile.basis), "line")?;
    for cost in profile.clauses.iter().take(top) {
        let start = format!("{} {:>6}  ", figures(profile.basis, cost), cost.line);
        let head = cut(&cost.head, WIDTH - start.chars().count());
        writeln!(out, "{start}{STRONG}{head}{STRONG:#}")?;
    }
    let rest = profile.clauses.len().saturating_sub(top);
    if rest > 0 {
        let share: f64 = profile.clauses.iter().skip(top).map(|c| c.share).sum();
        writeln!(out, "{:>6.1} % in {}", share * 100.0, counted(rest as u64, "other clause"))?;
    }
    Ok(())
}

/// Prints the sheet, with the costs of each clause on the line where it begins.
fn source(out: &mut impl Write, loaded: &Loaded, profile: &Profile) -> io::Result<()> {
    let lines = LineIndex::new(&loaded.source.text);
    let empty = " ".repeat(headings(profile.basis).len());
    writeln!(out, "{} |", headings(profile.basis))?;
    for line in 1..=lines.line_count() {
        let here: Vec<&ClauseCost> =
            profile.clauses.iter().filter(|c| c.line == line && c.share > 0.0).collect();
        let text = lines.line(line).replace('\t', "    ");
        let mut margins = here.iter().map(|cost| figures(profile.basis, cost));
        let first = margins.next().unwrap_or_else(|| empty.clone());
        let text = cut(&text, WIDTH - empty.len() - 3);
        writeln!(out, "{}", format!("{first} {FAINT}|{FAINT:#} {text}").trim_end())?;
        // Several clauses may begin on one line.
        for margin in margins {
            writeln!(out, "{margin} {FAINT}|{FAINT:#}")?;
        }
    }
    Ok(())
}

fn advice(out: &mut impl Write, profile: &Profile) -> io::Result<()> {
    for advice in &profile.advice {
        let head = profile.clauses.iter().find(|c| c.clause == advice.clause).map_or("", |c| c.head.as_str());
        let title = format!("line {}, {}", advice.line, cut(head, WIDTH - 20));
        writeln!(out, "\n{WARNING}{title}{WARNING:#}")?;
        out.write_all(wrapped(advice.text.split_whitespace(), 2).as_bytes())?;
    }
    Ok(())
}

/// Truncates text to a width.
fn cut(text: &str, width: usize) -> String {
    match text.char_indices().nth(width) {
        Some(_) => text.chars().take(width - 1).chain(['…']).collect(),
        None => text.to_string(),
    }
}
