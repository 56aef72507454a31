//! The table of codes, the list in `docs/diagnostics.md` and what the parsers say agree.

#![allow(clippy::unwrap_used)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use gdl::{CODES, Diagnostic, MAX_DEPTH, MAX_DIAGNOSTICS, Severity, Syntax, parse, parse_bytes, parse_term};

fn word(severity: Severity) -> &'static str {
    if severity == Severity::Error { "error" } else { "warning" }
}

#[test]
fn the_list_of_codes_is_complete() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    let text = fs::read_to_string(path).unwrap();
    let section = text.split("\n## ").find(|section| section.starts_with("Text")).unwrap();
    let listed: Vec<&str> = section.lines().filter(|line| line.starts_with("| `")).collect();
    let row = |code: &gdl::Code| format!("| `{}` | {} | {} |", code.name, word(code.severity), code.about);
    assert_eq!(listed, CODES.iter().map(row).collect::<Vec<_>>());
    assert!(CODES.is_sorted_by(|one, other| one.name < other.name), "in order, each once");
}

/// Codes that the tables of cases do not show: by limits, by bytes, by single terms.
fn shown_elsewhere() -> Vec<Diagnostic> {
    let mut found = parse(&"(p ".repeat(MAX_DEPTH + 1), Syntax::Kif).diagnostics;
    found.extend(parse(&") ".repeat(MAX_DIAGNOSTICS + 1), Syntax::Kif).diagnostics);
    found.extend(parse_bytes(b"(p \xe9)", Syntax::Kif).diagnostics);
    found.extend(["", "a b"].map(|text| parse_term(text).unwrap_err()));
    found
}

/// Codes that only a text of many megabytes shows; `tests/limits.rs` and `syntax.rs` do.
const HUGE: [&str; 2] = ["too-large", "too-long"];

#[test]
fn every_code_is_shown_and_every_shown_code_is_listed() {
    let mut shown: BTreeSet<String> = HUGE.map(String::from).into();
    shown.extend(shown_elsewhere().iter().map(|diagnostic| diagnostic.code.to_string()));
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases")).unwrap() {
        let text = fs::read_to_string(entry.unwrap().path()).unwrap();
        for line in text.lines().filter(|line| line.starts_with(|char: char| char.is_ascii_digit())) {
            let mut words = line.split(' ').skip(1);
            let (severity, code) = (words.next(), words.next().and_then(|code| code.strip_suffix(':')));
            let (Some(severity), Some(code)) = (severity, code) else { continue };
            if let Some(listed) = CODES.iter().find(|listed| listed.name == code) {
                assert_eq!(word(listed.severity), severity, "{code}");
            }
            shown.insert(code.to_string());
        }
    }
    let listed: BTreeSet<String> = CODES.iter().map(|code| code.name.to_string()).collect();
    assert_eq!(shown, listed);
}
