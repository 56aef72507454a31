//! Where the corpus of public rule sheets lies, if it is there.
//!
//! It is no part of the repository. Tests look for it in the folder that
//! `TAFL_CORPUS` names, or in `../shared/corpus` beside the repository.

use std::env;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the repository")
}

/// The folder of the corpus.
pub fn folder() -> Option<PathBuf> {
    let folder = match env::var_os("TAFL_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => root().join("../shared/corpus"),
    };
    folder.join("gdl").is_dir().then(|| folder.canonicalize().unwrap_or(folder))
}

/// What to say where it is missing.
pub const MISSING: &str =
    "there is no corpus of public rule sheets: set TAFL_CORPUS to its folder, or put it at ../shared/corpus";
