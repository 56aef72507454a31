//! `tafl export`, `tafl import`: matches as JSON lines.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use tafl::game::{Game, Role};
use tafl::store::{Exporter, GameOf, Import, Importer, LineError, Query};
use web::PRIVATE_SERIES;

use crate::arguments::Arguments;
use crate::screen::{Screen, grouped};
use crate::storage::StoreArguments;

/// The maximum length of a match record, in bytes.
const LONGEST: u64 = 1 << 30;

/// Export matches as JSON lines, one per match
///
/// A line contains the standard match record with additional fields, the rule
/// sheet, and the series of the match; `tafl import` reads it back. Unfinished
/// matches are only exported if they are named. The series of `tafl serve` are left
/// out, because they contain the keys of seats.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tafl export -o matches.jsonl\n  tafl export --game chess --canonical")]
pub(crate) struct Export {
    /// The matches [default: all that have ended]
    #[arg(value_name = "MATCH")]
    names: Vec<String>,
    /// Export only matches of this game
    #[arg(long, value_name = "NAME", conflicts_with = "names")]
    game: Option<String>,
    /// Export only matches of this series
    #[arg(long, value_name = "NAME", conflicts_with = "names")]
    series: Option<String>,
    /// Omit times and series, so that the same matches give the same bytes
    #[arg(long)]
    canonical: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArguments,
}

/// Import matches from JSON lines
///
/// Match records of other programs are accepted too, as they are or as
/// {"url": …, "data": RECORD}; --game says which game they are of. A match that is
/// already stored is skipped. A series comes back with its plan and its matches, so
/// `tafl resume` can continue it.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl import matches.jsonl\n  tafl import match.json --game tic_tac_toe\n  tafl export | tafl import - --store copy.sqlite"
)]
pub(crate) struct ImportCommand {
    /// The files; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// The game of the records of other programs, which do not name its roles
    #[arg(long, value_name = "GAME")]
    game: Option<String>,
    #[command(flatten)]
    store: StoreArguments,
}

impl Export {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        let store = self.store.existing()?;
        let keys = match self.names.is_empty() {
            false => {
                let find = |name: &String| Ok(store.find(name)?.key);
                self.names.iter().map(find).collect::<anyhow::Result<Vec<String>>>()?
            }
            true => store.keys(&Query {
                game: self.game.clone(),
                series: self.series.clone(),
                finished: true,
                limit: None,
            })?,
        };
        let mut file = match &self.output {
            Some(path) => {
                let file = File::create(path).with_context(|| format!("Cannot write {}", path.display()))?;
                Some(BufWriter::new(file))
            }
            None => None,
        };
        let out: &mut dyn Write = match &mut file {
            Some(file) => file,
            None => &mut screen.out,
        };
        let mut exporter = Exporter::new(&store, &PRIVATE_SERIES);
        for key in &keys {
            let line = match self.canonical {
                true => serde_json::to_string(&store.export(key)?.canonical().published())?,
                false => exporter.line(key)?,
            };
            writeln!(out, "{line}")?;
        }
        Ok(out.flush()?)
    }
}

impl ImportCommand {
    pub(crate) fn run(&self, arguments: &Arguments, screen: &mut Screen) -> anyhow::Result<()> {
        let Some(store) = self.store.open()? else {
            bail!("There is no data folder for matches. Give a file with --store.");
        };
        let mut importer = Importer::new(&store, &PRIVATE_SERIES);
        if let Some(game) = &self.game {
            importer = importer.of_game(game_of(game, arguments)?);
        }
        let (mut added, mut known, mut outside) = (0, 0, 0);
        for path in &self.files {
            let place = path.display().to_string();
            let mut input: Box<dyn BufRead> = if place == "-" {
                Box::new(io::stdin().lock())
            } else {
                Box::new(BufReader::new(File::open(path).with_context(|| format!("Cannot read {place}"))?))
            };
            let mut line = String::new();
            for number in 1.. {
                line.clear();
                let mut bounded = io::Read::take(&mut input, LONGEST);
                if bounded.read_line(&mut line).with_context(|| format!("Cannot read {place}"))? == 0 {
                    break;
                }
                if line.trim().is_empty() {
                    continue;
                }
                let arrival = match importer.line(&line) {
                    Ok(arrival) => arrival,
                    Err(LineError::Store(error)) => return Err(error.into()),
                    Err(error) => bail!("{place}: line {number} {error}. The lines before it were imported."),
                };
                match arrival.import {
                    Import::Added(_) => added += 1,
                    Import::Known(_) => known += 1,
                }
                outside += u64::from(arrival.outside);
            }
        }
        let there = if known == 0 { String::new() } else { format!(", {} already stored", grouped(known)) };
        writeln!(screen.out, "{} imported{there}", grouped(added))?;
        if outside > 0 {
            let text = "outside of their series: its plan is missing, or their place is taken";
            writeln!(screen.out, "{} {text}", grouped(outside))?;
        }
        Ok(())
    }
}

/// Returns what an import must know about a game.
fn game_of(name: &str, arguments: &Arguments) -> anyhow::Result<GameOf> {
    let (loaded, chosen) = tafl::analysis::load(&arguments.library(), name, "auto")?;
    Ok(GameOf {
        name: loaded.source.name.clone(),
        roles: Role::names(chosen.game.roles()),
        sheet: loaded.wire_text().is_some().then(|| loaded.source.text.to_string()),
    })
}
