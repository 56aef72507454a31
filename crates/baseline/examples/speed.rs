//! Nanoseconds per move of every baseline: `cargo run --release -p baseline --example speed [GAME…]`.
//!
//! Each game is measured in many slices of about a millisecond, shorter than a scheduler's: on a shared machine
//! most of the spread is someone else's work, and the fast slices show what the code itself takes.
#![allow(clippy::print_stdout)]

use std::time::Instant;

const SLICES: usize = 1000;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    println!("nanoseconds per move: best, 10th percentile and median of {SLICES} slices");
    println!(
        "{:14} {:>7} {:>7} {:>7} {:>9}  first / second / draw",
        "game", "best", "10 %", "median", "length"
    );
    for name in baseline::NAMES {
        if !wanted.is_empty() && !wanted.iter().any(|w| w == name) {
            continue;
        }
        let Some(mut play) = baseline::by_name(name, 1) else { continue };
        let warm_up = Instant::now();
        play(5_000);
        let per_slice = 1 + (5_000e6 / warm_up.elapsed().as_nanos() as f64) as u64;
        let mut total = baseline::Stats::default();
        let mut times = [0.0; SLICES];
        for time in &mut times {
            let clock = Instant::now();
            let stats = play(per_slice);
            *time = clock.elapsed().as_nanos() as f64 / stats.steps as f64;
            total.playouts += stats.playouts;
            total.steps += stats.steps;
            (0..3).for_each(|i| total.results[i] += stats.results[i]);
        }
        times.sort_by(f64::total_cmp);
        let share = |count: u64| count as f64 / total.playouts as f64;
        let [first, second, draw] = total.results.map(share);
        println!(
            "{name:14} {:7.2} {:7.2} {:7.2} {:9.3}  {first:.4} / {second:.4} / {draw:.4}",
            times[0],
            times[SLICES / 10],
            times[SLICES / 2],
            share(total.steps),
        );
    }
}
