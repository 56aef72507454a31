//! What is tracked stays small enough to be cloned in a moment.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::{Path, PathBuf};
use std::process::Command;

/// All tracked files together, in bytes.
const LARGEST: u64 = 12_000_000;

/// The tracked files with their sizes; none where there is no git, or no checkout.
fn tracked(root: &Path) -> Option<Vec<(u64, PathBuf)>> {
    let done = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output().ok()?;
    let names =
        String::from_utf8(done.stdout).ok().filter(|names| done.status.success() && !names.is_empty())?;
    // A file that is about to be removed is tracked and no longer there.
    let sized = |name: &str| Some((root.join(name).symlink_metadata().ok()?.len(), PathBuf::from(name)));
    Some(names.split_terminator('\0').filter_map(sized).collect())
}

#[test]
fn the_tracked_tree_is_smaller_than_twelve_megabytes() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let Some(mut files) = tracked(root) else {
        eprintln!("left out: git does not know this folder");
        return;
    };
    let total: u64 = files.iter().map(|(size, _)| size).sum();
    files.sort_unstable_by(|one, other| other.cmp(one));
    files.truncate(10);
    assert!(total < LARGEST, "{total} bytes are tracked; the largest files: {files:#?}");
}
