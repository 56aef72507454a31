//! Tournaments: what a plan holds, that results depend on nothing but the plan,
//! and that wrong specs are refused with their lines.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod archive;
mod counted;
mod entrants;
mod openings;
mod scores;
mod shards;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use std::{fs, thread};

use arena::NoJournal;
use game::StopToken;
use library::Library;
use store::Store;
use tournament::{
    BadSpec, Keep, MatchResult, Plan, Quiet, Ready, Results, RunOptions, Shard, Standings, collect, run,
    series_of, start, work,
};

fn read(text: &str) -> Result<Ready, BadSpec> {
    Ready::read("spec.toml", text, "spec", &Library::embedded(), Path::new("."))
}

fn options(jobs: usize) -> RunOptions {
    RunOptions { jobs, stop: StopToken::default() }
}

fn scratch(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tournament-{name}"));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

const SMALL: &str = r#"
seed = 5
games = ["tic_tac_toe", "nim"]
players = ["mcts(playouts=$budget)", "random", "legal"]
budgets = [2, 20]
matches = 4
"#;

#[test]
fn everybody_sits_everywhere_equally_often() {
    let ready = read(SMALL).unwrap();
    let plan = ready.plan();
    assert_eq!(plan.len(), 2 * 2 * 3 * 4, "games, budgets, pairs, matches");
    let mut counts: BTreeMap<(usize, usize, usize, usize), u64> = BTreeMap::new();
    for planned in plan.matches() {
        let cell = &plan.cells[planned.cell];
        for (seat, player) in cell.seating.iter().enumerate() {
            *counts.entry((cell.game, cell.budget, *player, seat)).or_default() += 1;
        }
    }
    assert_eq!(counts.len(), 2 * 2 * 3 * 2);
    assert!(counts.values().all(|count| *count == 4), "{counts:?}");
}

#[test]
fn three_players_take_all_six_orders() {
    let spec = "games = [\"tic_tac_toe_3p\"]\nplayers = [\"random\", \"legal\", \"mcts(playouts=2)\"]\nmatches = 6\n";
    let ready = read(spec).unwrap();
    assert_eq!(ready.plan().cells.len(), 6);
    let bad = read(&spec.replace("matches = 6", "matches = 10")).err().unwrap();
    assert_eq!(
        bad.to_string(),
        "spec.toml:3:11: tic_tac_toe_3p has 6 seatings, and 10 matches cannot be divided equally among them. Take 6 or 12.\n  3 | matches = 10\n    |           ^^"
    );
}

#[test]
fn seeds_are_all_different_and_stay_when_others_are_added() {
    let ready = read(SMALL).unwrap();
    let more = read(&SMALL.replace("\"legal\"", "\"legal\", \"lookahead\"")).unwrap();
    let seeds = |plan: &Plan| -> BTreeMap<u64, Vec<String>> {
        let names =
            |cell: usize| plan.cells[cell].seating.iter().map(|p| plan.players[*p].name.clone()).collect();
        plan.matches().into_iter().map(|planned| (planned.seed.0, names(planned.cell))).collect()
    };
    let (few, many) = (seeds(ready.plan()), seeds(more.plan()));
    assert_eq!(few.len() as u64, ready.plan().len());
    assert!(few.iter().all(|(seed, names)| many.get(seed) == Some(names)));
}

#[test]
fn results_do_not_depend_on_jobs_shards_or_interruptions() {
    let ready = read(SMALL).unwrap();
    let plan = ready.plan();
    let alone = run(&ready, &Keep::Nothing, &options(1), &Quiet).unwrap();
    assert!(alone.complete);
    let expected = alone.write(plan);
    assert_eq!(Results::read(&expected, plan).unwrap(), alone);
    let again = Plan::read(&plan.write(), "plan.json").unwrap();
    assert_eq!(again, *plan);
    let crowd = run(&Ready::of(again).unwrap(), &Keep::Nothing, &options(4), &Quiet).unwrap();
    assert_eq!(crowd.write(plan), expected);

    // Interrupted again and again, in a store.
    let folder = scratch("store");
    let store = Arc::new(Store::open(&folder.join("matches.sqlite")).unwrap());
    let series = series_of(&store, plan, false).unwrap();
    let keep = Keep::Series(Arc::clone(&store), series.clone());
    let mut rounds = 0;
    let torn = loop {
        let options = options(2);
        let stop = options.stop.clone();
        // The first time at once, then later and later.
        let stopping = (rounds > 0).then(|| {
            thread::spawn(move || {
                thread::sleep(Duration::from_millis(2 * rounds));
                stop.stop();
            })
        });
        if stopping.is_none() {
            options.stop.stop();
        }
        let results = run(&ready, &keep, &options, &Quiet);
        if let Some(stopping) = stopping {
            stopping.join().unwrap();
        }
        rounds += 1;
        let results = results.unwrap();
        if results.complete {
            break results;
        }
        assert!(rounds < 1000);
    };
    assert!(rounds > 1, "it was interrupted");
    assert_eq!(torn.write(plan), expected);
    assert_eq!(series_of(&store, plan, false).unwrap(), series, "the same plan is the same series");
    assert_ne!(series_of(&store, plan, true).unwrap(), series);
    assert_eq!(store.members(&series).unwrap().len() as u64, plan.len());

    // In shards, some twice and some left over from a worker that died.
    let parts = scratch("parts");
    for (index, count) in [(0, 3), (1, 3), (2, 3), (1, 3), (0, 2)] {
        work(&ready, Shard { index, count }, &parts, &options(2), &|_, _| ()).unwrap().unwrap();
    }
    let torn = parts.join(format!("shard-{}-00001-of-00003.part-x", plan.digest()));
    fs::write(torn, "{\"number\":1,\"game\":\"tic_").unwrap();
    let collected = collect(plan, &parts).unwrap();
    assert_eq!((collected.duplicates, collected.conflicts), (plan.len() / 2, 0));
    assert_eq!(collected.results.write(plan), expected);
    fs::remove_file(parts.join(Shard { index: 0, count: 2 }.file(plan))).unwrap();
    fs::remove_file(parts.join(Shard { index: 0, count: 3 }.file(plan))).unwrap();
    let some = collect(plan, &parts).unwrap();
    assert!(!some.results.complete);
    assert_eq!(some.results.matches.len() as u64, plan.len() - plan.len() / 3);
}

#[test]
fn results_are_the_same_where_matches_share_lanes() {
    let spec = r#"
seed = 3
games = ["hnefatafl_7", "breakthrough"]
players = ["mcts(playouts=$budget)", "random", "mcts(playouts=9,batch=3,grave=10)"]
budgets = [4, 40]
matches = 2
max_steps = 30
"#;
    let ready = read(spec).unwrap();
    let plan = ready.plan();
    let write = |jobs: usize| run(&ready, &Keep::Nothing, &options(jobs), &Quiet).unwrap().write(plan);
    let expected = write(1);
    assert_eq!(write(64), expected);
    // One match after another, each by itself.
    let alone = plan.matches().into_iter().map(|planned| {
        let played = ready.play(planned, &[], &mut NoJournal, &StopToken::default(), None).unwrap();
        MatchResult::of(plan, planned, &played.record).unwrap()
    });
    let alone = Results { matches: alone.collect(), complete: true };
    assert_eq!(alone.write(plan), expected);
}

#[test]
fn standings_count_points_seats_and_pairs() {
    let spec = "games = [\"tic_tac_toe\"]\nplayers = [\"lookahead\", \"random\"]\nmatches = 40\nseed = 3\n";
    let ready = Arc::new(read(spec).unwrap());
    let running = start(Arc::clone(&ready), Keep::Nothing, options(2), Quiet);
    let results = running.wait().unwrap();
    let standings = Standings::of(ready.plan(), &results.matches);
    let [first, second] = &standings.players[..] else { panic!("two players") };
    assert_eq!((first.tally.games, second.tally.games), (40, 40));
    assert_eq!(first.tally.points + second.tally.points, 40.0);
    assert!(first.tally.won > 25, "{first:?}");
    assert_eq!((first.tally.won, first.tally.lost), (second.tally.lost, second.tally.won));
    assert_eq!(standings.pairs.len(), 2);
    assert_eq!(standings.pairs[0].tally.won, standings.pairs[1].tally.lost);
    let seats: Vec<(&str, u64)> = standings.seats.iter().map(|row| (&*row.role, row.tally.games)).collect();
    assert_eq!(seats, [("x", 40), ("o", 40)]);
}

#[test]
fn a_sequential_test_ends_when_it_is_clear_and_at_the_same_match_for_everyone() {
    let spec = "games = [\"tic_tac_toe\"]\nplayers = [\"lookahead\", \"random\"]\nmatches = 2000\nseed = 4\nsprt = { elo0 = 0, elo1 = 50 }\n";
    let ready = read(spec).unwrap();
    let one = run(&ready, &Keep::Nothing, &options(1), &Quiet).unwrap();
    let many = run(&ready, &Keep::Nothing, &options(3), &Quiet).unwrap();
    assert!(one.complete && one.matches.len() < 200, "{}", one.matches.len());
    assert_eq!(one.write(ready.plan()), many.write(ready.plan()));
}

#[test]
fn a_report_says_everything_in_four_forms_and_always_the_same() {
    let ready = read(SMALL).unwrap();
    let results = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    let files: BTreeMap<String, String> =
        tournament::report::bundle(ready.plan(), &results).into_iter().collect();
    assert_eq!(
        tournament::report::bundle(ready.plan(), &results).into_iter().collect::<BTreeMap<_, _>>(),
        files
    );
    let page = &files["report.md"];
    for part in [
        "## Design",
        "## Scores",
        "## Tests",
        "## Ratings",
        "## Results by budget",
        "## Lengths",
        "Holm",
        "exact binomial test",
    ] {
        assert!(page.contains(part), "{part}\n{page}");
    }
    let html = &files["report.html"];
    assert!(html.matches("<svg").count() >= 6 && !html.contains("src="), "it has everything in itself");
    assert_eq!(files["matches.csv"].lines().count() as u64, ready.plan().len() + 1);
    let json: serde_json::Value = serde_json::from_str(&files["report.json"]).unwrap();
    assert_eq!(json["played"].as_u64(), Some(ready.plan().len()));
    assert_eq!(json["tests"].as_array().unwrap().len(), 3 + 2, "three pairs, and the seats of two games");
    // Playing with more thought is better: the rating of the search is the highest.
    let elo = |at: usize| json["ratings"][at]["elo"].as_f64().unwrap();
    assert!(elo(0) > elo(1) && elo(0) > elo(2), "{}", json["ratings"]);
}

/// What is told of a wrong spec: the lines and the beginnings of the sentences.
fn told(text: &str) -> Vec<(usize, String)> {
    let bad = read(text).err().expect("it is wrong");
    bad.complaints.iter().map(|complaint| (bad.position(complaint).0, complaint.text.clone())).collect()
}

#[test]
fn wrong_specs_are_refused_with_the_line_at_fault() {
    let good = "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nmatches = 2\n";
    assert!(read(good).is_ok());
    let cases: &[(&str, usize, &str)] = &[
        (
            "games = [\"tic_tac_to\"]\nplayers = [\"random\", \"legal\"]\nmatches = 2",
            1,
            "There is no game `tic_tac_to` in the library. Did you mean",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"randum\", \"legal\"]\nmatches = 2",
            2,
            "There is no player `randum`.",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\",\n  \"mcts(playout=3)\"]\nmatches = 2",
            3,
            "player `mcts(playout=3)`: `playout` is not a parameter",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"mcts\"]\nmatches = 2",
            2,
            "`mcts` thinks until its clock runs out, but there is no clock.",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"mcts(playouts=$budget)\"]\nmatches = 2",
            2,
            "`$budget` stands for a budget, but no number is given.",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nbudgets = [10]\nmatches = 2",
            3,
            "No player has `$budget`",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nbudgets = [0]\nmatches = 2",
            3,
            "`budgets` must be a whole number of at least 1.",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nplay_clock = -1\nmatches = 2",
            3,
            "`play_clock` must be a number from 0.001",
        ),
        (
            "games = [\"tic_tac_toe_3p\"]\nplayers = [\"random\", \"legal\"]\nmatches = 6",
            1,
            "tic_tac_toe_3p has 3 seats, but there are only 2 players.",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nlineups = [[\"random\"]]\nmatches = 2",
            3,
            "tic_tac_toe has 2 seats (x, o), but the number of players here is 1.",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nlineups = [[\"random\", \"legall\"]]\nmatches = 2",
            3,
            "There is no player `legall` in this tournament. Did you mean `legal`?",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nmatches = 3",
            3,
            "tic_tac_toe has 2 seatings",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nmatchs = 2\nmatches = 2",
            3,
            "`matchs` is not known here. Did you mean `matches`?",
        ),
        ("games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]", 1, "`matches` is missing"),
        ("games = [\"tic_tac_toe\"\nplayers = 2", 2, "This is not TOML"),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"random\"]\nmatches = 2",
            2,
            "There are two players `random`",
        ),
        (
            "games = [{game = \"tic_tac_toe\", reasoner = \"oracle\"}]\nplayers = [\"random\", \"legal\"]\nmatches = 2",
            1,
            "There is no reasoner `oracle`.",
        ),
        (
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\", \"lookahead\"]\nmatches = 2\nschedule = \"sprt\"",
            4,
            "A sequential test is between two players, but there are 3.",
        ),
    ];
    for (text, line, begin) in cases {
        let told = told(text);
        assert!(told[0].0 == *line && told[0].1.starts_with(begin), "{text}\n{told:?}");
        assert_eq!(told.len(), 1, "{text}\n{told:?}");
    }
    let both = told("games = [\"ches\"]\nplayers = [\"randum\"]\nbudget = 1\nmatches = \"2\"");
    assert_eq!(
        both.iter().map(|(line, _)| *line).collect::<Vec<_>>(),
        [3, 4],
        "mistakes are told together: {both:?}"
    );
}
