//! `tafl export`, `tafl import`: matches as lines of JSON.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::PathBuf;

use anyhow::{Context, bail};
use arena::MatchRecord;
use clap::Args;
use store::{Import, Query};

use crate::screen::{Screen, grouped};
use crate::storage::StoreArguments;

/// A line longer than this is no match record.
const LONGEST: u64 = 1 << 30;

/// Write matches as lines of JSON, one for each match
///
/// The lines hold the published match record with fields of ours beside it, and
/// the rule sheet; `tafl import` takes them in again. Matches that have not
/// ended are left out, unless they are named.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tafl export -o matches.jsonl\n  tafl export --game chess --canonical")]
pub(crate) struct Export {
    /// The matches; all that have ended if none is named
    #[arg(value_name = "MATCH")]
    names: Vec<String>,
    /// Only matches of this game
    #[arg(long, value_name = "NAME", conflicts_with = "names")]
    game: Option<String>,
    /// Only matches of this series
    #[arg(long, value_name = "NAME", conflicts_with = "names")]
    series: Option<String>,
    /// Leave out times, so that the same matches give the same bytes
    #[arg(long)]
    canonical: bool,
    /// Write into this file
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArguments,
}

/// Take matches in that were written as lines of JSON
///
/// Match records of other programs are understood too, as they are or as
/// {"url": …, "data": RECORD}. A match that is there already is left alone.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tafl import matches.jsonl\n  tafl export | tafl import - --store copy.sqlite"
)]
pub(crate) struct ImportCommand {
    /// The files; - is standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
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
        for key in &keys {
            let record = store.export(key)?;
            let record = if self.canonical { record.canonical() } else { record };
            serde_json::to_writer(&mut *out, &record)?;
            writeln!(out)?;
        }
        Ok(out.flush()?)
    }
}

impl ImportCommand {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        let Some(store) = self.store.open()? else {
            bail!("There is no data folder to keep matches in. Give a file with --store.");
        };
        let (mut added, mut known) = (0, 0);
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
                let Some(record) = read(&line) else {
                    bail!("{place}: line {number} is not a match record. What came before it was taken in.");
                };
                match store.import(&record)? {
                    Import::Added(_) => added += 1,
                    Import::Known(_) => known += 1,
                }
            }
        }
        let there = if known == 0 { String::new() } else { format!(", {} there already", grouped(known)) };
        Ok(writeln!(screen.out, "{} taken in{there}", grouped(added))?)
    }
}

/// A record, as it is or within an archive's line.
fn read(line: &str) -> Option<MatchRecord> {
    let value: serde_json::Value = serde_json::from_str(line).ok()?;
    let record = match value.get("data") {
        Some(data) if value.get("matchId").is_none() => data.clone(),
        _ => value,
    };
    serde_json::from_value(record).ok()
}
