//! Exact values against what is known of games.

use crate::table::circuit;
use game::{Deadline, Game, RoleId};
use players::exact::{
    Answer, Chance, Deepened, Depths, Explored, Fold, Forced, Graph, Guarantees, Limits, Question, Verdict,
    apart, deepen, explore, meet, verdict,
};
use reasoner::CircuitGame;

type State = <CircuitGame as Game>::State;

fn limits(fold: Option<Fold>) -> Limits {
    Limits { positions: 1_000_000, enough: None, fold, deadline: Deadline::never() }
}

fn whole(game: &CircuitGame, from: &State, fold: Option<Fold>) -> Graph<State> {
    let limits = limits(fold);
    match explore(game, &mut game.scratch(), from, &limits, |_| ()).unwrap() {
        Explored::Whole(graph) => graph,
        _ => panic!("too many positions"),
    }
}

/// What each role is sure of at the beginning.
fn values(game: &CircuitGame, from: &State) -> Vec<f64> {
    let graph = whole(game, from, None);
    RoleId::all(game.roles().len()).map(|role| Guarantees::of(&graph, role).value(0)).collect()
}

/// What proofs tell about a role at the beginning.
fn decided(game: &CircuitGame, role: RoleId, positions: usize) -> Verdict {
    let (from, never) = (game.initial(), Deadline::never());
    verdict(game, &mut game.scratch(), &from, role, positions, &never, |_| ()).unwrap()
}

#[test]
fn tic_tac_toe_has_5478_positions_and_is_a_draw() {
    let game = circuit("tic_tac_toe");
    let graph = whole(&game, &game.initial(), None);
    assert_eq!((graph.positions(), graph.terminal(), graph.constant_sum()), (5478, 958, Some(100)));
    assert_eq!(values(&game, &game.initial()), [50.0, 50.0]);
}

#[test]
fn nim_is_decided_by_the_nim_sum() {
    let game = circuit("nim");
    for (a, b, c, d) in [(3, 4, 5, 6), (1, 2, 3, 0), (3, 3, 5, 5), (0, 1, 0, 0), (2, 4, 1, 6), (3, 4, 2, 5)] {
        let mut facts: Vec<String> =
            [("a", a), ("b", b), ("c", c), ("d", d)].map(|(heap, n)| format!("(heap {heap} {n})")).to_vec();
        facts.push("(control first)".to_string());
        let expected = if a ^ b ^ c ^ d == 0 { [0.0, 100.0] } else { [100.0, 0.0] };
        assert_eq!(values(&game, &game.state(&facts).unwrap()), expected, "{facts:?}");
    }
}

#[test]
fn proofs_agree_with_all_positions() {
    for (name, value) in [("tic_tac_toe", 50), ("nim", 100)] {
        let game = circuit(name);
        let found = decided(&game, RoleId(0), 100_000);
        assert_eq!((found.low, found.high, found.open), (value, value, None), "{name}");
        assert_eq!(found.sum, Some(100), "{name}");
    }
    // A memory that is far too small costs time, not truth.
    let game = circuit("tic_tac_toe");
    let found = decided(&game, RoleId(1), 500);
    assert_eq!((found.low, found.high), (50, 50));
}

#[test]
fn depth_first_agrees_with_all_positions() {
    for (name, value) in [("tic_tac_toe", 50), ("nim", 100)] {
        let game = circuit(name);
        for at_least in [1, 50, 51, 100] {
            let question = Question { role: RoleId(0), at_least, chance: Chance::Unknown };
            let mut search = Forced::new(&*game, question, 4096, None);
            let (from, never) = (game.initial(), Deadline::never());
            let answer = search.answer(&mut game.scratch(), &from, &never, u64::MAX, |_| ()).unwrap();
            assert_eq!(answer == Answer::Yes, value >= at_least, "{name} {at_least}");
            assert_eq!(search.constant_sum(), Some(100));
        }
    }
}

#[test]
fn simultaneous_moves_are_mixed_exactly() {
    let game = circuit("biased_rock_paper_scissors");
    for value in values(&game, &game.initial()) {
        assert!((value - 50.0).abs() < 1e-6, "{value}");
    }
}

#[test]
fn without_its_counter_the_eight_puzzle_has_half_of_nine_factorial_positions() {
    let game = circuit("eight_puzzle");
    let fold = Fold::of(&game::structure(&*game).clock.unwrap());
    let graph = whole(&game, &game.initial(), fold);
    assert_eq!(graph.positions(), 181_440);
    let plan = graph.shortest(&*game, &mut game.scratch(), &game.initial(), |goals| goals[0] == Some(100));
    let plan = plan.unwrap().unwrap();
    assert_eq!(plan.len(), 31);
}

#[test]
fn hanoi_takes_two_to_the_disks_less_one() {
    let game = circuit("hanoi");
    for disks in 1..=5u32 {
        // Larger disks are where they belong already.
        let mut facts: Vec<String> =
            (1..=5).map(|disk| format!("(on {disk} {})", if disk <= disks { "a" } else { "c" })).collect();
        facts.push("(step 0)".to_string());
        let graph = whole(&game, &game.state(&facts).unwrap(), None);
        let from = game.state(&facts).unwrap();
        let plan = graph.shortest(&*game, &mut game.scratch(), &from, |goals| goals[0] > Some(0));
        let plan = plan.unwrap().unwrap();
        assert_eq!(plan.len(), (1 << disks) - 1, "{disks}");
    }
}

#[test]
fn rules_say_what_an_end_needs() {
    let structure = game::structure(&*circuit("lights_out"));
    let [aim] = &structure.aims[..] else { panic!("{:?}", structure.aims) };
    assert_eq!((aim.goal, aim.fluents.len(), aim.enough, aim.by_step), (100, 25, true, Some(5)));
    assert!(aim.fluents.iter().all(|(_, holds)| !holds));
    let structure = game::structure(&*circuit("eight_puzzle"));
    let aim = &structure.aims[0];
    assert!(aim.enough && aim.fluents.iter().filter(|(_, holds)| *holds).count() >= 8, "{aim:?}");
    // Rows may be full in many ways, so an end says nothing about a single square.
    let structure = game::structure(&*circuit("tic_tac_toe"));
    assert!(structure.aims.iter().all(|aim| !aim.enough), "{:?}", structure.aims);
}

#[test]
fn parts_of_a_puzzle_are_searched_by_themselves() {
    let game = circuit("lights_out_three");
    let structure = game::structure(&*game);
    assert_eq!(structure.parts.iter().filter(|part| part.still).count(), 3);
    let search = |game: &CircuitGame| {
        let (from, structure) = (game.initial(), game::structure(game));
        apart(game, &mut game.scratch(), &from, &structure, &limits(None), |_| ()).unwrap()
    };
    let plan = search(&game).unwrap();
    assert_eq!((plan.moves.len(), plan.parts, plan.shortest), (21, 3, true));
    assert!(plan.positions <= 3 * 4096, "{}", plan.positions);
    assert_eq!(search(&circuit("lights_out")), None);
}

#[test]
fn plans_are_found_from_both_ends() {
    let search = |game: &CircuitGame| {
        let (from, structure) = (game.initial(), game::structure(game));
        meet(game, &mut game.scratch(), &from, &structure, &limits(None), |_| ()).unwrap()
    };
    for (name, length, most) in [("eight_puzzle", 31, 40_000), ("pocket_cube", 7, 4_000)] {
        let plan = search(&circuit(name)).unwrap();
        assert_eq!(plan.moves.len(), length, "{name}");
        assert!(plan.positions < most, "{name}: {}", plan.positions);
    }
    // Pegs do not come back.
    assert_eq!(search(&circuit("peg_solitaire")), None);
}

#[test]
fn growing_bounds_find_shortest_plans_with_little_memory() {
    for (name, length) in [("pocket_cube", 7), ("hanoi", 31)] {
        let game = circuit(name);
        let (from, mut scratch) = (game.initial(), game.scratch());
        let structure = game::structure(&*game);
        let limits =
            Depths { memory: 2000, states: u64::MAX, longest: usize::MAX, deadline: Deadline::never() };
        let mut search = |limits: &Depths| {
            deepen(&*game, &mut scratch, &from, &structure, 100, limits, |_, _| ()).unwrap().0
        };
        let found = search(&limits);
        let Deepened::Plan(plan) = found else { panic!("{name}: {found:?}") };
        assert_eq!(plan.len(), length, "{name}");
        let limits = Depths { longest: length - 1, ..limits };
        let found = search(&limits);
        assert_eq!(found, Deepened::Open(length), "{name}");
    }
}

#[test]
fn a_match_that_never_ends_is_worth_nothing() {
    let game = circuit("endless");
    let graph = whole(&game, &game.initial(), None);
    for role in RoleId::all(game.roles().len()) {
        assert!(Guarantees::of(&graph, role).value(0) <= 100.0);
    }
}
