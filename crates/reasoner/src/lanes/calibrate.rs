//! The choice of the number of games side by side.
//!
//! More games share the cost of fetching a program but need more memory: a program of a million operations
//! does not fit into a near cache anyway, and the planes of too many games do not either. If either is large,
//! the plausible widths play a few rounds each, for some milliseconds in total, and the fastest is chosen.
//! Results do not depend on it.

use std::time::Duration;

use game::{Playouts, Seed, Start};

use super::exec::{NATIVE, has_native};
use super::phase_code::PhaseCode;
use super::{LaneState, Lanes, NARROW, WIDE, Width};
use crate::stopwatch::Stopwatch;

/// The size in bytes up to which the machine code of a step stays in the first-level cache.
const NEAR_CODE: usize = 24 * 1024;
/// The size in bytes above which the machine code of a step stays in no near cache.
const FAR_CODE: usize = 1024 * 1024;
/// The number of operations of a step up to which all planes stay in the first-level cache at any width.
const NEAR_PLANES: usize = 400;
/// The approximate number of operations of one trial.
const TRIAL: usize = 1_000_000;
/// A wider choice must take less than this fraction of the time to be preferred over a narrower one.
const BETTER: f64 = 0.92;

/// Finds the fastest width for a game.
pub(crate) fn width(lanes: &Lanes, initial: &LaneState) -> Width {
    let of = |words: usize, blocks: usize| Width { words, blocks };
    let bytes = lanes.code.iter().map(PhaseCode::bytes).max().unwrap_or(0);
    let choices = match has_native() {
        true if bytes > FAR_CODE => vec![of(NATIVE, 1), of(NATIVE, 2), of(NATIVE, 4)],
        true if bytes > NEAR_CODE => vec![of(NATIVE, 1), of(NATIVE, 2)],
        true => return of(NATIVE, 1),
        false if lanes.operations() > NEAR_PLANES => vec![of(NARROW, 1), of(WIDE, 1)],
        false => return of(WIDE, 1),
    };
    let mut best: Option<(f64, Width)> = None;
    for width in choices {
        let seconds = trial(lanes, initial, width);
        if best.is_none_or(|(least, _)| seconds < least * BETTER) {
            best = Some((seconds, width));
        }
    }
    best.map_or(of(NATIVE, 1), |(_, width)| width)
}

/// Returns the seconds for one step of one game, the better of two trials.
fn trial(lanes: &Lanes, initial: &LaneState, width: Width) -> f64 {
    let rounds = (TRIAL / lanes.operations().max(1)).clamp(4, 100) as u32;
    let count = width.games() as u32;
    let starts = [Start { state: initial.clone(), first: None, count }];
    let mut least = Duration::MAX;
    let mut steps = 1;
    for _ in 0..2 {
        let request = Playouts { max_steps: rounds, ..Playouts::new(&starts, Seed(0)) };
        let began = Stopwatch::start();
        let tally = lanes.tally_at(&request, width);
        least = least.min(began.elapsed());
        steps = tally.steps.max(1);
    }
    least.as_secs_f64() / steps as f64
}
