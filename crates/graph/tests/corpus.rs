//! Grammars whose state spaces are known, from a folder that is not part of
//! this repository: `TAFL_CORPUS`, else `../shared/corpus`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::{env, fs};

use graph::{Bundle, Explorer, Grammar, Options};

fn corpus() -> Option<PathBuf> {
    let folder = env::var_os("TAFL_CORPUS")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"), PathBuf::from);
    Some(folder.join("groove")).filter(|folder| folder.join("expected.csv").is_file())
}

/// A line of a table, with quoted fields.
fn fields(line: &str) -> Vec<String> {
    let (mut fields, mut field, mut quoted) = (Vec::new(), String::new(), false);
    let mut chars = line.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => field.extend(chars.next()),
            '"' => quoted = !quoted,
            ',' if !quoted => fields.push(std::mem::take(&mut field)),
            c => field.push(c),
        }
    }
    fields.push(field);
    fields
}

/// Labels with the numbers of nodes left out.
fn anonymous(label: &str) -> String {
    let mut text = String::new();
    let mut chars = label.chars().peekable();
    while let Some(c) = chars.next() {
        let begins = text.ends_with(['(', ',']);
        if c == 'n' && begins && chars.peek().is_some_and(char::is_ascii_digit) {
            text.push('n');
            while chars.next_if(char::is_ascii_digit).is_some() {}
        } else {
            text.push(c);
        }
    }
    text
}

fn explored(path: &Path) -> Result<String, String> {
    let grammar =
        Grammar::new(&Bundle::read(path).map_err(|e| e.to_string())?, None).map_err(|e| e.to_string())?;
    let mut explorer =
        Explorer::new(&grammar, Options { keep: false, ..Options::default() }).map_err(|f| f.to_string())?;
    explorer.run().map_err(|fault| fault.to_string())?;
    let mut labels: BTreeMap<String, usize> = BTreeMap::new();
    for (label, count) in explorer.labels() {
        *labels.entry(anonymous(label)).or_default() += count;
    }
    let labels: Vec<String> = labels.iter().map(|(label, count)| format!("{label}:{count}")).collect();
    Ok(format!(
        "{} {} {} {}",
        explorer.states.len(),
        explorer.arrows.len(),
        explorer.finals(),
        labels.join(";")
    ))
}

#[test]
fn state_spaces_are_those_that_groove_finds() {
    let Some(corpus) = corpus() else {
        assert!(env::var_os("TAFL_REQUIRE_CORPUS").is_none(), "there is no corpus of grammars");
        return;
    };
    let mut wrong = Vec::new();
    let table = fs::read_to_string(corpus.join("expected.csv")).unwrap();
    for line in table.lines().skip(1) {
        let row = fields(line);
        let [name, states, transitions, finals, labels, status] = &row[..] else { panic!("{line}") };
        let found = explored(&corpus.join(name));
        if status != "ok" {
            match found {
                Err(text) if text.contains("line 2, column 1") => {}
                other => wrong.push(format!("{name}: must be rejected at line 2, got {other:?}")),
            }
            continue;
        }
        let mut expected: BTreeMap<String, usize> = BTreeMap::new();
        for label in labels.split(';').filter(|label| !label.is_empty()) {
            let (label, count) = label.rsplit_once(':').unwrap();
            *expected.entry(anonymous(label)).or_default() += count.parse::<usize>().unwrap();
        }
        let labels: Vec<String> = expected.iter().map(|(label, count)| format!("{label}:{count}")).collect();
        let mut wanted = format!("{states} {transitions} {finals} {}", labels.join(";"));
        let mut found = found.unwrap_or_else(|text| text);
        if expected.is_empty() && states != "1" {
            // The table gives no labels here.
            wanted = wanted.split(' ').take(3).collect::<Vec<_>>().join(" ");
            found = found.split(' ').take(3).collect::<Vec<_>>().join(" ");
        }
        if found != wanted {
            wrong.push(format!("{name}:\n   expected {wanted}\n   found    {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}
