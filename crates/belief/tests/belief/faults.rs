//! What players do where sheets are badly made, or what they are told cannot be.

use std::sync::Arc;

use belief::{Form, FormLimits};
use game::{Deadline, Fault, Game, Observation, Player, RoleId, Seed};
use library::{Library, Loaded, Source};
use reasoner::{CircuitGame, GroundLimits};

use crate::fog::{circuit, context};

/// Players that search from models, with little to do.
const PLAYERS: [&str; 5] =
    ["hyperplay(32,2)", "hyperplay2(32,1,2,1)", "ismcts(200,32)", "oos(200,32)", "pomcp(200,32)"];

/// A sheet that the program is tested with, changed.
fn sheet(name: &str, change: impl Fn(&str) -> String) -> Arc<CircuitGame> {
    let path = format!("{}/../cli/tests/sheets/{name}.kif", env!("CARGO_MANIFEST_DIR"));
    let source = Library::embedded().find(&path).unwrap();
    let text = change(&source.text);
    let loaded = Loaded::new(Source { text: text.into(), ..source }, Default::default());
    Arc::new(CircuitGame::new(loaded.rules().unwrap(), GroundLimits::default()).unwrap())
}

/// A player of the first role after a step in which it did this and saw nothing.
fn after(game: &Arc<CircuitGame>, spec: &str, own: &str, seed: u64) -> Box<dyn Player<CircuitGame>> {
    let mut player: Box<dyn Player<CircuitGame>> = cast::for_circuits(spec).unwrap();
    player.start(game, &context(0, Seed(seed)), &Deadline::never()).unwrap();
    let own = game.find_move(RoleId(0), own).unwrap();
    player.update(&Observation { own, percepts: Vec::new(), joint: None }).unwrap();
    player
}

fn says(player: &dyn Player<CircuitGame>, words: &str) -> bool {
    let thought = player.thought().map(|mv| format!("{mv:?}"), |_, mv| format!("{mv:?}"));
    thought.describe().iter().any(|(_, text)| text.contains(words))
}

#[test]
fn where_models_differ_only_moves_that_are_legal_in_all_of_them_are_made() {
    let game = sheet("loaded_coin", str::to_string);
    for spec in PLAYERS {
        for seed in 0..4 {
            let mut player = after(&game, spec, "wait", seed);
            let chosen = player.select(&Deadline::never()).unwrap();
            assert_eq!(game.move_text(RoleId(0), chosen), "pass", "{spec}");
            assert!(says(&*player, "disagree about which moves are legal"), "{spec}: {:?}", player.thought());
            assert_eq!(player.thought().fault, None, "{spec}");
        }
    }
}

#[test]
fn where_no_move_is_legal_in_all_models_one_that_is_legal_in_some_is_made() {
    let game = sheet("loaded_coin", |text| text.replace("(<= (legal guesser pass) (true tossed))", ""));
    for spec in PLAYERS {
        let mut said = Vec::new();
        for seed in 0..16 {
            let mut player = after(&game, spec, "wait", seed);
            let chosen = player.select(&Deadline::never()).unwrap();
            said.push(game.move_text(RoleId(0), chosen));
            assert_eq!(player.thought().fault, None, "{spec}");
        }
        said.sort();
        said.dedup();
        assert!(said.iter().all(|text| text.starts_with("(say ")), "{spec}: {said:?}");
    }
}

#[test]
fn a_move_that_is_drawn_because_of_a_fault_is_told_as_such() {
    let game = circuit("kuhn_poker");
    for spec in PLAYERS {
        for impossible in ["bet", "noop"] {
            let mut player = after(&game, spec, impossible, 1);
            player.select(&Deadline::never()).unwrap();
            let agrees = "drawn at random: no history of this game agrees with what was seen";
            assert!(says(&*player, agrees), "{spec}: {:?}", player.thought());
            assert!(matches!(player.thought().fault, Some(Fault::BadState(_))), "{spec}");
            assert!(!says(&*player, "the only legal move"), "{spec}");
        }
    }
}

#[test]
fn a_match_that_can_only_go_on_for_ever_has_too_many_histories() {
    let game = sheet("treadmill", str::to_string);
    let limits = FormLimits { histories: 1000, deadline: Deadline::never() };
    let built = Form::build(&*game, &mut game.scratch(), &game.initial(), &limits, |_| ());
    assert_eq!(built.err(), Some(Fault::Budget("there are more than 1000 histories".to_string())));
    let none_left = FormLimits { histories: usize::MAX, deadline: Deadline::after(Default::default()) };
    let built = Form::build(&*game, &mut game.scratch(), &game.initial(), &none_left, |_| ());
    assert_eq!(built.err(), Some(Fault::Stopped));
}
