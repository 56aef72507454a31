//! Who may take part: players have the clock that they need, play the games that
//! they sit at, and stop thinking when a tournament is interrupted.

use std::thread;
use std::time::{Duration, Instant};

use tournament::{Keep, Quiet, run};

use super::{options, read, told};

/// Every player with specs that think by the clock and specs that count, and a game for it.
const ALL: &[(&str, &[&str], &[&str], &str)] = &[
    ("auto", &["auto"], &[], "tic_tac_toe"),
    ("cfr", &[], &["cfr", "cfr(rounds=10)"], "kuhn_poker"),
    ("cheat", &["cheat", "cheat(16)"], &["cheat(playouts=4)", "cheat(16,4)"], "kuhn_poker"),
    ("conditional", &["conditional", "conditional(1000)"], &[], "tic_tac_toe"),
    (
        "heuristic",
        &["heuristic", "heuristic(positions=200)"],
        &["heuristic(2)", "heuristic(states=50)"],
        "tic_tac_toe",
    ),
    (
        "hyperplay",
        &["hyperplay", "hyperplay(16)", "hyperplay(remedy=weight)"],
        &["hyperplay(16,16)", "hyperplay(playouts=4)", "hyperplay(models=2,playouts=$budget)"],
        "kuhn_poker",
    ),
    ("hyperplay2", &[], &["hyperplay2", "hyperplay2(1,1,1,1)"], "kuhn_poker"),
    ("ismcts", &["ismcts", "ismcts(models=8)"], &["ismcts(playouts=4)", "ismcts($budget)"], "kuhn_poker"),
    ("legal", &[], &["legal"], "tic_tac_toe"),
    ("lookahead", &[], &["lookahead"], "tic_tac_toe"),
    ("lookahead_no_block", &[], &["lookahead_no_block"], "tic_tac_toe"),
    ("mcts", &["mcts", "mcts(c=1)"], &["mcts(4)", "mcts(playouts=4)", "mcts(states=$budget)"], "tic_tac_toe"),
    (
        "minimax",
        &["minimax", "minimax(playouts=4)"],
        &["minimax(2)", "minimax(depth=2)", "minimax(states=$budget)"],
        "tic_tac_toe",
    ),
    ("oos", &["oos", "oos(models=8)"], &["oos(playouts=4)", "oos(4,8)"], "kuhn_poker"),
    ("pomcp", &["pomcp", "pomcp(exact=0)"], &["pomcp(playouts=4)", "pomcp($budget)"], "kuhn_poker"),
    ("puzzle", &["puzzle", "puzzle(positions=100)"], &["puzzle(5)", "puzzle(states=5)"], "hanoi"),
    ("random", &[], &["random"], "tic_tac_toe"),
    ("http://HOST:PORT", &["http://localhost:1"], &[], "tic_tac_toe"),
    ("remote", &["remote(http://localhost:1)"], &[], "tic_tac_toe"),
    // The same as the player in it; see the tests of the spec.
    ("process", &[], &[], "tic_tac_toe"),
];

fn spec(game: &str, player: &str) -> String {
    let budget = if player.contains("$budget") { "budgets = [4]\n" } else { "" };
    format!(
        "games = [\"{game}\"]\nplayers = [\"{player}\"]\nmatches = 2\nself_play = true\nseatings = \"fixed\"\n{budget}"
    )
}

#[test]
fn a_clock_is_asked_for_just_where_somebody_thinks_by_it() {
    for (usage, _) in cast::player_list() {
        let name = usage.split('(').next().unwrap_or_default();
        assert!(ALL.iter().any(|(known, ..)| *known == name), "{name} is not looked at");
    }
    for (_, by_clock, counted, game) in ALL {
        for player in *by_clock {
            let told = told(&spec(game, player));
            let expected = format!("`{player}` thinks until its clock runs out, but there is no clock.");
            assert!(told[0].0 == 2 && told[0].1.starts_with(&expected), "{told:?}");
            let clocked = read(&format!("{}play_clock = 1.0\n", spec(game, player))).unwrap();
            assert!(!clocked.plan().repeatable, "{player}");
        }
        for player in *counted {
            let ready = read(&spec(game, player)).unwrap_or_else(|bad| panic!("{bad}"));
            assert!(ready.plan().repeatable, "{player}");
        }
    }
}

#[test]
fn players_on_the_network_have_clocks_of_whole_seconds() {
    for player in ["http://127.0.0.1:9", "remote(http://127.0.0.1:9)"] {
        let told = told(&format!("{}play_clock = 0.5\n", spec("tic_tac_toe", player)));
        assert!(told[0].1.contains("clocks in whole seconds, but 0.5 s was given"), "{told:?}");
    }
}

#[test]
fn an_interruption_reaches_those_who_think() {
    let clocks = "play_clock = 600.0\nstart_clock = 600.0\n";
    for (game, player) in [("kuhn_poker", "ismcts"), ("kuhn_poker", "oos"), ("connect_four", "mcts")] {
        let ready = read(&format!("{}{clocks}", spec(game, player))).unwrap();
        let options = options(2);
        let stop = options.stop.clone();
        let stopping = thread::spawn(move || {
            thread::sleep(Duration::from_millis(300));
            stop.stop();
            Instant::now()
        });
        let results = run(&ready, &Keep::Nothing, &options, &Quiet).unwrap();
        let stopped = stopping.join().unwrap();
        assert!(!results.complete && results.matches.is_empty(), "{player}");
        assert!(stopped.elapsed() < Duration::from_secs(5), "{player}: {:?}", stopped.elapsed());
    }
}

#[test]
fn players_that_cannot_play_a_game_are_refused_in_their_own_words() {
    let hides = "plays only games that hide nothing";
    let small = "`cfr` plays only small games";
    for (game, player, why) in [
        ("kuhn_poker", "mcts(playouts=5)", hides),
        ("kuhn_poker", "minimax(depth=2)", hides),
        ("kuhn_poker", "heuristic(depth=2)", hides),
        ("kuhn_poker", "mcts(playouts=$budget)", hides),
        ("tic_tac_toe", "puzzle(states=5)", "`puzzle` plays only games with one role"),
        ("phantom_tic_tac_toe", "cfr(histories=2000)", small),
    ] {
        let told = told(&spec(game, player));
        assert!(told.len() == 1 && told[0].0 == 2, "{told:?}");
        assert!(told[0].1.starts_with(&format!("It cannot play {game}: ")), "{told:?}");
        assert!(told[0].1.contains(why), "{told:?}");
    }
    // Only where somebody sits does it matter.
    let beside = "games = [\"kuhn_poker\"]\nmatches = 2\nplayers = [\"random\", \"legal\", \"mcts(playouts=5)\"]\nlineups = [[\"random\", \"legal\"]]\n";
    assert!(read(beside).is_ok());
}

#[test]
fn lineups_that_would_repeat_matches_are_refused() {
    let spec = |lineups: &str, more: &str| {
        format!(
            "games = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nmatches = 2\nlineups = [\n{lineups}]\n{more}"
        )
    };
    let pair = "  [\"random\", \"legal\"],\n";
    let turned = "  [\"legal\", \"random\"],\n";
    assert!(read(&spec(&format!("{pair}{turned}"), "")).is_ok());
    for (lineups, more) in
        [(format!("{pair}{pair}"), ""), (format!("{pair}{turned}"), "seatings = \"all\"\n")]
    {
        let told = told(&spec(&lineups, more));
        assert!(told.len() == 1 && told[0].0 == 6, "{told:?}");
        assert!(told[0].1.starts_with("This repeats the players and seats of lineup 1"), "{told:?}");
    }
    let nobody = told(&spec("", ""));
    assert!(nobody.len() == 1 && nobody[0].0 == 4, "{nobody:?}");
    assert!(nobody[0].1.starts_with("No lineup is listed."), "{nobody:?}");
    let games = "games = [\n\"nim\",\n{ game = \"nim\", reasoner = \"prover\" }]\nplayers = [\"random\", \"legal\"]\nmatches = 2\n";
    let twice = told(games);
    assert!(twice.len() == 1 && twice[0].0 == 3, "{twice:?}");
    assert!(twice[0].1.starts_with("There are two games called `nim`"), "{twice:?}");
}
