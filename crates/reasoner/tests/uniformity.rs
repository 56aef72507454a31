//! Every legal move is equally likely, whatever their number.
//!
//! Chi-square tests with fixed seeds, corrected for their number, and the exact
//! probabilities of random tic-tac-toe.

use std::sync::Arc;

use game::{Game, PlayoutStream, Playouts, Seed, Start};
use reasoner::{CircuitGame, GroundLimits};
use rules::{Rules, Strictness};

/// Normal quantile of one part in a thousand over four hundred tests.
const QUANTILE: f64 = 4.6;

/// Draws for each possible outcome.
const DRAWS: u32 = 200;

/// Values that chi-square with this many degrees of freedom stays between (Wilson and Hilferty).
fn between(freedom: f64) -> (f64, f64) {
    let spread = QUANTILE * (2.0 / (9.0 * freedom)).sqrt();
    let at = |z: f64| freedom * (1.0 - 2.0 / (9.0 * freedom) + z).max(0.0).powi(3);
    (at(-spread), at(spread))
}

#[track_caller]
fn assert_uniform(counts: &[u64], what: &str) {
    let total: u64 = counts.iter().sum();
    let expected = total as f64 / counts.len() as f64;
    let chi_square: f64 = counts.iter().map(|&c| (c as f64 - expected).powi(2) / expected).sum();
    if counts.len() > 1 {
        let (low, high) = between(counts.len() as f64 - 1.0);
        assert!(chi_square >= low && chi_square <= high, "{what}: {chi_square} is not in {low}..{high}");
    }
}

#[test]
fn draws_are_uniform_for_every_bound_up_to_300() {
    for bound in 1..=300u32 {
        let mut counts = vec![0; bound as usize];
        for index in 0..u64::from(bound * DRAWS) {
            // Different steps and roles, as they come up in games.
            let (step, role) = ((index % 7) as u32, (index % 3) as u32);
            counts[PlayoutStream::new(Seed(11), index).below(step, role, bound) as usize] += 1;
        }
        assert_uniform(&counts, &format!("below {bound}"));
    }
}

/// Two steps; in the second, the first `legal` of the moves can be made, between others that cannot.
fn choice(legal: u32) -> CircuitGame {
    let mut sheet = String::from(
        "(role r) (init (at 0)) (<= (next (at 1)) (true (at 0))) (<= (next (at 2)) (true (at 1)))
         (<= terminal (true (at 2))) (goal r 100)
         (<= (legal r wait) (true (at 0))) (<= (legal r other) (true (at 0)))",
    );
    for number in 0..legal {
        sheet.push_str(&format!("(<= (legal r (move {number})) (true (at 1)))"));
        if number % 5 == 0 {
            sheet.push_str(&format!("(<= (legal r (never {number})) (true (at 0)))"));
        }
    }
    game(&sheet)
}

fn game(sheet: &str) -> CircuitGame {
    let rules =
        Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient).rules.expect("the sheet plays");
    CircuitGame::new(Arc::new(rules), GroundLimits::default()).expect("the sheet grounds")
}

#[test]
fn lanes_choose_uniformly_whatever_the_number_of_moves() {
    let edges = [63, 64, 65, 100, 127, 128, 129, 200, 255, 256, 257, 300, 400, 450];
    for legal in (1..=40).chain(edges) {
        let game = choice(legal);
        let starts = [Start { state: game.initial(), first: None, count: legal * DRAWS }];
        let mut request = Playouts::new(&starts, Seed(u64::from(legal)));
        request.trace = true;
        let outcomes = game.playouts(&mut game.scratch(), &request).unwrap();
        let mut counts = vec![0u64; legal as usize];
        for trace in &outcomes.traces {
            assert_eq!(trace.len(), 2);
            let text = game.move_text(game::RoleId(0), trace[1]);
            let number =
                text.strip_prefix("(move ").and_then(|t| t.strip_suffix(')')).expect("only moves are legal");
            counts[number.parse::<usize>().unwrap()] += 1;
        }
        assert_eq!(counts.iter().sum::<u64>(), u64::from(legal * DRAWS));
        assert_uniform(&counts, &format!("{legal} moves in lanes"));
    }
}

/// As players of many matches ask: a few playouts at a time, everyone with a seed of their own.
#[test]
fn shared_lanes_choose_uniformly_whatever_the_number_of_moves() {
    for legal in [2, 3, 7, 10, 63, 100, 255, 256, 300, 450] {
        let game = choice(legal);
        let pool = game.share_lanes(1).expect("there is a thread");
        let orders = legal * DRAWS / 10;
        let count = |part: u32| {
            let mut counts = vec![0u64; legal as usize];
            for number in (0..orders).filter(|number| number % 4 == part) {
                let starts = [Start { state: game.initial(), first: None, count: 10 }];
                let seed = Seed(1).derive(u64::from(number)).derive_name("playouts");
                let request = Playouts { trace: true, ..Playouts::new(&starts, seed) };
                for trace in game.playouts(&mut game.scratch(), &request).unwrap().traces {
                    let text = game.move_text(game::RoleId(0), trace[1]);
                    let number = text.trim_start_matches("(move ").trim_end_matches(')');
                    counts[number.parse::<usize>().unwrap()] += 1;
                }
            }
            counts
        };
        let parts: Vec<Vec<u64>> = std::thread::scope(|scope| {
            let count = &count;
            let threads: Vec<_> = (0..4).map(|part| scope.spawn(move || count(part))).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        let counts: Vec<u64> =
            (0..legal as usize).map(|mv| parts.iter().map(|part| part[mv]).sum()).collect();
        assert_eq!(counts.iter().sum::<u64>(), u64::from(orders * 10));
        assert!(pool.steps().0 > 0);
        assert_uniform(&counts, &format!("{legal} moves in shared lanes"));
    }
}

#[test]
fn random_tic_tac_toe_has_its_exact_probabilities() {
    const PLAYOUTS: u32 = 100_000_000;
    let game = game(include_str!("../../../games/tic_tac_toe/rules.kif"));
    let starts = [Start { state: game.initial(), first: None, count: PLAYOUTS }];
    let tally = game.tally(&mut game.scratch(), &Playouts::new(&starts, Seed(3))).unwrap();
    assert_eq!(tally.playouts, u64::from(PLAYOUTS));
    let mut shares: Vec<f64> = tally.results.values().map(|&c| c as f64 / f64::from(PLAYOUTS)).collect();
    shares.sort_by(|a, b| b.total_cmp(a));
    let exact = [737.0 / 1260.0, 121.0 / 420.0, 8.0 / 63.0];
    assert_eq!(shares.len(), exact.len(), "{:?}", tally.results);
    for (share, exact) in shares.iter().zip(exact) {
        let error = (exact * (1.0 - exact) / f64::from(PLAYOUTS)).sqrt();
        assert!((share - exact).abs() < 4.0 * error, "{share} is not {exact} within four times {error}");
    }
}
