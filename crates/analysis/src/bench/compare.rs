//! Our playouts against hand-written ones, alternating in one process.
//!
//! Both sides play in short slices, one after the other, so that other load on the machine affects both
//! alike. The ratio is computed slice by slice, from CPU time if the system reports it.

use std::time::{Duration, Instant};

use game::Seed;
use library::{PlayError, Source};
use serde::Serialize;

use super::measure::{Played, Started, play, start};
use super::{Pace, Quartiles, process};

/// Finishing the games under way may take at most one in this many parts of a slice.
const OVERRUN: u32 = 20;
const LONGEST_SLICE: Duration = Duration::from_secs(3);

/// How to compare.
#[derive(Debug, Clone)]
pub struct Slices {
    /// The number of slices of each side.
    pub count: usize,
    /// The length of a slice; longer if a block of games takes long to finish.
    pub time: Duration,
    /// The seed.
    pub seed: Seed,
    /// The name of the reasoner.
    pub reasoner: String,
}

/// The speed of both sides, in joint moves per second.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// The name of the game.
    pub game: String,
    /// The name of the reasoner.
    pub reasoner: String,
    /// The number of slices of each side.
    pub slices: usize,
    /// The length of a slice.
    pub slice_seconds: f64,
    /// Whether speeds are per second of CPU time.
    pub per_cpu_second: bool,
    /// Our speed.
    pub ours: Quartiles,
    /// The speed of the hand-written code.
    pub hand_written: Quartiles,
    /// Our speed divided by the hand-written one, by slice.
    pub ratio: Quartiles,
    /// The mean length of our playouts.
    pub our_mean_length: f64,
    /// The mean length of the hand-written playouts.
    pub hand_written_mean_length: f64,
    /// The number of gates of our circuit.
    pub gates: Option<usize>,
    /// The number of operations of our circuit per step.
    pub operations: Option<usize>,
}

/// Returns `true` if there is hand-written code for the game of this name.
pub fn has_baseline(game: &str) -> bool {
    baseline::NAMES.contains(&game)
}

/// Compares both sides. Returns `None` if the game has no hand-written code. `tell` is called with the
/// number of slices done.
pub fn compare(
    source: Source,
    slices: &Slices,
    mut tell: impl FnMut(usize),
) -> Result<Option<Compared>, PlayError> {
    let Some(mut hand) = baseline::by_name(&source.name, slices.seed.0) else { return Ok(None) };
    let started = start(source, &slices.reasoner)?;
    let slice = settle(&started, slices)?;
    let batch = batch(&mut hand, slice);
    let (mut ours, mut theirs, mut ratios) = (Vec::new(), Vec::new(), Vec::new());
    let (mut our_total, mut their_total) = ((0, 0), (0, 0));
    let mut by_cpu = true;
    for number in 0..slices.count.max(1) {
        let seed = slices.seed.derive(number as u64 + 1);
        let mine = play(&started, &pace(slice, seed), |_| {})?;
        let theirs_now = hand_written(&mut hand, slice, batch);
        by_cpu &= mine.cpu.is_some() && theirs_now.cpu.is_some();
        let (a, b) = (speed(&mine), speed(&theirs_now));
        ours.push(a);
        theirs.push(b);
        ratios.push(a / b);
        let add = |total: &mut (u64, u64), played: &Played| {
            total.0 += played.tally.steps;
            total.1 += played.tally.playouts;
        };
        add(&mut our_total, &mine);
        add(&mut their_total, &theirs_now);
        tell(number + 1);
    }
    let mean = |total: (u64, u64)| total.0 as f64 / total.1.max(1) as f64;
    let quartiles = |values: &[f64]| Quartiles::of(values).expect("there is at least one slice");
    Ok(Some(Compared {
        game: started.loaded.source.name.clone(),
        reasoner: started.chosen.name.to_string(),
        slices: ratios.len(),
        slice_seconds: slice.as_secs_f64(),
        per_cpu_second: by_cpu,
        ours: quartiles(&ours),
        hand_written: quartiles(&theirs),
        ratio: quartiles(&ratios),
        our_mean_length: mean(our_total),
        hand_written_mean_length: mean(their_total),
        gates: started.circuit.map(|c| c.gates),
        operations: started.circuit.map(|c| c.operations),
    }))
}

fn pace(time: Duration, seed: Seed) -> Pace {
    Pace { time, threads: 1, seed, max_steps: 100_000, one_by_one: false }
}

fn speed(played: &Played) -> f64 {
    played.states() as f64 / played.cpu.unwrap_or(played.wall).as_secs_f64().max(1e-9)
}

/// Warms up, and returns a length of slices of which finishing games is a small part.
fn settle(started: &Started, slices: &Slices) -> Result<Duration, PlayError> {
    let played = play(started, &pace(slices.time, slices.seed), |_| {})?;
    let overrun = played.wall.saturating_sub(slices.time);
    Ok(slices.time.max(overrun * OVERRUN).min(LONGEST_SLICE.max(slices.time)))
}

/// Warms up the hand-written side, and returns how many of its playouts take about a fiftieth of a slice.
fn batch(hand: &mut baseline::Playouts, slice: Duration) -> u64 {
    let began = Instant::now();
    let mut batch = 16;
    loop {
        let one = Instant::now();
        hand(batch);
        if began.elapsed() >= slice {
            return batch;
        }
        if one.elapsed() < slice / 50 {
            batch *= 2;
        }
    }
}

fn hand_written(hand: &mut baseline::Playouts, slice: Duration, batch: u64) -> Played {
    let (began, cpu) = (Instant::now(), process::thread_cpu_time());
    let mut played = Played::default();
    while began.elapsed() < slice {
        let stats = hand(batch);
        played.tally.playouts += stats.playouts;
        played.tally.steps += stats.steps;
    }
    played.wall = began.elapsed();
    played.cpu = process::thread_cpu_time().zip(cpu).map(|(after, before)| after - before);
    played
}
