//! Tests that every way to evaluate single states gives the same answers.

use std::sync::Arc;

use game::{MoveId, PlayoutStream, Seed};
use rules::{Rules, Strictness};

use super::evaluator::Evaluator;
use super::{Reach, Scalar, distance};
use crate::circuit::Circuits;
use crate::ground::{Ground, GroundLimits};
use crate::lanes::{LaneState, Lanes};

/// Everything that is observed of a state.
#[derive(Debug, PartialEq)]
struct Seen {
    terminal: bool,
    legal: Vec<Vec<MoveId>>,
    goals: Vec<Vec<i32>>,
}

fn see((way, evaluator): &mut (Scalar, Evaluator), lanes: &Lanes, roles: usize, state: &LaneState) -> Seen {
    let mut legal = vec![Vec::new(); roles];
    for (role, moves) in legal.iter_mut().enumerate() {
        way.ask(evaluator, state, &[], |about| about.legal(lanes, role, moves));
    }
    let goals = (0..roles)
        .map(|role| way.ask(evaluator, state, &[], |about| about.goal_values(lanes, role)))
        .collect();
    Seen { terminal: way.ask(evaluator, state, &[], |about| about.terminal(lanes)), legal, goals }
}

/// Plays random games with all ways side by side. Returns the names of the ways.
fn compare(name: &str) -> Vec<&'static str> {
    let path = format!("{}/../../games/{name}/rules.kif", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let rules = Rules::check(&gdl::parse_kif(&text).sheet, Strictness::Lenient).rules.unwrap();
    let ground = Ground::new(Arc::new(rules), GroundLimits::default()).unwrap();
    let circuits = Circuits::new(&ground);
    let roles = ground.moves.len();
    let initial = LaneState::of(&circuits.store.initial(&ground));
    let lanes = Lanes::best(&circuits, roles, &initial, circuits.store.fluents.len());
    let ways = Scalar::ways(&circuits, &ground).into_iter();
    let mut ways: Vec<(Scalar, Evaluator)> = ways.map(|way| (way, Evaluator::default())).collect();
    for playout in 0..4 {
        let stream = PlayoutStream::new(Seed(7), playout);
        let mut state = initial.clone();
        for step in 0..80 {
            let seen = see(&mut ways[0], &lanes, roles, &state);
            for way in &mut ways[1..] {
                assert_eq!(see(way, &lanes, roles, &state), seen, "{name}, {}, step {step}", way.0.way());
            }
            if seen.terminal || seen.legal.iter().any(Vec::is_empty) {
                break;
            }
            let choose = |(role, moves): (usize, &Vec<MoveId>)| {
                moves[stream.below(step, role as u32, moves.len() as u32) as usize]
            };
            let joint: Vec<MoveId> = seen.legal.iter().enumerate().map(choose).collect();
            let outcome = |(way, evaluator): &mut (Scalar, Evaluator)| {
                let percepts = |role| {
                    let mut seen = Vec::new();
                    way.ask(evaluator, &state, &joint, |about| {
                        about.percepts(&lanes, &joint, role, &mut seen)
                    });
                    seen
                };
                let percepts: Vec<_> = (0..roles).map(percepts).collect();
                (way.ask(evaluator, &state, &joint, |about| about.next(&lanes, &joint)), percepts)
            };
            let next = outcome(&mut ways[0]);
            for way in &mut ways[1..] {
                assert_eq!(outcome(way), next, "{name}, {}, step {step}", way.0.way());
            }
            state = next.0;
        }
    }
    ways.iter().map(|(way, _)| way.way()).collect()
}

#[test]
fn all_ways_agree_in_games_of_every_kind() {
    let all = [
        "programs",
        "eager net of all phases",
        "net of all phases",
        "eager net",
        "net",
        "reactive net of all phases",
        "reactive net",
    ];
    assert_eq!(compare("connect_four"), all);
    for name in [
        "tic_tac_toe",
        "breakthrough_5",
        "english_draughts",
        "hnefatafl_7",
        "eight_puzzle",
        "tron",
        "goofspiel",
        "krieg_tic_tac_toe_4",
        "kuhn_poker",
    ] {
        assert!(compare(name).contains(&"reactive net"), "{name}");
    }
}

#[test]
fn circuits_with_regions_have_one_way() {
    assert_eq!(compare("hex_9"), ["programs"]);
}

/// A piece walks around a ring; each moment keeps the squares that have changed since.
fn history(moments: usize, squares: usize) -> String {
    let mut text = String::from(
        "(role walker) (init (at 0)) (init (step 0))
        (<= (legal walker (go ?x ?y)) (true (at ?x)) (ring ?x ?y))
        (<= (legal walker (go ?x ?y)) (true (at ?x)) (ring ?y ?x))
        (<= (next (at ?y)) (does walker (go ?x ?y)))
        (<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
        (<= (toggles ?x) (does walker (go ?x ?y)))
        (<= (toggles ?y) (does walker (go ?x ?y)))
        (<= (stays ?m) (true (step ?m)))
        (<= (stays ?m) (true (kept ?m)))
        (<= (next (kept ?m)) (stays ?m))
        (<= (apart ?m ?x) (succ ?m ?n) (toggles ?x) (not (true (differs ?m ?x))))
        (<= (apart ?m ?x) (true (differs ?m ?x)) (not (toggles ?x)))
        (<= (next (differs ?m ?x)) (stays ?m) (apart ?m ?x))
        (<= (different ?m) (true (differs ?m ?x)))
        (<= (same ?m) (true (kept ?m)) (not (different ?m)))
        (<= back (same ?m))
        (<= (goal walker 100) back)
        (<= (goal walker 0) (not back))",
    );
    text += &format!("(<= terminal (true (step {moments})))");
    (0..moments).for_each(|m| text += &format!("(succ {m} {})", m + 1));
    (0..squares).for_each(|x| text += &format!("(ring {x} {})", (x + 1) % squares));
    text
}

#[test]
fn a_turn_late_in_a_long_history_is_followed_for_little_more_than_an_early_one() {
    const MOMENTS: u32 = 120;
    let sheet = gdl::parse_kif(&history(MOMENTS as usize, 12)).sheet;
    let rules = Rules::check(&sheet, Strictness::Lenient).rules.unwrap();
    let ground = Ground::new(Arc::new(rules), GroundLimits::default()).unwrap();
    let circuits = Circuits::new(&ground);
    let initial = LaneState::of(&circuits.store.initial(&ground));
    let lanes = Lanes::best(&circuits, 1, &initial, circuits.store.fluents.len());
    let mut way = Scalar::ways(&circuits, &ground).pop().unwrap();
    assert_eq!(way.way(), "reactive net");
    let stream = PlayoutStream::new(Seed(3), 0);
    let mut states = vec![initial.clone()];
    // The number of wires that one turn flips.
    let mut evaluator = Evaluator::default();
    let turn = |way: &Scalar, evaluator: &mut Evaluator, state: &LaneState, step: u32| {
        let before = evaluator.events();
        let mut moves = Vec::new();
        way.ask(evaluator, state, &[], |about| about.legal(&lanes, 0, &mut moves));
        let joint = [moves[stream.below(step, 0, moves.len() as u32) as usize]];
        let next = way.ask(evaluator, state, &joint, |about| about.next(&lanes, &joint));
        way.ask(evaluator, &next, &[], |about| about.terminal(&lanes));
        let after = evaluator.events();
        (next, after.entering + after.moving - before.entering - before.moving)
    };
    // Memory is allocated, and a first walk determines what is far. It ends early, as in a large game.
    turn(&way, &mut evaluator, &initial, 0);
    evaluator.count_anew();
    let mut state = initial.clone();
    for step in 0..16 {
        state = turn(&way, &mut evaluator, &state, step).0;
    }
    let programs = std::time::Duration::from_micros(40);
    way.reach = Reach::of(&evaluator, programs, programs / 4);
    way.ask(&mut evaluator, &initial, &[], |about| about.terminal(&lanes));
    let mut costs = Vec::new();
    for step in 0..MOMENTS - 1 {
        let (next, cost) = turn(&way, &mut evaluator, &states[step as usize], step);
        states.push(next);
        costs.push(cost);
    }
    let mean = |costs: &[u64]| costs.iter().sum::<u64>() / costs.len() as u64;
    let (early, late) = (mean(&costs[5..15]), mean(&costs[105..115]));
    assert!(early > 0 && late <= 2 * early, "{early} wires turn over in an early turn, {late} in a late one");
    assert!(evaluator.ran.is_none(), "a line of play was left to the programs");
    // A state that is jumped to is left to the programs, and it is followed once play continues there.
    let (here, there) = (distance(&states[108], &states[109]), distance(&initial, &states[108]));
    assert!(here <= way.reach.near, "{here} fluents differ after a turn, {:?}", way.reach);
    way.reach.far = u32::MAX;
    way.ask(&mut evaluator, &initial, &[], |about| about.terminal(&lanes));
    way.reach.far = there - 1;
    let known = |evaluator: &Evaluator, state: &LaneState| {
        evaluator.values.iter().flatten().any(|values| values.is_about(state))
    };
    for (step, followed) in [(108, false), (109, true), (110, true)] {
        way.ask(&mut evaluator, &states[step], &[], |about| about.terminal(&lanes));
        assert_eq!(
            known(&evaluator, &states[step]),
            followed,
            "step {step}: {here}, {there}, {:?}",
            way.reach
        );
    }
}
