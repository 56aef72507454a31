//! `tafl solve` and `tafl analyse`, as the built program does it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::process::Command;

/// Exit code, output and complaint of a run.
fn tafl(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tafl"));
    command.args(arguments).env_remove("TAFL_GAMES").env_remove("NO_COLOR");
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn good(arguments: &[&str]) -> String {
    let (code, out, err) = tafl(arguments);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    let wide = out.lines().find(|line| line.chars().count() > 80);
    assert!(wide.is_none() || arguments.contains(&"--json"), "{wide:?}");
    out
}

#[test]
fn tic_tac_toe_is_solved() {
    let out = good(&["solve", "tic_tac_toe"]);
    assert!(out.contains("A draw with best play.") && out.contains("5,478 positions reachable"), "{out}");
    let json: serde_json::Value = serde_json::from_str(&good(&["solve", "tic_tac_toe", "--json"])).unwrap();
    assert_eq!((&json["solved"], &json["positions"]), (&true.into(), &5478.into()));
    assert_eq!(json["roles"][0]["low"], 50.0);
}

#[test]
fn nim_is_solved_from_any_heaps() {
    let state = "((heap a 1) (heap b 2) (heap c 3) (heap d 0) (control first))";
    assert!(good(&["solve", "nim", "--state", state]).contains("second wins with best play."));
    let out = good(&["solve", "nim"]);
    assert!(out.contains("(take b 4) (take c 4) (take d 4)"), "{out}");
}

#[test]
fn puzzles_have_shortest_plans() {
    let out = good(&["solve", "hanoi"]);
    assert!(out.contains("player gets 100 in 31 moves."), "{out}");
    let out = good(&["solve", "eight_puzzle"]);
    assert!(out.contains("in 31 moves") && out.contains("181,440 positions reachable"), "{out}");
}

#[test]
fn games_that_are_too_large_are_told_so() {
    let (code, out, _) =
        tafl(&["solve", "chess", "--positions", "200", "--proof-memory", "1000", "--time", "1"]);
    assert_eq!(code, 1, "{out}");
    assert!(out.contains("Not solved: there are more than 181 positions"), "{out}");
    let (code, _, err) = tafl(&["solve", "nothing_like_it"]);
    assert!(code == 2 && !err.contains("panicked"), "{err}");
}

#[test]
fn an_analysis_shows_size_structure_balance_features_and_value() {
    let arguments = ["analyse", "tic_tac_toe", "--playouts", "2000", "--learn", "300"];
    let out = good(&arguments);
    for part in
        ["roles take turns", "goals always sum to 100", "16 symmetries", "Balance", "A draw with best play"]
    {
        assert!(out.contains(part), "{part}:\n{out}");
    }
    assert_eq!(out, good(&arguments));
    let out = good(&["analyse", "hanoi", "--playouts", "200", "--learn", "0", "--json"]);
    let json: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["structure"]["counter"][0], "(step 0)");
}
