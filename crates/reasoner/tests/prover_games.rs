//! Whole games, walked by the interpreter and the prover side by side: those
//! of the library, and those of a corpus of public sheets where there is one.

// Helpers of tests may do what tests may do.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use std::path::{Path, PathBuf};
use std::sync::Arc;

use game::Seed;
use game::conformance::{Mismatch, compare};
use reasoner::{Interpreter, Limits, Prover, WORK_PER_SECOND};
use rules::{Rules, Strictness};

/// What came of one sheet.
enum Outcome {
    /// So many states were compared.
    Same(u64),
    /// The interpreter derives too much here.
    TooMuch,
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files under a folder that `pick` makes of its entries, sorted.
fn sheets(folder: &Path, pick: impl Fn(PathBuf) -> PathBuf) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|e| pick(e.unwrap().path())).filter(|p| p.is_file()).collect();
    paths.sort();
    paths
}

/// Walks one sheet; `limits` are the interpreter's.
fn walk(path: &Path, limits: Limits, walks: u64, steps: u32) -> Outcome {
    let text = String::from_utf8_lossy(&std::fs::read(path).unwrap()).into_owned();
    let checked = Rules::check(&gdl::parse_kif(&text).sheet, Strictness::Lenient);
    let rules =
        Arc::new(checked.rules.unwrap_or_else(|| panic!("{}: {:?}", path.display(), checked.diagnostics)));
    let Ok(interpreter) = Interpreter::with_limits(rules.clone(), limits) else { return Outcome::TooMuch };
    let prover = Prover::new(rules).unwrap_or_else(|fault| panic!("{}: {fault}", path.display()));
    match compare(&interpreter, &prover, walks, steps, Seed(11)) {
        Ok(states) => Outcome::Same(states),
        // Whose fault it is shows when the interpreter walks alone.
        Err(Mismatch::Fault(_)) if compare(&interpreter, &interpreter, walks, steps, Seed(11)).is_err() => {
            Outcome::TooMuch
        }
        Err(mismatch) => panic!("{}: {mismatch:?}", path.display()),
    }
}

fn walk_all(what: &str, paths: &[PathBuf], limits: Limits, walks: u64, steps: u32) {
    if paths.is_empty() {
        println!("no {what} here: left out");
        return;
    }
    let (mut same, mut states) = (0, 0);
    for path in paths {
        match walk(path, limits, walks, steps) {
            Outcome::Same(count) => {
                same += 1;
                states += count;
            }
            Outcome::TooMuch => println!("left out, too much for the interpreter: {}", path.display()),
        }
    }
    println!("{what}: {same} of {} sheets alike in {states} states", paths.len());
    assert!(same * 10 >= paths.len() * 8, "too many sheets were left out");
}

#[test]
fn library_games_are_played_alike() {
    let mut paths = sheets(&root().join("games"), |folder| folder.join("rules.kif"));
    // What is known is for the interpreter alone.
    paths.retain(|path| !std::fs::read_to_string(path).unwrap().contains("(knows "));
    walk_all("library games", &paths, Limits::default(), 2, 40);
}

#[test]
fn corpus_games_are_played_alike() {
    let folder =
        std::env::var_os("TAFL_CORPUS").map_or_else(|| root().join("../shared/corpus"), PathBuf::from);
    let mut paths = sheets(&folder.join("gdl"), |file| file);
    paths.extend(sheets(&folder.join("gdl2"), |file| file));
    let limits = Limits { work: WORK_PER_SECOND, atoms: 200_000, ..Limits::default() };
    walk_all("corpus sheets", &paths, limits, 2, 6);
}
