//! Strength, counted and seeded: a change that makes a player weaker shows here.
//!
//! Budgets are counted, so every run plays the same games. What must be reached
//! is what players of these budgets are known to reach with room to spare; the
//! claims with clocks are measured by `cargo xtask soak strength`.

use crate::table::{circuit, play};
use game::Seed;

/// The score of the first spec against the second over an even number of games, seats by turns, of 100.
fn score(name: &str, player: &str, opponent: &str, games: u64) -> f64 {
    let game = circuit(name);
    let mut points = 0.0;
    for number in 0..games {
        let seat = (number % 2) as usize;
        let specs = if seat == 0 { [player, opponent] } else { [opponent, player] };
        let (goals, _) = play(&game, &specs, Seed(1000 + number));
        points += match goals[seat].cmp(&goals[1 - seat]) {
            std::cmp::Ordering::Greater => 1.0,
            std::cmp::Ordering::Equal => 0.5,
            std::cmp::Ordering::Less => 0.0,
        };
    }
    100.0 * points / games as f64
}

#[track_caller]
fn reaches(name: &str, player: &str, opponent: &str, games: u64, least: f64) {
    let reached = score(name, player, opponent, games);
    assert!(reached >= least, "{player} scores {reached:.1} against {opponent} at {name}, not {least}");
}

#[test]
fn mcts_beats_random() {
    reaches("tic_tac_toe", "mcts(playouts=300)", "random", 40, 90.0);
    reaches("connect_four", "mcts(playouts=200)", "random", 20, 100.0);
    reaches("breakthrough_6", "mcts(playouts=200)", "random", 10, 100.0);
    reaches("reversi", "mcts(playouts=100)", "random", 6, 80.0);
}

#[test]
fn mcts_never_loses_tic_tac_toe() {
    let game = circuit("tic_tac_toe");
    for seed in 0..30 {
        for seat in 0..2 {
            let mut specs = ["random"; 2];
            specs[seat] = "mcts(playouts=2000)";
            let (goals, _) = play(&game, &specs, Seed(seed));
            assert!(goals[seat] >= 50, "lost from seat {seat} with seed {seed}");
        }
    }
}

#[test]
fn more_playouts_are_stronger() {
    reaches("connect_four", "mcts(playouts=400)", "mcts(playouts=40)", 20, 70.0);
    reaches("breakthrough_6", "mcts(playouts=400)", "mcts(playouts=40)", 20, 70.0);
}

#[test]
fn minimax_beats_random() {
    reaches("tic_tac_toe", "minimax(depth=4)", "random", 40, 90.0);
    reaches("connect_four", "minimax(depth=3)", "random", 20, 90.0);
    reaches("breakthrough_6", "minimax(depth=2)", "random", 10, 90.0);
}

#[test]
fn mcts_beats_what_looks_two_moves_ahead() {
    reaches("connect_four", "mcts(playouts=500)", "lookahead", 20, 85.0);
}
