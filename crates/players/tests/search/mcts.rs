//! What mcts must be able to do, with counted budgets so that every run is the same.

use std::time::{Duration, Instant};

use crate::table::{circuit, from, observed, play, value_of};
use game::{Deadline, Game, Observation, RoleId, Seed};

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
    let game = from(&game, &crate::table::connect_four(&ROW_OF_THREE, "red"));
    let (mv, why) = observed(&game, "mcts(playouts=500)", 0, Seed(1));
    assert!(mv == "(drop 1)" || mv == "(drop 5)", "{mv}");
    assert!(value_of(&why).starts_with("100.0, proven"), "{why:?}");
}

#[test]
fn a_loss_in_two_is_prevented() {
    // Red threatens to make an open three: only a move beside it helps yellow.
    let game = circuit("connect_four");
    let discs = [("red", 4, 1), ("yellow", 4, 2), ("red", 3, 1)];
    let game = from(&game, &crate::table::connect_four(&discs, "yellow"));
    let (mv, _) = observed(&game, "mcts(playouts=3000)", 1, Seed(1));
    assert!(["(drop 2)", "(drop 5)"].contains(&mv.as_str()), "{mv}");
}

#[test]
fn a_forced_win_is_proven() {
    // An open two with room on both sides and red to move: three in a row, and then four.
    let game = circuit("connect_four");
    let discs = [("red", 4, 1), ("yellow", 4, 2), ("red", 3, 1), ("yellow", 3, 2)];
    let game = from(&game, &crate::table::connect_four(&discs, "red"));
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

/// What rock, paper and scissors get against rock, paper and scissors.
const PAYS: [[f64; 3]; 3] = [[50.0, 30.0, 60.0], [70.0, 50.0, 0.0], [40.0, 100.0, 50.0]];

#[test]
fn biased_rock_paper_scissors_is_mixed_in_equilibrium() {
    let game = circuit("biased_rock_paper_scissors");
    let (_, why) = observed(&game, "mcts(playouts=3000)", 0, Seed(1));
    let mut shares = Vec::new();
    for (mv, part) in [("(throw rock)", 62.5), ("(throw paper)", 12.5), ("(throw scissors)", 25.0)] {
        let text = &why.iter().find(|(name, _)| name == mv).unwrap().1;
        let played: f64 = text.split("played ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
        assert!((played - part).abs() < 2.0, "{mv}: {text}");
        shares.push(played / 100.0);
    }
    // The best answer to the strategy that was found gets at most two points more than an even share.
    for answer in 0..3 {
        let points: f64 = shares.iter().zip(PAYS).map(|(share, row)| share * (100.0 - row[answer])).sum();
        assert!(points <= 52.0, "{answer} gets {points} against {shares:?}");
    }
    // The moves themselves follow the strategy.
    let moves: Vec<String> =
        (0..64).map(|seed| observed(&game, "mcts(playouts=500)", 0, Seed(seed)).0).collect();
    let rocks = moves.iter().filter(|mv| *mv == "(throw rock)").count();
    assert!((28..=52).contains(&rocks), "{rocks} of 64");
}

#[test]
fn new_states_made_together_are_searched_as_well() {
    let game = circuit("connect_four");
    let row = from(&game, &crate::table::connect_four(&ROW_OF_THREE, "red"));
    let (mv, why) = observed(&row, "mcts(playouts=500,expand=batch)", 0, Seed(1));
    assert!(mv == "(drop 1)" || mv == "(drop 5)", "{mv}");
    assert!(value_of(&why).starts_with("100.0, proven"), "{why:?}");
    let discs = [("red", 4, 1), ("yellow", 4, 2), ("red", 3, 1), ("yellow", 3, 2)];
    let two = from(&game, &crate::table::connect_four(&discs, "red"));
    let (mv, why) = observed(&two, "mcts(playouts=5000,expand=batch)", 0, Seed(1));
    assert!(["(drop 2)", "(drop 5)"].contains(&mv.as_str()), "{mv} {why:?}");
    for name in ["tic_tac_toe", "biased_rock_paper_scissors", "tic_tac_toe_3p", "dead_end", "no_goal"] {
        let game = circuit(name);
        let specs = vec!["mcts(playouts=300,expand=batch)"; game.roles().len()];
        assert_eq!(play(&game, &specs, Seed(7)), play(&game, &specs, Seed(7)), "{name}");
    }
    let (_, why) = observed(&game, "mcts(playouts=3000,expand=batch,nodes=200)", 0, Seed(1));
    let nodes: usize = why.iter().find(|(name, _)| name == "nodes").unwrap().1.parse().unwrap();
    assert!(nodes <= 400, "{nodes} nodes");
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
    let mut player = crate::table::seated(&game, "mcts", 0, Seed(1));
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

#[test]
fn several_threads_give_the_same_moves_in_every_run() {
    let game = circuit("connect_four");
    let specs = ["mcts(playouts=600,threads=3)", "mcts(playouts=300,threads=2)"];
    assert_eq!(play(&game, &specs, Seed(4)), play(&game, &specs, Seed(4)));
}

#[test]
fn thinking_in_the_time_of_others_keeps_what_it_learned() {
    let game = circuit("connect_four");
    let mut player = crate::table::seated(&game, "mcts(ponder=yes,threads=1)", 0, Seed(1));
    let (mut state, mut scratch) = (game.initial(), game.scratch());
    let mut nodes = 0;
    for step in 0..4 {
        let mv = player.select(&Deadline::after(Duration::from_millis(60))).unwrap();
        let mut joint = Vec::new();
        for role in RoleId::all(2) {
            let mut legal = Vec::new();
            game.legal(&mut scratch, &state, role, &mut legal).unwrap();
            joint.push(if role == RoleId(0) { mv } else { legal[0] });
        }
        state = game.next(&mut scratch, &state, &joint).unwrap();
        player.update(&Observation { own: mv, percepts: Vec::new(), joint: Some(joint) }).unwrap();
        if step % 2 == 0 {
            let now = player.thought().nodes.unwrap();
            assert!(now > nodes, "{nodes} nodes, then {now}");
            nodes = now;
        }
    }
    player.stop(None, None);
}

#[test]
fn options_find_a_win_in_two_moves() {
    let game = circuit("connect_four");
    let discs = [("red", 3, 1), ("yellow", 3, 2), ("red", 4, 1), ("yellow", 4, 2)];
    let game = from(&game, &crate::table::connect_four(&discs, "red"));
    for option in ["grave=50", "discount=0.98", "policy=mast", "policy=ngram", "threads=2", "batch=1,leaf=4"]
    {
        let (mv, why) = observed(&game, &format!("mcts(playouts=4000,{option})"), 0, Seed(1));
        assert!(["(drop 2)", "(drop 5)"].contains(&mv.as_str()), "{option}: {mv} {why:?}");
    }
}

#[test]
fn values_between_win_and_loss_are_proven_for_every_role() {
    // Three roles choose in turn from what is left of four prizes.
    let sheet = "(role a) (role b) (role c)
        (prize one 10) (prize two 25) (prize three 65) (prize four 40)
        (after a b) (after b c) (after c end)
        (init (turn a)) (init (left one)) (init (left two)) (init (left three)) (init (left four))
        (<= (legal ?r (take ?p)) (true (turn ?r)) (true (left ?p)))
        (<= (legal ?r noop) (role ?r) (true (turn ?other)) (distinct ?r ?other))
        (<= (next (turn ?n)) (true (turn ?r)) (after ?r ?n))
        (<= (taken ?p) (does ?r (take ?p)))
        (<= (next (left ?p)) (true (left ?p)) (not (taken ?p)))
        (<= (next (has ?r ?p)) (does ?r (take ?p)))
        (<= (next (has ?r ?p)) (true (has ?r ?p)))
        (<= terminal (true (turn end)))
        (<= (goal ?r ?v) (true (has ?r ?p)) (prize ?p ?v))
        (<= (goal ?r 0) (role ?r) (not (has_some ?r)))
        (<= (has_some ?r) (true (has ?r ?p)))";
    let game = crate::table::sheet(sheet);
    let (mv, why) = observed(&game, "mcts(playouts=5000)", 0, Seed(1));
    assert_eq!((mv.as_str(), value_of(&why)), ("(take three)", "65.0, proven, 3 steps to the end"));
    let (mv, why) = observed(&game, "minimax(others=max_n)", 0, Seed(1));
    assert_eq!((mv.as_str(), value_of(&why)), ("(take three)", "65.0, proven"));
}

#[test]
fn moves_that_look_alike_are_all_made() {
    // Whatever is chosen, the game goes on for a while and is a draw.
    let sheet = |steps: u32| {
        let after = (1..=steps).map(|step| format!("(after {} {step})", step - 1)).collect::<String>();
        format!(
            "(role solo) (role other) (init (step 0)) {after}
            (pick 1) (pick 2) (pick 3) (pick 4) (pick 5) (pick 6) (pick 7) (pick 8)
            (<= (legal solo (choose ?p)) (pick ?p))
            (legal other noop)
            (<= (next (step ?n)) (true (step ?s)) (after ?s ?n))
            (<= (next (chosen ?p)) (does solo (choose ?p)))
            (<= terminal (true (step {steps})))
            (<= (goal ?r 50) (role ?r))"
        )
    };
    // In the first game all is proven, in the second nothing.
    for steps in [1, 40] {
        let game = crate::table::sheet(&sheet(steps));
        let mut made: Vec<String> =
            (0..100).map(|seed| observed(&game, "mcts(playouts=8)", 0, Seed(seed)).0).collect();
        made.sort();
        made.dedup();
        assert_eq!(made.len(), 8, "{steps} steps: {made:?}");
    }
}

#[test]
fn the_mixed_strategy_can_hardly_be_exploited() {
    // What the best answer to the strategy played gets, of 100; 50 is fair.
    let pays = [[50.0, 30.0, 60.0], [70.0, 50.0, 0.0], [40.0, 100.0, 50.0]];
    let game = circuit("biased_rock_paper_scissors");
    for spec in ["mcts(playouts=3000)", "minimax"] {
        for role in 0..2 {
            let (_, why) = observed(&game, spec, role, Seed(1));
            let played: Vec<f64> = ["(throw rock)", "(throw paper)", "(throw scissors)"]
                .iter()
                .map(|mv| {
                    let text = &why.iter().find(|(name, _)| name == mv).unwrap().1;
                    let share = text.split("played ").nth(1).unwrap().split(' ').next().unwrap();
                    share.parse::<f64>().unwrap() / 100.0
                })
                .collect();
            let best = (0..3)
                .map(|answer| (0..3).map(|own| played[own] * (100.0 - pays[own][answer])).sum::<f64>())
                .fold(0.0, f64::max);
            assert!(best <= 52.0, "{spec} plays {played:?}, which gives {best} to the best answer");
        }
    }
}
