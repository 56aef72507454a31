//! Models are members of the information set, and every member can come up.

use std::collections::BTreeSet;

use belief::{Bag, Remedy, Seen, Tracker, Weights, catch_up, place};
use game::{Deadline, Fault, Game, MoveId, RoleId, Seed};

use crate::fog::{Step, circuit, hidden_games, legal, walk};

/// Joint moves tried for a bag in one round of a long game, at most.
const MOST: u64 = 50_000;

fn seen<S>(step: &Step<S>, role: usize) -> Seen {
    Seen::hidden(step.joint[role], &step.percepts[role])
}

fn find<G: Game>(game: &G, role: usize, text: &str) -> MoveId {
    game.find_move(RoleId(role as u32), text).unwrap()
}

#[test]
fn the_tracker_knows_how_likely_the_car_is_behind_the_other_door() {
    for doors in [3, 4, 5] {
        let game = circuit(&format!("monty_hall_{doors}"));
        let mut tracker = Tracker::new(&game, RoleId(0), 1000).unwrap();
        let closed = game.find_percept(RoleId(0), "(closed 2)").unwrap();
        for step in [
            Seen::hidden(find(&*game, 0, "(choose 1)"), &[]),
            Seen::hidden(find(&*game, 0, "noop"), &[closed]),
        ] {
            tracker.update(&step, true, &Deadline::never()).unwrap();
        }
        assert_eq!(tracker.histories().len(), 2);
        let n = f64::from(doors);
        for (history, probability) in tracker.histories().iter().zip(tracker.probabilities()) {
            let car = game.facts(&history.place.state).contains(&"(car 2)".to_string());
            let (likely, ways) = if car { ((n - 1.0) / n, n) } else { (1.0 / n, n * (n - 1.0)) };
            assert!((probability - likely).abs() < 1e-9 && history.choices == ways);
        }
    }
}

#[test]
fn a_tracker_with_too_many_histories_says_so_and_stays_as_it_was() {
    let game = circuit("battleships_fog_4");
    let mut tracker = Tracker::new(&game, RoleId(0), 10).unwrap();
    let ship = game.find_percept(RoleId(0), "(ship 1 1)").unwrap();
    let step = Seen::hidden(find(&*game, 0, "noop"), &[ship]);
    assert!(matches!(tracker.update(&step, true, &Deadline::never()), Err(Fault::Budget(_))));
    assert_eq!(tracker.histories().len(), 1);
}

/// Walks through a game and compares, in every round, a fresh bag and one that was carried along with
/// the information set. Gives the number of sets of more than one history.
fn compare(name: &str, role: usize, seed: Seed, most: usize) -> usize {
    let game = circuit(name);
    let steps = walk(&*game, seed);
    let mut scratch = game.scratch();
    let initial = place(&*game, &mut scratch, game.initial()).unwrap();
    let mut tracker = Tracker::new(&game, RoleId(role as u32), 20_000).unwrap();
    let mut carried = Bag::new(RoleId(role as u32), &initial, 8, seed.derive(1));
    let mut sets = 0;
    for (round, step) in steps.iter().enumerate().take(steps.len() - 1) {
        if tracker.update(&seen(step, role), true, &Deadline::never()).is_err() {
            return sets;
        }
        let members: BTreeSet<Vec<MoveId>> = tracker.histories().iter().map(|h| h.path.clone()).collect();
        let size = if members.len() <= most { 60 + members.len() * 60 } else { 20 };
        let mut fresh = Bag::new(RoleId(role as u32), &initial, size, seed.derive(round as u64 + 2));
        steps[..=round].iter().for_each(|step| fresh.see(seen(step, role)));
        carried.see(seen(step, role));
        catch_up(&*game, &mut scratch, &mut [&mut fresh, &mut carried], true, &Deadline::never()).unwrap();
        for bag in [&fresh, &carried] {
            assert!(bag.current().all(|model| members.contains(&model.path())), "{name}: not sound");
            assert!(bag.current().count() == if std::ptr::eq(bag, &fresh) { size } else { 8 });
        }
        for model in fresh.current() {
            let path = model.path();
            let history = tracker.histories().iter().find(|history| history.path == path).unwrap();
            assert!((model.ln_choices() - history.choices.ln()).abs() < 1e-9);
            assert_eq!(model.place().state, history.place.state);
        }
        if members.len() <= most {
            let sampled: BTreeSet<Vec<MoveId>> = fresh.current().map(|model| model.path()).collect();
            assert_eq!(sampled, members, "{name}, round {round}: not complete");
            sets += usize::from(members.len() > 1);
        }
    }
    sets
}

#[test]
fn bags_are_sound_and_complete() {
    for (name, role, least) in [
        ("monty_hall_5", 0, 5),
        ("exploding_bomb", 0, 3),
        ("spy_vs_spy", 1, 1),
        ("number_guessing_8", 0, 4),
        ("mastermind_2c3p3g", 0, 5),
        ("mastermind_3c4p4g", 0, 5),
        ("banker_thief_2", 1, 5),
        ("kuhn_poker", 0, 3),
        ("leduc_poker", 1, 4),
        ("guess_who_8", 0, 3),
        ("hidden_connect_3x3", 1, 5),
        ("border_protection", 1, 3),
        ("krieg_tic_tac_toe_4", 0, 3),
    ] {
        let sets: usize = (0..6).map(|seed| compare(name, role, Seed(seed), 30)).sum();
        assert!(sets >= least, "{name}: only {sets} information sets were compared");
    }
}

#[test]
fn histories_that_have_ended_do_not_agree_with_a_match_that_goes_on() {
    // The intruder's second step forward would have been caught by a guard in its column.
    let game = circuit("border_protection");
    let none: Vec<game::PerceptId> = Vec::new();
    let guard = |d: u32| game.find_percept(RoleId(0), &format!("(guard {d})")).unwrap();
    let mut tracker = Tracker::new(&game, RoleId(0), 1000).unwrap();
    let never = Deadline::never();
    tracker.update(&Seen::hidden(find(&*game, 0, "(start 1)"), &none), true, &never).unwrap();
    tracker.update(&Seen::hidden(find(&*game, 0, "forward"), &[guard(2)]), true, &never).unwrap();
    tracker.update(&Seen::hidden(find(&*game, 0, "forward"), &none), true, &never).unwrap();
    for history in tracker.histories() {
        assert!(!game.facts(&history.place.state).contains(&"(guard 1)".to_string()));
    }
    assert!(!tracker.histories().is_empty());
}

#[test]
fn bags_are_never_empty_and_know_the_legal_moves() {
    for name in hidden_games() {
        let game = circuit(&name);
        let mut scratch = game.scratch();
        let initial = place(&*game, &mut scratch, game.initial()).unwrap();
        for seed in 0..2 {
            let mut steps = walk(&*game, Seed(seed));
            steps.truncate(25);
            for role in (0..game.roles().len()).filter(|&role| game.roles()[role] != "random") {
                let mut bag = Bag::new(RoleId(role as u32), &initial, 3, Seed(seed));
                for (step, next) in steps.iter().zip(&steps[1..]) {
                    bag.see(seen(step, role));
                    catch_up(&*game, &mut scratch, &mut [&mut bag], true, &Deadline::never()).unwrap();
                    assert_eq!(bag.current().count(), 3, "{name}: a model was lost");
                    let moves = legal(&*game, &mut scratch, &next.state, role);
                    assert!(bag.current().all(|model| model.place().legal[role] == moves), "{name}");
                }
            }
        }
    }
}

#[test]
fn what_only_several_changes_long_ago_explain_is_found() {
    // Late in this game pawns feel others on squares to which these came in several steps.
    let game = circuit("blind_breakthrough_7_touch");
    let mut scratch = game.scratch();
    let initial = place(&*game, &mut scratch, game.initial()).unwrap();
    for seed in [11, 16, 20] {
        let steps = walk(&*game, Seed(seed));
        for role in 0..2 {
            let mut bag = Bag::new(RoleId(role as u32), &initial, 2, Seed(seed));
            for step in &steps[..steps.len() - 1] {
                bag.see(seen(step, role));
                let before = bag.tried();
                catch_up(&*game, &mut scratch, &mut [&mut bag], true, &Deadline::never()).unwrap();
                let tried = bag.tried() - before;
                assert!(tried < MOST, "seed {seed}, role {role}: {tried} joint moves were tried in a round");
            }
        }
    }
}

#[test]
fn a_bag_comes_to_the_same_models_alone_and_among_others() {
    let game = circuit("hidden_connect_3x3");
    let mut scratch = game.scratch();
    let initial = place(&*game, &mut scratch, game.initial()).unwrap();
    let steps = walk(&*game, Seed(4));
    let paths = |bag: &Bag<_>| bag.current().map(|model| model.path()).collect::<Vec<_>>();
    // So many that all are tried at once, and more than that.
    for size in [9, 700] {
        let make = |seed| {
            let mut bag = Bag::new(RoleId(1), &initial, size, Seed(seed));
            steps[..3].iter().for_each(|step| bag.see(seen(step, 1)));
            bag
        };
        let (mut alone, mut among, mut other, mut third) = (make(1), make(1), make(2), make(3));
        catch_up(&*game, &mut scratch, &mut [&mut alone], true, &Deadline::never()).unwrap();
        catch_up(&*game, &mut scratch, &mut [&mut other, &mut third, &mut among], true, &Deadline::never())
            .unwrap();
        assert_eq!(paths(&alone), paths(&among));
        assert_ne!(paths(&alone), paths(&other));
    }
}

#[test]
fn remedies_level_out_copies() {
    let game = circuit("monty_hall_3");
    let mut scratch = game.scratch();
    let initial = place(&*game, &mut scratch, game.initial()).unwrap();
    let mut bag = Bag::new(RoleId(0), &initial, 31, Seed(3));
    let closed = game.find_percept(RoleId(0), "(closed 2)").unwrap();
    bag.see(Seen::hidden(find(&*game, 0, "(choose 1)"), &[]));
    bag.see(Seen::hidden(find(&*game, 0, "noop"), &[closed]));
    catch_up(&*game, &mut scratch, &mut [&mut bag], true, &Deadline::never()).unwrap();
    assert_eq!(bag.different(), 2);
    let switch = |bag: &Bag<_>, weights, remedy| -> f64 {
        let behind = bag.current().map(|model| game.facts(&model.place().state).contains(&"(car 2)".into()));
        bag.weights(weights, remedy).iter().zip(behind).filter(|(_, car)| *car).map(|(w, _)| w).sum()
    };
    assert!((switch(&bag, Weights::Choice, Remedy::Weight) - 2.0 / 3.0).abs() < 1e-9);
    assert!((switch(&bag, Weights::Even, Remedy::Weight) - 0.5).abs() < 1e-9);
    bag.balance();
    let even = switch(&bag, Weights::Even, Remedy::Base);
    assert!((even - 15.0 / 31.0).abs() < 1e-9 || (even - 16.0 / 31.0).abs() < 1e-9);
}

#[test]
fn what_contradicts_the_rules_is_a_fault() {
    let game = circuit("exploding_bomb");
    let mut scratch = game.scratch();
    let initial = place(&*game, &mut scratch, game.initial()).unwrap();
    let mut bag = Bag::new(RoleId(0), &initial, 4, Seed(1));
    let red = game.find_percept(RoleId(0), "red").unwrap();
    bag.see(Seen::hidden(find(&*game, 0, "noop"), &[red]));
    let told = catch_up(&*game, &mut scratch, &mut [&mut bag], true, &Deadline::never());
    assert!(matches!(told, Err(Fault::BadState(_))));
}
