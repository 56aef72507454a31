//! The pages tell the truth: every command in them is run, in order, and must
//! print what the page says.
//!
//! In a page, a block `kif NAME` appends to the file NAME after an empty line, a
//! block `diff NAME` changes it, and a block `console` holds commands after `$`
//! with what they print; a line `…` stands for any lines left out. Each page has
//! a folder of its own. `UPDATE_EXPECT=1` writes what commands print into the
//! pages.

#![allow(clippy::unwrap_used)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PAGES: [&str; 2] = ["README.md", "docs/write-a-game.md"];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs a page in a folder; gives the page with the outputs as they are.
fn run(page: &str, folder: &Path) -> String {
    let mut out = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        out.push_str(&format!("{line}\n"));
        let Some(info) = line.strip_prefix("```") else { continue };
        let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        match info.split_once(' ') {
            Some(("kif", name)) => append(&folder.join(name), &body),
            Some(("diff", name)) => change(&folder.join(name), &body),
            _ => {}
        }
        if info == "console" {
            for command in body.join("\n").split("$ ").skip(1) {
                let (command, expected) = command.split_once('\n').unwrap_or((command, ""));
                let found = output(command, folder);
                let kept = if matches(expected.trim_end(), &found) { expected.trim_end() } else { &found };
                out.push_str(&format!("$ {command}\n{kept}\n").replace("\n\n\n", "\n\n"));
            }
        } else {
            body.iter().for_each(|line| out.push_str(&format!("{line}\n")));
        }
        out.push_str("```\n");
    }
    out
}

fn append(path: &Path, lines: &[&str]) {
    let before = fs::read_to_string(path).map_or(String::new(), |text| format!("{text}\n"));
    fs::write(path, format!("{before}{}\n", lines.join("\n"))).unwrap();
}

/// Puts the lines that are marked as new in the place of those that are marked as old.
fn change(path: &Path, lines: &[&str]) {
    let side = |sign: char| -> String {
        let own = lines.iter().filter(|line| line.is_empty() || line.starts_with([' ', sign]));
        own.map(|line| format!("{}\n", line.get(1..).unwrap_or_default())).collect()
    };
    let before = fs::read_to_string(path).unwrap();
    assert_eq!(before.matches(&side('-')).count(), 1, "the old lines are in the file once:\n{}", side('-'));
    fs::write(path, before.replace(&side('-'), &side('+'))).unwrap();
}

/// What a command prints.
fn output(command: &str, folder: &Path) -> String {
    // Words are separated by blanks, except within single quotes.
    let mut words = Vec::new();
    for (number, part) in command.split('\'').enumerate() {
        match number % 2 {
            0 => words.extend(part.split_whitespace().map(String::from)),
            _ => words.push(part.to_string()),
        }
    }
    assert_eq!(words[0], "tafl", "only tafl is run: {command}");
    let done = Command::new(env!("CARGO_BIN_EXE_tafl"))
        .args(&words[1..])
        .current_dir(folder)
        .env("NO_COLOR", "1")
        .env("TAFL_STORE", folder.join("matches.sqlite"))
        .env("COLUMNS", "80")
        .output()
        .unwrap();
    let text = [done.stdout, done.stderr].concat();
    let lines: Vec<String> =
        String::from_utf8(text).unwrap().lines().map(|line| line.trim_end().to_string()).collect();
    lines.join("\n").trim_end().to_string()
}

/// Whether a text is as expected, where a line `…` stands for any lines.
fn matches(expected: &str, found: &str) -> bool {
    let (mut rest, mut free) = (format!("{found}\n"), false);
    for (number, part) in format!("{expected}\n").split("…\n").enumerate() {
        free = number > 0;
        let at = if free { rest.find(part) } else { rest.starts_with(part).then_some(0) };
        let Some(at) = at else { return false };
        rest = rest[at + part.len()..].to_string();
        free &= part.is_empty();
    }
    rest.is_empty() || free
}

#[test]
fn commands_print_what_the_pages_say() {
    for name in PAGES {
        let folder = std::env::temp_dir().join(format!("tafl-tour-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = root().join(name);
        let page = fs::read_to_string(&path).unwrap();
        let found = run(&page, &folder);
        if std::env::var_os("UPDATE_EXPECT").is_some() {
            fs::write(&path, &found).unwrap();
        } else {
            let differs = page.lines().zip(found.lines()).find(|(one, other)| one != other);
            assert_eq!(differs, None, "{name}: run with UPDATE_EXPECT=1 if this is right");
            assert_eq!(page, found, "{name}: run with UPDATE_EXPECT=1 if this is right");
        }
        if name.ends_with("write-a-game.md") {
            let told = fs::read_to_string(folder.join("hedges.kif")).unwrap();
            let kept = fs::read_to_string(root().join("games/hedges/rules.kif")).unwrap();
            assert_eq!(told, kept, "the game of the tutorial is the one in the library");
        }
        fs::remove_dir_all(&folder).unwrap();
    }
}
