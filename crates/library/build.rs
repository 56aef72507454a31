//! Puts the library of games into the binary: a table of the rule sheets and
//! descriptions under `games/`, so that an installed `tafl` has them.

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
        let sheets = ["rules.kif", "rules.hrf"].map(|file| folder.join(file));
        let sheet = sheets.iter().find(|path| path.is_file());
        let mut grammar = Vec::new();
        if sheet.is_none() {
            files(&folder.join("rules.gps"), "", &mut grammar);
        }
        if sheet.is_none() && grammar.is_empty() {
            continue;
        }
        let about = folder.join("about.toml");
        let infix = sheet.is_some_and(|sheet| sheet.extension().is_some_and(|extension| extension == "hrf"));
        let sheet = sheet.map_or("\"\"".to_string(), |sheet| included(sheet));
        let about = if about.is_file() { included(&about) } else { "\"\"".to_string() };
        let board = folder.join("board.toml");
        let board = if board.is_file() { included(&board) } else { "\"\"".to_string() };
        writeln!(
            table,
            "    Embedded {{ name: {name:?}, infix: {infix}, sheet: {sheet}, about: {about}, board: {board}, grammar: &[{}] }},",
            grammar.join(", ")
        )
        .expect("text grows");
    }
    table.push_str("]\n");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("library.rs"), table).expect("the build folder can be written to");
}

/// The files of a graph grammar: pairs of name and text.
fn files(folder: &Path, prefix: &str, found: &mut Vec<String>) {
    for path in sorted(folder) {
        println!("cargo:rerun-if-changed={}", path.display());
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        if path.is_dir() {
            files(&path, &format!("{prefix}{name}/"), found);
        } else {
            found.push(format!("({:?}, {})", format!("{prefix}{name}"), included(&path)));
        }
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
