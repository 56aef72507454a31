//! How fast single states are: along lines of play, and jumping about.
//!
//! `walk_states [SECONDS] SHEET...` plays random games state by state, then
//! asks about stored states in a shuffled order, and prints states per second
//! of processor time.

#![allow(clippy::print_stdout)]

use std::sync::Arc;
use std::time::Instant;

use game::{Game, PlayoutStream, RoleId, Seed};
use reasoner::{CircuitGame, GroundLimits};
use rules::{Rules, Strictness};

/// Time this process had on a processor, in seconds; wall time where that is not known.
fn now(began: Instant) -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").ok();
    let nanos = stat.and_then(|s| s.split(' ').next().and_then(|n| n.parse::<f64>().ok()));
    nanos.map_or_else(|| began.elapsed().as_secs_f64(), |n| n / 1e9)
}

fn main() {
    let began = Instant::now();
    let mut seconds = 1.0;
    for argument in std::env::args().skip(1) {
        if let Ok(number) = argument.parse() {
            seconds = number;
            continue;
        }
        let text = std::fs::read_to_string(&argument).expect("the sheet can be read");
        let parsed = gdl::parse(&text, gdl::Syntax::guess(&text, Some("kif")));
        let rules = Rules::check(&parsed.sheet, Strictness::Lenient).rules.expect("the sheet is accepted");
        let game = CircuitGame::new(Arc::new(rules), GroundLimits::default()).expect("the rules ground");
        let line = along(&game, seconds, began);
        let (jump, step) = about(&game, seconds, began);
        println!(
            "{argument:42} {:9.0} states/s in line, {:9.0} looks/s and {:9.0} steps/s jumping; {}",
            line,
            jump,
            step,
            game.figures().single
        );
    }
}

/// The rate of the fastest of many short slices, which other work disturbs least.
fn best(seconds: f64, began: Instant, mut slice: impl FnMut() -> u64) -> f64 {
    const SLICE: f64 = 0.005;
    let (start, mut best) = (now(began), 0.0f64);
    while now(began) - start < seconds {
        let (from, mut count) = (now(began), 0);
        loop {
            count += slice();
            let taken = now(began) - from;
            if taken > SLICE {
                best = best.max(count as f64 / taken);
                break;
            }
        }
    }
    best
}

/// States per second of random games.
fn along(game: &CircuitGame, seconds: f64, began: Instant) -> f64 {
    let (mut scratch, mut index) = (game.scratch(), 0);
    best(seconds, began, || {
        let mut states = 0;
        for _ in 0..20 {
            let stream = PlayoutStream::new(Seed(1), index);
            index += 1;
            let (_, steps, last) =
                game::playout(game, &mut scratch, &game.initial(), None, stream, 100, |_, _| ())
                    .expect("the game plays");
            for role in RoleId::all(game.roles().len()) {
                game.goal(&mut scratch, &last, role).expect("the game plays");
            }
            states += u64::from(steps);
        }
        states
    })
}

/// Looks (terminal and legal moves) and steps per second, each in another state than the last.
fn about(game: &CircuitGame, seconds: f64, began: Instant) -> (f64, f64) {
    let (mut scratch, mut seen) = (game.scratch(), Vec::new());
    for index in 0..200 {
        let stream = PlayoutStream::new(Seed(2), index);
        game::playout(game, &mut scratch, &game.initial(), None, stream, 100, |s, j| {
            seen.push((s.clone(), j.to_vec()))
        })
        .expect("the game plays");
    }
    let mut rng = Seed(3).rng();
    for i in (1..seen.len()).rev() {
        seen.swap(i, rng.below(i + 1));
    }
    let (mut moves, mut place) = (Vec::new(), 0);
    let mut rate = |step: bool| {
        best(seconds, began, || {
            for _ in 0..100 {
                let (state, joint) = &seen[place];
                place = (place + 1) % seen.len();
                game.is_terminal(&mut scratch, state).expect("the game plays");
                for role in RoleId::all(game.roles().len()) {
                    game.legal(&mut scratch, state, role, &mut moves).expect("the game plays");
                }
                if step {
                    game.next(&mut scratch, state, joint).expect("the game plays");
                }
            }
            100
        })
    };
    (rate(false), rate(true))
}
