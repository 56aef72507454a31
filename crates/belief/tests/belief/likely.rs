//! Searches begin in histories as likely as they are.

use belief::{Bag, Ismcts, Observers, Remedy, Seen, Tracker, Weights, catch_up, place};
use game::{Deadline, Game, MoveId, Observation, Player, RoleId, Seed};
use reasoner::CircuitGame;
use rustc_hash::FxHashMap;

use crate::fog::{circuit, play, sheet, walk};

/// Chance takes one or two, and for two one of a thousand codes that nobody ever sees. A bet on one pays
/// 60, a bet on two 100, so two is right: 50 against 30. Of all histories one in a thousand has the one.
fn bet() -> std::sync::Arc<CircuitGame> {
    let digits: String = (0..10).map(|digit| format!("(digit {digit}) ")).collect();
    sheet(&format!(
        "(role agent) (role random) {digits}
        (init (step 1)) (next_step 1 2) (next_step 2 3) (next_step 3 4)
        (<= (legal random (take one)) (true (step 1)))
        (<= (legal random (take two)) (true (step 1)))
        (<= (legal random (code ?a ?b ?c)) (true (step 2)) (true (taken two)) (digit ?a) (digit ?b) (digit ?c))
        (<= (legal random noop) (true (step 2)) (true (taken one)))
        (<= (legal random noop) (true (step 3)))
        (<= (legal agent noop) (not (true (step 3))))
        (<= (legal agent (bet one)) (true (step 3)))
        (<= (legal agent (bet two)) (true (step 3)))
        (<= (sees agent ready) (does agent noop))
        (<= (next (step ?n)) (true (step ?m)) (next_step ?m ?n))
        (<= (next (taken ?what)) (does random (take ?what)))
        (<= (next (taken ?what)) (true (taken ?what)))
        (<= (next (coded ?a ?b ?c)) (does random (code ?a ?b ?c)))
        (<= (next (coded ?a ?b ?c)) (true (coded ?a ?b ?c)))
        (<= (next (betted ?what)) (does agent (bet ?what)))
        (<= terminal (true (step 4)))
        (<= right (true (betted ?what)) (true (taken ?what)))
        (<= (goal agent 60) right (true (betted one)))
        (<= (goal agent 100) right (true (betted two)))
        (<= (goal agent 0) (not right))
        (goal random 0)"
    ))
}

#[test]
fn what_has_few_histories_is_not_taken_to_be_likely() {
    let game = bet();
    for spec in [
        "pomcp(4000,exact=0)",
        "pomcp(4000,exact=0,histories=0)",
        "ismcts(2000)",
        "ismcts(2000,histories=0)",
        "oos(2000)",
        "oos(2000,histories=2000)",
    ] {
        let mut two = 0;
        for seed in 0..20 {
            let mut player: Box<dyn Player<CircuitGame>> = cast::for_circuits(spec).unwrap();
            // Who bets on two gets 100 or nothing, who bets on one 60 or nothing.
            let goal = play(&game, &mut [Some(&mut *player), None], Seed(seed))[0];
            let values = player.thought().moves;
            let worth = |text: &str| {
                let mv = game.find_move(RoleId(0), text).unwrap();
                values.iter().find(|known| known.mv == mv).and_then(|known| known.value).unwrap_or(0.0)
            };
            two += usize::from(goal != 60 && worth("(bet two)") > worth("(bet one)"));
        }
        println!("{spec}: two is thought to be better in {two} of 20 matches");
        assert!(two >= 19, "{spec}: {two} of 20");
    }
}

/// How far two distributions are from each other: the sum of all that one has more than the other.
fn distance(sample: &[(Vec<MoveId>, f64)], exact: &FxHashMap<Vec<MoveId>, f64>) -> f64 {
    let mut weights = FxHashMap::<&Vec<MoveId>, f64>::default();
    sample.iter().for_each(|(path, weight)| *weights.entry(path).or_default() += weight);
    assert!(weights.keys().all(|path| exact.contains_key(*path)), "a history does not agree");
    exact.iter().map(|(path, share)| (share - weights.get(path).unwrap_or(&0.0)).max(0.0)).sum()
}

/// Mean distances in the rounds of matches: of listed histories, of drawn ones, and of a bag; then what
/// is to be expected of as many independent draws, and how many sets there were.
fn distances(game: &std::sync::Arc<CircuitGame>, role: usize, rounds: usize) -> ([f64; 4], usize) {
    const DRAWN: usize = 256;
    let (never, id) = (Deadline::never(), RoleId(role as u32));
    let (mut sums, mut sets, mut scratch) = ([0.0; 4], 0, game.scratch());
    for seed in 0..6 {
        let steps = walk(&**game, Seed(seed));
        let mut tracker = Tracker::new(game, id, 20_000).unwrap();
        let player = |histories| {
            let observers = Observers { playouts: Some(1), models: DRAWN, histories, ..Observers::default() };
            let mut player = Ismcts::new(observers);
            player.start(game, &crate::fog::context(role, Seed(seed)), &never).unwrap();
            player
        };
        let (mut listed, mut drawn) = (player(20_000), player(0));
        let initial = place(&**game, &mut scratch, game.initial()).unwrap();
        let mut bag = Bag::new(id, &initial, DRAWN, Seed(seed));
        for step in steps[..steps.len() - 1].iter().take(rounds) {
            let seen = Seen::hidden(step.joint[role], &step.percepts[role]);
            if tracker.update(&seen, true, &never).is_err() {
                break;
            }
            bag.see(seen);
            catch_up(&**game, &mut scratch, &mut [&mut bag], true, &never).unwrap();
            for player in [&mut listed, &mut drawn] {
                let (own, percepts) = (step.joint[role], step.percepts[role].clone());
                player.update(&Observation { own, percepts, joint: None }).unwrap();
                player.select(&never).unwrap();
            }
            let paths = tracker.histories().iter().map(|history| history.path.clone());
            let exact: FxHashMap<Vec<MoveId>, f64> = paths.zip(tracker.probabilities()).collect();
            if exact.len() < 2 {
                continue;
            }
            let weights = bag.weights(Weights::Choice, Remedy::Weight);
            let bagged: Vec<(Vec<MoveId>, f64)> =
                bag.current().map(|model| model.path()).zip(weights).collect();
            let spread: f64 = exact.values().map(|share| (share * (1.0 - share) / DRAWN as f64).sqrt()).sum();
            let found = [
                distance(&listed.histories(), &exact),
                distance(&drawn.histories(), &exact),
                distance(&bagged, &exact),
                spread / 2.0,
            ];
            sums.iter_mut().zip(found).for_each(|(sum, found)| *sum += found);
            sets += 1;
        }
    }
    (sums.map(|sum| sum / sets.max(1) as f64), sets)
}

#[test]
fn samples_are_as_far_from_the_information_set_as_chance_makes_them() {
    let library =
        ["monty_hall_3", "hidden_connect_3x3", "krieg_tic_tac_toe_4", "leduc_poker", "border_protection"];
    let games = library.into_iter().map(|name| (name, circuit(name))).chain([("bet", bet())]);
    for (name, game) in games {
        let role = usize::from(!["monty_hall_3", "bet"].contains(&name));
        let ([listed, drawn, bag, chance], sets) = distances(&game, role, 6);
        println!(
            "{name}: listed {listed:.3}, drawn {drawn:.3}, bag {bag:.3}, chance {chance:.3}, {sets} sets"
        );
        assert!(sets >= 3, "{name}");
        // Lists that would take too long to make are drawn from, too.
        assert!(listed < 1e-9, "{name}: {listed}");
        assert!(drawn < 1.25 * chance + 0.01, "{name}: {drawn}, by chance {chance}");
    }
}
