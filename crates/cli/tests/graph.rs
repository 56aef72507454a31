//! `tafl graph` from the outside.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::{BufRead, BufReader, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

fn tafl(arguments: &[&str]) -> (Option<i32>, String, String) {
    let out = Command::new(env!("CARGO_BIN_EXE_tafl")).args(arguments).output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (out.status.code(), text(out.stdout), text(out.stderr))
}

#[test]
fn states_are_counted_drawn_and_exported() {
    // 5,478 positions; each of the 16 draws is kept apart by which of its five crosses came last.
    let (code, out, _) = tafl(&["graph", "explore", "tic_tac_toe_graph", "--json"]);
    assert_eq!(code, Some(0));
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        (report["states"].as_u64(), report["complete"].as_bool()),
        (Some(5_478 + 16 * 4), Some(true)),
        "{out}"
    );
    let (_, out, _) = tafl(&["graph", "explore", "connect_four_graph", "--limit", "50"]);
    assert!(out.contains("Stopped at the limit"), "{out}");
    assert!(out.lines().all(|line| line.chars().count() <= 80), "{out}");
    assert!(
        tafl(&["graph", "explore", "tic_tac_toe_graph", "--limit", "5", "--lts"]).1.starts_with("des (0, ")
    );
    assert!(
        tafl(&["graph", "explore", "tic_tac_toe_graph", "--limit", "5", "--dot"])
            .1
            .starts_with("digraph states {")
    );
    assert!(tafl(&["graph", "show", "tic_tac_toe_graph", "--svg"]).1.starts_with("<svg "));
    assert!(tafl(&["graph", "show", "tic_tac_toe_graph", "--state", "1"]).1.contains("has -> "));
    assert!(tafl(&["graph", "show", "tic_tac_toe_graph", "--dot"]).1.starts_with("digraph state {"));
    let shown: serde_json::Value =
        serde_json::from_str(&tafl(&["graph", "show", "tic_tac_toe_graph", "--json"]).1).unwrap();
    assert_eq!((&shown["version"], &shown["state"]), (&1.into(), &0.into()));
    assert_eq!(shown["transitions"].as_array().unwrap().len(), 9, "{shown}");
    assert!(shown["nodes"][0]["name"].is_string(), "{shown}");
}

#[test]
fn grammars_are_checked_and_played() {
    let (code, out, _) = tafl(&["graph", "check", "simultaneous_krieg_tic_tac_toe_graph", "--play", "5"]);
    assert!(code == Some(0) && out.starts_with("fine: 5 games"), "{out}");
    let (code, out, _) = tafl(&["graph", "check", "tic_tac_toe_graph", "--play", "5", "--json"]);
    let checked: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &checked["fine"], &checked["games"]), (Some(0), &true.into(), &5.into()), "{out}");
    let (code, out, error) = tafl(&["match", "tic_tac_toe_graph", "lookahead", "random", "--seed", "1"]);
    assert_eq!(code, Some(0), "{out}{error}");
    assert!(out.contains("(mark "), "{out}");
    for (arguments, text) in [
        (&["graph", "explore", "tic_tac_toe"][..], "is a rule sheet, not a graph grammar"),
        (&["check", "tic_tac_toe_graph"], "Use `tafl graph check` instead"),
        (&["graph", "explore", "tic_tac_toe_graph", "--start", "other"], "there is no graph `other`"),
        (&["match", "tic_tac_toe_graph", "http://127.0.0.1:1", "random"], "support only rule sheets"),
        (&["perft", "tic_tac_toe_graph", "--depth", "1", "--reasoner", "circuit"], "omit --reasoner"),
    ] {
        let (code, _, error) = tafl(arguments);
        assert!(code == Some(2) && error.contains(text), "{arguments:?}: {error}");
    }
}

#[test]
fn what_a_role_can_know_is_counted() {
    let game = "simultaneous_krieg_tic_tac_toe_graph";
    let course = "choose 2 2; choose 2 2; take_first; choose 1 1";
    let (code, out, error) = tafl(&["possible", game, "--role", "o", "--after", course, "--json"]);
    assert_eq!(code, Some(0), "{error}");
    let report: serde_json::Value = serde_json::from_str(&out).unwrap();
    let last = &report["steps"][3];
    let counts = ["all", "expected", "states", "histories"].map(|key| last[key].as_u64());
    assert_eq!(counts, [Some(720), Some(80), Some(8), Some(8)], "{out}");
    let (code, _, error) = tafl(&["possible", game, "--role", "y"]);
    assert!(code == Some(2) && error.contains("There is no role `y`"), "{error}");
}

#[test]
fn the_channel_answers_line_by_line() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_tafl"))
        .args(["graph", "serve", "--port", "0", "--conversations", "1"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut first).unwrap();
    let mut stream = TcpStream::connect(first.trim().strip_prefix("listening on ").unwrap()).unwrap();
    // An empty zip file is no grammar.
    stream.write_all(b"UEsFBgAAAAAAAAAAAAAAAAAAAAAAAA==\n").unwrap();
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).unwrap();
    assert!(answer.contains("error"), "{answer}");
    assert!(server.wait().unwrap().success());
}
