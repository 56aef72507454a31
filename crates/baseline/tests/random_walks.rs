//! Random games, played by the fast program and by the plain one side by side: the same set of moves before every
//! move, the same board after it, the same result.

mod reference;

use baseline::machine::{Machine, Portable};
use baseline::playout::{Position, Verdict};
use baseline::rng::Rng;
use reference::{Outcome, Reference};

fn check<R: Reference>(machine: impl Machine, games: u64) {
    let mut rng = Rng::new(7);
    for _ in 0..games {
        let (mut plain, mut fast) = (R::initial(), R::Fast::INITIAL);
        let mut outcome: Option<Outcome> = None;
        for step in 0.. {
            let (moves, number) = fast.moves();
            let verdict_of = |verdict, player: usize| match verdict {
                Verdict::Open => None,
                Verdict::Won => Some(player),
                Verdict::Lost => Some(1 - player),
                Verdict::Drawn => Some(2),
            };
            if outcome.is_none() && number == 0 {
                outcome = verdict_of(fast.stuck(), step % 2);
            }
            assert_eq!(plain.outcome(), outcome, "step {step}");
            if outcome.is_some() {
                break;
            }
            let mut expected = plain.moves();
            expected.sort_unstable();
            let mut decoded: Vec<_> =
                (0..number).map(|index| plain.plain(fast.decode(machine, &moves, index))).collect();
            decoded.sort_unstable();
            assert_eq!(decoded, expected, "step {step}");
            let chosen = fast.decode(machine, &moves, rng.below(number));
            let plain_move = plain.plain(chosen);
            outcome = verdict_of(fast.play(chosen), step % 2);
            plain.play(plain_move);
            if outcome.is_none() {
                plain.assert_same(&fast);
            }
        }
    }
}

#[test]
fn tic_tac_toe_agrees_with_plain_code() {
    check::<reference::tic_tac_toe::TicTacToe>(Portable, 3_000);
}

#[test]
fn connect_four_agrees_with_plain_code() {
    check::<reference::connect_four::ConnectFour>(Portable, 2_000);
}

#[test]
fn breakthrough_agrees_with_plain_code() {
    check::<reference::breakthrough::Breakthrough>(Portable, 1_000);
}

#[test]
fn reversi_agrees_with_plain_code() {
    check::<reference::reversi::Reversi>(Portable, 500);
}

#[test]
fn hnefatafl_agrees_with_plain_code() {
    check::<reference::hnefatafl::Hnefatafl>(Portable, 300);
}

#[cfg(target_arch = "x86_64")]
#[test]
fn native_bit_selection_agrees_with_plain_code() {
    let Some(fast) = baseline::machine::Fast::detect() else { return };
    check::<reference::connect_four::ConnectFour>(fast, 100);
    check::<reference::reversi::Reversi>(fast, 20);
    check::<reference::hnefatafl::Hnefatafl>(fast, 20);
}

fn portable<P: Position>(name: &str, playouts: u64) {
    let natively = baseline::by_name(name, 5).expect("a known name")(playouts);
    assert_eq!(baseline::playout::run::<P>(Portable, &mut Rng::new(5), playouts), natively, "{name}");
}

#[test]
fn every_machine_plays_the_same_games() {
    portable::<baseline::tic_tac_toe::Position>("tic_tac_toe", 10_000);
    portable::<baseline::connect_four::Position>("connect_four", 10_000);
    portable::<baseline::breakthrough::Position>("breakthrough", 5_000);
    portable::<baseline::reversi::Position>("reversi", 2_000);
    portable::<baseline::hnefatafl::Position>("hnefatafl_13", 500);
}
