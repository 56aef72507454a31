//! Matches that begin after openings.

use std::collections::BTreeMap;

use arena::NoJournal;
use game::StopToken;
use tournament::{Keep, Plan, Quiet, Ready, Results, Shard, collect, run, work};

use super::{options, read, scratch, told};

const RANDOM: &str = r#"
seed = 5
games = ["tic_tac_toe", "connect_four"]
players = ["mcts(playouts=5)", "random"]
matches = 16
openings = { random_plies = 3, count = 4 }
"#;

#[test]
fn results_with_openings_do_not_depend_on_jobs_or_shards() {
    let ready = read(RANDOM).unwrap();
    let plan = ready.plan();
    let alone = run(&ready, &Keep::Nothing, &options(1), &Quiet).unwrap();
    let expected = alone.write(plan);
    assert_eq!(Results::read(&expected, plan).unwrap(), alone);
    let again = Ready::of(Plan::read(&plan.write(), "plan.json").unwrap()).unwrap();
    assert_eq!(run(&again, &Keep::Nothing, &options(3), &Quiet).unwrap().write(plan), expected);
    let parts = scratch("openings");
    for index in 0..3 {
        work(&again, Shard { index, count: 3 }, &parts, &options(2), &|_, _| ()).unwrap().unwrap();
    }
    assert_eq!(collect(plan, &parts).unwrap().results.write(plan), expected);
    let files: BTreeMap<String, String> = tournament::report::bundle(plan, &alone).into_iter().collect();
    let page = files["report.md"].replace('\n', " ");
    assert!(page.contains("Matches of tic_tac_toe begin after 4 openings; each opening"), "{page}");
    let other = read(RANDOM).unwrap().with_seed(6);
    assert_ne!(other.plan().games[0].openings, plan.games[0].openings, "the seed decides");
    assert_eq!(read(&RANDOM.replace("seed = 5", "seed = 6")).unwrap().plan(), other.plan());
}

#[test]
fn every_opening_is_played_from_both_sides_with_the_same_number() {
    let ready = read(RANDOM).unwrap();
    let plan = ready.plan();
    let results = run(&ready, &Keep::Nothing, &options(2), &Quiet).unwrap();
    let mut seatings: BTreeMap<(String, Option<usize>), BTreeMap<Vec<String>, u64>> = BTreeMap::new();
    for result in &results.matches {
        let of = seatings.entry((result.game.clone(), result.opening)).or_default();
        *of.entry(result.players.clone()).or_default() += 1;
    }
    assert_eq!(seatings.len(), 2 * 4, "games and openings");
    assert!(seatings.values().all(|of| of.values().eq(&[2, 2])), "{seatings:?}");
    // The two matches of a pair follow each other.
    for pair in results.matches.chunks(2) {
        assert_eq!(pair[0].opening, pair[1].opening);
        assert!(pair[0].players.iter().eq(pair[1].players.iter().rev()));
    }
    for planned in &plan.matches()[..2] {
        let played = ready.play(*planned, &[], &mut NoJournal, &StopToken::default(), None).unwrap();
        let opening = &plan.games[0].openings[planned.opening.unwrap()];
        assert_eq!(played.record.opening_moves, opening.moves);
        let first = &played.record.states[0];
        assert_eq!(first.matches("(cell").count(), 3, "three marks are there: {first}");
    }
}

#[test]
fn openings_are_listed_as_moves_and_wrong_ones_are_refused() {
    let spec = "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nmatches = 4\n";
    let listed = format!("{spec}openings = [[\"mark 1 1\", \"mark 2 2\"], [\"mark 3 3\"]]\n");
    let ready = read(&listed).unwrap();
    let moves: Vec<&Vec<Vec<String>>> =
        ready.plan().games[0].openings.iter().map(|opening| &opening.moves).collect();
    assert_eq!(*moves[0], [["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]]);
    assert_eq!(*moves[1], [["(mark 3 3)", "noop"]]);
    assert!(
        !read(spec).unwrap().plan().write().contains("opening"),
        "plans without openings stay as they are"
    );
    let cases = [
        (
            "openings = [[\"mark 1 1\"], [\"mark 1 1\", \"mark 1 1\"]]",
            4,
            "`mark 1 1` is not a legal move of o there.",
        ),
        ("openings = [\"mark 1 1\"]", 4, "`openings` must be a list in brackets."),
        ("openings = { random_plies = 2 }", 4, "`count` is missing"),
        (
            "openings = { random_plies = 9, count = 3 }",
            4,
            "Only 0 different openings of 9 random moves were found",
        ),
        (
            "openings = { random_plies = 1, count = 10 }",
            4,
            "Only 9 different openings of 1 random moves were found",
        ),
    ];
    for (line, at, begin) in cases {
        let told = told(&format!("{spec}{line}\n"));
        assert!(told.len() == 1 && told[0].0 == at && told[0].1.starts_with(begin), "{line}: {told:?}");
    }
    let hidden = told(&listed.replace("tic_tac_toe", "krieg_tic_tac_toe_4"));
    assert!(hidden[0].1.starts_with("krieg_tic_tac_toe_4 hides something"), "{hidden:?}");
    let remote = listed.replace("\"legal\"", "\"http://127.0.0.1:9\"") + "play_clock = 1\n";
    let told = told(&remote);
    assert!(told[0].1.contains("would begin in their initial state"), "{told:?}");
}
