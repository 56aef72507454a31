//! Coverage by enumeration of all samples.
#![allow(dead_code, reason = "not every test uses all of it")]

use statistics::{Histogram, bounded_mean_test};

/// Calls `each` with all counts of `total` over some values.
fn all_counts(values: usize, total: u64, each: &mut dyn FnMut(&[u64])) {
    fn place(counts: &mut [u64], at: usize, left: u64, each: &mut dyn FnMut(&[u64])) {
        if at + 1 == counts.len() {
            counts[at] = left;
            return each(counts);
        }
        for count in 0..=left {
            counts[at] = count;
            place(counts, at + 1, left - count, each);
        }
    }
    place(&mut vec![0; values], 0, total, each);
}

/// Returns how often the 95 % interval of a sample of this size holds the mean. `law` has the values
/// that can occur, in steps, with their chances. Samples with chances below 1e-8 are left out.
pub fn coverage(steps: u32, law: &[(u32, f64)], count: u64) -> f64 {
    coverage_by(steps, law, count, &|seen, truth| bounded_mean_test(seen, truth).p >= 0.05)
}

/// Returns how often a sample of this size makes the mean seem possible.
pub fn coverage_by(
    steps: u32,
    law: &[(u32, f64)],
    count: u64,
    possible: &dyn Fn(&Histogram, f64) -> bool,
) -> f64 {
    let mut factorials = vec![0.0];
    (1..=count).for_each(|n| factorials.push(factorials[n as usize - 1] + (n as f64).ln()));
    let truth = law.iter().map(|(step, p)| f64::from(*step) * p).sum::<f64>() / f64::from(steps);
    let (mut covered, mut all) = (0.0, 0.0);
    all_counts(law.len(), count, &mut |counts| {
        let log = |(count, (_, p)): (&u64, &(u32, f64))| {
            let power = if *count == 0 { 0.0 } else { *count as f64 * p.ln() };
            power - factorials[*count as usize]
        };
        let chance = (factorials[count as usize] + counts.iter().zip(law).map(log).sum::<f64>()).exp();
        if chance < 1e-8 {
            return;
        }
        let mut seen = Histogram::new(steps);
        counts.iter().zip(law).for_each(|(count, (step, _))| seen.add(*step, *count));
        all += chance;
        covered += if possible(&seen, truth) { chance } else { 0.0 };
    });
    covered / all
}
