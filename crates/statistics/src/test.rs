//! Significance tests, and corrections for multiple testing.
//!
//! Every result contains the name of its test, because reports must state which one was used.

use game::Seed;
use statrs::distribution::{ChiSquared, ContinuousCDF, Normal};
use statrs::function::factorial::ln_binomial;

use crate::{Mean, Proportion};

/// The result of a test.
#[derive(Debug, Clone, PartialEq)]
pub struct Significance {
    /// The name of the test, as printed in reports.
    pub test: &'static str,
    /// The p-value: the probability of a result at least as extreme under the null hypothesis.
    pub p: f64,
}

/// The factor by which a probability can be larger and still count as equal. It is needed
/// because rounding differs between the two tails of a symmetric distribution.
const TIE: f64 = 1.0 + 1e-7;

fn ln_pmf(k: u64, n: u64, p: f64) -> f64 {
    let power = |base: f64, exponent: u64| if exponent == 0 { 0.0 } else { exponent as f64 * base.ln() };
    ln_binomial(n, k) + power(p, k) + power(1.0 - p, n - k)
}

/// Tests whether the true proportion is `expected`. The test is exact and two-sided: it sums
/// the probabilities of all counts that are no likelier than the observed one.
pub fn binomial_test(seen: Proportion, expected: f64) -> Significance {
    let (k, n) = (seen.successes(), seen.trials());
    let limit = ln_pmf(k, n, expected).exp() * TIE;
    let p: f64 = (0..=n).map(|i| ln_pmf(i, n, expected).exp()).filter(|p| *p <= limit).sum();
    Significance { test: "exact binomial test", p: p.min(1.0) }
}

/// Tests whether two proportions are equal. The test is exact and two-sided, over all tables
/// with the same margins.
pub fn fisher_exact(a: Proportion, b: Proportion) -> Significance {
    let hits = a.successes() + b.successes();
    let (n, m) = (a.trials(), b.trials());
    let all = ln_binomial(n + m, hits);
    let ln_table = |x: u64| ln_binomial(n, x) + ln_binomial(m, hits - x) - all;
    let limit = ln_table(a.successes()).exp() * TIE;
    let p: f64 =
        (hits.saturating_sub(m)..=hits.min(n)).map(|x| ln_table(x).exp()).filter(|p| *p <= limit).sum();
    Significance { test: "Fisher's exact test", p: p.min(1.0) }
}

/// Tests whether two proportions are equal, by the pooled normal approximation, for counts too
/// large for the exact test.
pub fn two_proportions(a: Proportion, b: Proportion) -> Significance {
    let test = "two-proportion z-test";
    let (Some(p), Some(q)) = (a.share(), b.share()) else {
        return Significance { test, p: 1.0 };
    };
    let (n, m) = (a.trials() as f64, b.trials() as f64);
    let pooled = (a.successes() + b.successes()) as f64 / (n + m);
    let error = (pooled * (1.0 - pooled) * (1.0 / n + 1.0 / m)).sqrt();
    if error == 0.0 {
        return Significance { test, p: 1.0 };
    }
    Significance { test, p: 2.0 * Normal::standard().sf(((p - q) / error).abs()) }
}

/// Tests whether the true mean of a sample is `expected`, which itself has a standard error.
/// The difference is divided by the combined error and compared with the normal distribution.
pub fn mean_test(seen: Mean, expected: f64, error: f64) -> Significance {
    let test = "z-test of means";
    let (Some(value), Some(own)) = (seen.value(), seen.standard_error()) else {
        return Significance { test, p: 1.0 };
    };
    let (difference, spread) = ((value - expected).abs(), own.hypot(error));
    let p = if spread > 0.0 {
        2.0 * Normal::standard().sf(difference / spread)
    } else {
        f64::from(u8::from(difference == 0.0))
    };
    Significance { test, p }
}

/// Tests whether the true mean is `expected` when all `count` outcomes were `value`, and
/// outcomes range from `low` to `high`. A sample without spread provides no estimate of its
/// error. But if the true mean is different, some outcomes must differ from `value`, and the
/// fewest are needed if these lie at the far end of the range. The p-value is the probability
/// that none of them occurred.
pub fn equal_outcomes_test(count: u64, value: f64, expected: f64, low: f64, high: f64) -> Significance {
    let far = if expected < value { value - low } else { high - value };
    let others = match (value - expected).abs() {
        0.0 => 0.0,
        difference if difference < far => difference / far,
        _ => 1.0,
    };
    Significance { test: "test of equal outcomes", p: (1.0 - others).powf(count as f64) }
}

fn chi_square(test: &'static str, statistic: f64, freedom: f64) -> Significance {
    let p = if freedom < 1.0 { 1.0 } else { ChiSquared::new(freedom).map_or(1.0, |chi| chi.sf(statistic)) };
    Significance { test, p }
}

/// Tests whether counts come from a distribution with these proportions (Pearson's chi-square
/// test). The proportions must add up to 1; a positive count whose proportion is 0 is
/// impossible.
pub fn goodness_of_fit(counts: &[u64], shares: &[f64]) -> Significance {
    let test = "chi-square test of fit";
    let total: u64 = counts.iter().sum();
    let mut statistic = 0.0;
    let mut cells = 0;
    for (count, share) in counts.iter().zip(shares) {
        let expected = share * total as f64;
        if expected > 0.0 {
            statistic += (*count as f64 - expected).powi(2) / expected;
            cells += 1;
        } else if *count > 0 {
            return Significance { test, p: 0.0 };
        }
    }
    chi_square(test, statistic, f64::from(cells) - 1.0)
}

/// Tests whether the rows of a table of counts have the same distribution (Pearson's chi-square test).
pub fn homogeneity(rows: &[Vec<u64>]) -> Significance {
    let width = rows.iter().map(Vec::len).max().unwrap_or(0);
    let column = |j: usize| rows.iter().map(|row| row.get(j).copied().unwrap_or(0)).sum::<u64>() as f64;
    let columns: Vec<f64> = (0..width).map(column).collect();
    let total: f64 = columns.iter().sum();
    let mut statistic = 0.0;
    for row in rows {
        let sum = row.iter().sum::<u64>() as f64;
        for (j, column) in columns.iter().enumerate() {
            let expected = sum * column / total;
            if expected > 0.0 {
                statistic += (row.get(j).copied().unwrap_or(0) as f64 - expected).powi(2) / expected;
            }
        }
    }
    let used_rows = rows.iter().filter(|row| row.iter().any(|count| *count > 0)).count() as f64;
    let used_columns = columns.iter().filter(|column| **column > 0.0).count() as f64;
    chi_square("chi-square test of homogeneity", statistic, (used_rows - 1.0) * (used_columns - 1.0))
}

/// Tests whether paired differences are centred on zero, by assigning random signs to them.
/// With n permutations, the smallest possible p-value is 1/(n+1).
pub fn permutation_test(differences: &[f64], permutations: usize, seed: Seed) -> Significance {
    let observed = differences.iter().sum::<f64>().abs() / TIE;
    let mut rng = seed.rng();
    let mut as_far = 0;
    for _ in 0..permutations {
        let mut bits = 0;
        let mut sum = 0.0;
        for (i, difference) in differences.iter().enumerate() {
            if i % 64 == 0 {
                bits = rng.next_u64();
            }
            sum += if bits >> (i % 64) & 1 == 0 { *difference } else { -difference };
        }
        as_far += usize::from(sum.abs() >= observed);
    }
    Significance { test: "sign-flip permutation test", p: (as_far + 1) as f64 / (permutations + 1) as f64 }
}

/// Bonferroni correction: multiplies each p-value by their number, up to at most 1.
pub fn bonferroni(ps: &[f64]) -> Vec<f64> {
    ps.iter().map(|p| (p * ps.len() as f64).min(1.0)).collect()
}

/// Holm's step-down correction, which is as safe as the Bonferroni correction and never larger.
pub fn holm(ps: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..ps.len()).collect();
    order.sort_by(|a, b| ps[*a].total_cmp(&ps[*b]).then(a.cmp(b)));
    let mut corrected = vec![1.0; ps.len()];
    let mut largest: f64 = 0.0;
    for (rank, index) in order.into_iter().enumerate() {
        largest = largest.max((ps[index] * (ps.len() - rank) as f64).min(1.0));
        corrected[index] = largest;
    }
    corrected
}

/// Returns the level that one of several tests had to reach before Holm's correction, given the
/// p-values of all others: its corrected p-value is below `level` exactly if its own is below
/// this. It is `level` divided by the number of tests if none of the others is significant, and
/// more otherwise.
pub fn holm_level(others: &[f64], level: f64) -> f64 {
    let mut sorted = others.to_vec();
    sorted.sort_by(f64::total_cmp);
    let tests = others.len() + 1;
    let significant =
        sorted.iter().zip((1..=tests).rev()).take_while(|(p, left)| **p * (*left as f64) < level);
    level / (tests - significant.count()) as f64
}
