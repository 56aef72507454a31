//! `cargo xtask soak`: checks that take hours.
//!
//! Each is a row of [`SOAKS`]: a name, what it does, and a function that runs
//! the built `tafl` many times and puts what came of it into a table under
//! `results/`. Tables are written row by row, so an interrupted soak keeps what
//! it has found.

use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use crate::corpus::{self, root};
use crate::run::{Line, Output};
use crate::table::Table;

/// One sheet with one reasoner takes at most this long.
const LIMIT: Duration = Duration::from_secs(1800);

struct Soak {
    name: &'static str,
    about: &'static str,
    run: fn(&Options) -> Result<(), String>,
}

const SOAKS: &[Soak] = &[
    Soak {
        name: "corpus",
        about: "replay every recording of the corpus completely, with every reasoner",
        run: replay_corpus,
    },
    Soak {
        name: "clocks",
        about: "a thousand moves of every player at 0.1 s with all cores loaded: is any late?",
        run: crate::clocks::run,
    },
    Soak {
        name: "first",
        about: "the first three moves of every sheet over the network, with all cores loaded",
        run: crate::first_moves::run,
    },
    Soak {
        name: "graphs",
        about: "the tables of the paper on games as graph grammars, with its figures beside ours",
        run: crate::graphs::run,
    },
    Soak {
        name: "history",
        about: "playouts of mcts in 13x13 hnefatafl with repetition, 15 s for a move",
        run: crate::history::run,
    },
    Soak {
        name: "library",
        about: "play 1000 random games of every game of the library, with every reasoner",
        run: play_library,
    },
    Soak {
        name: "models",
        about: "how fast playouts from models are beside plain ones, in every sheet that hides",
        run: crate::hidden::models,
    },
    Soak {
        name: "options",
        about: "options of mcts against mcts without them, at equal time",
        run: crate::strength::options,
    },
    Soak {
        name: "strength",
        about: "how often players beat others; goes on where it was broken off",
        run: crate::strength::claims,
    },
    Soak {
        name: "network",
        about: "64 matches at once between 128 remote players, for five minutes",
        run: load_network,
    },
    Soak {
        name: "peeking",
        about: "does any player act on what it cannot know, in any sheet that hides?",
        run: crate::hidden::peeking,
    },
    Soak {
        name: "web",
        about: "500 spectators at one match and 100 people at 100 matches, in browsers",
        run: load_web,
    },
    Soak {
        name: "experiments",
        about: "the quick variants of all experiments, together within ten minutes",
        run: crate::experiments::run,
    },
    Soak {
        name: "tournament",
        about: "10,000 matches of tic-tac-toe, timed, and again with twenty kills on the way",
        run: kill_tournament,
    },
    #[cfg(unix)]
    Soak {
        name: "slurm",
        about: "an experiment on a Slurm of its own with four nodes, one killed on the way",
        run: crate::slurm::run,
    },
    Soak {
        name: "durability",
        about: "kill the referee at 200 moments and compare with a series left in peace",
        run: kill_referee,
    },
];

/// The names of all soaks and their options.
pub fn list() -> String {
    let rows: String = SOAKS.iter().map(|soak| format!("  {:<12}{}\n", soak.name, soak.about)).collect();
    format!("{rows}Options: --reasoner NAME, --only PART-OF-A-NAME, --tafl PROGRAM\n")
}

/// Runs the soak of this name.
pub fn run(name: &str, options: &[&str]) -> Result<(), String> {
    let Some(soak) = SOAKS.iter().find(|soak| soak.name == name) else {
        return Err(format!("there is no soak `{name}`; these are:\n{}", list()));
    };
    (soak.run)(&Options::read(options)?)
}

pub struct Options {
    reasoner: Option<String>,
    /// What a name must contain.
    pub only: String,
    /// A program to use rather than build one.
    tafl: Option<String>,
}

impl Options {
    fn read(words: &[&str]) -> Result<Options, String> {
        let mut options = Options { reasoner: None, only: String::new(), tafl: None };
        for pair in words.chunks(2) {
            match pair {
                ["--reasoner", name] => options.reasoner = Some(name.to_string()),
                ["--only", part] => options.only = part.to_string(),
                ["--tafl", path] => options.tafl = Some(path.to_string()),
                _ => return Err(format!("`{}` is no option of a soak.\n{}", pair.join(" "), list())),
            }
        }
        Ok(options)
    }

    /// The program: the one asked for, or a copy of one built for speed, so that a
    /// build meanwhile does not change what is measured.
    pub fn program(&self) -> Result<String, String> {
        if let Some(path) = &self.tafl {
            return Ok(path.clone());
        }
        let built = build()?;
        let copy = format!("{built}-soak");
        fs::copy(&built, &copy).map_err(|error| format!("cannot copy {built}: {error}"))?;
        Ok(copy)
    }

    /// The reasoners to run: the one asked for, or all but the one that only chooses.
    fn reasoners(&self, tafl: &str) -> Result<Vec<String>, String> {
        if let Some(name) = &self.reasoner {
            return Ok(vec![name.clone()]);
        }
        let listed = output(&Line::new(tafl).word("reasoners"))?.out;
        let names = listed.lines().filter_map(|line| line.split_whitespace().next());
        Ok(names.filter(|name| *name != "auto").map(String::from).collect())
    }
}

fn replay_corpus(options: &Options) -> Result<(), String> {
    let corpus = corpus::folder().ok_or(corpus::MISSING)?;
    let traces = files(&corpus.join("traces"), &options.only)?;
    let tafl = options.program()?;
    let head = "sheet,reasoner,verdict,states,seconds,note";
    let mut tally = Tally::new(Table::open("corpus.csv", head, 2));
    let reasoners = options.reasoners(&tafl)?;
    for (name, trace) in &traces {
        let sheet = corpus.join("gdl").join(format!("{name}.kif"));
        for reasoner in &reasoners {
            let line = Line::new(&tafl).word("verify").word(text(&sheet)).word(text(trace));
            let done = output(&line.word("--reasoner").word(reasoner))?;
            let same = done.out.lines().find(|line| line.starts_with("same"));
            let states = same.and_then(|line| line.rsplit(": ").next()?.split(' ').next());
            let verdict = match (done.code, states) {
                (Some(0), Some(_)) => "same",
                (Some(1), _) if done.out.starts_with("failed") => "failed",
                (Some(1), _) => "differs",
                (Some(_), _) => "refused",
                (None, _) => "ended",
            };
            let states = states.unwrap_or("0").replace(',', "");
            tally.put(name, reasoner, verdict, &states, &done)?;
        }
    }
    tally.finish(&["same", "refused"])
}

fn play_library(options: &Options) -> Result<(), String> {
    let mut games = Vec::new();
    for entry in fs::read_dir(root().join("games")).map_err(|error| error.to_string())? {
        let name = entry.map_err(|error| error.to_string())?.file_name().to_string_lossy().into_owned();
        games.extend(Some(name).filter(|name| name.contains(&options.only)));
    }
    games.sort();
    let tafl = options.program()?;
    let mut tally = Tally::new(Table::open("library.csv", "game,reasoner,verdict,games,seconds,note", 2));
    let reasoners = options.reasoners(&tafl)?;
    for game in &games {
        for reasoner in &reasoners {
            let line = Line::new(&tafl).word("check").word(game).word("--play").word("1000");
            let done = output(&line.word("--reasoner").word(reasoner))?;
            let verdict = match done.code {
                Some(0) => "good",
                Some(1) => "bad",
                Some(_) => "refused",
                None => "ended",
            };
            tally.put(game, reasoner, verdict, "1000", &done)?;
        }
    }
    tally.finish(&["good", "refused"])
}

fn load_network(_: &Options) -> Result<(), String> {
    let settings = [("TAFL_LOAD_TABLES", "64"), ("TAFL_LOAD_SECONDS", "300")];
    let values = measured("cast", "network_load", &settings, "load,")?;
    let head = "matches_at_once,seconds,matches,turns,faults,slowest_ms,early_mb,late_mb";
    Table::open("network.csv", head, 2).put(&values.split(',').collect::<Vec<_>>())
}

fn load_web(_: &Options) -> Result<(), String> {
    let settings = [("TAFL_SPECTATORS", "500"), ("TAFL_TABLES", "100"), ("TAFL_PAUSE_MS", "100")];
    let values = measured("web", "service", &settings, "load,")?;
    let head = "spectators,matches,events,events_missed,moves,move_ms_median,move_ms_99,spread_ms_longest,seconds,mb";
    Table::open("web.csv", head, 2).put(&values.split(',').collect::<Vec<_>>())
}

fn kill_referee(_: &Options) -> Result<(), String> {
    let values = measured("tafl", "durability", &[("TAFL_KILLS", "200")], "kills,")?;
    Table::open("durability.csv", "kills,matches", 1).put(&values.split(',').collect::<Vec<_>>())
}

fn kill_tournament(_: &Options) -> Result<(), String> {
    let settings = [("TAFL_TOURNAMENT_KILLS", "20"), ("TAFL_TOURNAMENT_MATCHES", "10000")];
    let values = measured("tafl", "durability", &settings, "tournament,")?;
    let values: Vec<&str> = values.split(',').collect();
    Table::open("tournament.csv", "kills,matches,seconds", 2).put(&values)?;
    match values.last().and_then(|seconds| seconds.parse::<f64>().ok()) {
        Some(seconds) if seconds < 20.0 => Ok(()),
        _ => Err(format!("10,000 matches took {} s; they must take less than 20 s", values.join(", "))),
    }
}

/// Runs a test with settings in its environment; gives what it prints after `mark`.
fn measured(
    package: &str,
    test: &str,
    settings: &[(&'static str, &str)],
    mark: &str,
) -> Result<String, String> {
    let words = format!("cargo test --release --locked --package {package} --test {test} -- --nocapture");
    let line = settings.iter().fold(Line::new(&words), |line, &(name, value)| line.with(name, value));
    println!("== {line}");
    let done = output(&line)?;
    let said = format!("{}{}", done.out, done.err);
    match said.lines().find_map(|text| text.strip_prefix(mark)) {
        Some(values) if done.code == Some(0) => Ok(values.to_string()),
        _ => Err(format!("it went wrong:\n{said}")),
    }
}

/// Builds `tafl` for speed and gives its path.
fn build() -> Result<String, String> {
    let line = Line::new("cargo build --release --locked --package tafl-cli");
    println!("== {line}");
    match line.succeeds() {
        Ok(true) => {}
        Ok(false) => return Err(format!("tafl does not build; see\n{line}")),
        Err(error) => return Err(format!("cannot run `{line}`: {error}")),
    }
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from);
    Ok(text(&target.join("release").join("tafl")))
}

pub fn output(line: &Line) -> Result<Output, String> {
    line.clone().output(LIMIT).map_err(|error| format!("cannot run `{line}`: {error}"))
}

pub fn text(path: &Path) -> String {
    path.display().to_string()
}

/// The files of a folder whose names contain `part`, with their names, in order.
pub fn files(folder: &Path, part: &str) -> Result<Vec<(String, PathBuf)>, String> {
    let failed = |error| format!("cannot list {}: {error}", folder.display());
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if name.contains(part) {
            found.push((name, path));
        }
    }
    found.sort();
    Ok(found)
}

/// What came of each run, on the terminal and in the table.
struct Tally {
    table: Table,
    verdicts: Vec<String>,
}

impl Tally {
    fn new(table: Table) -> Tally {
        Tally { table, verdicts: Vec::new() }
    }

    fn put(
        &mut self,
        name: &str,
        reasoner: &str,
        verdict: &str,
        count: &str,
        done: &Output,
    ) -> Result<(), String> {
        let said = if done.err.is_empty() { &done.out } else { &done.err };
        let note = match verdict {
            "same" | "good" => "",
            "ended" => "took too long",
            _ => said.lines().find(|line| !line.starts_with("differs")).unwrap_or("").trim(),
        };
        println!("{verdict:<8} {name} ({reasoner}, {:.1} s) {note}", done.seconds);
        self.verdicts.push(verdict.to_string());
        let seconds = format!("{:.1}", done.seconds);
        self.table.put(&[name, reasoner, verdict, count, &seconds, note])
    }

    /// The sums; an error if any verdict is not one of those that are fine.
    fn finish(self, fine: &[&str]) -> Result<(), String> {
        let mut kinds = self.verdicts.clone();
        kinds.sort();
        kinds.dedup();
        let count = |kind: &String| self.verdicts.iter().filter(|verdict| *verdict == kind).count();
        let sums: Vec<String> = kinds.iter().map(|kind| format!("{} {kind}", count(kind))).collect();
        println!("== {}", sums.join(", "));
        let wrong = self.verdicts.iter().filter(|verdict| !fine.contains(&verdict.as_str())).count();
        if wrong > 0 { Err(format!("{wrong} runs went wrong; see above")) } else { Ok(()) }
    }
}
