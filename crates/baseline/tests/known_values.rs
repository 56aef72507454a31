//! Known figures: move sequences from the initial position, and the results and lengths of random games.

use baseline::machine::Portable;
use baseline::playout::{Position, Verdict};

/// Move sequences of this length.
fn perft<P: Position>(position: P, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let (moves, number) = position.moves();
    let mut sequences = 0;
    for index in 0..number {
        let mut next = position;
        let verdict = next.play(position.decode(Portable, &moves, index));
        if verdict == Verdict::Open || depth == 1 {
            sequences += perft(next, depth - 1);
        }
    }
    sequences
}

fn check_perft<P: Position>(expected: &[u64]) {
    let found: Vec<u64> = (1..=expected.len() as u32).map(|depth| perft(P::INITIAL, depth)).collect();
    assert_eq!(found, expected);
}

#[test]
fn move_sequences_have_the_known_numbers() {
    let tic_tac_toe = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];
    check_perft::<baseline::tic_tac_toe::Position>(&tic_tac_toe);
    check_perft::<baseline::connect_four::Position>(&[7, 49, 343, 2_401, 16_807, 117_649, 823_536]);
    check_perft::<baseline::breakthrough::Position>(&[22, 484, 11_132, 256_036]);
    check_perft::<baseline::reversi::Position>(&[4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216]);
    check_perft::<baseline::hnefatafl::Position>(&[184, 23_436]);
}

/// Shares of the results of seeded random games and their mean length, within four standard errors of figures that
/// are exact to half of the digit after the given number of digits.
fn check_results(name: &str, playouts: u64, shares: Option<[f64; 3]>, digits: i32, length: (f64, i32)) {
    const BATCHES: u64 = 100;
    let mut play = baseline::by_name(name, 20).expect("a known name");
    let mut results = [0; 3];
    let mut lengths = Vec::new();
    for _ in 0..BATCHES {
        let stats = play(playouts / BATCHES);
        assert_eq!(stats.playouts, playouts / BATCHES);
        assert_eq!(stats.results.iter().sum::<u64>(), stats.playouts);
        (0..3).for_each(|i| results[i] += stats.results[i]);
        lengths.push(stats.steps as f64 / stats.playouts as f64);
    }
    let rounding = |digits: i32| 0.5 * 10f64.powi(-digits);
    for (count, share) in results.into_iter().zip(shares.into_iter().flatten()) {
        let found = count as f64 / playouts as f64;
        let error = (share * (1.0 - share) / playouts as f64).sqrt();
        assert!((found - share).abs() <= 4.0 * error + rounding(digits), "{name}: {found} for {share}");
    }
    let batches = BATCHES as f64;
    let mean = lengths.iter().sum::<f64>() / batches;
    let variance = lengths.iter().map(|length| (length - mean).powi(2)).sum::<f64>() / (batches - 1.0);
    let error = (variance / batches).sqrt();
    assert!(
        (mean - length.0).abs() <= 4.0 * error + rounding(length.1),
        "{name}: {mean} moves for {}",
        length.0
    );
}

#[test]
fn tic_tac_toe_has_the_exact_results() {
    let exact = [737.0 / 1260.0, 121.0 / 420.0, 8.0 / 63.0];
    check_results("tic_tac_toe", 10_000_000, Some(exact), 12, (3203.0 / 420.0, 12));
}

#[test]
fn connect_four_has_the_known_results() {
    check_results("connect_four", 1_000_000, Some([0.5557, 0.4418, 0.0026]), 4, (21.3, 1));
}

#[test]
fn breakthrough_has_the_known_results() {
    check_results("breakthrough", 400_000, Some([0.509, 0.491, 0.0]), 3, (64.1, 1));
}

#[test]
fn reversi_has_the_known_length() {
    check_results("reversi", 200_000, None, 0, (60.4, 1));
}

#[test]
fn hnefatafl_has_the_known_results() {
    check_results("hnefatafl_13", 40_000, Some([0.2108, 0.6703, 0.1189]), 4, (282.0, 0));
}

#[test]
fn hnefatafl_has_the_known_branching() {
    let mut rng = baseline::rng::Rng::new(3);
    let (mut legal, mut steps) = (0, 0);
    for _ in 0..4_000 {
        let mut position = baseline::hnefatafl::Position::INITIAL;
        loop {
            let (moves, number) = position.moves();
            if number == 0 {
                break;
            }
            legal += u64::from(number);
            steps += 1;
            let chosen = position.decode(Portable, &moves, rng.below(number));
            if position.play(chosen) != Verdict::Open {
                break;
            }
        }
    }
    let branching = legal as f64 / steps as f64;
    assert!((branching - 176.0).abs() < 1.0, "{branching} legal moves on average");
}

#[test]
fn an_unknown_name_has_no_playouts() {
    assert!(baseline::by_name("go", 1).is_none());
    assert!(baseline::NAMES.iter().all(|name| baseline::by_name(name, 1).is_some()));
}
