//! Our playouts against hand-written ones, alternating in one process.
//!
//! Both sides play in short slices, one after the other, so that whatever else
//! the machine does meets both alike; the ratio is taken slice by slice. Speed
//! is by time on the processor where the system tells it.

use std::time::{Duration, Instant};

use game::Seed;
use library::{PlayError, Source};
use serde::Serialize;

use super::measure::{Played, Started, play, start};
use super::{Pace, Quartiles, process};

/// Finishing the games under way must be a small part of a slice: one in this many.
const OVERRUN: u32 = 20;
const LONGEST_SLICE: Duration = Duration::from_secs(3);

/// How to compare.
#[derive(Debug, Clone)]
pub struct Slices {
    /// How many of each side.
    pub count: usize,
    /// Time of each; longer where a block of games takes long to finish.
    pub time: Duration,
    /// Where chance comes from.
    pub seed: Seed,
    /// The reasoner's name.
    pub reasoner: String,
}

/// How the two sides did, in joint moves per second.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Compared {
    /// The game's name.
    pub game: String,
    /// The reasoner's name.
    pub reasoner: String,
    /// Slices of each side.
    pub slices: usize,
    /// Time of each slice.
    pub slice_seconds: f64,
    /// Whether speed is by time on the processor.
    pub per_cpu_second: bool,
    /// Ours.
    pub ours: Quartiles,
    /// Hand-written.
    pub hand_written: Quartiles,
    /// Ours by hand-written, slice by slice.
    pub ratio: Quartiles,
    /// Mean length of our playouts.
    pub our_mean_length: f64,
    /// Mean length of the hand-written playouts.
    pub hand_written_mean_length: f64,
    /// Gates of our circuit.
    pub gates: Option<usize>,
    /// Operations of our circuit for one step.
    pub operations: Option<usize>,
}

/// Whether there is hand-written code for a game of this name.
pub fn has_baseline(game: &str) -> bool {
    baseline::NAMES.contains(&game)
}

/// Compares; none where the game has no hand-written code. `tell` hears how
/// many slices are done.
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

/// Warms up, and finds a time of slices in which finishing games is a small part.
fn settle(started: &Started, slices: &Slices) -> Result<Duration, PlayError> {
    let played = play(started, &pace(slices.time, slices.seed), |_| {})?;
    let overrun = played.wall.saturating_sub(slices.time);
    Ok(slices.time.max(overrun * OVERRUN).min(LONGEST_SLICE.max(slices.time)))
}

/// Warms the other side up, and finds how many of its playouts take a fiftieth of a slice.
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
