//! `cargo xtask ci`: every check, one after the other.

use std::time::{Duration, Instant};

use crate::browser;
use crate::corpus;
use crate::run::Line;

/// Runs all steps up to the first that fails.
pub fn run(require_corpus: bool, require_browser: bool) -> Result<(), String> {
    let corpus = corpus::folder();
    if require_corpus && corpus.is_none() {
        return Err(corpus::MISSING.to_string());
    }
    components()?;
    let begin = Instant::now();
    for (name, line) in steps(require_corpus) {
        println!("== {name}: {line}");
        let start = Instant::now();
        let done = line.succeeds().map_err(|error| format!("cannot run `{line}`: {error}"))?;
        let seconds = start.elapsed().as_secs_f64();
        if !done {
            return Err(format!("== {name} failed after {seconds:.1} s. To repeat it:\n{line}"));
        }
        println!("== {name} passed in {seconds:.1} s");
    }
    browser::run(require_browser)?;
    println!("== everything passed in {:.1} s", begin.elapsed().as_secs_f64());
    match corpus {
        Some(folder) => println!("== tests over public rule sheets used {}", folder.display()),
        None => println!("== left out: tests over public rule sheets, because {}", corpus::MISSING),
    }
    Ok(())
}

fn steps(require_corpus: bool) -> Vec<(&'static str, Line)> {
    // Everything that the library `tafl` offers is looked at, also what is off by default.
    let mut tests = Line::new("cargo test --workspace --locked --features tafl/full");
    if std::env::var_os("TAFL_CORPUS").is_some()
        && let Some(folder) = corpus::folder()
    {
        // Tests run in the folders of their crates, where a relative path means something else.
        tests = tests.with("TAFL_CORPUS", folder.display().to_string());
    }
    if require_corpus {
        tests = tests.with("TAFL_REQUIRE_CORPUS", "1");
    }
    vec![
        ("formatting", Line::new("cargo fmt --all --check")),
        (
            "lints",
            Line::new("cargo clippy --workspace --all-targets --locked --features tafl/full -- -D warnings"),
        ),
        ("variants of hnefatafl", Line::new("cargo xtask variants --check")),
        ("tests", tests),
        (
            "documentation",
            Line::new("cargo doc --workspace --no-deps --locked --features tafl/full")
                .with("RUSTDOCFLAGS", "-D warnings"),
        ),
    ]
}

/// Sees to it that the parts of the toolchain that a minimal one lacks are there.
fn components() -> Result<(), String> {
    for (tool, component) in [("cargo fmt --version", "rustfmt"), ("cargo clippy --version", "clippy")] {
        let there = |line: &Line| matches!(line.output(Duration::from_secs(60)), Ok(o) if o.code == Some(0));
        let add = Line::new("rustup component add").word(component);
        if there(&Line::new(tool)) {
            continue;
        }
        println!("== {component} is missing: {add}");
        if !matches!(add.succeeds(), Ok(true)) || !there(&Line::new(tool)) {
            return Err(format!("{component} is missing and could not be installed; run\n{add}"));
        }
    }
    Ok(())
}
