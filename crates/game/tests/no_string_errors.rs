//! Errors of libraries are types, so that callers can tell them apart; sentences are made where
//! they are shown. The sources of all library crates are searched for errors that are plain text.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
use std::fs;
use std::path::{Path, PathBuf};

/// Crates whose errors only ever reach a person, or that have none.
const PROGRAMS: &[&str] = &["cli", "baseline"];

#[test]
fn no_library_has_text_for_an_error() {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for folder in fs::read_dir(crates).unwrap().map(|entry| entry.unwrap().path()) {
        if PROGRAMS.iter().any(|name| folder.ends_with(name)) {
            continue;
        }
        for file in sources(&folder.join("src")) {
            let name = file.strip_prefix(crates).unwrap().to_str().unwrap().replace('\\', "/");
            let text = fs::read_to_string(&file).unwrap();
            found.extend(text_errors(&text).into_iter().map(|line| format!("{name}:{line}")));
        }
    }
    assert!(found.is_empty(), "these errors are plain text:\n{}", found.join("\n"));
}

/// All Rust files below a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut files = Vec::new();
    for path in entries.map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            files.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    files
}

/// The lines before the tests of a file that have a `Result` with text for an error, or give text
/// another name.
fn text_errors(source: &str) -> Vec<usize> {
    let source = source.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    let results = source.match_indices("Result<").filter(|(at, start)| {
        let inside = &source[at + start.len()..];
        last_argument(inside) == Some("String")
    });
    let results = results.map(|(at, _)| at);
    let names = source.match_indices("type ").filter(|(at, _)| {
        let statement = source[*at..].split(';').next().unwrap_or_default();
        statement.split_once('=').is_some_and(|(_, meaning)| meaning.trim() == "String")
    });
    let names = names.map(|(at, _)| at);
    let mut lines: Vec<usize> =
        results.chain(names).map(|at| source[..at].matches('\n').count() + 1).collect();
    lines.sort_unstable();
    lines
}

/// The last of several arguments of a type, whose text begins behind `<`; none if there is one
/// only.
fn last_argument(text: &str) -> Option<&str> {
    let (mut depth, mut last, mut before) = (0, None, ' ');
    for (at, c) in text.char_indices() {
        match c {
            // The arrow of a function type.
            '>' if before == '-' => {}
            '>' if depth == 0 => return last.map(|from: usize| text[from..at].trim().trim_end_matches(',')),
            '<' | '(' | '[' => depth += 1,
            '>' | ')' | ']' => depth -= 1,
            ',' if depth == 0 && !text[at + 1..].trim_start().starts_with('>') => last = Some(at + 1),
            _ => {}
        }
        before = c;
    }
    None
}

#[test]
fn text_for_an_error_is_found() {
    for bad in [
        "fn f() -> Result<(), String> {",
        "x: Option<Result<Vec<(u8, u8)>, String>>,",
        "type F = Box<dyn Fn(&str) -> Result<Box<dyn Fn() -> u8>, String>>;",
        "fn f() -> Result<\n    u8,\n    String,\n> {",
        "type Err = String;",
    ] {
        assert_eq!(text_errors(bad).len(), 1, "{bad}");
    }
    for good in [
        "fn f() -> Result<String, Error> {",
        "fn f() -> Result<Vec<(u8, String)>, Error> {",
        "fn f() -> io::Result<String> {",
        "type Names = Vec<String>;",
        "fn f() {}\n\n#[cfg(test)]\nmod tests {\n    fn f() -> Result<u8, String> {}",
    ] {
        assert!(text_errors(good).is_empty(), "{good}");
    }
}
