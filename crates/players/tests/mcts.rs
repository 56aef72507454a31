//! What mcts must be able to do, with counted budgets so that every run is the same.

mod table;

use std::time::{Duration, Instant};

use game::{Deadline, Game, Seed};
use table::{circuit, from, observed, play, value_of};

#[test]
fn tic_tac_toe_is_never_lost_against_random() {
    let game = circuit("tic_tac_toe");
    let mut points = 0;
    for number in 0..40 {
        let mine = number as usize % 2;
        let mut specs = ["random"; 2];
        specs[mine] = "mcts(playouts=2000)";
        let (goals, _) = play(&game, &specs, Seed(number));
        assert!(goals[mine] >= 50, "game {number} was lost");
        points += goals[mine];
    }
    assert!(points >= 3600, "{points} of 4000 points");
}

#[test]
fn the_same_seed_makes_the_same_moves() {
    for name in ["connect_four", "biased_rock_paper_scissors", "tic_tac_toe_3p"] {
        let game = circuit(name);
        let specs = vec!["mcts(playouts=300)"; game.roles().len()];
        assert_eq!(play(&game, &specs, Seed(7)), play(&game, &specs, Seed(7)), "{name}");
    }
    let game = circuit("connect_four");
    let states = ["mcts(states=5000)"; 2];
    assert_eq!(play(&game, &states, Seed(3)), play(&game, &states, Seed(3)));
}

/// Red (to move) has three in a row at the bottom; both ends decide.
const ROW_OF_THREE: [(&str, u32, u32); 6] =
    [("red", 2, 1), ("yellow", 2, 2), ("red", 3, 1), ("yellow", 3, 2), ("red", 4, 1), ("yellow", 7, 1)];

#[test]
fn a_win_in_one_is_taken() {
    let game = circuit("connect_four");
    let game = from(&game, &table::connect_four(&ROW_OF_THREE, "red"));
    let (mv, why) = observed(&game, "mcts(playouts=500)", 0, Seed(1));
    assert!(mv == "(drop 1)" || mv == "(drop 5)", "{mv}");
    assert!(value_of(&why).starts_with("100.0, proven"), "{why:?}");
}

#[test]
fn a_loss_in_two_is_prevented() {
    // Red threatens to make an open three: only a move beside it helps yellow.
    let game = circuit("connect_four");
    let discs = [("red", 4, 1), ("yellow", 4, 2), ("red", 3, 1)];
    let game = from(&game, &table::connect_four(&discs, "yellow"));
    let (mv, _) = observed(&game, "mcts(playouts=3000)", 1, Seed(1));
    assert!(["(drop 2)", "(drop 5)"].contains(&mv.as_str()), "{mv}");
}

#[test]
fn a_forced_win_is_proven() {
    // An open two with room on both sides and red to move: three in a row, and then four.
    let game = circuit("connect_four");
    let discs = [("red", 4, 1), ("yellow", 4, 2), ("red", 3, 1), ("yellow", 3, 2)];
    let game = from(&game, &table::connect_four(&discs, "red"));
    let (mv, why) = observed(&game, "mcts(playouts=3000)", 0, Seed(1));
    assert!(["(drop 2)", "(drop 5)"].contains(&mv.as_str()), "{mv} {why:?}");
    assert!(value_of(&why).starts_with("100.0, proven"), "{why:?}");
}

#[test]
fn the_prisoner_defects() {
    let game = circuit("prisoners_dilemma");
    for seed in 0..10 {
        for role in 0..2 {
            assert_eq!(observed(&game, "mcts(playouts=2000)", role, Seed(seed)).0, "(choose defect)");
        }
    }
}

#[test]
fn biased_rock_paper_scissors_is_mixed_in_equilibrium() {
    let game = circuit("biased_rock_paper_scissors");
    let (_, why) = observed(&game, "mcts(playouts=3000)", 0, Seed(1));
    for (mv, part) in [("(throw rock)", 62.5), ("(throw paper)", 12.5), ("(throw scissors)", 25.0)] {
        let text = &why.iter().find(|(name, _)| name == mv).unwrap().1;
        let played: f64 = text.split("played ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((played - part).abs() < 2.0, "{mv}: {text}");
    }
    // The moves themselves follow the strategy.
    let moves: Vec<String> =
        (0..64).map(|seed| observed(&game, "mcts(playouts=500)", 0, Seed(seed)).0).collect();
    let rocks = moves.iter().filter(|mv| *mv == "(throw rock)").count();
    assert!((28..=52).contains(&rocks), "{rocks} of 64");
}

#[test]
fn three_roles_play_to_the_end() {
    let game = circuit("tic_tac_toe_3p");
    let (goals, moves) = play(&game, &["mcts(playouts=200)"; 3], Seed(1));
    assert_eq!(goals.len(), 3);
    assert!(!moves.is_empty());
}

#[test]
fn dead_ends_endless_games_and_missing_goals_are_survived() {
    for name in ["dead_end", "no_goal"] {
        let game = circuit(name);
        let specs = vec!["mcts(playouts=100)"; game.roles().len()];
        play(&game, &specs, Seed(1));
    }
    let game = circuit("endless");
    observed(&game, "mcts(playouts=100,steps=200)", 0, Seed(1));
}

#[test]
fn little_memory_is_enough() {
    let game = circuit("connect_four");
    let (_, why) = observed(&game, "mcts(playouts=3000,nodes=200)", 0, Seed(1));
    let nodes: usize = why.iter().find(|(name, _)| name == "nodes").unwrap().1.parse().unwrap();
    assert!(nodes <= 200, "{nodes} nodes");
}

#[test]
fn the_deadline_is_kept() {
    let game = circuit("connect_four");
    let mut player = table::seated(&game, "mcts", 0, Seed(1));
    for _ in 0..5 {
        let began = Instant::now();
        player.select(&Deadline::after(Duration::from_millis(100))).unwrap();
        // A loaded machine may hold the test up; the search itself stops at about 92 ms.
        assert!(began.elapsed() < Duration::from_millis(400), "{:?}", began.elapsed());
    }
    let began = Instant::now();
    player.select(&Deadline::after(Duration::ZERO)).unwrap();
    assert!(began.elapsed() < Duration::from_millis(100), "{:?}", began.elapsed());
}
