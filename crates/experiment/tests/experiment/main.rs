//! Experiments: what their files may say, what they find, and that reports are what results give.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod calls;
mod claims;
mod experiments;
mod foresight;
mod refused;
mod reports;

use std::fs;
use std::path::{Path, PathBuf};

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("experiment-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}
