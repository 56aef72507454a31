//! Players that look for plans and strategies, and the one that evaluates.

use std::sync::Arc;

use crate::table::{circuit, observed, play, value_of};
use game::{Deadline, Game, RoleId, Seed};
use players::heuristic::learn;

#[test]
fn puzzles_are_solved_by_a_shortest_plan() {
    for (name, length) in [("hanoi", 31), ("eight_puzzle", 31), ("sudoku_4", 0), ("lights_out_three", 21)] {
        let game = circuit(name);
        let (goals, joints) = play(&game, &["puzzle"], Seed(1));
        assert_eq!(goals, [100], "{name}");
        assert!(length == 0 || joints.len() == length, "{name}: {}", joints.len());
    }
}

#[test]
fn puzzles_too_large_for_memory_are_searched_in_other_ways() {
    let game = circuit("eight_puzzle");
    // Too few positions for breadth first: what is left still gives a plan that can be followed.
    let (_, joints) = play(&game, &["puzzle(states=2000,positions=500)"], Seed(1));
    assert!(joints.len() <= 60);
    let game = circuit("peg_solitaire");
    let (goals, joints) = play(&game, &["puzzle(states=20000)"], Seed(1));
    let again = play(&game, &["puzzle(states=20000)"], Seed(1));
    assert_eq!((goals, joints), again);
}

#[test]
fn puzzle_refuses_games_with_opponents() {
    let game = circuit("tic_tac_toe");
    let mut player = players::registry().make("puzzle", &()).unwrap();
    let context = game::MatchContext {
        match_id: "test".to_string(),
        role: RoleId(0),
        rules: None,
        start_clock: std::time::Duration::from_secs(1),
        play_clock: std::time::Duration::from_secs(1),
        seed: Seed(1),
    };
    let refused = player.start(&game, &context, &Deadline::never()).unwrap_err().to_string();
    assert!(refused.contains("one role"), "{refused}");
}

#[test]
fn conditional_never_gives_away_what_is_certain() {
    let game = circuit("nim");
    let (mv, why) = observed(&game, "conditional", 0, Seed(1));
    assert_eq!(value_of(&why), "100.0, proven");
    assert!(["(take b 4)", "(take c 4)", "(take d 4)"].contains(&mv.as_str()), "{mv}");
    for seed in 0..5 {
        assert_eq!(play(&game, &["conditional", "random"], Seed(seed)).0, [100, 0]);
    }
    let game = circuit("tic_tac_toe");
    for seed in 0..10 {
        assert!(play(&game, &["random", "conditional"], Seed(seed)).0[1] >= 50);
        assert!(play(&game, &["conditional", "random"], Seed(seed)).0[0] >= 50);
    }
    assert_eq!(play(&game, &["conditional", "conditional"], Seed(1)).0, [50, 50]);
}

#[test]
fn learning_finds_material_and_progress_in_breakthrough() {
    let game = circuit("breakthrough_6");
    let learned = || learn(&*game, &mut game.scratch(), RoleId(0), Seed(1), 600, &Deadline::never());
    let (learned, again) = (learned().unwrap(), learned().unwrap());
    assert!(learned.predicted > 0.3, "{}", learned.predicted);
    let weight =
        |name: &str| learned.features.iter().find(|feature| feature.name() == name).map(|f| f.weight);
    // White wants a piece far up the board, and few pieces of Black.
    let weights =
        || learned.features.iter().map(|feature| (feature.name(), feature.weight)).collect::<Vec<_>>();
    assert!(weight("largest argument 2 of (cell ? ? white)") > Some(0.0), "{:?}", weights());
    assert!(weight("number of (cell ? ? black)").is_some_and(|weight| weight < 0.0), "{:?}", weights());
    assert_eq!(learned, again);
}

#[test]
fn heuristic_beats_random_and_explains_itself() {
    let game = circuit("breakthrough_6");
    let spec = "heuristic(depth=2,positions=300)";
    let mut points = 0;
    for seed in 0..6 {
        points += play(&game, &[spec, "random"], Seed(seed)).0[0];
        points += play(&game, &["random", spec], Seed(seed)).0[1];
    }
    assert!(points >= 1000, "{points}");
    let (_, why) = observed(&game, spec, 0, Seed(1));
    assert!(why.iter().any(|(name, text)| name == "evaluation" && text.starts_with("predicts")), "{why:?}");
}

#[test]
fn heuristic_without_features_is_plain_minimax() {
    // The interpreter numbers no fluents.
    let loaded =
        library::Loaded::new(library::Library::embedded().find("tic_tac_toe").unwrap(), Default::default());
    let game = Arc::new(reasoner::Interpreter::new(loaded.rules().unwrap()).unwrap());
    assert!(game.grounded().is_none());
    let (_, why) = observed(&game, "heuristic(depth=2)", 0, Seed(1));
    assert!(why.iter().any(|(name, text)| name == "evaluation" && text.starts_with("none")), "{why:?}");
}
