//! `cargo xtask`: the chores of this repository.
//!
//! `ci` runs every check there is, on a machine that has only a Rust toolchain;
//! the pages are tested where there is a browser too.
//! `soak` runs the checks that take too long for that and keeps their results
//! as data files. Both only start other programs and watch them.

#![allow(clippy::print_stdout, reason = "this program talks to the person at the terminal")]

mod boards;
mod browser;
mod ci;
mod clocks;
mod corpus;
mod edits;
mod experiments;
mod first_moves;
mod frozen;
mod graphs;
mod hidden;
mod history;
mod run;
#[cfg(unix)]
mod slurm;
mod soak;
mod strength;
mod table;
mod variants;

use std::process::ExitCode;

const HELP: &str = "\
The chores of this repository.

Usage:
  cargo xtask ci [--require-corpus] [--require-browser]
      Formatting, lints, all tests, doc tests, documentation, the pages in a
      browser. Stops at the first that fails. With --require-corpus it is an
      error if the corpus of public rule sheets is not there (TAFL_CORPUS, or
      ../shared/corpus), with --require-browser if there is neither Chromium
      with Node.js nor a way to install them.
  cargo xtask browser
      Only the pages in a browser; pictures go to target/screenshots.
  cargo xtask variants [--check]
      Make the variants of hnefatafl in experiments/hnefatafl/sheets from the
      sheet with all rules; with --check only say whether they are up to date.
  cargo xtask soak
      List the long checks.
  cargo xtask soak NAME [OPTIONS]
      Run one; its results go into a file under results/.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        [] | ["help" | "--help" | "-h"] => {
            print!("{HELP}");
            Ok(())
        }
        ["ci", needs @ ..]
            if needs.iter().all(|need| ["--require-corpus", "--require-browser"].contains(need)) =>
        {
            ci::run(needs.contains(&"--require-corpus"), needs.contains(&"--require-browser"))
        }
        ["browser"] => browser::run(true).map(|_| ()),
        ["variants"] => variants::run(false),
        ["variants", "--check"] => variants::run(true),
        ["soak"] => {
            print!("{}", soak::list());
            Ok(())
        }
        ["soak", name, options @ ..] => soak::run(name, options),
        _ => Err(format!("`cargo xtask {}` is not a chore.\n\n{HELP}", words.join(" "))),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{}", message.trim_end());
            ExitCode::FAILURE
        }
    }
}
