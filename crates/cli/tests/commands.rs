//! The built program: every command once, wrong input, same bytes twice.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What a run of the program gave.
struct Ran {
    code: i32,
    out: String,
    err: String,
}

fn ran(output: Output) -> Ran {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
    Ran {
        code: output.status.code().expect("it ends by itself"),
        out: text(output.stdout),
        err: text(output.stderr),
    }
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tafl"));
    command.args(arguments).current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets"));
    command.env_remove("TAFL_GAMES").env_remove("NO_COLOR");
    command.env("TAFL_STORE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("commands.sqlite"));
    command
}

fn tafl(arguments: &[&str]) -> Ran {
    ran(command(arguments).output().unwrap())
}

/// Runs a command that must go well, and gives its output.
#[track_caller]
fn good(arguments: &[&str]) -> String {
    let ran = tafl(arguments);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let wide = ran.out.lines().find(|line| line.chars().count() > 80 && !line.starts_with(['{', ' ', '"']));
    assert!(wide.is_none() || ["completions", "games"].contains(&arguments[0]), "{wide:?}");
    ran.out
}

/// Runs a command that cannot be carried out, and gives its complaint.
#[track_caller]
fn refused(arguments: &[&str]) -> String {
    let ran = tafl(arguments);
    assert_eq!(ran.code, 2, "{}{}", ran.out, ran.err);
    assert!(!ran.err.contains("panicked") && !ran.err.contains("backtrace"), "{}", ran.err);
    ran.err
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn show_draws_the_board_and_lists_the_moves() {
    let expected = "\
cross
Roles: x, o

((cell 1 2 x) (control o))

  2  x .
  1  . .
     1 2

  (control o)

x has one move: noop
o has 3 moves:
  (mark 1 1) (mark 2 1) (mark 2 2)
Goals here: x 50, o 50
";
    assert_eq!(good(&["show", "cross.kif", "--state", "(control o) (cell 1 2 x)"]), expected);
    let json: serde_json::Value = serde_json::from_str(&good(&["show", "cross.kif", "--json"])).unwrap();
    assert_eq!(json["roles"][0]["legal"].as_array().unwrap().len(), 4);
    assert_eq!(json["state"], "((control x))");
    assert_eq!(json["terminal"], false);
}

#[test]
fn show_draws_pictures_after_moves() {
    let drawn = tafl(&["show", "tic_tac_toe", "--after", "mark 2 2; (mark 1 3)", "--svg", "-"]).out;
    assert!(drawn.starts_with("<svg ") && drawn.ends_with("</svg>\n"), "{drawn}");
    assert!(drawn.contains("class=\"piece piece-x\" data-cell=\"2 2\""), "{drawn}");
    assert!(drawn.contains("class=\"cell square-light changed\" data-cell=\"1 3\""), "{drawn}");
    let file = scratch("pictures").join("four.svg");
    let path = file.to_str().unwrap();
    let said = tafl(&["show", "connect_four", "--random-steps", "9", "--seed", "2", "--svg", path]).out;
    assert_eq!(said, format!("Wrote {path}.\n"));
    assert!(fs::read_to_string(file).unwrap().contains("data-cell=\"7\""));
    let wrong = refused(&["show", "tic_tac_toe", "--after", "mark 2 2; mark 2 2", "--svg", "-"]);
    assert!(wrong.contains("`mark 2 2` is not a legal move of o there."), "{wrong}");
    let wrong = refused(&["show", "tic_tac_toe", "--after", "mark 2 2, mark 1 1"]);
    assert!(wrong.contains("`mark 1 1` is one move too many: nobody else has a choice there."), "{wrong}");
    let wrong = refused(&["show", "tic_tac_toe", "--after", "mark 2 2, noop, mark 1 1, mark 1 2"]);
    assert!(wrong.contains("`mark 1 1`, `mark 1 2` are 2 moves too many"), "{wrong}");
    let wrong = refused(&["show", "tic_tac_toe", "--after", "((mark 2 2) (mark 1 1))"]);
    assert!(wrong.contains("`(mark 1 1)` is not a legal move of o there."), "{wrong}");
    let wrong = refused(&["show", "tic_tac_toe", "--svg", "/no/such/folder/x.svg"]);
    assert!(wrong.contains("Cannot write"), "{wrong}");
}

#[test]
fn perft_counts_from_the_beginning_or_from_a_state() {
    assert_eq!(
        good(&["perft", "cross.kif", "--depth", "5", "--plain"]),
        "0 1 0\n1 4 0\n2 12 0\n3 24 0\n4 24 24\n5 0 0\n"
    );
    let from =
        good(&["perft", "cross.kif", "--depth", "1", "--plain", "--state", "((cell 1 1 x) (control o))"]);
    assert_eq!(from, "# from ((cell 1 1 x) (control o))\n0 1 0\n1 3 0\n");
    let table = good(&["perft", "cross.kif", "--depth", "2"]);
    assert!(table.starts_with("cross, reasoner circuit (the rules can be grounded)\n"), "{table}");
    assert!(
        good(&["perft", "pit.kif", "--depth", "1", "--plain"])
            .contains("# depth 1: 1 end in a dead end, where a role has no legal move")
    );
}

#[test]
fn check_draws_errors_under_the_text() {
    let ran = tafl(&["check", "broken.kif"]);
    assert_eq!(ran.code, 1, "{}", ran.out);
    assert!(ran.out.contains("--> broken.kif:"), "{}", ran.out);
    assert!(ran.out.contains("error["), "{}", ran.out);
    assert!(!ran.out.contains('\u{1b}'), "no colours in a file");
    let coloured = tafl(&["check", "broken.kif", "--color", "always"]);
    assert!(coloured.out.contains('\u{1b}'));
    assert_eq!(good(&["check", "cross.kif"]), "good cross.kif: 18 clauses, nothing to report\n");
}

#[test]
fn check_gives_json_and_sarif() {
    let ran = tafl(&["check", "broken.kif", "cross.kif", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(ran.code, 1);
    assert_eq!(json["version"], 1);
    assert_eq!(json["files"][1]["errors"], 0);
    let first = &json["files"][0]["diagnostics"][0];
    assert!(first["place"]["line"].as_u64().unwrap() >= 1 && first["code"].is_string(), "{first}");
    let ran = tafl(&["check", "pit.kif", "broken.kif", "--format", "sarif", "--play", "20"]);
    let sarif: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(sarif["version"], "2.1.0");
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    assert!(results.iter().any(|result| result["ruleId"] == "dead-end"), "{results:?}");
}

#[test]
fn check_plays_and_shows_what_went_wrong() {
    let ran = tafl(&["check", "pit.kif", "--play", "20"]);
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("error[dead-end]:\n"), "{}", ran.out);
    let words: Vec<&str> = ran.out.split_whitespace().collect();
    assert!(words.join(" ").contains("in the first, walker has none"), "{}", ran.out);
    assert!(ran.out.contains("    (at pit)\n"), "{}", ran.out);
    assert!(words.join(" ").contains("such as (<= (legal walker noop) ...)"), "{}", ran.out);
    assert!(ran.out.starts_with("pit.kif: 8 clauses, 1 error in play\n"), "{}", ran.out);
    let goals = scratch("goals").join("goals.kif");
    let sheet =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sheets/pit.kif")).unwrap();
    let sheet = sheet.replace("(<= terminal (true (at exit)))", "(<= terminal (not (true (at fork))))");
    fs::write(&goals, format!("{sheet}(<= (goal walker 0) (true (at exit)))\n")).unwrap();
    let ran = tafl(&["check", goals.to_str().unwrap(), "--play", "20"]);
    let words = ran.out.split_whitespace().collect::<Vec<&str>>().join(" ");
    assert!(words.contains("error[no-goal]:") && words.contains("walker has no goal value"), "{words}");
    assert!(words.contains("error[several-goals]:") && words.contains("walker has 0 and 100"), "{words}");
    let away =
        "(role r)\n(init (n 0))\n(legal r go)\n(<= (next (n (s ?x)))\n    (true (n ?x)))\n(goal r 0)\n";
    fs::write(&goals, format!("{away}(<= terminal (true (n 1)))\n")).unwrap();
    let ran = tafl(&["check", goals.to_str().unwrap(), "--play", "20"]);
    assert!(ran.code == 1 && ran.out.contains("in the rule for `next` (line 4)"), "{}", ran.out);
    assert!(good(&["check", "cross.kif", "--play", "20"]).contains("20 random games, 4 to 4 steps long"));
}

#[test]
fn check_reads_standard_input() {
    let mut child = command(&["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"(role x").unwrap();
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!(ran.code, 1);
    assert!(ran.out.contains("--> -:1:1"), "{}", ran.out);
}

#[test]
fn sheets_are_converted_there_and_back() {
    let folder = scratch("convert");
    let infix = good(&["convert", "cross.kif", "--to", "hrf"]);
    assert!(infix.contains("terminal :- ~some_open"), "{infix}");
    let (hrf, kif) = (folder.join("cross.hrf"), folder.join("cross.kif"));
    let (hrf, kif) = (hrf.to_str().unwrap(), kif.to_str().unwrap());
    assert_eq!(good(&["convert", "cross.kif", "--to", "hrf", "-o", hrf]), "");
    assert_eq!(good(&["convert", hrf, "--to", "kif", "-o", kif]), "");
    let trace = |game: &str| good(&["trace", game, "--playouts", "3", "--seed", "5"]);
    assert_eq!(trace(hrf), trace("cross.kif"));
    assert_eq!(trace(kif), trace("cross.kif"));
    let ran = tafl(&["convert", "broken.kif", "--to", "hrf"]);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("error["));
}

#[test]
fn traces_are_verified_and_differences_shown() {
    let folder = scratch("verify");
    let text = good(&["trace", "coin.kif", "--playouts", "2", "--seed", "3"]);
    assert!(text.contains("\"percepts\":{\"guesser\":[\"thrown\"],\"random\":[]}"), "{text}");
    let (right, wrong) = (folder.join("right.jsonl"), folder.join("wrong.jsonl"));
    fs::write(&right, &text).unwrap();
    fs::write(&wrong, text.replace("\"(say heads)\",\"(say tails)\"", "\"(say heads)\",\"(say edge)\""))
        .unwrap();
    let (right, wrong) = (right.to_str().unwrap(), wrong.to_str().unwrap());
    assert_eq!(good(&["verify", "coin.kif", right]), format!("same {right}: 6 states\n"));
    let ran = tafl(&["verify", "coin.kif", right, wrong, "--reasoner", "interpreter"]);
    assert_eq!(ran.code, 1);
    let expected = format!(
        "same {right}: 6 states\ndiffers {wrong}\n  line 3, playout 0, ply 1: legal moves of guesser\n  \
         only recorded:\n    (say edge)\n  only here:\n    (say tails)\n"
    );
    assert_eq!(ran.out, expected);
    let ran = tafl(&["verify", "coin.kif", right, wrong, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!((ran.code, &json["files"][0]["result"]), (1, &"same".into()));
    assert_eq!(json["files"][1]["difference"]["only_recorded"], serde_json::json!(["(say edge)"]));
    fs::write(folder.join("bad.jsonl"), "nonsense\n").unwrap();
    assert!(
        refused(&["verify", "coin.kif", folder.join("bad.jsonl").to_str().unwrap()])
            .contains("line 1 is not in the trace format")
    );
}

#[test]
fn a_trace_from_a_state_can_be_verified() {
    let folder = scratch("from");
    let path = folder.join("from.jsonl");
    let path = path.to_str().unwrap();
    good(&["trace", "cross.kif", "--state", "((cell 1 1 x) (control o))", "-o", path]);
    assert!(good(&["verify", "cross.kif", path]).ends_with(": 4 states\n"));
}

#[test]
fn many_matches_are_counted_with_intervals() {
    let counts = good(&["match", "cross.kif", "legal", "legal", "--repeat", "3", "--rotate"]);
    assert!(counts.starts_with("cross, 3 matches, seed 1, 1 s per move\n"), "{counts}");
    assert!(counts.contains("  all ") && counts.contains("0 came after the deadline."), "{counts}");
    // The counts are the same with any number of matches side by side.
    let with = |jobs: &str| {
        let all = ["match", "cross.kif", "random", "legal", "--repeat", "8", "--csv", "--jobs", jobs];
        let rows: Vec<String> = tafl(&all).out.lines().map(String::from).collect();
        assert_eq!(rows.len(), 3);
        rows.iter().map(|row| row.split(',').take(11).collect::<Vec<_>>().join(",")).collect::<Vec<_>>()
    };
    assert_eq!(with("1"), with("3"));
    let json = good(&["match", "cross.kif", "legal", "legal", "--repeat", "2", "--json"]);
    assert!(json.contains("\"version\": 1") && json.contains("\"drawn\": 2"), "{json}");
    assert!(
        refused(&["match", "cross.kif", "legal", "legal", "--play-clock", "soon"])
            .contains("it must be a number of seconds, such as 5 or 0.2")
    );
}

#[test]
fn one_role_is_told_its_mean_goal_and_a_forfeit_is_told_as_lost() {
    let told = good(&["match", "number_guessing_8", "random", "--repeat", "5", "--no-store"]);
    assert!(told.contains("matches    goal  95 % interval") && !told.contains("won"), "{told}");
    let rows = tafl(&["match", "number_guessing_8", "random", "--repeat", "5", "--no-store", "--csv"]).out;
    assert!(rows.lines().nth(1).unwrap().starts_with("number_guessing_8,random,agent,5,,,,"), "{rows}");
    let words =
        ["match", "cross.kif", "http://127.0.0.1:9", "legal", "--repeat", "2", "--replace", "forfeit"];
    let told = good(&[&words[..], &["--no-store"]].concat());
    let whom = "2 by http://127.0.0.1:9 as x (127.0.0.1:9: the connection was refused)";
    assert!(told.contains(&format!("2 matches were forfeited and count as lost:\n  {whom}\n")), "{told}");
    assert!(!told.contains("counted as drawn"), "{told}");
    let rows: Vec<&str> = told.lines().filter(|line| line.starts_with("  ")).collect();
    assert!(rows[1].split_whitespace().eq("x 0 0 2 0.0 0.0 to 84.2".split(' ')), "{told}");
    assert!(rows[2].split_whitespace().eq("o 2 0 0 100.0 15.8 to 100.0".split(' ')), "{told}");
    let json = good(&[&words[..], &["--no-store", "--json"]].concat());
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let x = &json["counts"][0];
    assert_eq!((&x["lost"], &x["drawn"], &x["score"]), (&2.into(), &0.into(), &0.0.into()), "{json}");
    assert_eq!((&json["forfeited"], &json["faults_of"][0]["role"]), (&2.into(), &"x".into()), "{json}");
}

#[test]
fn reasons_stand_below_the_moves() {
    let told = good(&["match", "cross.kif", "mcts(playouts=50)", "lookahead", "--explain"]);
    for part in ["value ", "expected ", "playouts ", "no move wins at once"] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

#[test]
fn a_match_is_played_and_told() {
    let expected = "\
cross, seed 1, reasoner circuit (the rules can be grounded)
x = legal, o = legal

   1. x (mark 1 1)
   2. o (mark 1 2)
   3. x (mark 2 1)
   4. o (mark 2 2)

  2  o o
  1  x x
     1 2

  (control x)

After 4 steps: x 50, o 50
";
    assert_eq!(good(&["match", "cross.kif", "legal", "legal"]), expected);
    let record = good(&["match", "coin.kif", "random", "--seed", "9", "--json"]);
    let record: serde_json::Value = serde_json::from_str(&record).unwrap();
    assert_eq!(record["playerNamesFromHost"], serde_json::json!(["random", "random"]));
    assert_eq!(record["errors"].as_array().unwrap().len(), 3);
    assert_eq!(record["percepts"][0], serde_json::json!([["thrown"], []]));
    assert!(good(&["match", "pit.kif", "random", "--seed", "1"]).contains("step"));
    let timed = good(&["match", "cross.kif", "legal", "legal", "--json", "--times"]);
    assert!(timed.contains("\"stateTimes\""));
    let from = good(&["match", "cross.kif", "legal", "legal", "--state", "((cell 1 1 x) (control o))"]);
    assert!(from.contains("from ((cell 1 1 x) (control o))\n") && from.contains("After 3 steps"), "{from}");
}

#[test]
fn a_new_sheet_plays_and_is_never_overwritten() {
    let folder = scratch("new");
    let mut create = command(&["new", "mygame"]);
    create.current_dir(&folder);
    let first = ran(create.output().unwrap());
    assert_eq!((first.code, first.err.as_str()), (0, ""));
    assert!(first.out.starts_with("Created mygame.kif"));
    let path = folder.join("mygame.kif");
    let path = path.to_str().unwrap();
    let checked = good(&["check", path, "--strict", "--play", "50"]);
    assert!(checked.contains("nothing to report") && checked.contains("50 random games"), "{checked}");
    let before = fs::read(path).unwrap();
    let second = ran(create.output().unwrap());
    assert_eq!(second.code, 2);
    assert!(second.err.contains("already exists"));
    assert_eq!(fs::read(path).unwrap(), before);
}

#[test]
fn the_state_graph_is_listed_and_drawn() {
    let list = good(&["graph-of", "pit.kif", "--depth", "3"]);
    let expected = "\
0 (depth 0): ((at fork))
  left -> 1
  right -> 2
1 (depth 1): ((at exit))
  over: walker 100
2 (depth 1): ((at pit))
  dead end: a role has no legal move
3 states, 2 moves
";
    assert_eq!(list, expected);
    let dot = good(&["graph-of", "cross.kif", "--depth", "2", "--dot"]);
    assert!(
        dot.starts_with("digraph \"cross\" {\n") && dot.contains("s0 -> s1 [label=\"(mark 1 1)\"];"),
        "{dot}"
    );
    assert!(
        refused(&["graph-of", "cross.kif", "--depth", "4", "--max-states", "5"]).contains("--max-states")
    );
}

#[test]
fn the_library_players_and_reasoners_are_listed() {
    let games = good(&["games"]);
    assert!(games.contains("tic_tac_toe ") && games.contains("`tafl show NAME` shows one."), "{games}");
    let json: serde_json::Value = serde_json::from_str(&good(&["games", "--json"])).unwrap();
    let games = json["games"].as_array().unwrap();
    assert!(games.iter().any(|game| game["name"] == "connect_four" && game["title"] == "Connect Four"));
    let players = good(&["players"]);
    assert!(
        players.contains("legal\n    always makes the first legal move in canonical order\n"),
        "{players}"
    );
    assert!(players.contains("\n    with playouts=N, states=N, "), "{players}");
    assert!(good(&["reasoners"]).contains("interpreter  "));
    for (what, name) in [("players", "mcts"), ("reasoners", "prover")] {
        let json: serde_json::Value = serde_json::from_str(&good(&[what, "--json"])).unwrap();
        let all = json[what].as_array().unwrap();
        let found = all.iter().find(|entry| entry["name"] == name).unwrap();
        assert!(json["version"] == 1 && found["usage"].as_str().unwrap().starts_with(name), "{json}");
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(good(&["completions", shell]).contains("graph-of"));
    }
}

#[test]
fn manual_pages_and_completions_are_installed() {
    let folder = scratch("install");
    let told = tafl(&["install", "--dir", folder.to_str().unwrap()]);
    assert_eq!((told.code, told.err.as_str()), (0, ""));
    let read = |path: &str| fs::read_to_string(folder.join(path)).unwrap();
    assert!(read("man/man1/tafl.1").contains("tafl plays any game from its rules alone"));
    assert!(read("man/man1/tafl-graph-show.1").contains("\\-\\-state"));
    for path in [
        "man/man1",
        "bash-completion/completions/tafl",
        "zsh/site-functions/_tafl",
        "fish/vendor_completions.d/tafl.fish",
    ] {
        assert!(told.out.contains(folder.join(path).to_str().unwrap()), "{}", told.out);
        assert!(folder.join(path).is_dir() || read(path).contains("graph-of"), "{path}");
    }
    assert!(!folder.join("man/man1/tafl-bench-sheet.1").exists(), "hidden commands have no page");
    let wrong = refused(&["install", "--dir", "/dev/null"]);
    assert!(wrong.contains("Cannot write /dev/null/man/man1/tafl.1"), "{wrong}");
}

#[test]
fn games_are_found_by_words_kinds_and_roles() {
    let names = |words: &[&str]| -> Vec<String> {
        let json: serde_json::Value =
            serde_json::from_str(&good(&[&["games", "--json"], words].concat())).unwrap();
        let all = json["games"].as_array().unwrap().iter();
        all.map(|game| game["name"].as_str().unwrap().to_string()).collect()
    };
    assert_eq!(names(&["CHECKMATE", "castling"]), ["chess"]);
    assert!(names(&["poker"]).contains(&"kuhn_poker".to_string()));
    let hidden = names(&["--kind", "hidden", "--roles", "2"]);
    assert!(hidden.contains(&"kuhn_poker".to_string()), "{hidden:?}");
    assert!(!hidden.contains(&"chess".to_string()) && !hidden.contains(&"exploding_bomb".to_string()));
    assert!(names(&["--kind", "hidden", "--roles", "1"]).contains(&"exploding_bomb".to_string()));
    assert_eq!(good(&["games", "no such words"]), "No game matches. `tafl games` lists them all.\n");
    let wrong = refused(&["games", "--kind", "simultanous"]);
    assert!(wrong.contains("No game is of the kind `simultanous`. Did you mean `simultaneous`?"), "{wrong}");
    assert!(!good(&["games"]).contains('…'), "titles are whole where no person reads them");
    // Rules without a word about them are described by what they show.
    let all = names(&["--games", ".", "--kind", "hidden"]);
    assert!(all.contains(&"coin".to_string()) && !all.contains(&"cross".to_string()), "{all:?}");
}

#[test]
fn wrong_input_is_answered_in_plain_words() {
    assert!(refused(&["show", "tic_tac_to"]).contains("Did you mean `tic_tac_toe`"));
    assert!(refused(&["show", "nowhere.kif"]).contains("Cannot read nowhere.kif: there is no such file."));
    assert!(refused(&["show", "hunt.gps"]).contains("graph grammar"));
    assert!(refused(&["show", "broken.kif"]).contains("Run `tafl check broken.kif` for details."));
    assert!(
        refused(&["match", "cross.kif", "random"]).contains("cross needs 2 players (for x, o), 1 given.")
    );
    assert!(
        refused(&["match", "cross.kif", "random", "clever"])
            .contains("There is no player `clever`. Possible: auto, cfr, cheat, ")
    );
    assert!(
        refused(&["perft", "cross.kif", "--depth", "2", "--reasoner", "fast"])
            .contains("There is no reasoner `fast`")
    );
    let said = refused(&["match", "connect_four", "mtcs(playouts=5)", "random"]);
    assert!(said.contains("There is no player `mtcs`. Did you mean `mcts`?"), "{said}");
    let said = refused(&["show", "cross.kif", "--reasoner", "porver"]);
    assert!(said.contains("There is no reasoner `porver`. Did you mean `prover`?"), "{said}");
    assert!(refused(&["show", "cross.kif", "--state", "((cell ?x 1 x))"]).contains("is not a fact"));
    assert!(refused(&["show", "cross.kif", "--state-file", "none.txt"]).contains("Cannot read none.txt"));
    assert!(refused(&["games", "--games", "no_such_folder"]).contains("Cannot read no_such_folder"));
    assert!(refused(&["frobnicate"]).contains("unrecognized subcommand"));
}

#[test]
fn numbers_out_of_range_are_answered_with_what_is_possible() {
    let jobs = "it must be a whole number from 1 to 1,024, such as 4";
    for (words, said) in [
        (
            vec!["match", "cross.kif", "legal", "legal", "--repeat", "0"],
            "a whole number, 1 or more, such as 100",
        ),
        (vec!["match", "cross.kif", "legal", "legal", "--repeat", "2", "--jobs", "0"], jobs),
        (vec!["perft", "cross.kif", "--depth", "deep"], "a whole number, 0 or more, such as 5"),
        (vec!["perft", "cross.kif", "--depth", "5000000000"], "from 0 to 4,294,967,295, such as 5"),
        (vec!["sample", "kuhn_poker", "--jobs", "2000"], jobs),
        (vec!["solve", "cross.kif", "--gap", "101"], "a number from 0 to 100, such as 0.5"),
        (vec!["ask", "cross.kif", "legal", "--times", "0"], "from 1 to 10,000,000, such as 100"),
        (vec!["graph", "serve", "--port", "70000"], "from 0 to 65,535, such as 8080"),
    ] {
        let err = refused(&words);
        assert!(err.contains(said) && !err.contains("..="), "{words:?}: {err}");
    }
}

#[test]
fn every_command_has_help_with_an_example() {
    let commands = [
        "check",
        "convert",
        "games",
        "show",
        "perft",
        "verify",
        "trace",
        "match",
        "tournament",
        "worker",
        "collect",
        "experiment",
        "player",
        "resume",
        "history",
        "replay",
        "export",
        "import",
        "new",
        "graph-of",
        "players",
        "reasoners",
        "completions",
        "install",
    ];
    for name in commands {
        let help = good(&[name, "--help"]);
        assert!(help.contains("Example") && help.contains(&format!("  tafl {name}")), "{help}");
        assert!(help.lines().all(|line| line.chars().count() <= 80), "{help}");
    }
    assert!(good(&["--help"]).contains("Exit codes"));
}

#[test]
fn an_experiment_writes_the_parts_it_ran_and_a_report_none() {
    let folder = scratch("experiment");
    let part = |name: &str| {
        format!(
            "[[part]]\nname = \"{name}\"\nkind = \"playouts\"\ngame = \"tic_tac_toe\"\nplayouts = 100\nseed = 1\n"
        )
    };
    let figure = "[[figure]]\ntable = \"t\"\nlabel = \"l\"\npart = \"one\"\nmeasure = \"length\"\n";
    let head = "title = \"t\"\nsource = \"s\"\nquestion = \"q\"\n";
    fs::write(folder.join("experiment.toml"), format!("{head}{}{}{figure}", part("one"), part("two")))
        .unwrap();
    let name = folder.to_str().unwrap();
    good(&["experiment", "run", name, "--no-store"]);
    let results = folder.join("results");
    let [one, two] = ["one", "two"].map(|part| results.join(format!("{part}.json")));
    // Someone else wrote them meanwhile, in the same words with more room between them.
    let wider = |path: &PathBuf| fs::read_to_string(path).unwrap().replace(':', " : ");
    let (ours, theirs) = (wider(&one), wider(&two));
    fs::write(&one, &ours).unwrap();
    fs::write(&two, &theirs).unwrap();
    good(&["experiment", "report", name]);
    assert_eq!([&one, &two].map(|path| fs::read_to_string(path).unwrap()), [ours.clone(), theirs.clone()]);
    good(&["experiment", "run", name, "--no-store", "--part", "one"]);
    assert_ne!(fs::read_to_string(&one).unwrap(), ours);
    assert_eq!(fs::read_to_string(&two).unwrap(), theirs);
}

#[test]
fn an_experiment_is_played_again_and_compared_with_its_archive() {
    let folder = scratch("verify");
    let part = |name: &str, players: &str| {
        format!("[[part]]\nname = \"{name}\"\ngames = [\"tic_tac_toe\"]\nmatches = 4\nplayers = {players}\n")
    };
    let text = [
        "title = \"t\"\nsource = \"s\"\n",
        &part("one", "[\"random\", \"legal\"]"),
        &part("clock", "[\"mcts\", \"legal\"]\nstart_clock = 1\nplay_clock = 1"),
    ]
    .concat();
    fs::write(folder.join("experiment.toml"), text).unwrap();
    let name = folder.to_str().unwrap();
    good(&["experiment", "run", name, "--no-store", "--part", "one"]);
    let archive = folder.join("results/one.results.gz");
    let written = fs::read(&archive).unwrap();
    assert_eq!(good(&["experiment", "verify", name]), "one: the same as archived\n");
    assert_eq!(fs::read(&archive).unwrap(), written);
    assert!(refused(&["experiment", "verify", name, "--part", "clock"]).contains("Nothing to compare"));
    fs::remove_file(&archive).unwrap();
    let nothing = tafl(&["experiment", "verify", name]);
    assert_eq!((nothing.code, nothing.out.as_str()), (1, "one: there is nothing to compare with\n"));
}

#[test]
fn a_missing_shard_is_named() {
    let folder = scratch("shards");
    let spec = "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nmatches = 4\nseed = 1\n";
    let path = |name: &str| folder.join(name).to_str().unwrap().to_string();
    fs::write(path("spec.toml"), spec).unwrap();
    let (plan, parts, out) = (path("plan.json"), path("parts"), path("report"));
    good(&["tournament", &path("spec.toml"), "--write-plan", &plan]);
    let worker = |shard: &str| tafl(&["worker", "--plan", &plan, "--shard", shard, "--out", &parts]).code;
    assert_eq!((worker("0/3"), worker("2/3")), (0, 0));
    let collect = ["collect", "--plan", &plan, &parts, "--out", &out];
    let ran = tafl(&collect);
    let told = "Shard 1/3 is missing; run the worker with --shard 1/3.\n";
    assert!(ran.code == 1 && ran.out.contains(told), "{}", ran.out);
    let json = tafl(&[&collect[..], &["--json"]].concat()).out;
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!((&json["complete"], &json["missing"]), (&false.into(), &serde_json::json!(["1/3"])));
    assert_eq!(worker("1/3"), 0);
    let ran = tafl(&collect);
    assert!(ran.code == 0 && !ran.out.contains("missing"), "{}", ran.out);
    let nothing = folder.join("nothing");
    fs::create_dir_all(&nothing).unwrap();
    let ran = tafl(&["collect", "--plan", &plan, nothing.to_str().unwrap(), "--out", &out]);
    assert!(ran.code == 1 && ran.out.contains("No shard of this plan was found"), "{}", ran.out);
}

#[test]
fn two_processes_give_the_same_bytes() {
    let runs: [&[&str]; 4] = [
        &["match", "coin.kif", "random", "--seed", "11", "--json"],
        &["trace", "cross.kif", "--playouts", "5", "--seed", "11"],
        &["check", "broken.kif", "pit.kif", "--play", "30", "--format", "json"],
        &["graph-of", "cross.kif", "--depth", "4", "--dot"],
    ];
    for arguments in runs {
        let (first, second) = (tafl(arguments), tafl(arguments));
        assert_eq!((first.code, first.out), (second.code, second.out), "{arguments:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = command(&["trace", "cross.kif", "--playouts", "20000"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let ran = ran(child.wait_with_output().unwrap());
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
}
