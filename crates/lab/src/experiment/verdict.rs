//! Whether ours and the published figure agree.
//!
//! Each comparison is a test with a name; all tests of an experiment are
//! corrected together by Holm's method. A difference that is not significant,
//! or smaller than what was said to be near enough, counts as agreement. A score
//! is no count of equal trials, so what was published must be in its interval.

use serde::Serialize;
use statistics::{
    Confidence, Proportion, Significance, binomial_test, fisher_exact, goodness_of_fit, holm, homogeneity,
    mean_test, two_proportions,
};

use super::figure::{Expect, Figure, Published};
use super::measure::{Measure, Measured, counts};
use super::outcome::{Outcome, Outcomes};
use super::spec::{Experiment, Variant};

/// From this corrected p on, two figures agree.
pub(crate) const LEVEL: f64 = 0.01;
/// Counts up to which exact tests are quick.
const EXACT: u64 = 200_000;

/// What a comparison came to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// No difference that matters.
    Agrees,
    /// A difference.
    Differs,
    /// Nothing to compare with.
    Shown,
    /// The part has not been run, or has no such thing.
    Missing,
}

/// A figure beside ours.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judged {
    /// The table it is in.
    pub table: String,
    /// What it is.
    pub label: String,
    /// As it was published.
    pub published: String,
    /// As we found it.
    pub ours: String,
    /// How many matches ours comes from.
    pub matches: u64,
    /// The test, where there was one.
    pub test: Option<&'static str>,
    /// Its p, corrected.
    pub p: Option<f64>,
    /// What it came to.
    pub verdict: Verdict,
    /// Whether that was foreseen.
    pub expected: bool,
    /// Whether anything was claimed of it.
    pub claimed: bool,
    /// Why they differ, if they do.
    pub why: String,
}

/// Compares all figures.
pub fn judge(experiment: &Experiment, outcomes: &Outcomes) -> Vec<Judged> {
    let find = |figure: &Figure| {
        let at = experiment.parts.iter().position(|part| part.name == figure.part)?;
        outcomes.get(at)?.as_ref()
    };
    let compared: Vec<(Judged, Option<Significance>, bool)> =
        experiment.figures.iter().map(|figure| compare(figure, find(figure))).collect();
    let tested: Vec<f64> =
        compared.iter().filter_map(|(_, test, _)| test.as_ref().map(|test| test.p)).collect();
    let mut corrected = holm(&tested).into_iter();
    let mut all = Vec::new();
    for ((mut judged, test, near), figure) in compared.into_iter().zip(&experiment.figures) {
        if let Some(test) = test {
            let p = corrected.next().unwrap_or(1.0);
            (judged.test, judged.p) = (Some(test.test), Some(p));
            judged.verdict = if near || p >= LEVEL { Verdict::Agrees } else { Verdict::Differs };
        }
        judged.claimed = figure.expect != Expect::Either;
        // A quick run may miss a difference; it must not find one where none was foreseen.
        let quick = experiment.variant == Variant::Quick;
        judged.expected = match judged.verdict {
            Verdict::Missing => figure.expect == Expect::Missing,
            _ if figure.expect == Expect::Missing => false,
            Verdict::Agrees => figure.expect != Expect::Differs || quick,
            Verdict::Differs => figure.expect != Expect::Agrees,
            Verdict::Shown => true,
        };
        all.push(judged);
    }
    all
}

/// Ours as a value with the interval around it, for plots; shares and scores in percent.
pub(crate) fn spread(figure: &Figure, outcome: &Outcome) -> Option<(f64, f64, f64)> {
    let measure = match &figure.published {
        Published::Value { measure, .. }
        | Published::Bound { measure, .. }
        | Published::Nothing { measure } => measure,
        Published::Counts(_) | Published::Shares(..) => return None,
    };
    let hundred = |value: f64, low: f64, high: f64| (100.0 * value, 100.0 * low, 100.0 * high);
    Some(match measure.of(outcome, &figure.select)? {
        Measured::Counts(_) => return None,
        Measured::Share(count, total) => {
            let interval = Proportion::new(count, total).exact(Confidence::P95);
            hundred(count as f64 / total as f64, interval.low, interval.high)
        }
        Measured::Score(tally) => {
            let interval = tally.interval(Confidence::P95);
            hundred(tally.score()?, interval.low, interval.high)
        }
        Measured::Mean(mean) => {
            let (value, reach) =
                (mean.value()?, mean.interval(Confidence::P95).map_or(0.0, |i| i.half_width()));
            (value, value - reach, value + reach)
        }
        Measured::Number(value) => (value, value, value),
        Measured::Ranged { value, low, high, .. } => (value, low, high),
    })
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

fn triple(counts: [u64; 3]) -> String {
    format!("{} / {} / {}", counts[0], counts[1], counts[2])
}

fn shares(shares: [f64; 3]) -> String {
    format!("{} / {} / {}", percent(shares[0]), percent(shares[1]), percent(shares[2]))
}

fn round(value: f64) -> String {
    if value.abs() >= 1000.0 || value == value.round() {
        format!("{value:.0}")
    } else {
        format!("{value:.3}")
    }
}

/// The figure beside ours, the test, and whether ours is near enough whatever the test says.
fn compare(figure: &Figure, outcome: Option<&Outcome>) -> (Judged, Option<Significance>, bool) {
    let mut judged = Judged {
        table: figure.table.clone(),
        label: figure.label.clone(),
        published: published(&figure.published),
        ours: "–".to_string(),
        matches: 0,
        test: None,
        p: None,
        verdict: Verdict::Missing,
        expected: true,
        claimed: true,
        why: figure.why.clone(),
    };
    let Some(outcome) = outcome else { return (judged, None, false) };
    match &figure.published {
        Published::Counts(theirs) => {
            let Some(ours) = counts(outcome, &figure.select) else { return (judged, None, false) };
            (judged.ours, judged.matches) = (triple(ours), ours.iter().sum());
            let test = homogeneity(&[theirs.to_vec(), ours.to_vec()]);
            (judged, Some(test), false)
        }
        Published::Shares(theirs, within) => {
            let Some(ours) = counts(outcome, &figure.select) else { return (judged, None, false) };
            let total: u64 = ours.iter().sum();
            let found = ours.map(|count| count as f64 / total.max(1) as f64);
            (judged.ours, judged.matches) = (shares(found), total);
            let sum: f64 = theirs.iter().sum();
            let test = goodness_of_fit(&ours, &theirs.map(|share| share / sum));
            let near = found.iter().zip(theirs).all(|(ours, theirs)| (ours - theirs).abs() <= *within);
            (judged, Some(test), near)
        }
        Published::Value { measure, value, within, of, error } => {
            let Some(found) = measure.of(outcome, &figure.select) else { return (judged, None, false) };
            let (ours, matches, number) = told(found, measure);
            (judged.ours, judged.matches) = (ours, matches);
            let near = (number - value).abs() <= *within;
            let test = match found {
                Measured::Share(count, total) => Some(share_test(Proportion::new(count, total), *value, *of)),
                Measured::Mean(mean) => Some(mean_test(mean, *value, error.unwrap_or(0.0))),
                Measured::Counts(_) | Measured::Score(_) | Measured::Number(_) | Measured::Ranged { .. } => {
                    None
                }
            };
            if test.is_none() {
                let inside = match found {
                    Measured::Ranged { low, high, .. } => (low..=high).contains(value),
                    Measured::Score(tally) => tally.interval(Confidence::P99).contains(*value),
                    _ => false,
                };
                judged.verdict = if near || inside { Verdict::Agrees } else { Verdict::Differs };
            }
            (judged, test, near)
        }
        Published::Bound { measure, value, at_least } => {
            let Some(found) = measure.of(outcome, &figure.select) else { return (judged, None, false) };
            let (ours, matches, number) = told(found, measure);
            (judged.ours, judged.matches) = (ours, matches);
            let kept = if *at_least { number >= *value } else { number <= *value };
            judged.verdict = if kept { Verdict::Agrees } else { Verdict::Differs };
            (judged, None, false)
        }
        Published::Nothing { measure } => {
            let Some(found) = measure.of(outcome, &figure.select) else { return (judged, None, false) };
            let (ours, matches, _) = told(found, measure);
            (judged.ours, judged.matches, judged.verdict) = (ours, matches, Verdict::Shown);
            (judged, None, false)
        }
    }
}

fn share_test(ours: Proportion, value: f64, of: Option<u64>) -> Significance {
    match of {
        Some(of) => {
            let theirs = Proportion::new((value * of as f64).round() as u64, of);
            let small = ours.trials() + of <= EXACT;
            if small { fisher_exact(ours, theirs) } else { two_proportions(ours, theirs) }
        }
        None if ours.trials() <= EXACT => binomial_test(ours, value),
        None => {
            let (won, n) = (ours.successes(), ours.trials());
            goodness_of_fit(&[won, n - won], &[value, 1.0 - value])
        }
    }
}

fn published(found: &Published) -> String {
    match found {
        Published::Counts(counts) => triple(*counts),
        Published::Shares(found, _) => shares(*found),
        Published::Value { measure, value, of, error, .. } => {
            let text = number(measure, *value);
            match (of, error) {
                (Some(of), _) => format!("{text} of {of}"),
                (None, Some(error)) => format!("{text} (standard error {})", round(*error)),
                _ => text,
            }
        }
        Published::Bound { measure, value, at_least: true } => {
            format!("at least {}", number(measure, *value))
        }
        Published::Bound { measure, value, .. } => format!("at most {}", number(measure, *value)),
        Published::Nothing { .. } => "–".to_string(),
    }
}

fn number(measure: &Measure, value: f64) -> String {
    match measure {
        Measure::Wins | Measure::Draws | Measure::Losses | Measure::Score => percent(value),
        _ => round(value),
    }
}

/// Ours as text, from how many matches, and as a number.
fn told(found: Measured, measure: &Measure) -> (String, u64, f64) {
    match found {
        Measured::Counts(counts) => (triple(counts), counts.iter().sum(), 0.0),
        Measured::Share(count, total) => {
            let share = count as f64 / total as f64;
            let interval = Proportion::new(count, total).exact(Confidence::P95);
            (
                format!("{} ({} to {})", percent(share), percent(interval.low), percent(interval.high)),
                total,
                share,
            )
        }
        Measured::Score(tally) => {
            let (score, interval) = (tally.score().unwrap_or(0.0), tally.interval(Confidence::P95));
            (
                format!("{} ({} to {})", percent(score), percent(interval.low), percent(interval.high)),
                tally.games,
                score,
            )
        }
        Measured::Mean(mean) => {
            let value = mean.value().unwrap_or(0.0);
            let reach = mean.interval(Confidence::P95).map_or(0.0, |interval| interval.half_width());
            (format!("{value:.2} ± {reach:.2}"), mean.count(), value)
        }
        Measured::Number(value) => (number(measure, value), 0, value),
        Measured::Ranged { value, low, high, count } => {
            let text = |value| number(measure, value);
            (format!("{} ({} to {})", text(value), text(low), text(high)), count, value)
        }
    }
}
