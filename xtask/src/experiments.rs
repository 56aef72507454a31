//! `cargo xtask soak experiments`: the quick variants of all experiments.

use std::fs;
use std::time::Instant;

use crate::corpus::root;
use crate::run::Line;
use crate::soak::{Options, output};
use crate::table::Table;

/// All of them together may take this long.
const SECONDS: f64 = 600.0;

/// Runs them one after another; a verdict that was not expected is an error.
pub fn run(options: &Options) -> Result<(), String> {
    let tafl = options.program()?;
    let mut names = Vec::new();
    for entry in fs::read_dir(root().join("experiments")).map_err(|error| error.to_string())? {
        let path = entry.map_err(|error| error.to_string())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.join("experiment.toml").is_file() && name.contains(&options.only) {
            names.push(name);
        }
    }
    names.sort();
    let mut table = Table::open("experiments.csv", "experiment,verdict,figures,seconds", 1);
    let (began, mut wrong) = (Instant::now(), Vec::new());
    for name in &names {
        let line = Line::new(&tafl).word("experiment").word("run").word(name);
        let done = output(&line.word("--quick").word("--no-store").word("--json"))?;
        let verdict = match done.code {
            Some(0) => "as expected",
            Some(1) => "not as expected",
            _ => "failed",
        };
        let figures = done.out.matches("\"verdict\"").count().to_string();
        println!("{verdict:<13} {name} ({figures} figures, {:.1} s)", done.seconds);
        if done.code != Some(0) {
            let told = if done.err.is_empty() { done.out.clone() } else { done.err.clone() };
            wrong.push(format!("{name}:\n{told}"));
        }
        table.put(&[name, verdict, &figures, &format!("{:.1}", done.seconds)])?;
    }
    let seconds = began.elapsed().as_secs_f64();
    println!("== {} experiments in {seconds:.1} s", names.len());
    if seconds > SECONDS && options.only.is_empty() {
        wrong.push(format!("all together took {seconds:.0} s; they may take {SECONDS:.0} s"));
    }
    if wrong.is_empty() { Ok(()) } else { Err(wrong.join("\n")) }
}
