//! Whether a bag is a uniform sample of the information set, and what it costs.

use game::{Deadline, Game, MoveId, PerceptId, RoleId, Seed};
use players::belief::{Bag, Seen, Tracker, catch_up, place};
use reasoner::CircuitGame;
use rustc_hash::FxHashMap;
use statistics::goodness_of_fit;

use crate::matches::circuit;

/// Game, role, and the rounds of Tables 2 and 3 with their medians.
type Sampled = (&'static str, usize, [(usize, f64); 2]);

const BASKET: &[Sampled] = &[
    ("battleships_fog_4_long", 1, [(6, 0.158), (12, 0.058)]),
    ("blind_breakthrough_5", 1, [(6, 0.156), (11, 0.998)]),
    ("border_protection", 1, [(4, 0.040), (7, 0.001)]),
    ("guess_who_16", 1, [(5, 0.001), (10, 0.399)]),
    ("hidden_connect_3x3", 1, [(4, 0.001), (8, 0.001)]),
    ("krieg_tic_tac_toe_4", 1, [(3, 0.001), (5, 0.167)]),
    ("mastermind_3c4p4g", 0, [(3, 0.211), (5, 0.899)]),
    ("transit", 1, [(5, 0.001), (11, 0.999)]),
];
/// Histories of an information set that is looked at, at most.
const SETS: usize = 2_000;
/// Histories that are kept on the way there, at most.
const TRACKED: usize = 100_000;

/// What a role saw in a random match, step by step.
fn walk(game: &CircuitGame, role: usize, seed: Seed) -> Vec<Seen> {
    let mut chance = seed.rng();
    let (mut state, mut moves, mut seen) = (game.initial(), Vec::new(), Vec::new());
    loop {
        let mut joint: Vec<MoveId> = Vec::new();
        for role in RoleId::all(game.roles().len()) {
            game.legal(&state, role, &mut moves).unwrap();
            joint.push(moves[chance.below(moves.len())]);
        }
        let next = game.next(&state, &joint).unwrap();
        if game.is_terminal(&next).unwrap() {
            return seen;
        }
        let mut percepts: Vec<PerceptId> = Vec::new();
        game.percepts(&state, &joint, RoleId(role as u32), &mut percepts).unwrap();
        seen.push(Seen::hidden(joint[role], &percepts));
        state = next;
    }
}

fn quartile(sorted: &[f64], part: f64) -> f64 {
    let at = part * (sorted.len() - 1) as f64;
    let (low, high) = (at.floor() as usize, at.ceil() as usize);
    sorted[low] + (sorted[high] - sorted[low]) * (at - low as f64)
}

pub fn uniform(games: u64, seed: u64) {
    println!("game,role,round,matches,seed,too large,histories (median),q1,median,q3,published median");
    let never = Deadline::never();
    for &(name, role, rounds) in BASKET {
        let game = circuit(name);
        let initial = place(&*game, game.initial()).unwrap();
        for (round, published) in rounds {
            let (mut ps, mut sizes, mut large) = (Vec::new(), Vec::new(), 0);
            // A match must be long enough to be in that round; so some are drawn in vain.
            for number in 0..games * 20 {
                if (ps.len() + large) as u64 >= games {
                    break;
                }
                let seed = Seed(seed).derive(number);
                let steps = walk(&game, role, seed);
                if steps.len() < round - 1 {
                    continue;
                }
                let mut tracker = Tracker::new(&game, RoleId(role as u32), TRACKED).unwrap();
                let tracked =
                    steps[..round - 1].iter().all(|seen| tracker.update(seen, true, &never).is_ok());
                let size = tracker.histories().len();
                if !tracked || size > SETS {
                    large += 1;
                    continue;
                }
                if size < 2 {
                    continue;
                }
                let sample = (10 * size).max(1000);
                let mut bag = Bag::new(RoleId(role as u32), &initial, sample, seed.derive(1));
                for seen in &steps[..round - 1] {
                    bag.see(seen.clone());
                    catch_up(&*game, &mut [&mut bag], true, &never).unwrap();
                }
                let mut counts = FxHashMap::<Vec<MoveId>, u64>::default();
                bag.current().for_each(|model| *counts.entry(model.path()).or_default() += 1);
                let of = |path: &Vec<MoveId>| counts.get(path).copied().unwrap_or(0);
                let counts: Vec<u64> = tracker.histories().iter().map(|history| of(&history.path)).collect();
                let even = vec![1.0 / size as f64; size];
                ps.push(goodness_of_fit(&counts, &even).p.max(0.001));
                sizes.push(size as f64);
            }
            if ps.is_empty() {
                println!("{name},{role},{round},0,{seed},{large},,,,,{published:.3}");
                continue;
            }
            ps.sort_by(f64::total_cmp);
            sizes.sort_by(f64::total_cmp);
            let (q1, q2, q3) = (quartile(&ps, 0.25), quartile(&ps, 0.5), quartile(&ps, 0.75));
            let (matches, size) = (ps.len(), quartile(&sizes, 0.5));
            println!(
                "{name},{role},{round},{matches},{seed},{large},{size:.0},{q1:.3},{q2:.3},{q3:.3},{published:.3}"
            );
        }
    }
}

pub fn cost(games: u64, seed: u64) {
    println!(
        "game,role,round,models,seed,first try agrees,states of hyperplay,states from the beginning,percent"
    );
    const MODELS: usize = 50;
    for &(name, role, _) in BASKET {
        let game = circuit(name);
        let initial = place(&*game, game.initial()).unwrap();
        // Models, those whose first try agreed, and states tried, by round.
        let mut rounds: Vec<(f64, f64, f64)> = Vec::new();
        for number in 0..games {
            let seed = Seed(seed).derive(number);
            let mut bags: Vec<Bag<_>> = (0..MODELS)
                .map(|model| Bag::new(RoleId(role as u32), &initial, 1, seed.derive(model as u64)))
                .collect();
            for (round, seen) in walk(&game, role, seed).iter().enumerate().take(30) {
                if rounds.len() <= round {
                    rounds.push((0.0, 0.0, 0.0));
                }
                for bag in &mut bags {
                    let before = bag.tried();
                    bag.see(seen.clone());
                    catch_up(&*game, &mut [bag], true, &Deadline::never()).unwrap();
                    let tried = bag.tried() - before;
                    let entry = &mut rounds[round];
                    *entry =
                        (entry.0 + 1.0, entry.1 + f64::from(u8::from(tried == 1)), entry.2 + tried as f64);
                }
            }
        }
        let (mut reach, mut spent) = (1.0, 0.0);
        for (round, (models, first, tried)) in rounds.iter().enumerate() {
            let share = first / models;
            spent += reach;
            reach *= share;
            let (own, anew) = (tried / models, spent / reach);
            let percent = 100.0 * own / anew;
            println!(
                "{name},{role},{},{models},{seed},{share:.4},{own:.2},{anew:.2},{percent:.2}",
                round + 1
            );
        }
    }
}
