//! The pages in a real browser: `crates/web/browser`, run by Node.js with a
//! Chromium that is on the machine.
//!
//! Where either is missing it is installed if that can be done without asking
//! (as root, with `apt-get`). Else the tests are left out, and that is said; or
//! it is an error, where they are required.

use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::corpus::root;
use crate::run::Line;

const FOLDER: &str = "crates/web/browser";

/// Where Chromium may be.
const PLACES: [&str; 5] = [
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
    "/usr/bin/google-chrome-stable",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
];

/// What the tests are run with.
struct Tools {
    chromium: PathBuf,
}

/// Runs the tests; whether they were run.
pub fn run(required: bool) -> Result<bool, String> {
    let tools = match tools() {
        Ok(tools) => tools,
        Err(missing) if required => return Err(format!("the pages cannot be tested: {missing}")),
        Err(missing) => {
            println!("== left out: tests of the pages in a browser, because {missing}");
            return Ok(false);
        }
    };
    let packages = Line::new("npm ci --no-audit --no-fund --loglevel=error --prefix").word(FOLDER);
    match step(&packages) {
        Err(error) if !required => {
            println!("== left out: tests of the pages in a browser, because their packages do not come");
            println!("{error}");
            return Ok(false);
        }
        done => done?,
    }
    // As the tests have built it already.
    step(&Line::new("cargo build --locked --profile test -p tafl-cli"))?;
    let tests = Line::new("node --test-reporter=spec")
        .word(format!("{FOLDER}/run.mjs"))
        .with("TAFL_CHROMIUM", tools.chromium.display().to_string())
        .with("TAFL_BIN", binary().display().to_string());
    step(&tests)?;
    println!("== pictures of the pages are in target/screenshots");
    Ok(true)
}

fn step(line: &Line) -> Result<(), String> {
    println!("== {line}");
    match line.succeeds() {
        Ok(true) => Ok(()),
        Ok(false) => Err(format!("== the pages failed in the browser. To repeat it:\n{line}")),
        Err(error) => Err(format!("cannot run `{line}`: {error}")),
    }
}

/// The program that `cargo build` makes.
fn binary() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    target.join("debug").join(format!("tafl{}", std::env::consts::EXE_SUFFIX))
}

/// Finds the tools, or installs them; else what is missing.
fn tools() -> Result<Tools, String> {
    if let Some(tools) = found() {
        return Ok(tools);
    }
    let install = Line::new("apt-get install -y --no-install-recommends chromium nodejs npm");
    if Path::new("/usr/bin/apt-get").exists() && is_root() {
        println!("== Chromium or Node.js is missing: {install}");
        let update = Line::new("apt-get update");
        let done = |line: &Line| matches!(line.succeeds(), Ok(true));
        // Lists of packages that are old are enough more often than not.
        if (done(&install) || (done(&update) && done(&install)))
            && let Some(tools) = found()
        {
            return Ok(tools);
        }
    }
    Err(format!(
        "Chromium, Node.js (20.11 or later) or npm is not on this machine. Install them (on Debian: {install}), \
         or let TAFL_CHROMIUM name a Chromium that is elsewhere."
    ))
}

fn found() -> Option<Tools> {
    let named = std::env::var_os("TAFL_CHROMIUM").map(PathBuf::from);
    let chromium = named.into_iter().chain(PLACES.map(PathBuf::from)).find(|place| place.exists())?;
    let answers =
        |line: &str| matches!(Line::new(line).output(Duration::from_secs(60)), Ok(o) if o.code == Some(0));
    (answers("node --version") && answers("npm --version")).then_some(Tools { chromium })
}

fn is_root() -> bool {
    matches!(Line::new("id -u").output(Duration::from_secs(10)), Ok(output) if output.out.trim() == "0")
}
