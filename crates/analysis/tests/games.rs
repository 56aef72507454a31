//! Every game of the library against its own files.
//!
//! A game is a folder `games/<name>/` with `rules.kif`, `rules.hrf` or `rules.gps`,
//! `about.toml`, `perft.txt` (lines `depth sequences terminal`) and
//! `playthrough.jsonl` (made by `tafl trace <name> --playouts 1 --seed 1`;
//! compressed if it is long). A game needs nothing here. With `UPDATE_EXPECT=1`
//! playthroughs are written again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::{env, fs, io};

use analysis::trace::{Line, Request, record};
use analysis::verify::{Report, VerifyError, verify};
use game::perft::perft;
use game::{AnyGame, Deadline, Game, Seed};
use library::{Library, Loaded};
use rules::Strictness;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games")
}

/// Calls `check` with every game and collects what is wrong with any.
fn for_every_game(mut check: impl FnMut(&str, &Loaded) -> Result<(), String>) {
    let library = Library::folder(folder());
    let mut wrong = Vec::new();
    for name in library.names().expect("there is a folder of games") {
        let loaded = Loaded::new(library.find(&name).unwrap(), Strictness::Lenient);
        if let Err(text) = check(&name, &loaded) {
            wrong.push(format!("{name}: {text}"));
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// The plainest reasoner for a game: rule sheets have an interpreter.
fn plain(loaded: &Loaded) -> Result<library::Chosen, String> {
    let reasoner = if loaded.sheet().is_some() { "interpreter" } else { "auto" };
    loaded.play(reasoner).map_err(|error| error.to_string())
}

fn read(name: &str, file: &str) -> Result<String, String> {
    fs::read_to_string(folder().join(name).join(file)).map_err(|error| format!("{file}: {error}"))
}

/// Playthroughs that are longer than this are kept compressed.
const LONG: usize = 60_000;

/// The recording of a game, which is compressed if it is long.
fn playthrough(name: &str) -> Result<String, String> {
    let plain = read(name, "playthrough.jsonl");
    let Ok(packed) = fs::read(folder().join(name).join("playthrough.jsonl.gz")) else { return plain };
    let mut text = String::new();
    let read = flate2::read::GzDecoder::new(&packed[..]).read_to_string(&mut text);
    read.map(|_| text).map_err(|error| format!("playthrough.jsonl.gz: {error}"))
}

fn write_playthrough(name: &str, text: &str) -> io::Result<()> {
    let path = folder().join(name);
    if text.len() <= LONG {
        return fs::write(path.join("playthrough.jsonl"), text);
    }
    let mut packed = flate2::GzBuilder::new().write(Vec::new(), flate2::Compression::best());
    packed.write_all(text.as_bytes())?;
    fs::write(path.join("playthrough.jsonl.gz"), packed.finish()?)
}

#[test]
fn every_game_is_described_and_has_no_errors() {
    for_every_game(|name, loaded| {
        if let Some(diagnostic) = loaded.diagnostics().first() {
            return Err(format!("{} ({})", diagnostic.message, diagnostic.code));
        }
        let about: library::About =
            toml::from_str(&read(name, "about.toml")?).map_err(|error| error.to_string())?;
        let roles = game::Role::names(plain(loaded)?.game.roles());
        if about.roles != roles {
            return Err(format!("about.toml has the roles {:?}, the sheet {roles:?}", about.roles));
        }
        if about.title.is_empty() || about.description.is_empty() || about.source.is_empty() {
            return Err("about.toml lacks title, description or source".to_string());
        }
        Ok(())
    });
}

struct Count(u32);

impl Count {
    fn run(self, game: &AnyGame) -> Result<Vec<(u64, u64)>, game::Fault> {
        let counts = perft(game, &game.initial(), self.0, &Deadline::never())?;
        Ok(counts.iter().map(|count| (count.sequences, count.terminal)).collect())
    }
}

#[test]
fn every_game_has_its_perft_counts() {
    for_every_game(|name, loaded| {
        let text = read(name, "perft.txt")?;
        let mut expected = Vec::new();
        for line in text.lines().filter(|line| !line.starts_with('#') && !line.trim().is_empty()) {
            let numbers: Vec<u64> =
                line.split_whitespace().filter_map(|number| number.parse().ok()).collect();
            match numbers[..] {
                [depth, sequences, terminal] if depth == expected.len() as u64 => {
                    expected.push((sequences, terminal))
                }
                _ => {
                    return Err(format!(
                        "perft.txt: `{line}` is not `{} sequences terminal`",
                        expected.len()
                    ));
                }
            }
        }
        if expected.len() < 2 {
            return Err("perft.txt has too few lines".to_string());
        }
        let chosen = plain(loaded)?;
        let counts = Count(expected.len() as u32 - 1).run(&chosen.game).map_err(|fault| fault.to_string())?;
        if counts == expected {
            Ok(())
        } else {
            Err(format!("perft.txt says {expected:?}, the rules {counts:?}"))
        }
    });
}

struct Replay<'a>(&'a Loaded, &'a str);

impl Replay<'_> {
    fn run(self, game: &AnyGame) -> Result<Report, VerifyError> {
        verify(game, self.0.sheet(), self.1, usize::MAX)
    }
}

#[test]
fn every_playthrough_follows_the_rules() {
    for_every_game(|name, loaded| {
        let text = playthrough(name)?;
        let chosen = plain(loaded)?;
        let report = Replay(loaded, &text).run(&chosen.game).map_err(|error| error.to_string())?;
        report.difference.map_or(Ok(()), |difference| Err(format!("playthrough.jsonl: {difference:?}")))
    });
}

struct Retrace(Request);

impl Retrace {
    fn run(self, game: &AnyGame) -> Result<String, String> {
        let mut text = Vec::new();
        record(game, &game.initial(), &self.0, &mut text).map_err(|error| error.to_string())?;
        String::from_utf8(text).map_err(|error| error.to_string())
    }
}

#[test]
fn every_playthrough_is_made_again() {
    for_every_game(|name, loaded| {
        let text = playthrough(name)?;
        let last =
            text.lines().last().filter(|_| text.lines().count() > 1).ok_or("playthrough.jsonl is empty")?;
        let last: Line = serde_json::from_str(last).map_err(|error| error.to_string())?;
        // A playthrough that was cut off is cut off at the same step again.
        let max_steps = if last.terminal { 10_000 } else { last.ply };
        let request = Request { game: name.to_string(), playouts: 1, seed: Seed(1), max_steps, from: None };
        let chosen = plain(loaded)?;
        let again = Retrace(request).run(&chosen.game)?;
        if env::var_os("UPDATE_EXPECT").is_some() {
            return write_playthrough(name, &again).map_err(|error| error.to_string());
        }
        let differs = text.lines().zip(again.lines()).position(|(a, b)| a != b);
        match differs {
            None if text.lines().count() == again.lines().count() => Ok(()),
            None => Err("playthrough.jsonl has another length than the game".to_string()),
            Some(line) => Err(format!(
                "playthrough.jsonl, line {}: a recording made now is another; UPDATE_EXPECT=1 writes it",
                line + 1
            )),
        }
    });
}

#[test]
fn the_library_in_the_program_is_the_folder() {
    let (embedded, folder) = (Library::embedded(), Library::folder(folder()));
    assert_eq!(embedded.names().unwrap(), folder.names().unwrap());
    for name in embedded.names().unwrap() {
        let (a, b) = (embedded.find(&name).unwrap(), folder.find(&name).unwrap());
        assert_eq!((a.text, a.files, a.about), (b.text, b.files, b.about));
        assert_eq!(a.language.name(), b.language.name());
    }
}

#[test]
fn games_in_two_forms_are_the_same() {
    let library = Library::folder(folder());
    let mut pairs = 0;
    for_every_game(|_, loaded| {
        let Some(same) = loaded.source.about.as_ref().and_then(|about| about.same_as.clone()) else {
            return Ok(());
        };
        pairs += 1;
        let source = library.find(&same.game).map_err(|error| error.to_string())?;
        let other =
            Loaded::new(source, Strictness::Lenient).play("auto").map_err(|error| error.to_string())?;
        analysis::same(&plain(loaded)?.game, &other.game, &same, 100, 200, Seed(1))
            .map(drop)
            .map_err(|difference| difference.to_string())
    });
    assert!(pairs >= 3, "{pairs} games in two forms");
}
