//! Players that look little or not at all, and the one that picks another.

use std::sync::Arc;

use game::{Deadline, Game, Goal, Observation, RoleId, Seed};
use reasoner::CircuitGame;

use crate::table::{self, circuit, from, observed, play};

/// Wins of the first, draws, wins of the second.
fn tally(specs: [&str; 2], games: u64) -> [u32; 3] {
    let game = circuit("connect_four");
    let mut counts = [0; 3];
    for number in 0..games {
        let (goals, _): (Vec<Goal>, _) = play(&game, &specs, Seed(number));
        counts[if goals[0] > goals[1] { 0 } else { usize::from(goals[0] < goals[1]) + 1 }] += 1;
    }
    counts
}

/// Whether a count out of `games` is within four standard deviations of a share in thousandths.
fn near(count: u32, games: u64, share: f64) -> bool {
    let (games, p) = (games as f64, share / 1000.0);
    (f64::from(count) - games * p).abs() <= 4.0 * (games * p * (1.0 - p)).sqrt() + 1.0
}

#[test]
fn lookahead_against_random_scores_as_simulated() {
    for (specs, shares) in [
        (["lookahead", "random"], [958.0, 2.0, 40.0]),
        (["random", "lookahead"], [70.0, 3.0, 928.0]),
        (["lookahead_no_block", "random"], [822.0, 0.0, 178.0]),
        (["random", "lookahead_no_block"], [299.0, 0.0, 701.0]),
    ] {
        let counts = tally(specs, 400);
        for (count, share) in counts.into_iter().zip(shares) {
            assert!(near(count, 400, share), "{specs:?}: {counts:?} against {shares:?}");
        }
    }
}

#[test]
fn lookahead_takes_a_win_and_prevents_one() {
    let game = circuit("connect_four");
    let row =
        [("red", 1, 1), ("yellow", 7, 1), ("red", 2, 1), ("yellow", 7, 2), ("red", 3, 1), ("yellow", 7, 3)];
    let win = from(&game, &table::connect_four(&row, "red"));
    let threat = from(&game, &table::connect_four(&row[..5], "yellow"));
    for seed in 0..10 {
        assert_eq!(observed(&win, "lookahead", 0, Seed(seed)).0, "(drop 4)");
        assert_eq!(observed(&win, "lookahead_no_block", 0, Seed(seed)).0, "(drop 4)");
        assert_eq!(observed(&threat, "lookahead", 1, Seed(seed)).0, "(drop 4)");
    }
    let moves: Vec<String> =
        (0..20).map(|seed| observed(&threat, "lookahead_no_block", 1, Seed(seed)).0).collect();
    assert!(moves.iter().any(|mv| mv != "(drop 4)"));
}

/// A match of one player that sees only its percepts against roles that move at random: its goal.
fn alone(game: &Arc<CircuitGame>, spec: &str, role: RoleId, seed: Seed) -> Goal {
    let mut player = table::seated(game, spec, role.index(), seed);
    let mut chance = seed.derive(77).rng();
    let (mut state, mut scratch) = (game.initial(), game.scratch());
    while !game.is_terminal(&mut scratch, &state).unwrap() {
        let mut joint = Vec::new();
        for other in RoleId::all(game.roles().len()) {
            let mut legal = Vec::new();
            game.legal(&mut scratch, &state, other, &mut legal).unwrap();
            let mv = match other == role {
                true => player.select(&Deadline::never()).unwrap(),
                false => legal[chance.below(legal.len())],
            };
            assert!(legal.contains(&mv), "{} is not legal", game.move_text(other, mv));
            joint.push(mv);
        }
        let mut percepts = Vec::new();
        game.percepts(&mut scratch, &state, &joint, role, &mut percepts).unwrap();
        player.update(&Observation { own: joint[role.index()], percepts, joint: None }).unwrap();
        state = game.next(&mut scratch, &state, &joint).unwrap();
    }
    game.goal(&mut scratch, &state, role).unwrap().unwrap()
}

#[test]
fn lookahead_looks_ahead_in_all_states_that_agree_with_what_it_saw() {
    let game = circuit("simultaneous_krieg_tic_tac_toe");
    let players = RoleId::all(game.roles().len()).filter(|role| game.roles()[role.index()] != "random");
    let (mut won, mut lost) = (0, 0);
    for role in players {
        for seed in 0..30 {
            let goal = alone(&game, "lookahead", role, Seed(seed));
            won += u32::from(goal == 100);
            lost += u32::from(goal == 0);
        }
    }
    assert!(won > lost + 10, "won {won}, lost {lost}");
}

#[test]
fn wrong_specs_are_answered_with_what_is_possible() {
    let players = players::registry::<CircuitGame>();
    let wrong = |spec: &str| players.make(spec, &()).err().unwrap().to_string();
    assert!(wrong("mtcs").starts_with(
        "There is no player `mtcs`. Did you mean `mcts`? Possible: auto, cfr, cheat, conditional, heuristic,"
    ));
    assert!(
        wrong("mcts(playout=3)").contains("`playout` is not a parameter; the parameters are `playouts`,")
    );
    assert!(wrong("mcts(c=hot)").contains("`c` must be a number from 0 to 100, not `hot`."));
    assert!(wrong("minimax(depth=0)").contains("`depth` must be a number from 1 to 500, not `0`."));
    assert!(wrong("minimax(others=kind)").contains("must be one of `paranoid`, `max_n`, not `kind`."));
    assert!(wrong("random(1)").contains("it takes no parameters."));
    for spec in
        ["mcts(playouts=1000,c=0.7)", "mcts(1000)", "minimax(depth=6)", "minimax(6)", "auto", "lookahead"]
    {
        assert!(players.make(spec, &()).is_ok(), "{spec}");
    }
}

#[test]
fn auto_takes_a_player_that_suits_the_game() {
    for (name, taken) in [
        ("prisoners_dilemma", "mcts (2 roles that move at the same time"),
        ("nim", "conditional, because only 1664 positions are reachable"),
        ("connect_four", "mcts (2 roles that move in turn"),
        ("hanoi", "puzzle, because there is one role"),
    ] {
        let game = circuit(name);
        let mut player = table::seated(&game, "auto", 0, Seed(1));
        let mv = player.select(&Deadline::after(std::time::Duration::from_millis(50))).unwrap();
        assert!(!game.move_text(RoleId(0), mv).is_empty());
        let why = player.thought().strategy.unwrap();
        assert!(why.starts_with(taken), "{name}: {why}");
    }
}
