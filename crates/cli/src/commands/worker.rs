//! `tafl worker`, `tafl collect`: shards of a plan.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use serde_json::{Value, json};
use tafl::tournament::{Collected, Damaged, Plan, Ready, RunOptions, SequentialTest, Shard, collect, work};

use super::tournament::{matches, write_files};
use crate::numbers::number_in;
use crate::screen::{Screen, grouped, wrapped};
use crate::{Verdict, interrupt};

/// Play one shard of a plan
///
/// For clusters: every machine plays its shard of the same plan and writes a file
/// of its own, which appears only when it is complete. A worker can be stopped at
/// any time (the exit code is 1) and run again, even twice at the same time; it
/// replaces a damaged file. `tafl tournament SPEC --write-plan FILE` writes the
/// plan, and `tafl collect` merges the shards.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tafl worker --plan plan.json --shard 0/10 --out parts")]
pub(crate) struct Worker {
    /// The plan
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,
    /// The shard: i/N with i from 0 to N-1
    #[arg(long, value_name = "I/N")]
    shard: Shard,
    /// The folder for the shards
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The number of cores to use
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = number_in::<u32>(1..=1024, 4))]
    jobs: u32,
}

/// Merge the shards of a plan
///
/// Shards may have been played twice, in any order, on any machines. If some are
/// missing, the exit code is 1 and the rest is written nevertheless.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tafl collect --plan plan.json parts --out report")]
pub(crate) struct Collect {
    /// The plan
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,
    /// The folder of the shards
    parts: PathBuf,
    /// Write plan, results and report to this folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn read_plan(path: &Path) -> anyhow::Result<Plan> {
    let place = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| format!("Cannot read {place}"))?;
    Ok(Plan::read(&text, &place)?)
}

/// Describes a damaged shard, and how to repair it.
pub(crate) fn damage(part: &Damaged) -> String {
    let Damaged { file, shard, found, planned } = part;
    let (found, planned) = (grouped(*found), matches(*planned));
    format!(
        "{file} is damaged ({found} of {planned} can be read); run the worker with --shard {}/{} again.",
        shard.index, shard.count
    )
}

/// The maximum number of missing shards that are listed.
const LISTED: usize = 10;

/// Says which shards are missing, and what to do.
pub(crate) fn missing(found: &Collected) -> Option<String> {
    if found.files == 0 {
        return Some("No shard of this plan was found; play them with `tafl worker`.".to_string());
    }
    let all: Vec<String> =
        found.missing.iter().map(|shard| format!("{}/{}", shard.index, shard.count)).collect();
    let more = all.len().saturating_sub(LISTED);
    let list = all.iter().take(LISTED).cloned().collect::<Vec<_>>().join(", ");
    let rest = if more > 0 { format!(" and {} more", grouped(more as u64)) } else { String::new() };
    let (noun, verb) = if all.len() == 1 { ("Shard", "is") } else { ("Shards", "are") };
    let one = all.first()?;
    Some(format!(
        "{noun} {list}{rest} {verb} missing; run the worker with --shard {one}{}.",
        match all.len() {
            1 => "",
            _ => " and so on",
        }
    ))
}

impl Worker {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let ready = Ready::of(read_plan(&self.plan)?)?;
        let options = RunOptions { jobs: self.jobs as usize, stop: interrupt::token() };
        let bar = screen.progress("{elapsed_precise} {pos} of {len} matches");
        let told = |done: u64, of: u64| {
            bar.set_length(of);
            bar.set_position(done);
        };
        let file = work(&ready, self.shard, &self.out, &options, &told)?;
        bar.finish_and_clear();
        match file {
            Some(file) => {
                writeln!(screen.out, "{}", file.display())?;
                Ok(Verdict::Good)
            }
            None => {
                eprintln!("Interrupted. Run the same command again to continue.");
                Ok(Verdict::Bad)
            }
        }
    }
}

impl Collect {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let plan = read_plan(&self.plan)?;
        let place = || format!("Cannot read the shards in {}", self.parts.display());
        let found = collect(&plan, &self.parts).with_context(place)?;
        write_files(&plan, &found.results, &self.out)?;
        let (count, all) = (found.results.matches.len() as u64, plan.len());
        let (files, twice) = (grouped(found.files as u64), grouped(found.duplicates));
        let verdict = if found.results.complete { Verdict::Good } else { Verdict::Bad };
        let out = &mut screen.out;
        if self.json {
            let name = |shard: &Shard| format!("{}/{}", shard.index, shard.count);
            let damaged = found.damaged.iter().map(|part| {
                json!({ "file": part.file, "shard": name(&part.shard), "found": part.found, "planned": part.planned })
            });
            let damaged: Vec<Value> = damaged.collect();
            let all = json!({
                "version": 1, "complete": found.results.complete, "matches": count, "planned": all,
                "files": found.files, "duplicates": found.duplicates, "conflicts": found.conflicts,
                "missing": found.missing.iter().map(name).collect::<Vec<_>>(), "damaged": damaged,
                "out": self.out.display().to_string(),
            });
            serde_json::to_writer_pretty(&mut *out, &all)?;
            writeln!(out)?;
            return Ok(verdict);
        }
        writeln!(out, "{} of {} in {files} files, {twice} of them twice", grouped(count), matches(all))?;
        if let Some(test) = SequentialTest::of(&plan, &found.results.matches).filter(|t| t.decision != "open")
        {
            writeln!(out, "{}; the sequential test needs no further matches.", test.sentence())?;
        }
        for damaged in &found.damaged {
            writeln!(out, "{}", damage(damaged))?;
        }
        if let Some(text) = missing(&found) {
            out.write_all(wrapped(text.split(' '), 0).as_bytes())?;
        }
        if found.conflicts > 0 {
            let conflicts = matches(found.conflicts);
            writeln!(
                out,
                "{conflicts} had a different result the second time (players think by the clock)."
            )?;
        }
        writeln!(out, "Written to {}.", self.out.display())?;
        Ok(verdict)
    }
}
