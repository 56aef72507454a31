//! Embeds the library of games in the binary, so that an installed `tafl` includes the rules and
//! descriptions in `games/`.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() {
    let here = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it"));
    let games = here.join("../../games");
    println!("cargo:rerun-if-changed={}", games.display());
    let mut table = String::from("&[\n");
    for folder in sorted(&games) {
        println!("cargo:rerun-if-changed={}", folder.display());
        let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default().to_string();
        let mut rules = Vec::new();
        for path in sorted(&folder) {
            let file = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if file.starts_with("rules.") {
                files(&path, file, &mut rules);
            }
        }
        if rules.is_empty() {
            continue;
        }
        let text = |file: &str| {
            let path = folder.join(file);
            if path.is_file() { included(&path) } else { "\"\"".to_string() }
        };
        writeln!(
            table,
            "    Embedded {{ name: {name:?}, rules: &[{}], about: {}, board: {} }},",
            rules.join(", "),
            text("about.toml"),
            text("board.toml")
        )
        .expect("text grows");
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("library.rs"), table).expect("the build folder can be written to");
}

/// Collects the file at a path, or all files below it, as pairs of name and text.
fn files(path: &Path, name: &str, found: &mut Vec<String>) {
    if !path.is_dir() {
        found.push(format!("({name:?}, {})", included(path)));
        return;
    }
    println!("cargo:rerun-if-changed={}", path.display());
    for inner in sorted(path) {
        let file = inner.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        files(&inner, &format!("{name}/{file}"), found);
    }
}

fn included(path: &Path) -> String {
    println!("cargo:rerun-if-changed={}", path.display());
    let path = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
    format!("include_str!({path:?})")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).map(|entries| entries.flatten().map(|entry| entry.path()).collect());
    let mut paths: Vec<PathBuf> = entries.unwrap_or_default();
    paths.sort();
    paths
}
