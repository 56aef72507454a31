//! The referee is killed again and again, at any moment, and goes on each time
//! as if nothing had happened.
//!
//! `TAFL_KILLS` says how often; `cargo xtask soak durability` makes it two hundred.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const SERIES: &str = "tafl.tic_tac_toe.11";

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder.join("matches.sqlite")
}

fn tafl(store: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tafl"));
    command.args(words).arg("--store").arg(store).env_remove("TAFL_STORE").env_remove("TAFL_GAMES");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn output(store: &Path, words: &[&str]) -> String {
    let done = tafl(store, words).output().unwrap();
    assert!(done.status.success(), "{words:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

fn begin(store: &Path, matches: u64) -> Command {
    let count = matches.to_string();
    let players = ["mcts(playouts=60)", "random"];
    let words = ["match", "tic_tac_toe", players[0], players[1], "--seed", "11", "--repeat", &count];
    tafl(store, &[&words[..], &["--rotate", "--jobs", "2", "--play-clock", "60"]].concat())
}

/// Steps made in each match, and whether it has ended.
fn progress(store: &Path) -> BTreeMap<String, (u64, bool)> {
    let list = output(store, &["history", "--series", SERIES, "--limit", "100000", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    let matches = list["matches"].as_array().unwrap().iter();
    let entry = |found: &serde_json::Value| {
        let steps = found["steps"].as_u64().unwrap();
        (found["match"].as_str().unwrap().to_string(), (steps, !found["end"].is_null()))
    };
    matches.map(entry).collect()
}

/// The matches of the series without times, in the order of their ids.
fn canonical(store: &Path) -> Vec<String> {
    let text = output(store, &["export", "--series", SERIES, "--canonical"]);
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    lines.sort();
    lines
}

fn kill(mut child: Child) -> bool {
    let running = child.try_wait().unwrap().is_none();
    let _ = child.kill();
    child.wait().unwrap();
    running
}

#[test]
fn a_series_that_is_killed_again_and_again_comes_to_the_same_results() {
    let kills: u64 = std::env::var("TAFL_KILLS").ok().and_then(|text| text.parse().ok()).unwrap_or(8);
    // Enough to play that the last kill comes before the end.
    let matches = 4 * kills + 8;
    let (whole, torn) = (scratch("durability-whole"), scratch("durability-torn"));
    let began = std::time::Instant::now();
    assert!(begin(&whole, matches).output().unwrap().status.success());
    let each = began.elapsed() / (kills as u32 + 1);
    let expected = canonical(&whole);
    assert_eq!(expected.len() as u64, matches);

    let mut chance = tafl::game::Seed(7).rng();
    let (mut done, mut before) = (0, BTreeMap::new());
    let (mut tries, mut too_early) = (0, 0);
    while done < kills && tries < 20 * kills {
        tries += 1;
        let begun = torn.exists() && output(&torn, &["history", "--json"]).contains(SERIES);
        let mut next =
            if begun { tafl(&torn, &["resume", SERIES, "--jobs", "2"]) } else { begin(&torn, matches) };
        let child = next.spawn().unwrap();
        // A program that was killed before it had begun anything is given more time.
        let wait = each.mul_f64(0.2 + chance.unit() + 0.5 * f64::from(too_early)).min(Duration::from_secs(2));
        std::thread::sleep(wait.max(Duration::from_millis(1)));
        let killed = kill(child);
        if !torn.exists() || !output(&torn, &["history", "--json"]).contains(SERIES) {
            too_early += 1;
            continue;
        }
        let after = progress(&torn);
        for (key, (steps, ended)) in &before {
            let (steps_after, ended_after) = after[key];
            assert!(steps_after >= *steps && (ended_after || !ended), "{key} lost something");
        }
        before = after;
        if !killed {
            break;
        }
        done += 1;
    }
    let resumed = output(&torn, &["resume", SERIES, "--jobs", "2"]);
    assert!(resumed.contains(&format!("{matches} matches")), "{resumed}");
    eprintln!("kills,{done},{matches}");
    let found = canonical(&torn);
    let differs = found.iter().zip(&expected).find(|(one, other)| one != other);
    let begin = |line: &String| line.chars().take(2000).collect::<String>();
    assert_eq!(differs.map(|(one, other)| (begin(one), begin(other))), None);
    assert_eq!(found.len(), expected.len());
    assert_eq!(progress(&torn).len() as u64, matches, "no match comes twice");
}

/// Plays a tournament that is killed `kills` times; the files of both runs.
fn tournament(kills: u64, matches: u64) -> (PathBuf, PathBuf, Duration) {
    let store = scratch("tournament");
    let folder = store.parent().unwrap().to_path_buf();
    let spec = folder.join("spec.toml");
    let text = format!(
        "name = \"killed\"\ngames = [\"tic_tac_toe\"]\nmatches = {matches}\nseed = 9\nself_play = true\nplayers = [\"random\"]\n"
    );
    fs::write(&spec, text).unwrap();
    let (whole, torn) = (folder.join("whole"), folder.join("torn"));
    let run = |store: &Path, out: &Path| {
        let words = ["tournament", spec.to_str().unwrap(), "--jobs", "2", "--out", out.to_str().unwrap()];
        tafl(store, &words)
    };
    let began = std::time::Instant::now();
    let done = run(&folder.join("whole.sqlite"), &whole).output().unwrap();
    let time = began.elapsed();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let mut chance = tafl::game::Seed(8).rng();
    let mut killed = 0;
    for _ in 0..10 * kills {
        let child = run(&store, &torn).spawn().unwrap();
        std::thread::sleep(time.mul_f64((0.3 + chance.unit()) / (kills as f64 + 1.0)));
        if !kill(child) {
            break;
        }
        killed += 1;
        if killed == kills {
            break;
        }
    }
    let done = run(&store, &torn).output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    eprintln!("tournament,{killed},{matches},{:.1}", time.as_secs_f64());
    (whole, torn, time)
}

/// `TAFL_TOURNAMENT_KILLS` and `TAFL_TOURNAMENT_MATCHES` say how often and how many;
/// `cargo xtask soak tournament` makes it twenty and ten thousand.
#[test]
fn a_tournament_that_is_killed_again_and_again_writes_the_same_files() {
    let number =
        |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let (kills, matches) = (number("TAFL_TOURNAMENT_KILLS", 4), number("TAFL_TOURNAMENT_MATCHES", 1500));
    let (whole, torn, _) = tournament(kills, matches);
    let mut names: Vec<_> = fs::read_dir(&whole).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert!(
        names.iter().any(|name| name == "results.jsonl") && names.iter().any(|name| name == "report.html")
    );
    for name in names {
        let (one, other) = (fs::read(whole.join(&name)).unwrap(), fs::read(torn.join(&name)).unwrap());
        assert!(one == other, "{} differs", name.display());
    }
    let results = fs::read_to_string(whole.join("results.jsonl")).unwrap();
    assert_eq!(results.lines().count() as u64, matches + 1);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_series_and_tells_how_to_go_on() {
    let store = scratch("interrupt");
    // Far more than are played until the signal comes.
    let child = begin(&store, 40_000).spawn().unwrap();
    while !store.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let ended = child.wait_with_output().unwrap();
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{told}");
    let again = format!("Interrupted. To resume: tafl resume {SERIES} --store ");
    assert!(told.contains(&again), "{told}");
    let progress = progress(&store);
    assert!(!progress.is_empty() && progress.len() < 40_000, "{}", progress.len());
}

#[cfg(unix)]
#[test]
fn a_run_that_nothing_keeps_is_not_said_to_be_resumable() {
    let store = scratch("in-memory");
    let child = begin(Path::new(":memory:"), 40_000).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    let ended = signalled(child, "-INT");
    let told = String::from_utf8(ended.stderr).unwrap();
    assert!(ended.status.code() == Some(1) && !told.contains("resume"), "{told}");
    assert!(!store.exists());
}

/// Ends a program by a signal, and gives it when it has ended by itself.
#[cfg(unix)]
fn signalled(child: Child, signal: &str) -> std::process::Output {
    assert!(Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap().success());
    child.wait_with_output().unwrap()
}

#[cfg(unix)]
#[test]
fn a_tournament_that_was_interrupted_goes_on_to_its_report() {
    let store = scratch("resume-out");
    let folder = store.parent().unwrap().to_path_buf();
    let spec = folder.join("spec.toml");
    let text = "games = [\"tic_tac_toe\"]\nplayers = [\"mcts(playouts=1500)\", \"random\"]\nmatches = 400\n";
    fs::write(&spec, text).unwrap();
    let report = folder.join("the report");
    let out = report.to_str().unwrap();
    let child =
        tafl(&store, &["tournament", spec.to_str().unwrap(), "--jobs", "1", "--out", out]).spawn().unwrap();
    while !store.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(300));
    let ended = signalled(child, "-INT");
    let told = String::from_utf8(ended.stderr).unwrap();
    assert_eq!(ended.status.code(), Some(1), "{told}");
    let again = format!("Interrupted. To resume: tafl resume spec --out '{out}' --store ");
    assert!(told.contains(&again), "{told}");
    let _ = fs::remove_dir_all(&report);
    output(&store, &["resume", "spec", "--out", out]);
    let results = fs::read_to_string(report.join("results.jsonl")).unwrap();
    assert_eq!(results.lines().count(), 401);
    assert!(report.join("report.md").exists() && report.join("report.html").exists());

    // Only tournaments have a report.
    assert!(begin(&store, 2).output().unwrap().status.success());
    let refused = tafl(&store, &["resume", SERIES, "--out", out]).output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8(refused.stderr).unwrap().contains("is not a tournament"));
}

#[cfg(unix)]
#[test]
fn players_that_think_by_the_clock_are_interrupted_too() {
    let store = scratch("by-the-clock");
    let spec = store.with_file_name("spec.toml");
    let text =
        "games = [\"kuhn_poker\"]\nplayers = [\"ismcts\", \"random\"]\nmatches = 2\nplay_clock = 600\n";
    fs::write(&spec, text).unwrap();
    let child = tafl(&store, &["tournament", spec.to_str().unwrap()]).spawn().unwrap();
    while !store.exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    std::thread::sleep(Duration::from_millis(500));
    let began = std::time::Instant::now();
    let ended = signalled(child, "-TERM");
    assert!(began.elapsed() < Duration::from_secs(10), "{:?}", began.elapsed());
    assert_eq!(ended.status.code(), Some(1), "{}", String::from_utf8_lossy(&ended.stderr));
}
