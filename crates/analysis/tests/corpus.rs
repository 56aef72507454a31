//! Recordings of public rule sheets, where they are at hand.
//!
//! They lie in the folder that `TAFL_CORPUS` names, or in `../shared/corpus`
//! beside the project: `gdl/<name>.kif` with `traces/<name>.jsonl`. Where they
//! are not, the test says so; with `TAFL_REQUIRE_CORPUS=1` that is a failure.
//! Only the beginning of each recording is compared here, so that the test
//! takes seconds; `tafl verify` compares all of it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::{env, fs};

use analysis::verify::{Report, VerifyError, verify};
use game::AnyGame;
use library::{Loaded, read_path};
use rules::Strictness;

/// States compared of each recording.
const LIMIT: usize = 6;

/// Sheets that take more than a few seconds to begin with.
const SLOW: [&str; 6] = [
    "amazonsSuicide__amazonsSuicide",
    "amazonsTorus__amazonsTorus",
    "chess__chess",
    "crissrace__crissrace",
    "laikLee_hex__laikLee_hex",
    "slaughter__slaughter",
];

fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = env::var_os("TAFL_CORPUS").map_or(beside, PathBuf::from);
    folder.join("traces").is_dir().then_some(folder)
}

struct Replay<'a>(&'a Loaded, &'a str);

impl Replay<'_> {
    fn run(self, game: &AnyGame) -> Result<Report, VerifyError> {
        verify(game, self.0.sheet(), self.1, LIMIT)
    }
}

fn replay(sheet: &Path, trace: &Path) -> Result<usize, String> {
    let loaded = Loaded::new(read_path(sheet).map_err(|error| error.to_string())?, Strictness::Lenient);
    let chosen = loaded.play("interpreter").map_err(|error| error.to_string())?;
    let text = fs::read_to_string(trace).map_err(|error| error.to_string())?;
    let report = Replay(&loaded, &text).run(&chosen.game).map_err(|error| error.to_string())?;
    match report.difference {
        None => Ok(report.states),
        Some(difference) => Err(format!("{difference:?}")),
    }
}

#[test]
fn public_sheets_begin_as_recorded() {
    let Some(folder) = corpus() else {
        assert!(env::var_os("TAFL_REQUIRE_CORPUS").is_none(), "the corpus of recordings is not there");
        eprintln!("left out: there is no corpus of recordings (TAFL_CORPUS)");
        return;
    };
    let mut traces: Vec<PathBuf> =
        fs::read_dir(folder.join("traces")).unwrap().map(|e| e.unwrap().path()).collect();
    traces.sort();
    let (mut states, mut wrong) = (0, Vec::new());
    for trace in &traces {
        let name = trace.file_stem().unwrap().to_str().unwrap();
        if SLOW.contains(&name) {
            continue;
        }
        match replay(&folder.join("gdl").join(format!("{name}.kif")), trace) {
            Ok(compared) => states += compared,
            Err(text) => wrong.push(format!("{name}: {text}")),
        }
    }
    eprintln!("{} recordings, {states} states", traces.len());
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
