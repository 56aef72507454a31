//! `tafl bench --corpus`: every sheet of a folder, each in a separate process.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use anyhow::{Context, bail};
use tafl::analysis::bench::{COLUMNS, Ended, SheetReport, Watch};

use super::Bench;
use crate::screen::Screen;

pub(super) fn run(bench: &Bench, folder: &Path, screen: &mut Screen) -> anyhow::Result<()> {
    let sheets = sheets(folder)?;
    let program = std::env::current_exe().context("Cannot find the program itself")?;
    writeln!(screen.out, "{}", COLUMNS.join(","))?;
    screen.out.flush()?;
    let next = AtomicUsize::new(0);
    let bar = screen.progress("{elapsed_precise} {msg}");
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..bench.threads.min(sheets.len() as u64) {
            let (sender, next, sheets, program) = (sender.clone(), &next, &sheets, &program);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(sheet) = sheets.get(number) else { return };
                    // The receiver is gone because the output was closed.
                    if sender.send((number, look(bench, program, sheet))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        // Lines are printed in the order of names, whichever sheet finishes first.
        let mut early: BTreeMap<usize, SheetReport> = BTreeMap::new();
        let mut due = 0;
        let (mut ground, mut played) = (0, 0);
        for (number, report) in receiver {
            early.insert(number, report);
            while let Some(report) = early.remove(&due) {
                due += 1;
                ground += usize::from(report.grounds);
                played += usize::from(report.reasoner.is_some());
                bar.suspend(|| writeln!(screen.out, "{}", report.csv()).and_then(|()| screen.out.flush()))?;
                bar.set_message(format!("{due} of {} sheets, {ground} ground, {played} play", sheets.len()));
                bar.tick();
            }
        }
        anyhow::Ok(())
    })?;
    bar.finish_and_clear();
    Ok(())
}

/// Returns the sheets of a folder, sorted by name.
fn sheets(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let place = folder.display();
    let entries = std::fs::read_dir(folder).with_context(|| format!("Cannot read the folder {place}"))?;
    let is_sheet =
        |path: &PathBuf| path.extension().is_some_and(|e| e.eq_ignore_ascii_case("kif")) && path.is_file();
    let mut sheets: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).filter(is_sheet).collect();
    sheets.sort();
    if sheets.is_empty() {
        bail!("There are no rule sheets (.kif) in {place}.");
    }
    Ok(sheets)
}

/// Examines a sheet in a separate process; if that fails, tries another one without a circuit.
fn look(bench: &Bench, program: &Path, sheet: &Path) -> SheetReport {
    let (first, why) = match attempt(bench, program, sheet, true) {
        Ok(report) => return report,
        Err(why) => (why.clone(), why),
    };
    match attempt(bench, program, sheet, false) {
        Ok(report) => SheetReport { why: first, ..report },
        Err(second) => SheetReport::failed(sheet, format!("{why}; without a circuit: {second}")),
    }
}

fn attempt(bench: &Bench, program: &Path, sheet: &Path, circuit: bool) -> Result<SheetReport, String> {
    let mut command = Command::new(program);
    command.arg("bench-sheet").arg(sheet);
    command.args(["--seconds", &bench.seconds_each.as_secs_f64().to_string()]);
    command.args(["--memory", &bench.memory.to_string(), "--seed", &bench.seed.to_string()]);
    command.args(["--max-steps", &bench.max_steps.to_string()]);
    if !circuit {
        command.arg("--without-circuit");
    }
    let ended = Watch { time: bench.give_up }.run(&mut command);
    match ended.map_err(|error| format!("cannot start a process: {error}"))? {
        Ended::Well(text) => {
            serde_json::from_str(&text).map_err(|error| format!("its report cannot be parsed: {error}"))
        }
        Ended::Memory => Err(format!("needs more than {} MiB of memory", bench.memory)),
        Ended::Time => Err(format!("took longer than {:?}", bench.give_up)),
        Ended::Badly(complaint) => Err(complaint),
    }
}
