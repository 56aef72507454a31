//! Grammars as games: conventions, playouts, names and percepts.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod sketch;

use std::collections::HashSet;
use std::path::Path;

use game::{Game, MoveId, Playouts, RoleId, Seed, Start, scalar_playouts};
use graph::{Bundle, GraphGame, GraphState};
use sketch::bundle;

fn library(name: &str) -> GraphGame {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(name).join("rules.gps");
    GraphGame::new(&Bundle::read(&folder).unwrap(), None).unwrap()
}

const GAMES: [&str; 4] =
    ["tic_tac_toe_graph", "connect_four_graph", "simultaneous_krieg_tic_tac_toe_graph", "little_tafl_graph"];

#[test]
fn the_librarys_grammars_keep_to_the_conventions() {
    for name in GAMES {
        let report = library(name).inspect(20, 1000, Seed(1));
        assert_eq!(report.mistake, None, "{name}");
        assert_eq!(report.games, 20);
    }
}

#[test]
fn playouts_are_those_made_state_by_state() {
    for name in GAMES {
        let game = library(name);
        let starts = [Start { state: game.initial(), first: None, count: 30 }];
        let request = Playouts { trace: true, ..Playouts::new(&starts, Seed(3)) };
        assert_eq!(
            game.playouts(&mut game.scratch(), &request).unwrap(),
            scalar_playouts(&game, &mut game.scratch(), &request).unwrap(),
            "{name}"
        );
    }
}

#[test]
fn states_come_back_from_their_facts() {
    for name in GAMES {
        let game = library(name);
        let mut state = game.initial();
        for step in 0..12 {
            assert_eq!(game.state(&game.facts(&state)).unwrap(), state, "{name}, step {step}");
            if game.is_terminal(&mut game.scratch(), &state).unwrap() {
                break;
            }
            let mut joint = Vec::new();
            for role in RoleId::all(game.roles().len()) {
                let mut moves = Vec::new();
                game.legal(&mut game.scratch(), &state, role, &mut moves).unwrap();
                let mv = moves[step % moves.len()];
                assert_eq!(game.find_move(role, &game.move_text(role, mv)), Some(mv));
                joint.push(mv);
            }
            state = game.next(&mut game.scratch(), &state, &joint).unwrap();
        }
    }
    assert!(library("tic_tac_toe_graph").state(&["(flag turn nobody)".to_string()]).is_err());
    assert_eq!(library("tic_tac_toe_graph").find_move(RoleId(0), "(mark z9)"), None);
    assert!(library("tic_tac_toe_graph").find_move(RoleId(0), "(mark a1)").is_some());
}

#[test]
fn states_with_new_nodes_do_not_depend_on_the_order_they_came_in() {
    let game = library("simultaneous_krieg_tic_tac_toe_graph");
    let play = |moves: &[&str]| {
        let mut state = game.initial();
        for (step, text) in moves.iter().enumerate() {
            let role = RoleId(step as u32 % 3);
            let noop = game.find_move(role, "noop").unwrap();
            let mut joint = vec![noop; 3];
            joint[role.index()] = game.find_move(role, text).unwrap();
            state = game.next(&mut game.scratch(), &state, &joint).unwrap();
        }
        state
    };
    let one =
        play(&["(choose 1 1)", "(choose 2 2)", "take_both", "(choose 1 2)", "(choose 3 3)", "take_both"]);
    let other =
        play(&["(choose 1 2)", "(choose 3 3)", "take_both", "(choose 1 1)", "(choose 2 2)", "take_both"]);
    assert_eq!(one, other);
}

/// All joint moves of a state in a game with turns.
fn joints(game: &GraphGame, state: &GraphState) -> Vec<Vec<MoveId>> {
    let mut all = vec![Vec::new()];
    for role in RoleId::all(game.roles().len()) {
        let mut moves = Vec::new();
        game.legal(&mut game.scratch(), state, role, &mut moves).unwrap();
        all = all.iter().flat_map(|joint| moves.iter().map(|&mv| [&joint[..], &[mv]].concat())).collect();
    }
    all
}

#[test]
#[allow(clippy::mutable_key_type, reason = "what a state keeps for later does not change what it equals")]
fn positions_that_differ_only_in_how_a_recipe_ended_are_one() {
    let game = library("tic_tac_toe_graph");
    let mut known = HashSet::from([game.initial()]);
    let mut work = vec![game.initial()];
    let mut terminal = 0;
    while let Some(state) = work.pop() {
        if game.is_terminal(&mut game.scratch(), &state).unwrap() {
            terminal += 1;
            continue;
        }
        for joint in joints(&game, &state) {
            let next = game.next(&mut game.scratch(), &state, &joint).unwrap();
            if known.insert(next.clone()) {
                work.push(next);
            }
        }
    }
    assert_eq!((known.len(), terminal), (5478, 958));
}

/// After a round and a choice of the first player there are (8 · 9 + 18) · 8 = 720 states. If the second player
/// chose the cell that the first player got, it knows where the other was, and 8 are left.
#[test]
fn what_was_seen_leaves_8_of_720_states() {
    let game = library("simultaneous_krieg_tic_tac_toe_graph");
    let second = RoleId(1);
    let step = |states: &[(GraphState, Vec<String>)]| {
        let mut next: Vec<(GraphState, Vec<String>)> = Vec::new();
        for (state, seen) in states {
            for joint in joints(&game, state) {
                let mut percepts = Vec::new();
                game.percepts(&mut game.scratch(), state, &joint, second, &mut percepts).unwrap();
                let texts: Vec<String> = percepts.iter().map(|&p| game.percept_text(second, p)).collect();
                let own = game.move_text(second, joint[1]);
                let seen = [&seen[..], &[format!("{own}: {}", texts.join(" "))]].concat();
                next.push((game.next(&mut game.scratch(), state, &joint).unwrap(), seen));
            }
        }
        next
    };
    let mut states = vec![(game.initial(), Vec::new())];
    for _ in 0..4 {
        states = step(&states);
    }
    let different = |states: &[&(GraphState, Vec<String>)]| {
        states.iter().map(|(state, _)| state.clone()).collect::<HashSet<_>>().len()
    };
    assert_eq!(different(&states.iter().collect::<Vec<_>>()), 720);
    let play = |moves: [&str; 4]| {
        let mut now = (game.initial(), Vec::new());
        for text in moves {
            let found = step(&[now.clone()]).into_iter().zip(joints(&game, &now.0));
            let made = |joint: &[MoveId]| joint.iter().any(|&mv| game.move_text(second, mv) == text);
            now = found.filter(|(_, joint)| made(joint)).map(|(next, _)| next).next().unwrap();
        }
        now.1
    };
    let left =
        |seen: &[String]| different(&states.iter().filter(|(_, known)| known == seen).collect::<Vec<_>>());
    assert_eq!(left(&play(["(choose 2 2)", "(choose 2 2)", "take_first", "(choose 1 1)"])), 8);
    assert_eq!(left(&play(["(choose 1 1)", "(choose 2 2)", "take_both", "(choose 1 2)"])), 72);
}

#[test]
fn a_game_that_grows_without_end_is_stopped() {
    let grow = ("grow", "p: type:Player, flag:turn\nm: new:");
    let control = "recipe r() { alap grow; }";
    let game = GraphGame::new(&bundle(PLAYERS, &[grow], control, ""), None).unwrap();
    let starts = [Start { state: game.initial(), first: None, count: 1 }];
    let fault = game.playouts(&mut game.scratch(), &Playouts::new(&starts, Seed(1))).unwrap_err().to_string();
    assert!(fault.contains("inner steps"), "{fault}");
}

#[test]
fn a_filter_hides_what_the_player_must_not_see() {
    let game = library("simultaneous_krieg_tic_tac_toe_graph");
    let state = game.initial();
    let noop = game.find_move(RoleId(0), "noop").unwrap();
    let seen = |text: &str| {
        let joint = [game.find_move(RoleId(0), text).unwrap(), noop, noop];
        let mut percepts = Vec::new();
        game.percepts(&mut game.scratch(), &state, &joint, RoleId(1), &mut percepts).unwrap();
        percepts.iter().map(|&p| game.percept_text(RoleId(1), p)).collect::<Vec<_>>()
    };
    assert_eq!(seen("(choose 1 1)"), ["(flag turn o)"]);
    assert_eq!(seen("(choose 1 1)"), seen("(choose 3 2)"));
}

const PLAYERS: &str = "a: id:first, type:Player, flag:turn\nb: id:second, type:Player\na -next-> b\nb -next-> a\nm: flag:x\nk: flag:x";

fn mistake(rules: &[(&str, &str)]) -> String {
    let game = GraphGame::new(&bundle(PLAYERS, rules, "", ""), None).unwrap();
    let mistake = game.inspect(10, 100, Seed(1)).mistake.expect("a mistake is found");
    assert!(mistake.state.contains("Player"), "{}", mistake.state);
    mistake.what
}

#[test]
fn mistakes_are_told_with_the_state_that_shows_them() {
    let pass =
        "p: type:Player, del:flag:turn\nq: type:Player, new:flag:turn\np -next-> q\nn: del:flag:x, par:0";
    assert!(
        mistake(&[
            ("go", pass),
            ("keep", "q: type:Player, not:flag:turn, new:flag:turn\nn: del:flag:x, par:0")
        ])
        .contains("Both first and second")
    );
    assert!(
        mistake(&[("drop", "p: type:Player, del:flag:turn"), ("go", "n: del:flag:x, par:0")])
            .contains("Nobody has the flag `turn`")
    );
    assert!(
        mistake(&[("go", pass), ("filter", "m: flag:nothing\nm: del:flag:nothing")])
            .contains("`filter` does not apply")
    );
    assert!(
        mistake(&[("go", pass), ("filter", "p: type:Player, flag:turn\nn: del:flag:x, par:")])
            .contains("`filter` applies in 2 ways")
    );
    let all = "p: type:Player, flag:turn\nq: forall:\nn: del:flag:x\nn -at-> q";
    assert!(mistake(&[("go", pass), ("filter", all)]).contains("not in the state that `filter` shows"));
    let named = "p: type:Player, del:flag:turn\nq: type:Player, new:flag:turn\np -next-> q\nn: del:flag:x, new:flag:y";
    assert!(mistake(&[("go", named)]).contains("both called `go`"));
}

#[test]
fn winners_share_and_nobody_is_a_draw() {
    for (start, expected) in [
        ("a: type:Player\nb: type:Player", [50, 50]),
        ("a: type:Player, flag:win\nb: type:Player", [100, 0]),
        ("a: type:Player, flag:win\nb: type:Player, flag:win", [50, 50]),
    ] {
        let game = GraphGame::new(&bundle(start, &[], "", ""), None).unwrap();
        assert_eq!(game.roles(), ["player1", "player2"]);
        assert!(game.is_terminal(&mut game.scratch(), &game.initial()).unwrap());
        let goals = RoleId::all(2)
            .map(|role| game.goal(&mut game.scratch(), &game.initial(), role).unwrap().unwrap());
        assert_eq!(goals.collect::<Vec<_>>(), expected);
    }
    assert!(GraphGame::new(&bundle("a: flag:x", &[], "", ""), None).is_err());
}

#[test]
fn players_see_what_they_observe() {
    let start = "a: id:me, type:Player, flag:turn\nb: id:you, type:Player\na -next-> b\nb -next-> a\nc: id:card, flag:down\na -observes-> c";
    let flip = "p: type:Player, del:flag:turn\nq: type:Player, new:flag:turn\np -next-> q\nc: del:flag:down, new:flag:up";
    let game = GraphGame::new(&bundle(start, &[("flip", flip)], "", ""), None).unwrap();
    let joint = [game.find_move(RoleId(0), "flip").unwrap(), game.find_move(RoleId(1), "noop").unwrap()];
    let seen = |role| {
        let mut percepts = Vec::new();
        game.percepts(&mut game.scratch(), &game.initial(), &joint, role, &mut percepts).unwrap();
        percepts.iter().map(|&p| game.percept_text(role, p)).collect::<Vec<_>>()
    };
    assert_eq!(seen(RoleId(0)), ["(flag up card)"]);
    assert_eq!(seen(RoleId(1)), ["(flag turn you)"]);
}
