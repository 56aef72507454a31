//! Text in, diagnostics out.
//!
//! Each `tests/data/NAME.kif` has a `NAME.expected` beside it with what reading
//! and checking say: `severity code line:column message` and the remedy below,
//! first lenient, then what is different when strict. `UPDATE_EXPECT=1` writes
//! the files anew.

use std::fs;
use std::path::{Path, PathBuf};

use gdl::{Diagnostic, Severity};
use rules::{Rules, Strictness};

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn check(text: &str, strictness: Strictness) -> Vec<Diagnostic> {
    let parsed = gdl::parse_kif(text);
    assert!(!parsed.has_errors(), "the text itself is readable");
    let mut found = Rules::check(&parsed.sheet, strictness).diagnostics;
    found.extend(parsed.diagnostics);
    found.sort_by_key(|d| (d.span, d.code));
    found
}

fn place(text: &str, offset: u32) -> (usize, usize) {
    let before = &text[..offset as usize];
    let start = before.rfind('\n').map_or(0, |n| n + 1);
    (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
}

fn line(text: &str, diagnostic: &Diagnostic) -> String {
    let severity = match diagnostic.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    let (row, column) = place(text, diagnostic.span.start);
    let remedy = diagnostic.remedy.as_deref().expect("every diagnostic has a remedy");
    format!("{severity} {} {row}:{column} {}\n    {remedy}\n", diagnostic.code, diagnostic.message)
}

fn describe(text: &str) -> String {
    let lenient: Vec<String> = check(text, Strictness::Lenient).iter().map(|d| line(text, d)).collect();
    let strict: Vec<String> = check(text, Strictness::Strict).iter().map(|d| line(text, d)).collect();
    let different: String = strict.into_iter().filter(|l| !lenient.contains(l)).collect();
    format!("# lenient\n{}# strict\n{different}", lenient.concat())
}

#[test]
fn sheets_are_described_as_expected() {
    let mut names: Vec<PathBuf> = fs::read_dir(data())
        .expect("the data folder is there")
        .map(|entry| entry.expect("it can be listed").path())
        .filter(|path| path.extension().is_some_and(|e| e == "kif"))
        .collect();
    names.sort();
    for path in names {
        let text = fs::read_to_string(&path).expect("a sheet can be read");
        let found = describe(&text);
        let expected = path.with_extension("expected");
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&expected, &found).expect("the expectation can be written");
        }
        let wanted = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(found, wanted, "{}: run with UPDATE_EXPECT=1 if this is right", path.display());
    }
}

#[test]
fn the_published_bomb_is_reported_at_the_right_lines() {
    let text = fs::read_to_string(data().join("exploding_bomb.kif")).expect("the listing is there");
    let found: Vec<(&str, usize)> =
        check(&text, Strictness::Lenient).iter().map(|d| (d.code, place(&text, d.span.start).0)).collect();
    for expected in [("impossible-move", 33), ("not-a-role", 43), ("not-a-role", 45), ("unsafe-variable", 46)]
    {
        assert!(found.contains(&expected), "{expected:?} is among {found:?}");
    }
}

#[test]
fn the_list_of_codes_is_complete() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/diagnostics.md");
    let text = fs::read_to_string(path).expect("docs/diagnostics.md is there");
    let section = text.split("\n## ").find(|s| s.starts_with("Meaning")).expect("it has a section Meaning");
    let listed: Vec<&str> = section.lines().filter(|l| l.starts_with("| `")).collect();
    let word = |severity| if severity == Severity::Error { "error" } else { "warning" };
    let expected: Vec<String> = rules::check::CODES
        .iter()
        .map(|c| format!("| `{}` | {} | {} | {} |", c.name, word(c.lenient), word(c.strict), c.about))
        .collect();
    assert_eq!(listed, expected);
    let mut names: Vec<&str> = rules::check::CODES.iter().map(|c| c.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), rules::check::CODES.len(), "each code is there once");
}
