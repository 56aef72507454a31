//! `tafl ask`, `sample`, `exploit` and `solve` on games that hide something, as the built program does it.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::path::Path;
use std::process::Command;

/// Exit code, output and complaint of a run.
fn tafl(arguments: &[&str]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tafl"));
    command.args(arguments).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets"));
    command.env_remove("TAFL_GAMES").env_remove("NO_COLOR");
    let output = command.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[track_caller]
fn good(arguments: &[&str]) -> String {
    let (code, out, err) = tafl(arguments);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    out
}

/// The complaint of a run that could not be carried out, on one line.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let (code, out, err) = tafl(arguments);
    assert_eq!(code, 2, "{out}{err}");
    assert!(!err.contains("panicked"), "{err}");
    err.split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[test]
fn a_player_is_asked_after_what_it_did_and_saw() {
    let asked = ["ask", "exploding_bomb", "hyperplay(8,4)", "--times", "5"];
    let out = good(&[&asked[..], &["--saw", "noop", "--saw", "ASK: red"]].concat());
    assert!(out.contains("(cut red) chosen 5 times, worth 90.00"), "{out}");
    let json = good(&[&asked[..], &["--saw", "noop", "--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["role"], &json["after"][0]), (&"agent".into(), &"noop".into()));
    assert_eq!(json["moves"].as_array().unwrap().len(), 2);
}

#[test]
fn a_player_is_asked_after_moves_as_show_takes_them() {
    let asked = ["ask", "exploding_bomb", "hyperplay(8,4)", "--times", "5"];
    let saw = good(&[&asked[..], &["--saw", "noop", "--saw", "ask: red", "--json"]].concat());
    for moves in
        ["arm red; ask", "( ARM  red ); Ask", "(noop (arm red)); (ask noop)", "noop, arm red; ask, noop"]
    {
        assert_eq!(good(&[&asked[..], &["--after", moves, "--json"]].concat()), saw);
        assert!(good(&["show", "exploding_bomb", "--after", moves]).contains("(cut blue) (cut red)"));
        let possible = good(&["possible", "exploding_bomb", "--role", "agent", "--after", moves, "--json"]);
        assert!(possible.contains("\"moves\":[\"noop\",\"(arm red)\"]"), "{possible}");
    }
    let err = refused(&[&asked[..], &["--after", "arm green"]].concat());
    assert!(err.contains("`arm green` is not a legal move of random there."), "{err}");
}

#[test]
fn what_cannot_have_happened_is_refused() {
    for player in ["hyperplay(4,1)", "ismcts(10,4)", "random", "cfr(rounds=5)"] {
        let err = refused(&["ask", "kuhn_poker", player, "--times", "3", "--saw", "bet"]);
        let legal =
            "No history of this game agrees with step 1, `bet`: the only legal move of p1 there is `noop`.";
        assert!(err.contains(legal), "{player}: {err}");
        let err = refused(&["ask", "kuhn_poker", player, "--times", "3", "--saw", "noop"]);
        assert!(
            err.contains("step 1, `noop`: p1 cannot see that there while the match goes on."),
            "{player}: {err}"
        );
    }
}

#[test]
fn a_complaint_is_made_once() {
    for command in ["ask", "exploit"] {
        let err = refused(&[command, "kuhn_poker", "minimax"]);
        assert_eq!(err.matches("`minimax` plays only games that hide nothing").count(), 1, "{err}");
        assert!(err.contains("`auto`") && err.contains("`ismcts`") && err.contains("`pomcp`"), "{err}");
        let err = refused(&[command, "kuhn_poker", "hyperplay(0,1)"]);
        assert_eq!(err.matches("must be a number from 1").count(), 1, "{err}");
    }
}

#[test]
fn the_first_legal_move_can_be_exploited_and_an_equilibrium_hardly() {
    let exploitability = |player: &str| {
        let out = good(&["exploit", "kuhn_poker", player, "--answers", "1", "--json"]);
        let rows: serde_json::Value = serde_json::from_str(&out).unwrap();
        assert_eq!((&rows[0]["version"], &rows[0]["samples"]), (&2.into(), &1.into()), "{out}");
        assert_eq!(rows[0]["exploitability"]["kind"], "exact", "{out}");
        rows[0]["exploitability"]["value"].as_f64().unwrap()
    };
    assert!(exploitability("cfr(rounds=500)") < 1.0);
    assert!(exploitability("legal") > 5.0);
    let err = refused(&["exploit", "kuhn_poker", "legal", "--histories", "10"]);
    assert!(err.contains("there are more than 10 histories"), "{err}");
    let err = refused(&["exploit", "loaded_coin.kif", "legal"]);
    assert!(err.contains("different legal moves in states that look the same to it"), "{err}");
}

#[test]
fn it_is_said_whether_exploitability_is_exact() {
    for seed in ["1", "2", "3"] {
        let out = good(&["exploit", "kuhn_poker", "random", "--seed", seed]);
        assert!(out.contains("random: exploitability 11.458, exact ("), "{out}");
        assert!(out.contains("p1: value 53.125, a best response gets 62.500 (9.375 more)"), "{out}");
    }
    let out = good(&["exploit", "kuhn_poker", "ismcts", "--playouts", "10", "--answers", "4"]);
    let line = out.lines().find(|line| line.starts_with("ismcts(playouts=10): ")).unwrap();
    assert!(line.contains("exploitability between ") && line.contains(" (95 %), estimated from 4 samples ("));
}

#[test]
fn bags_of_models_are_never_empty() {
    let out = good(&["sample", "kuhn_poker", "mastermind_2c3p3g", "--matches", "3"]);
    assert!(out.contains("kuhn_poker") && out.contains("mastermind_2c3p3g"), "{out}");
    let out = good(&["sample", "kuhn_poker", "--role", "p1", "--matches", "5", "--json"]);
    assert!(serde_json::from_str::<serde_json::Value>(&out).is_ok(), "{out}");
}

#[test]
fn small_games_that_hide_something_are_solved() {
    let out = good(&["solve", "kuhn_poker", "--gap", "0.5", "--sets", "1"]);
    assert!(out.contains("The value is p1 48.") && out.contains("Duality gap"), "{out}");
    let out = good(&["solve", "exploding_bomb"]);
    assert!(out.contains("agent gets 90 with best play."), "{out}");
    let out = good(&["solve", "spy_vs_spy", "--gap", "1", "--sets", "0"]);
    assert!(out.contains("Strategies that leave little to regret:"), "{out}");
}

#[test]
fn strategies_that_leave_much_to_regret_are_no_solution() {
    for game in ["banker_split_2", "kuhn_poker"] {
        let (code, out, _) = tafl(&["solve", game, "--rounds", "1", "--sets", "0"]);
        assert!(code == 1 && out.contains("Not solved: "), "{code} {out}");
    }
}

#[test]
fn a_match_without_end_is_not_solved_for_ever() {
    let (code, out, _) = tafl(&["solve", "treadmill.kif", "--positions", "1000", "--time", "60"]);
    assert!(code == 1 && out.contains("Not solved: there are more than 1000 histories."), "{code} {out}");
    let err = refused(&["exploit", "treadmill.kif", "legal", "--histories", "1000"]);
    assert!(err.contains("there are more than 1000 histories"), "{err}");
}

#[test]
fn players_of_badly_made_sheets_make_moves_that_are_legal_for_certain() {
    let arguments = ["match", "loaded_coin.kif", "ismcts(100,32)", "random", "--explain"];
    let out = good(&arguments);
    assert!(out.contains("pass") && !out.contains("(say "), "{out}");
    assert!(out.contains("the only move that is legal in all models"), "{out}");
    assert!(out.contains("disagree about which moves are legal"), "{out}");
}

#[test]
fn an_analysis_of_a_game_with_very_many_symmetries_ends() {
    let out = good(&["analyse", "meier", "--time", "1", "--playouts", "100"]);
    assert!(out.contains("symmetries"), "{out}");
}
