//! What is kept of matches: listed, shown, resumed, copied; and a person who plays.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Room {
    folder: PathBuf,
}

impl Room {
    fn new(name: &str) -> Room {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("history-{name}"));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Room { folder }
    }

    /// Runs tafl with what is typed; exit code, output and complaints.
    fn run(&self, words: &[&str], typed: &str) -> (Option<i32>, String, String) {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tafl"))
            .args(words)
            .current_dir(&self.folder)
            .env_remove("TAFL_GAMES")
            .env("TAFL_STORE", self.folder.join("matches.sqlite"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // A program that does not read what is typed has its reasons.
        let _ = child.stdin.take().unwrap().write_all(typed.as_bytes());
        let done = child.wait_with_output().unwrap();
        let text = |bytes| String::from_utf8(bytes).unwrap();
        (done.status.code(), text(done.stdout), text(done.stderr))
    }

    #[track_caller]
    fn good(&self, words: &[&str]) -> String {
        let (code, out, err) = self.run(words, "");
        assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
        out
    }

    #[track_caller]
    fn refused(&self, words: &[&str]) -> String {
        let (code, out, err) = self.run(words, "");
        assert_eq!(code, Some(2), "{out}{err}");
        err
    }
}

#[test]
fn matches_are_kept_listed_and_shown_again() {
    let room = Room::new("shown");
    assert!(room.refused(&["history"]).contains("nothing has been played yet"));
    let told = room.good(&["match", "tic_tac_toe", "legal", "legal", "--seed", "3"]);
    room.good(&["match", "tic_tac_toe", "legal", "legal", "--seed", "3"]);
    room.good(&["match", "tic_tac_toe", "random", "random", "--seed", "4", "--no-store"]);
    let list = room.good(&["history"]);
    assert!(list.contains("tafl.tic_tac_toe.3\n    tic_tac_toe, 7 steps, x 100, o 0\n"), "{list}");
    assert!(list.contains("\ntafl.tic_tac_toe.3~2\n") && !list.contains("tafl.tic_tac_toe.4"), "{list}");
    assert!(list.lines().all(|line| line.chars().count() <= 80), "{list}");
    let shown = room.good(&["replay", "tafl.tic_tac_toe.3"]);
    let moves = |text: &str| text[text.find("   1. ").unwrap()..].to_string();
    assert_eq!(moves(&shown), moves(&told), "the same as it was told");
    assert!(room.good(&["replay", "tafl.tic_tac_toe.3", "--step", "1"]).contains("   1. x (mark 1 1)"));
    let boards = room.good(&["replay", "tafl.tic_tac_toe.3", "--boards"]);
    assert_eq!(boards.matches("     1 2 3\n").count(), 8);
    assert!(room.refused(&["replay", "tafl.tic_tac_toe.3", "--step", "9"]).contains("has 7 steps"));
    assert!(room.refused(&["replay", "nothing"]).contains("There is no match or series `nothing`"));
    let json: serde_json::Value = serde_json::from_str(&room.good(&["history", "--json"])).unwrap();
    assert_eq!(json["matches"].as_array().unwrap().len(), 2);
    assert_eq!(json["matches"][0]["end"]["goals"], serde_json::json!([100, 0]));
    let done = room.good(&["resume", "tafl.tic_tac_toe.3"]);
    assert!(done.contains("This match has ended"), "{done}");
}

#[test]
fn copies_are_exported_and_imported() {
    let room = Room::new("copies");
    room.good(&["match", "tic_tac_toe", "legal", "legal", "--seed", "3"]);
    room.good(&["match", "nim", "random", "random", "--repeat", "3", "--seed", "5"]);
    room.good(&["export", "-o", "all.jsonl"]);
    let all = fs::read_to_string(room.folder.join("all.jsonl")).unwrap();
    assert_eq!(all.lines().count(), 4);
    assert!(all.contains("\"ruleSheet\":") && all.contains("\"thinkingTimes\":"));
    assert_eq!(room.good(&["import", "all.jsonl"]), "0 imported, 4 already stored\n");
    assert_eq!(room.good(&["import", "all.jsonl", "--store", "copy.sqlite"]), "4 imported\n");
    assert_eq!(room.good(&["export", "--store", "copy.sqlite"]), all);
    assert_eq!(room.good(&["export", "--game", "nim", "--canonical"]).lines().count(), 3);
    fs::write(room.folder.join("bad.jsonl"), format!("{}\nnonsense\n", all.lines().next().unwrap())).unwrap();
    assert!(room.refused(&["import", "bad.jsonl"]).contains("bad.jsonl: line 2 is not a match record"));
    let archived = r#"{"url":"http://x","data":{"matchId":"other.1","states":["( a )"],"moves":[],"isCompleted":true,"goalValues":[100]}}"#;
    fs::write(room.folder.join("archive.jsonl"), archived).unwrap();
    assert_eq!(room.good(&["import", "archive.jsonl"]), "1 imported\n");
    assert!(room.good(&["history"]).contains("other.1"));
}

#[test]
fn a_record_of_the_reference_server_is_replayed_with_moves_and_goals() {
    let room = Room::new("foreign");
    // As ggp-base writes it: neither roles nor goals by role, and terms with spaces inside.
    let record = r#"{"matchId":"Test.nim.1","randomToken":"abc","startTime":1000,"stateTimes":[1001,1002],
        "isCompleted":true,"isAborted":false,"states":["( ( control x ) )","( ( cell 2 2 x ) ( control o ) )"],
        "moves":[["( mark 2 2 )","noop"]],"errors":[["",""],["",""]],"goalValues":[100,0],
        "previewClock":-1,"startClock":10,"playClock":5,"playerNamesFromHost":["One","Two"],"scrambled":false}"#;
    fs::write(room.folder.join("record.json"), record.replace('\n', "")).unwrap();
    let wrong = room.refused(&["import", "record.json", "--game", "eight_puzzle"]);
    assert!(wrong.contains("line 1 is a match of 2 roles, but eight_puzzle has 1"), "{wrong}");
    assert_eq!(room.good(&["import", "record.json", "--game", "tic_tac_toe"]), "1 imported\n");
    assert_eq!(
        room.good(&["import", "record.json", "--game", "tic_tac_toe"]),
        "0 imported, 1 already stored\n"
    );
    let told = room.good(&["replay", "Test.nim.1"]);
    for part in
        ["tic_tac_toe", "x = One, o = Two", "   1. x (mark 2 2)", "  2  . x .", "After 1 step: x 100, o 0"]
    {
        assert!(told.contains(part), "{part}: {told}");
    }
    // Without the game, roles have numbers.
    assert_eq!(room.good(&["import", "record.json", "--store", "other.sqlite"]), "1 imported\n");
    let told = room.good(&["replay", "Test.nim.1", "--store", "other.sqlite"]);
    assert!(told.contains("role1 (mark 2 2)") && told.contains("role1 100, role2 0"), "{told}");
}

#[test]
fn an_exported_series_comes_back_and_can_be_resumed() {
    let room = Room::new("series-copies");
    let told = room.good(&["match", "nim", "random", "legal", "--repeat", "6", "--seed", "5"]);
    room.good(&["export", "--series", "tafl.nim.5", "-o", "series.jsonl"]);
    let copy = ["--store", "copy.sqlite"];
    let on_copy = |words: &[&str]| room.good(&[words, &copy[..]].concat());
    assert_eq!(on_copy(&["import", "series.jsonl"]), "6 imported\n");
    assert_eq!(on_copy(&["import", "series.jsonl"]), "0 imported, 6 already stored\n");
    let list = on_copy(&["history", "--series", "tafl.nim.5", "--json"]);
    let list: serde_json::Value = serde_json::from_str(&list).unwrap();
    assert_eq!(list["matches"].as_array().unwrap().len(), 6);
    let counts = |words: &[&str]| -> serde_json::Value {
        let counts: serde_json::Value = serde_json::from_str(&room.good(words)).unwrap();
        counts["counts"].clone()
    };
    let resume = ["resume", "tafl.nim.5", "--json"];
    assert_eq!(counts(&[&resume[..], &copy[..]].concat()), counts(&resume), "{told}");
    // The lines without their plan: the matches are there, and the series is not.
    let lines = fs::read_to_string(room.folder.join("series.jsonl")).unwrap();
    let rest: String = lines.lines().skip(1).map(|line| format!("{line}\n")).collect();
    fs::write(room.folder.join("rest.jsonl"), rest).unwrap();
    let told = room.good(&["import", "rest.jsonl", "--store", "rest.sqlite"]);
    assert!(told.starts_with("5 imported\n5 outside of their series: "), "{told}");
}

#[test]
fn a_series_gives_the_same_counts_whether_or_not_it_is_kept() {
    let room = Room::new("series");
    let words = ["match", "nim", "random", "legal", "--repeat", "12", "--rotate", "--json", "--seed", "8"];
    let counts = |extra: &[&str]| -> serde_json::Value {
        let mut counts: serde_json::Value =
            serde_json::from_str(&room.good(&[&words[..], extra].concat())).unwrap();
        counts["seconds"] = serde_json::Value::Null;
        for count in counts["counts"].as_array_mut().unwrap() {
            count["slowest_ms"] = serde_json::Value::Null;
        }
        counts
    };
    let plain = counts(&["--no-store"]);
    assert_eq!(counts(&[]), plain);
    assert_eq!(counts(&["--jobs", "3"]), plain);
    let list: serde_json::Value =
        serde_json::from_str(&room.good(&["history", "--series", "tafl.nim.8", "--json"])).unwrap();
    assert_eq!(list["matches"].as_array().unwrap().len(), 12);
}

#[test]
fn the_records_of_a_series_are_what_they_were() {
    let room = Room::new("records");
    room.good(&["match", "nim", "random", "legal", "--repeat", "4", "--rotate", "--seed", "8"]);
    let found = room.good(&["export", "--series", "tafl.nim.8", "--canonical"]);
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/series/nim.jsonl");
    let kept = fs::read_to_string(path).unwrap();
    assert!(found == kept, "{found}");
}

#[test]
fn a_person_plays_at_the_terminal() {
    let room = Room::new("person");
    let words = ["match", "tic_tac_toe", "human", "legal"];
    let (code, out, err) = room.run(&words, "5\nnonsense\n?\nmark 3\n3 1\n1\n1\n1\n1\n");
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.contains("x, your move (a number, or part of a move): "), "{out}");
    assert!(out.contains("`nonsense` is not one of your moves."), "{out}");
    assert!(out.contains("a part that only one move contains."), "{out}");
    assert!(out.contains("`mark 3` matches 5 moves:\n  2:(mark 1 3) "), "{out}");
    assert!(out.contains("   1. x (mark 2 2)\n") && out.contains("x (mark 3 1)"), "{out}");
    let record = room.good(&["replay", "tafl.tic_tac_toe.1", "--json"]);
    assert!(record.contains("\"isPlayerHuman\": [\n    true,\n    false\n  ]"), "{record}");
    let (code, out, _) = room.run(&words, "");
    assert!(
        code == Some(0) && out.contains("standard input is closed; a random legal move was made"),
        "{out}"
    );
}

#[test]
fn bad_answers_are_replaced_as_told() {
    let room = Room::new("replaced");
    let nobody = "http://127.0.0.1:9";
    let lost = room.good(&["match", "tic_tac_toe", nobody, "legal", "--replace", "forfeit"]);
    assert!(lost.contains("x loses after 0 steps: 127.0.0.1:9: the connection was refused."), "{lost}");
    let first = room.good(&["match", "tic_tac_toe", nobody, "legal", "--replace", "first"]);
    assert!(first.contains("the first legal move was made") && first.contains("x 100, o 0"), "{first}");
    assert!(room.refused(&["match", "tic_tac_toe", "http://", "legal"]).contains("Usage: http://HOST:PORT"));
}

#[test]
fn a_player_in_a_process_of_its_own_plays() {
    let room = Room::new("process");
    let told = room.good(&["match", "tic_tac_toe", "process(legal)", "process(legal)"]);
    assert!(told.contains("After 7 steps: x 100, o 0") && !told.contains("was made"), "{told}");
}
