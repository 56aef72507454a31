//! Public and own rule sheets, where they are at hand: all are read without
//! errors, and none changes on its way through a printer and back.
//!
//! The sheets are looked for in `TAFL_CORPUS`, else in `../shared/corpus` beside
//! the repository. Without them the test says so and passes, unless
//! `TAFL_REQUIRE_CORPUS` is set.

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::{env, fs};

use gdl::{Parsed, Syntax, parse_bytes, parse_hrf, parse_kif, to_hrf, to_kif};

fn corpus() -> Option<PathBuf> {
    let folder = match env::var_os("TAFL_CORPUS") {
        Some(folder) => PathBuf::from(folder),
        None => PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus"),
    };
    folder.is_dir().then_some(folder)
}

#[test]
fn every_sheet_survives_printing_in_both_forms() {
    let Some(corpus) = corpus() else {
        assert!(env::var_os("TAFL_REQUIRE_CORPUS").is_none(), "the corpus of rule sheets is not there");
        println!("left out: the corpus of rule sheets is not there (set TAFL_CORPUS)");
        return;
    };
    let mut paths = Vec::new();
    for folder in ["gdl", "gdl2"] {
        let entries = fs::read_dir(corpus.join(folder)).unwrap();
        paths.extend(
            entries.map(|entry| entry.unwrap().path()).filter(|path| path.extension().unwrap() == "kif"),
        );
    }
    paths.sort();
    assert!(!paths.is_empty());
    let (mut clauses, mut comments) = (0, 0);
    for path in &paths {
        let name = path.display();
        let bytes = fs::read(path).unwrap();
        let parsed = parse_bytes(&bytes, Syntax::Kif);
        assert!(!parsed.has_errors(), "{name}: {:?}", parsed.diagnostics);
        assert_eq!(Syntax::guess(&String::from_utf8_lossy(&bytes), Some("kif")), Syntax::Kif, "{name}");

        let prefix_text = to_kif(&parsed.sheet);
        let prefix = parse_kif(&prefix_text);
        assert!(prefix.diagnostics.is_empty(), "{name}: {:?}", prefix.diagnostics);
        assert!(prefix.sheet.same(&parsed.sheet), "{name}");
        assert_eq!(to_kif(&prefix.sheet), prefix_text, "{name}");
        assert_eq!(texts(&prefix), texts(&parsed), "{name}");

        let infix_text = to_hrf(&parsed.sheet);
        let infix = parse_hrf(&infix_text);
        assert!(infix.diagnostics.is_empty(), "{name}: {:?}", infix.diagnostics);
        assert!(infix.sheet.alike(&parsed.sheet), "{name}");
        assert_eq!(to_hrf(&infix.sheet), infix_text, "{name}");
        assert_eq!(texts(&infix), texts(&parsed), "{name}");
        assert_eq!(Syntax::guess(&infix_text, Some("kif")), Syntax::Hrf, "{name}");

        let back = parse_kif(&to_kif(&infix.sheet));
        assert!(back.diagnostics.is_empty(), "{name}: {:?}", back.diagnostics);
        assert!(back.sheet.alike(&parsed.sheet), "{name}");
        clauses += parsed.sheet.clauses.len();
        comments += parsed.sheet.comments.len();
    }
    println!("{} sheets, {clauses} clauses, {comments} comments", paths.len());
}

fn texts(parsed: &Parsed) -> Vec<&str> {
    parsed.sheet.comments.iter().map(|comment| comment.text.trim_end()).collect()
}
