//! Every way to evaluate single states gives the same answers.

use std::sync::Arc;

use game::{MoveId, PlayoutStream, Seed};
use rules::{Rules, Strictness};

use super::Scalar;
use crate::circuit::Circuits;
use crate::ground::{Ground, GroundLimits};
use crate::lanes::{LaneState, Lanes};

/// What there is to know about a state.
#[derive(Debug, PartialEq)]
struct Seen {
    terminal: bool,
    legal: Vec<Vec<MoveId>>,
    goals: Vec<Vec<i32>>,
}

fn see(way: &Scalar, lanes: &Lanes, roles: usize, state: &LaneState) -> Seen {
    let mut legal = vec![Vec::new(); roles];
    for (role, moves) in legal.iter_mut().enumerate() {
        way.ask(state, &[], |about| about.legal(lanes, role, moves));
    }
    let goals = (0..roles).map(|role| way.ask(state, &[], |about| about.goal_values(lanes, role))).collect();
    Seen { terminal: way.ask(state, &[], |about| about.terminal(lanes)), legal, goals }
}

/// Plays random games with all ways side by side; says which ways there are.
fn compare(name: &str) -> Vec<&'static str> {
    let path = format!("{}/../../games/{name}/rules.kif", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let rules = Rules::check(&gdl::parse_kif(&text).sheet, Strictness::Lenient).rules.unwrap();
    let ground = Ground::new(Arc::new(rules), GroundLimits::default()).unwrap();
    let circuits = Circuits::new(&ground);
    let roles = ground.moves.len();
    let initial = LaneState::of(&circuits.store.initial(&ground));
    let lanes = Lanes::best(&circuits, roles, &initial, circuits.store.fluents.len());
    let ways = Scalar::ways(&circuits, &ground);
    for playout in 0..4 {
        let stream = PlayoutStream::new(Seed(7), playout);
        let mut state = initial.clone();
        for step in 0..80 {
            let seen = see(&ways[0], &lanes, roles, &state);
            for way in &ways[1..] {
                assert_eq!(see(way, &lanes, roles, &state), seen, "{name}, {}, step {step}", way.way());
            }
            if seen.terminal || seen.legal.iter().any(Vec::is_empty) {
                break;
            }
            let choose = |(role, moves): (usize, &Vec<MoveId>)| {
                moves[stream.below(step, role as u32, moves.len() as u32) as usize]
            };
            let joint: Vec<MoveId> = seen.legal.iter().enumerate().map(choose).collect();
            let outcome = |way: &Scalar| {
                let percepts = |role| {
                    let mut seen = Vec::new();
                    way.ask(&state, &joint, |about| about.percepts(&lanes, &joint, role, &mut seen));
                    seen
                };
                let percepts: Vec<_> = (0..roles).map(percepts).collect();
                (way.ask(&state, &joint, |about| about.next(&lanes, &joint)), percepts)
            };
            let next = outcome(&ways[0]);
            for way in &ways[1..] {
                assert_eq!(outcome(way), next, "{name}, {}, step {step}", way.way());
            }
            state = next.0;
        }
    }
    ways.iter().map(Scalar::way).collect()
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
