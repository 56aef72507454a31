//! What matches are worth, in reports and in series of matches between the same players.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena::{Ending, Journal};
use library::Library;
use rules::Strictness;
use statistics::Confidence;
use store::{Book, Entry, Store};
use tournament::{
    Archive, Cause, Clocks, Conditions, FaultRow, Keep, MatchSpec, Quiet, Ready, Refereeing, Repeated,
    Results, Seeding, Standings, repeat, run,
};

use super::{options, read, scratch};

fn conditions(clock: u64, replace: &str) -> Conditions {
    Conditions {
        clocks: Clocks { preview_clock: None, start_clock: clock, play_clock: clock },
        refereeing: Refereeing { replace: replace.to_string(), ..Refereeing::default() },
    }
}

fn spec(game: &str, players: &[&str], repeat: u32, rotate: bool) -> MatchSpec {
    MatchSpec {
        reasoner: "auto".to_string(),
        players: players.iter().map(|player| player.to_string()).collect(),
        seed: 8,
        conditions: conditions(60_000, "random"),
        repeat: Some(repeat),
        rotate,
        ..MatchSpec::new(game, None)
    }
}

fn series(spec: &MatchSpec) -> Ready {
    let loaded = Library::embedded().load(&spec.game, Strictness::Lenient).unwrap();
    let chosen = loaded.play(&spec.reasoner).unwrap();
    Ready::repeated(spec, &loaded, chosen).unwrap()
}

fn counts(ready: &Ready, jobs: usize) -> Repeated {
    let counts = repeat(ready, &Keep::Nothing, &options(jobs), Confidence::P95, &Quiet).unwrap();
    let mut counts = Repeated { seconds: 0.0, ..counts };
    counts.counts.iter_mut().for_each(|row| row.slowest_ms = 0.0);
    counts
}

#[test]
fn a_series_rotates_the_seats_and_takes_seeds_by_number() {
    let ready = series(&spec("nim", &["random", "legal"], 5, true));
    let plan = ready.plan();
    assert_eq!((plan.name.as_str(), plan.seeding, plan.len()), ("tafl.nim.8", Seeding::Number, 5));
    let seatings: Vec<&[usize]> =
        plan.matches().iter().map(|planned| &plan.cells[planned.cell].seating[..]).collect();
    assert_eq!(seatings, [&[0, 1][..], &[1, 0], &[0, 1], &[1, 0], &[0, 1]]);
    let seeds = plan.matches().into_iter().map(|planned| planned.seed);
    assert!(seeds.eq((0..5).map(|number| game::Seed(8).derive(number))));
    let once = counts(&ready, 1);
    assert_eq!(counts(&ready, 3), once, "whatever is played side by side");
    assert_eq!(
        once.counts.iter().map(|row| row.seat.as_str()).collect::<Vec<_>>(),
        ["first", "second", "all", "first", "second", "all"]
    );
}

#[test]
fn a_series_and_a_plan_of_the_same_matches_have_the_same_score() {
    let ready = series(&spec("tic_tac_toe_3p", &["random", "legal", "mcts(playouts=2)"], 12, true));
    let results = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    let standings = Standings::of(ready.plan(), &results.matches);
    let series = counts(&ready, 2);
    for player in &standings.players {
        let row = series.counts.iter().find(|row| row.player == player.player && row.seat == "all").unwrap();
        let tally = &player.tally;
        assert_eq!((row.games, row.won, row.lost), (tally.games, Some(tally.won), Some(tally.lost)));
        assert!((row.score.unwrap() - 100.0 * tally.score().unwrap()).abs() < 1e-9, "{row:?}");
        assert_eq!(row.low.unwrap(), 100.0 * tally.interval(Confidence::P95).low);
    }
    let all: f64 = standings.players.iter().map(|player| player.tally.points).sum();
    assert!((all - 12.0 * 1.5).abs() < 1e-9, "three roles share out one and a half points: {all}");
}

#[test]
fn a_forfeit_is_a_loss_in_a_series_and_in_a_tournament() {
    // Nobody answers at this port.
    let players = ["http://127.0.0.1:9", "legal"];
    let spec =
        MatchSpec { conditions: conditions(1000, "forfeit"), ..spec("tic_tac_toe", &players, 2, false) };
    let ready = series(&spec);
    let results = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    assert!(results.matches.iter().all(|result| matches!(result.ending, Ending::Forfeit { .. })));
    let counts = counts(&ready, 1);
    assert_eq!((counts.matches, counts.forfeited, counts.broken_off), (2, 2, 0));
    let [first, second] = &counts.counts[..] else { panic!("two rows") };
    assert_eq!((first.won, first.drawn, first.lost, first.score), (Some(0), Some(0), Some(2), Some(0.0)));
    assert_eq!((second.won, second.score, second.goal), (Some(2), Some(100.0), None));
    let told = FaultRow::forfeited(&counts.faults_of).to_string();
    assert_eq!(told, "2 by http://127.0.0.1:9 as x (127.0.0.1:9: the connection was refused)");
    let standings = Standings::of(ready.plan(), &results.matches);
    assert_eq!((standings.forfeited, standings.broken_off), (2, 0));
    assert_eq!((standings.players[0].tally.lost, standings.players[1].tally.won), (2, 2));
}

#[test]
fn one_role_has_a_mean_goal_and_neither_wins_nor_losses() {
    let ready = series(&spec("number_guessing_8", &["random"], 20, false));
    let counts = counts(&ready, 2);
    let [row] = &counts.counts[..] else { panic!("one row") };
    assert_eq!((row.games, row.won, row.drawn, row.lost), (20, None, None, None));
    assert_eq!(row.score, row.goal);
    let text = serde_json::to_string(&counts).unwrap();
    assert!(text.contains(r#""won":null,"drawn":null,"lost":null"#), "{text}");

    let spec = "games = [\"number_guessing_4\"]\nplayers = [\"random\", \"legal\"]\nmatches = 20\nseed = 3\n";
    let ready = read(spec).unwrap();
    let results = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    let files: BTreeMap<String, String> =
        tournament::report::bundle(ready.plan(), &results).into_iter().collect();
    let page = files["report.md"].replace('\n', " ");
    assert!(page.contains("so there is nobody to beat: the score is the mean goal"), "{page}");
    assert!(!page.contains("drawn") && !page.contains("matches of a pair"), "{page}");
    let json: serde_json::Value = serde_json::from_str(&files["report.json"]).unwrap();
    assert!(json["players"][0]["won"].is_null() && json["power"].is_null());
    let goals: Vec<f64> = results
        .matches
        .iter()
        .filter(|result| result.players[0] == "random")
        .map(|result| f64::from(result.goals.iter().flatten().sum::<i32>()))
        .collect();
    let score = json["players"][0]["score"].as_f64().unwrap();
    assert!((100.0 * score - goals.iter().sum::<f64>() / goals.len() as f64).abs() < 1e-6);

    // A match that was broken off says nothing.
    let mut matches = results.matches.clone();
    matches.iter_mut().for_each(|result| result.ending = Ending::StepLimit);
    let none = Results { matches, complete: true };
    let standings = Standings::of(ready.plan(), &none.matches);
    assert_eq!((standings.broken_off, standings.players[0].tally.games), (40, 0));
}

#[test]
fn a_series_goes_on_where_it_was_interrupted() {
    let spec = spec("nim", &["random", "legal"], 6, true);
    let ready = series(&spec);
    let expected = run(&ready, &Keep::Nothing, &options(1), &Quiet).unwrap();
    let store = Arc::new(Store::open(&scratch("series").join("matches.sqlite")).unwrap());
    let keep = Keep::begin(Arc::clone(&store), "tafl.nim.8", &spec).unwrap();
    // Two matches, as far as a shorter series goes.
    let two = series(&MatchSpec { repeat: Some(2), ..spec.clone() });
    assert_eq!(run(&two, &keep, &options(1), &Quiet).unwrap().matches[..], expected.matches[..2]);
    assert!(Keep::resume(Arc::clone(&store), "tafl.nim.8", "nim", "(role a)").is_err());
    let sheet = Library::embedded().load("nim", Strictness::Lenient).unwrap().source.text;
    let keep = Keep::resume(Arc::clone(&store), "tafl.nim.8", "nim", &sheet).unwrap();
    let kept = store.series("tafl.nim.8").unwrap();
    assert_eq!(MatchSpec::read(&kept.plan, &kept.name).unwrap(), spec, "the spec is kept, and no plan");
    assert_eq!(run(&ready, &keep, &options(2), &Quiet).unwrap(), expected);
    assert_eq!(store.members("tafl.nim.8").unwrap().len(), 6);
}

#[test]
fn a_series_that_an_older_program_began_goes_on() {
    let spec = spec("nim", &["random", "legal"], 4, true);
    let ready = series(&spec);
    let whole = Arc::new(Store::open(&scratch("series-whole").join("matches.sqlite")).unwrap());
    let keep = Keep::begin(Arc::clone(&whole), "tafl.nim.8", &spec).unwrap();
    let expected = run(&ready, &keep, &options(1), &Quiet).unwrap();

    // Written step by step, as a match by itself is: one that has ended, and one that has begun.
    let store = Arc::new(Store::open(&scratch("series-older").join("matches.sqlite")).unwrap());
    let plan = r#"{"version":1,"game":"nim","reasoner":"auto","players":["random","legal"],"seed":8,"preview_clock":null,"start_clock":60000,"play_clock":60000,"replace":"random","max_steps":10000,"repeat":4,"rotate":true}"#;
    store.begin_series("tafl.nim.8", &serde_json::from_str(plan).unwrap()).unwrap();
    let sheet = Library::embedded().load("nim", Strictness::Lenient).unwrap().source.text;
    for (number, steps) in [(0, usize::MAX), (1, 4)] {
        let key = format!("tafl.nim.8.{number}");
        let record = whole.kept(&key).unwrap().record;
        let entry =
            Entry { series: Some(("tafl.nim.8".to_string(), number)), sheet: Some(Arc::clone(&sheet)) };
        let mut book = Book::new(&store, entry);
        book.open(&record.opening()).unwrap();
        for (place, step) in whole.steps(&key).unwrap().iter().enumerate().take(steps) {
            book.step(place, step).unwrap();
        }
        if steps == usize::MAX {
            book.close(&record).unwrap();
        }
    }
    let begun = store.series("tafl.nim.8").unwrap();
    let spec = MatchSpec::read(&begun.plan, &begun.name).unwrap();
    let keep = Keep::resume(Arc::clone(&store), &begun.name, &spec.game, &sheet).unwrap();
    assert_eq!(run(&series(&spec), &keep, &options(2), &Quiet).unwrap(), expected);
    for number in 0..4 {
        let key = format!("tafl.nim.8.{number}");
        let record = |store: &Store| store.kept(&key).unwrap().record.canonical();
        assert_eq!(record(&store), record(&whole), "{key}");
    }
}

#[test]
fn it_is_told_for_whom_the_referee_moved_and_why() {
    let players = ["http://127.0.0.1:9", "legal"];
    let spec = MatchSpec { conditions: conditions(1000, "first"), ..spec("tic_tac_toe", &players, 2, true) };
    let ready = series(&spec);
    let results = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    let counts = counts(&ready, 1);
    let [x, o] = &counts.faults_of[..] else { panic!("one player at two seats: {:?}", counts.faults_of) };
    assert_eq!((x.player.as_str(), x.role.as_str(), o.role.as_str()), (players[0], "x", "o"));
    assert_eq!(x.replaced + o.replaced, counts.faults);
    assert_eq!(x.causes, BTreeMap::from([(Cause::Failed, x.replaced)]));
    let told = FaultRow::replaced(&counts.faults_of).to_string();
    let wanted = "7 for http://127.0.0.1:9 as x (no connection, or a failure of the player), ";
    assert!(told.starts_with(wanted) && !told.contains("legal"), "{told}");

    let plan = ready.plan();
    let packed = Archive::of(&results, plan).unwrap().write(plan);
    let kept = Archive::read(&packed, plan).unwrap().results;
    assert_eq!(tournament::faults(plan, &kept.matches), counts.faults_of, "an archive keeps them");
    let files: BTreeMap<String, String> = tournament::report::bundle(plan, &results).into_iter().collect();
    assert!(files["report.md"].replace('\n', " ").contains(&told), "{}", files["report.md"]);
}
