//! What games are found to hide, against what their rules say.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use analysis::HiddenKind::{self, Beginning, Chance, Moves, Objectives, Purchase, Tactics};
use analysis::hidden_kinds;
use game::{Deadline, Seed};
use library::{Library, Loaded};
use reasoner::{CircuitGame, GroundLimits};

#[track_caller]
fn check(name: &str, kinds: &[HiddenKind]) {
    let told = found(name);
    assert_eq!(told, kinds, "{name}");
}

fn found(name: &str) -> Vec<HiddenKind> {
    let loaded = Loaded::new(Library::embedded().find(name).unwrap(), Default::default());
    let game = CircuitGame::new(loaded.rules().unwrap(), GroundLimits::default()).unwrap();
    let found = hidden_kinds(&game, Seed(1), &Deadline::never()).unwrap();
    found.iter().map(|hidden| hidden.kind).collect()
}

#[test]
fn a_game_that_hides_nothing_has_no_kind() {
    check("tic_tac_toe", &[]);
}

#[test]
fn only_moves_are_hidden_where_there_is_no_chance() {
    let told = found("hidden_connect_3x3");
    assert!(told.contains(&Moves), "{told:?}");
    assert!(![Beginning, Chance, Purchase, Objectives].iter().any(|kind| told.contains(kind)), "{told:?}");
}

#[test]
fn what_is_dealt_or_laid_out_before_anybody_chooses_is_a_hidden_beginning() {
    for name in ["kuhn_poker", "mastermind_2c3p3g", "minesweeper_4x4"] {
        check(name, &[Beginning]);
    }
}

#[test]
fn questions_that_cost_points_are_bought() {
    for name in ["number_guessing_4", "exploding_bomb"] {
        check(name, &[Beginning, Purchase]);
    }
}

#[test]
fn which_bank_is_the_bankers_is_a_hidden_objective() {
    check("banker_split_2", &[Beginning, Objectives]);
}

#[test]
fn looking_for_ships_is_a_tactical_advantage() {
    check("battleships_fog_3", &[Moves, Beginning, Tactics]);
}

#[test]
fn asking_for_cards_tells_something_where_it_is_not_known() {
    // Of two cards in the pond one makes a pair, which everybody sees, so fishing hides nothing.
    check("go_fish", &[Beginning, Tactics]);
}
