//! `tafl bench` and `tafl profile`: figures that must be there, limits that must hold.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn tafl(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tafl"));
    command.args(arguments).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets"));
    command.env_remove("TAFL_GAMES").env_remove("NO_COLOR");
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
    (output.status.code().expect("it ends by itself"), text(output.stdout), text(output.stderr))
}

/// Runs a command that must go well, and gives its output.
#[track_caller]
fn good(arguments: &[&str]) -> String {
    let (code, out, err) = tafl(arguments);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    out
}

/// The same for output that people read.
#[track_caller]
fn readable(arguments: &[&str]) -> String {
    let out = good(arguments);
    let wide = out.lines().find(|line| line.chars().count() > 80);
    assert!(wide.is_none(), "{wide:?}");
    out
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&good(arguments)).unwrap()
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn bench_tells_speed_results_and_sizes() {
    let text = readable(&["bench", "tic_tac_toe", "cross.kif", "--seconds", "0.1"]);
    for part in
        ["tic_tac_toe, reasoner circuit", "states/s", "per CPU second", "goals 100 0", "start-up", "gates"]
    {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(text.contains("\ncross, reasoner circuit"), "{text}");
    let report =
        json(&["bench", "tic_tac_toe", "--seconds", "0.1", "--threads", "2", "--seed", "9", "--json"]);
    let game = &report["results"][0];
    assert_eq!(
        (&game["game"], &game["seed"], &game["threads"]),
        (&"tic_tac_toe".into(), &9.into(), &2.into())
    );
    let shares: Vec<f64> =
        game["results"].as_array().unwrap().iter().map(|r| r["share"].as_f64().unwrap()).collect();
    assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{shares:?}");
    assert!((shares[0] - 0.585).abs() < 0.02, "{shares:?}");
    let length = game["mean_length"].as_f64().unwrap();
    assert!((7.5..7.8).contains(&length), "{length}");
    let rate = game["states"].as_f64().unwrap() / game["wall_seconds"].as_f64().unwrap();
    assert!((rate / game["states_per_second"].as_f64().unwrap() - 1.0).abs() < 1e-6);
    assert!(game["circuit"]["gates"].as_u64().unwrap() > 50);
}

#[test]
fn bench_plays_with_every_reasoner_and_one_by_one() {
    for reasoner in ["interpreter", "prover", "circuit"] {
        let report = json(&[
            "bench",
            "tic_tac_toe",
            "--reasoner",
            reasoner,
            "--one-by-one",
            "--seconds",
            "0.1",
            "--json",
            "--threads",
            "2",
        ]);
        let game = &report["results"][0];
        assert_eq!((&game["reasoner"], &game["one_by_one"]), (&reasoner.into(), &true.into()));
        assert!(game["playouts"].as_u64().unwrap() > 0, "{game}");
        assert_eq!(game["circuit"].is_null(), reasoner != "circuit");
    }
}

#[test]
fn bench_ends_where_games_do_not() {
    let text = readable(&["bench", "endless", "--seconds", "0.1", "--max-steps", "50"]);
    assert!(text.contains("cut off"), "{text}");
    let text = readable(&["bench", "dead_end", "--seconds", "0.1"]);
    assert!(text.contains("dead end: a role has no legal move"), "{text}");
    readable(&[
        "bench",
        "endless",
        "--seconds",
        "0.1",
        "--reasoner",
        "interpreter",
        "--max-steps",
        "1000000000",
    ]);
}

#[test]
fn bench_compares_with_hand_written_code() {
    let arguments = ["bench", "--limit", "tic_tac_toe", "--slices", "3", "--slice-seconds", "0.02"];
    let text = readable(&arguments);
    assert!(text.lines().nth(1).unwrap().starts_with("tic_tac_toe "), "{text}");
    let report = json(&[&arguments[..], &["--json"]].concat());
    let game = &report["results"][0];
    let of = |name: &str| game["ratio"][name].as_f64().unwrap();
    assert!(of("lower") <= of("median") && of("median") <= of("upper") && of("lower") > 0.0, "{game}");
    let lengths = ["our_mean_length", "hand_written_mean_length"].map(|name| game[name].as_f64().unwrap());
    assert!((lengths[0] - lengths[1]).abs() < 0.1, "{lengths:?}");
    let (code, _, err) = tafl(&["bench", "--limit", "chess"]);
    assert!(code == 2 && err.contains("no hand-written code for `chess`"), "{err}");
}

/// A counter to a thousand million: one digit for each argument of a fluent.
fn counter() -> String {
    let mut sheet = String::from("(init (count 0 0 0 0 0 0 0 0 0)) ");
    (0..9).for_each(|n| sheet.push_str(&format!("(succ {n} {}) ", n + 1)));
    for place in 0..9 {
        let kept: String = (0..8 - place).map(|n| format!("?k{n} ")).collect();
        let (nines, zeros) = ("9 ".repeat(place), "0 ".repeat(place));
        let next = format!("(next (count {kept} ?n {zeros}))");
        sheet.push_str(&format!("(<= {next} (true (count {kept} ?m {nines})) (succ ?m ?n)) "));
    }
    sheet
}

#[test]
fn bench_survives_every_sheet_of_a_folder() {
    let folder = scratch("bench_corpus");
    let put = |name: &str, text: &str| fs::write(folder.join(name), text).unwrap();
    let frame =
        "(role r) (legal r wait) (init s) (<= (next s) (true s)) (<= terminal (true over)) (goal r 0)";
    put("a_fine.kif", &fs::read_to_string("tests/sheets/cross.kif").unwrap());
    put("b_broken.kif", "(role r");
    put("c_huge.kif", &format!("{frame} {}", counter()));
    put("d_counts.kif", &format!("{frame} (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))"));
    put("notes.txt", "not a sheet");
    let place = folder.display().to_string();
    let csv =
        good(&["bench", "--corpus", &place, "--seconds-each", "0.1", "--give-up", "60", "--max-steps", "50"]);
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].starts_with("sheet,grounds,reasoner,start_up_s,"), "{csv}");
    assert_eq!(lines.len(), 5, "{csv}");
    assert!(lines[1].starts_with("a_fine.kif,yes,circuit,"), "{csv}");
    assert!(lines[2].starts_with("b_broken.kif,no,,") && lines[2].contains("error"), "{csv}");
    assert!(
        lines[3].starts_with("c_huge.kif,no,interpreter,") && lines[3].contains("rule for `next`"),
        "{csv}"
    );
    assert!(
        lines[4].starts_with("d_counts.kif,no,interpreter,") && lines[4].contains("nested deeper"),
        "{csv}"
    );
    let (code, _, err) = tafl(&["bench", "--corpus", "nowhere"]);
    assert!(code == 2 && err.contains("Cannot read the folder nowhere"), "{err}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_sheet_that_needs_too_much_memory_takes_only_its_own_process_down() {
    let folder = scratch("bench_memory");
    fs::copy("tests/sheets/cross.kif", folder.join("cross.kif")).unwrap();
    let place = folder.display().to_string();
    let csv = good(&["bench", "--corpus", &place, "--seconds-each", "0.1", "--memory", "6"]);
    let line = csv.lines().nth(1).unwrap();
    assert!(line.starts_with("cross.kif,no,"), "{csv}");
    let slow = good(&["bench", "--corpus", &place, "--seconds-each", "30", "--give-up", "0.2"]);
    assert!(slow.contains("took longer than 200ms; without a circuit: took longer than 200ms"), "{slow}");
}

#[test]
fn wrong_benches_are_refused() {
    for arguments in [
        &["bench"][..],
        &["bench", "tic_tac_toe", "--seconds", "0"],
        &["bench", "tic_tac_toe", "--threads", "0"],
        &["bench", "tic_tac_toe", "--reasoner", "magic"],
        &["bench", "no_such_game"],
        &["bench", "broken.kif"],
        &["profile", "broken.kif"],
        &["profile", "tic_tac_toe", "--reasoner", "prover"],
    ] {
        let (code, out, err) = tafl(arguments);
        assert_eq!((code, out.as_str()), (2, ""), "{arguments:?}");
        assert!(!err.is_empty() && !err.contains("bug in tafl"), "{err}");
    }
}

#[test]
fn profile_tells_which_clause_costs_what() {
    let text = readable(&["profile", "tic_tac_toe", "--playouts", "3"]);
    assert!(text.contains("share     gates  instances  fires   line  clause"), "{text}");
    assert!(text.contains("(legal ") && text.contains("(next "), "{text}");
    let report = json(&["profile", "tic_tac_toe", "--playouts", "3", "--json"]);
    let clauses = report["clauses"].as_array().unwrap();
    let sum = |name: &str| clauses.iter().map(|c| c[name].as_f64().unwrap()).sum::<f64>();
    assert!((sum("share") - 1.0).abs() < 1e-6, "{}", sum("share"));
    assert_eq!(sum("instances"), report["instances"].as_f64().unwrap());
    assert!((sum("gates") - report["gates"].as_f64().unwrap()).abs() < 1.0);
    assert!(clauses.windows(2).all(|pair| pair[0]["share"].as_f64() >= pair[1]["share"].as_f64()));
    let text =
        readable(&["profile", "tic_tac_toe", "--playouts", "3", "--reasoner", "interpreter", "--top", "3"]);
    assert!(text.contains("time       rows  fires") && text.contains("other clauses"), "{text}");
}

#[test]
fn profile_draws_costs_beside_the_text_and_advises() {
    let text = readable(&["profile", "slow.kif", "--source", "--playouts", "2"]);
    let line = text.lines().find(|l| l.contains("| (<= (next (cell ?x ?v))")).expect("the clause is shown");
    assert!(line.trim_start().starts_with(|c: char| c.is_ascii_digit()), "{line}");
    assert!(text.contains("line 10, (next (cell ?x ?v))"), "{text}");
    assert!(text.contains("carried over once for every move"), "{text}");
}

#[test]
fn profile_explains_why_a_sheet_does_not_ground() {
    let folder = scratch("profile");
    let numbers: String = (0..1000).map(|n| format!("(d {n})\n")).collect();
    let sheet = format!(
        "(role r) (legal r wait) (init s) (<= terminal (true over)) (goal r 0) {numbers}
         (<= (legal r (m ?a ?b ?c)) (true s) (d ?a) (d ?b) (d ?c))"
    );
    let path = folder.join("huge.kif");
    fs::write(&path, sheet).unwrap();
    let text = readable(&["profile", path.to_str().unwrap(), "--seconds", "0.2"]);
    assert!(text.contains("No circuit:"), "{text}");
    // Nearly all of the time, whatever else the machine had to do.
    let costs =
        text.lines().find(|line| line.ends_with("(legal r (m ?a ?b ?c))")).expect("the clause is listed");
    let share: f64 = costs.split_whitespace().next().and_then(|share| share.parse().ok()).expect("a share");
    assert!(share > 99.0, "{text}");
    assert!(text.contains("have nothing to do with each other"), "{text}");
}
