//! What minimax must be able to do.

use std::time::{Duration, Instant};

use crate::table::{circuit, from, observed, play, value_of};
use game::{Deadline, Game, Seed};

#[test]
fn tic_tac_toe_is_proven_a_draw() {
    let game = circuit("tic_tac_toe");
    let (_, why) = observed(&game, "minimax", 0, Seed(1));
    assert_eq!(value_of(&why), "50.0, proven");
    let (goals, _) = play(&game, &["minimax"; 2], Seed(1));
    assert_eq!(goals, [50, 50]);
}

#[test]
fn nim_is_won_by_the_nim_sum() {
    let game = circuit("nim");
    let (mv, why) = observed(&game, "minimax", 0, Seed(1));
    assert_eq!(value_of(&why), "100.0, proven");
    assert!(["(take b 4)", "(take c 4)", "(take d 4)"].contains(&mv.as_str()), "{mv}");
}

#[test]
fn small_connect_four_positions_are_solved() {
    let game = circuit("connect_four_5x4");
    // The middle column is full; with good play nobody wins.
    let start = crate::table::connect_four(
        &[("red", 3, 1), ("yellow", 3, 2), ("red", 3, 3), ("yellow", 3, 4)],
        "red",
    );
    let (_, why) = observed(&from(&game, &start), "minimax", 0, Seed(1));
    assert_eq!(value_of(&why), "50.0, proven");
    // Three in a row with an open end.
    let discs =
        [("red", 2, 1), ("yellow", 2, 2), ("red", 3, 1), ("yellow", 3, 2), ("red", 4, 1), ("yellow", 4, 2)];
    let (mv, why) =
        observed(&from(&game, &crate::table::connect_four(&discs, "red")), "minimax(depth=1)", 0, Seed(1));
    assert_eq!(value_of(&why), "100.0, proven");
    assert!(["(drop 1)", "(drop 5)"].contains(&mv.as_str()), "{mv}");
}

#[test]
fn simultaneous_moves_are_mixed_or_taken_pessimistically() {
    let game = circuit("prisoners_dilemma");
    for spec in ["minimax", "minimax(simultaneous=pessimistic)", "minimax(others=max_n)"] {
        assert_eq!(observed(&game, spec, 0, Seed(1)).0, "(choose defect)", "{spec}");
    }
    let game = circuit("biased_rock_paper_scissors");
    let (_, why) = observed(&game, "minimax", 1, Seed(1));
    assert_eq!(value_of(&why), "50.0, proven");
    for (mv, part) in [("(throw rock)", 62.5), ("(throw paper)", 12.5), ("(throw scissors)", 25.0)] {
        let text = &why.iter().find(|(name, _)| name == mv).unwrap().1;
        let played: f64 = text.split("played ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((played - part).abs() < 1.0, "{mv}: {text}");
    }
    // Against an answer that sees the move, every throw loses something.
    let (_, why) = observed(&game, "minimax(simultaneous=pessimistic)", 0, Seed(1));
    assert_eq!(value_of(&why), "40.0, proven");
}

#[test]
fn three_roles_play_to_the_end() {
    let game = circuit("tic_tac_toe_3p");
    for spec in ["minimax(depth=2)", "minimax(depth=2,others=max_n)"] {
        let (goals, _) = play(&game, &[spec, "random", "random"], Seed(1));
        assert_eq!(goals[0], 100, "{spec}");
    }
}

#[test]
fn the_same_seed_makes_the_same_moves() {
    let game = circuit("connect_four");
    let specs = ["minimax(states=2000)", "minimax(depth=3,playouts=4)"];
    assert_eq!(play(&game, &specs, Seed(5)), play(&game, &specs, Seed(5)));
}

#[test]
fn odd_games_are_survived() {
    for name in ["dead_end", "no_goal"] {
        let game = circuit(name);
        let specs = vec!["minimax(depth=4)"; game.roles().len()];
        play(&game, &specs, Seed(1));
    }
    let game = circuit("endless");
    observed(&game, "minimax(depth=6)", 0, Seed(1));
}

#[test]
fn the_deadline_is_kept() {
    let game = circuit("connect_four");
    let mut player = crate::table::seated(&game, "minimax", 0, Seed(1));
    for _ in 0..3 {
        let began = Instant::now();
        player.select(&Deadline::after(Duration::from_millis(100))).unwrap();
        assert!(began.elapsed() < Duration::from_millis(400), "{:?}", began.elapsed());
    }
}

#[test]
fn roles_that_choose_together_mix_each_for_itself() {
    let game = circuit("biased_rock_paper_scissors");
    let (_, why) = observed(&game, "minimax(others=max_n)", 0, Seed(1));
    for (mv, part) in [("(throw rock)", 62.5), ("(throw paper)", 12.5), ("(throw scissors)", 25.0)] {
        let text = &why.iter().find(|(name, _)| name == mv).unwrap().1;
        let played: f64 = text.split("played ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((played - part).abs() < 3.0 && text.ends_with(", proven"), "{mv}: {text}");
    }
    // Three roles at once: who differs from both others wins.
    let sheet = "(role a) (role b) (role c) (side left) (side right) (init open)
        (<= (legal ?r ?s) (role ?r) (side ?s))
        (<= (next (took ?r ?s)) (does ?r ?s))
        (<= terminal (true (took a ?s)))
        (<= (alone ?r) (true (took ?r ?s)) (true (took ?p ?t)) (true (took ?q ?t)) (distinct ?s ?t) (distinct ?p ?q))
        (<= (goal ?r 100) (alone ?r))
        (<= (goal ?r 30) (role ?r) (not (some alone)))
        (<= (goal ?r 0) (role ?r) (some alone) (not (alone ?r)))
        (<= (some alone) (alone ?r))";
    let (_, why) = observed(&crate::table::sheet(sheet), "minimax(others=max_n)", 0, Seed(1));
    let mixed = |name: &str| why.iter().any(|(mv, text)| mv == name && text.contains("played "));
    assert!(mixed("left") && mixed("right"), "{why:?}");
}

#[test]
fn moves_that_are_no_better_are_known_to_be_at_most_so_good() {
    let game = circuit("nim");
    let (_, why) = observed(&game, "minimax(depth=2)", 0, Seed(1));
    assert!(
        why.iter().any(|(name, text)| name.starts_with("(take") && text.starts_with("value ")),
        "{why:?}"
    );
    assert!(why.iter().all(|(name, _)| name != "states per second"), "{why:?}");
}
