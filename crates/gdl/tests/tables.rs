//! Text in, text out: every file in `tests/cases` is a table of rule sheets and
//! what becomes of them.
//!
//! A case begins with `=== what it shows`, gives a sheet under `--- from kif` or
//! `--- from hrf`, and any of `--- kif`, `--- hrf` (the sheet as printed) and
//! `--- diagnostics`. A case without `--- diagnostics` must have none. In sheets
//! `␣` stands for a no-break space, `␍` for a carriage return and `␀` for a NUL.
//! `UPDATE_EXPECT=1 cargo test -p gdl` writes the outputs into the files.

#![allow(clippy::unwrap_used)]

use std::fmt::Write;
use std::fs;
use std::path::Path;

use gdl::{LineIndex, Parsed, Severity, Syntax, parse, to_hrf, to_kif};

#[test]
fn every_case_gives_what_its_table_says() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    assert!(!paths.is_empty());
    let update = std::env::var_os("UPDATE_EXPECT").is_some();
    let mut wrong = Vec::new();
    for path in paths {
        let file = fs::read_to_string(&path).unwrap();
        let found = run(&file);
        if found == file {
            continue;
        }
        if update {
            fs::write(&path, found).unwrap();
        } else {
            let line = file.lines().zip(found.lines()).position(|(one, other)| one != other);
            let line = line.unwrap_or_else(|| file.lines().count().min(found.lines().count()));
            wrong.push(format!(
                "{}:{}\n  expected {:?}\n  found    {:?}",
                path.display(),
                line + 1,
                file.lines().nth(line),
                found.lines().nth(line)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The file with its outputs as they are.
fn run(file: &str) -> String {
    let mut out = String::new();
    let mut cases = file.split("=== ");
    out.push_str(cases.next().unwrap());
    for case in cases {
        let (title, rest) = case.split_once('\n').unwrap();
        writeln!(out, "=== {title}").unwrap();
        let mut parsed: Option<(String, Parsed)> = None;
        let mut told = false;
        for section in rest.split("--- ").skip(1) {
            let (name, body) = section.split_once('\n').unwrap();
            writeln!(out, "--- {name}").unwrap();
            if let Some(syntax) = name.strip_prefix("from ") {
                let syntax = if syntax == "kif" { Syntax::Kif } else { Syntax::Hrf };
                let text = body.trim_end().replace('␣', "\u{a0}").replace('␍', "\r").replace('␀', "\0");
                parsed = Some((text.clone(), parse(&text, syntax)));
                out.push_str(body);
                continue;
            }
            let (text, parsed) = parsed.as_ref().unwrap();
            match name {
                "kif" => out.push_str(&to_kif(&parsed.sheet)),
                "hrf" => out.push_str(&to_hrf(&parsed.sheet)),
                "diagnostics" => {
                    out.push_str(&diagnostics(text, parsed));
                    told = true;
                }
                _ => panic!("no such section: {name}"),
            }
        }
        if let Some((text, parsed)) = &parsed
            && !told
            && !parsed.diagnostics.is_empty()
        {
            write!(out, "--- diagnostics\n{}", diagnostics(text, parsed)).unwrap();
        }
        if rest.ends_with("\n\n") && !out.ends_with("\n\n") {
            out.push('\n');
        }
    }
    out
}

fn diagnostics(text: &str, parsed: &Parsed) -> String {
    let lines = LineIndex::new(text);
    let mut out = String::new();
    for diagnostic in &parsed.diagnostics {
        let place = |offset: u32| {
            let position = lines.position(offset as usize);
            format!("{}:{}", position.line, position.column)
        };
        let severity = if diagnostic.severity == Severity::Error { "error" } else { "warning" };
        let (start, end) = (place(diagnostic.span.start), place(diagnostic.span.end));
        writeln!(out, "{start}-{end} {severity} {}: {}", diagnostic.code, diagnostic.message).unwrap();
        for label in &diagnostic.labels {
            writeln!(out, "    {}: {}", place(label.span.start), label.text).unwrap();
        }
        if let Some(remedy) = &diagnostic.remedy {
            writeln!(out, "    {remedy}").unwrap();
        }
    }
    out
}
