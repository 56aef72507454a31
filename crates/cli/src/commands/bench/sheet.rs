//! `tafl bench-sheet`: started by `tafl bench --corpus` for each sheet.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use tafl::analysis::bench::{Pace, process, sheet};
use tafl::game::Seed;

use super::seconds;
use crate::screen::Screen;

/// Measure one sheet within a memory limit and report in JSON
#[derive(Debug, Args)]
#[command(hide = true)]
pub(crate) struct BenchSheet {
    sheet: PathBuf,
    #[arg(long, value_parser = seconds)]
    seconds: Duration,
    /// The memory limit, in MiB
    #[arg(long)]
    memory: u64,
    #[arg(long)]
    seed: u64,
    #[arg(long)]
    max_steps: u32,
    #[arg(long)]
    without_circuit: bool,
}

impl BenchSheet {
    pub(crate) fn run(&self, screen: &mut Screen) -> anyhow::Result<()> {
        // If the system does not support this limit, only the time limit of the parent applies.
        let _ = process::limit_memory(self.memory.saturating_mul(1 << 20));
        let pace = Pace {
            time: self.seconds,
            threads: 1,
            seed: Seed(self.seed),
            max_steps: self.max_steps,
            one_by_one: false,
        };
        let report = sheet(&self.sheet, !self.without_circuit, &pace);
        serde_json::to_writer(&mut screen.out, &report)?;
        Ok(writeln!(screen.out)?)
    }
}
