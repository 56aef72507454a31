//! `tafl worker`, `tafl collect`: parts of a plan, and the whole again.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::Args;
use tournament::{Damaged, Plan, Ready, RunOptions, SequentialTest, Shard, collect, work};

use super::tournament::{matches, write_files};
use crate::screen::{Screen, grouped};
use crate::{Verdict, interrupt};

/// Play one part of a plan
///
/// For clusters: every machine plays its part of the same plan and writes a file
/// of its own, which appears only when it is whole. A worker may be ended at any
/// moment (the exit code is 1) and be run again, also twice at the same time; a
/// file that was damaged is mended. `tafl collect` puts the parts together; `tafl tournament SPEC --write-plan FILE` makes the plan.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tafl worker --plan plan.json --shard 0/10 --out parts")]
pub(crate) struct Worker {
    /// The plan
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,
    /// Which part: i/N with i from 0 to N-1
    #[arg(long, value_name = "I/N")]
    shard: Shard,
    /// The folder for the parts
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Cores to use: one match on each, or as many as keep them busy
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1024))]
    jobs: u32,
}

/// Put the parts of a plan together
///
/// Parts may have been played twice, in any order, by any machines. Where some
/// are missing the exit code is 1; what is there is written all the same.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  tafl collect --plan plan.json parts --out report")]
pub(crate) struct Collect {
    /// The plan
    #[arg(long, value_name = "FILE")]
    plan: PathBuf,
    /// The folder with the parts
    parts: PathBuf,
    /// Write plan, results and report into this folder
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
}

fn read_plan(path: &Path) -> anyhow::Result<Plan> {
    let place = path.display().to_string();
    let text = fs::read_to_string(path).with_context(|| format!("Cannot read {place}"))?;
    Ok(Plan::read(&text, &place)?)
}

/// What is wrong with a part, and how it is mended.
pub(crate) fn damage(part: &Damaged) -> String {
    let Damaged { file, shard, found, planned } = part;
    let (found, planned) = (grouped(*found), matches(*planned));
    format!(
        "{file} is damaged ({found} of {planned} can be read); run the worker of --shard {}/{} again.",
        shard.index, shard.count
    )
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
                eprintln!("Interrupted. The same command goes on with it.");
                Ok(Verdict::Bad)
            }
        }
    }
}

impl Collect {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<Verdict> {
        let plan = read_plan(&self.plan)?;
        let place = || format!("Cannot read the parts in {}", self.parts.display());
        let found = collect(&plan, &self.parts).with_context(place)?;
        write_files(&plan, &found.results, &self.out)?;
        let (count, all) = (found.results.matches.len() as u64, plan.len());
        let (files, twice) = (grouped(found.files as u64), grouped(found.duplicates));
        let out = &mut screen.out;
        writeln!(out, "{} of {} in {files} files, {twice} of them twice", grouped(count), matches(all))?;
        if let Some(test) = SequentialTest::of(&plan, &found.results.matches).filter(|t| t.decision != "open")
        {
            writeln!(out, "{}; the sequential test needs no more.", test.sentence())?;
        }
        for damaged in &found.damaged {
            writeln!(out, "{}", damage(damaged))?;
        }
        if found.conflicts > 0 {
            let conflicts = matches(found.conflicts);
            writeln!(out, "{conflicts} came out differently the second time (players think by the clock).")?;
        }
        writeln!(out, "Written into {}.", self.out.display())?;
        Ok(if found.results.complete { Verdict::Good } else { Verdict::Bad })
    }
}
