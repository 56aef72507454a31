//! Looks for cases in which 95 % intervals of bounded means hold the mean less often than they say.
//!
//! `cargo run --release -p statistics --example coverage` takes a few minutes. Everything is computed
//! by enumeration of all samples; chance, from a fixed seed, only chooses the cases.
#![allow(clippy::print_stdout, reason = "that is what it is for")]

#[path = "../tests/enumeration/mod.rs"]
mod enumeration;

use enumeration::coverage;
use game::{Rng, Seed};

/// A distribution: values in steps, with their chances.
type Law = Vec<(u32, f64)>;

fn main() {
    results();
    let mut chance = Seed(11).rng();
    let quarters = |chance: &mut Rng| with_chances(vec![0, 1, 2, 3, 4], chance);
    random_laws("random chances of quarters", 4, &[6, 8, 10, 12, 15, 18], 6000, &mut chance, quarters);
    random_laws("random goals of 100", 100, &[8, 10, 15, 20, 30, 45, 60], 2000, &mut chance, random_goals);
}

/// Wins, draws and losses, on a grid of draws and scores.
fn results() {
    for count in [5, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100] {
        let few = [0.001, 0.003, 0.005, 0.01, 0.015, 0.02, 0.03, 0.04, 0.97, 0.99].into_iter();
        let draws = few.chain((0..20).map(|twentieths| f64::from(twentieths) / 20.0));
        let cells = draws
            .flat_map(|drawn| (1..=50).map(move |percent| (drawn, f64::from(percent) / 100.0 - drawn / 2.0)));
        let laws = cells.filter(|(_, won)| *won >= 0.0).map(|(drawn, won)| {
            let law = vec![(0, 1.0 - drawn - won), (1, drawn), (2, won)];
            (coverage(2, &law, count), count, law)
        });
        tell(&format!("results of {count} matches"), laws.collect());
    }
}

fn random_laws(
    name: &str,
    steps: u32,
    counts: &[u64],
    laws: usize,
    chance: &mut Rng,
    law: impl Fn(&mut Rng) -> Law,
) {
    let found = (0..laws).map(|_| {
        let (law, count) = (law(chance), counts[chance.below(counts.len())]);
        (coverage(steps, &law, count), count, law)
    });
    tell(name, found.collect());
}

/// Three goals, often with 0 or 100 among them.
fn random_goals(chance: &mut Rng) -> Law {
    loop {
        let mut goals: Vec<u32> = (0..3).map(|_| chance.below(101) as u32).collect();
        for (at, end) in [0, 100].into_iter().enumerate() {
            if chance.below(2) == 0 {
                goals[at] = end;
            }
        }
        goals.sort_unstable();
        goals.dedup();
        if goals.len() == 3 {
            return with_chances(goals, chance);
        }
    }
}

/// Random chances, many of them small.
fn with_chances(values: Vec<u32>, chance: &mut Rng) -> Law {
    let weight = |_: &u32| {
        let weight = -(1.0 - chance.unit()).ln();
        if chance.below(2) == 0 { weight } else { weight.powi(3) }
    };
    let weights: Vec<f64> = values.iter().map(weight).map(|weight| weight.max(1e-4)).collect();
    let sum: f64 = weights.iter().sum();
    values.into_iter().zip(weights.into_iter().map(|weight| weight / sum)).collect()
}

fn tell(name: &str, mut found: Vec<(f64, u64, Law)>) {
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let below = found.iter().filter(|(covered, _, _)| *covered < 0.95).count();
    let (worst, count, law) = &found[0];
    println!("{name}: {below} of {} below 0.95, the least {worst:.4} for {count} of {law:.4?}", found.len());
}
