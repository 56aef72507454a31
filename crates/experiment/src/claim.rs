//! Claims about several figures: that they rise or fall, are equal, or have a certain ratio.
//!
//! A claim names figures by their `id`, in order. A direction is decided by a trend test, which for two
//! figures compares them. Equality is decided by the same comparison; with a margin, the interval of the
//! difference must be within it. A ratio is decided by its interval.

use library::did_you_mean;
use statistics::{
    Confidence, Interval, Points, Proportion, Significance, Trend, difference_of_shares, fisher_exact,
    trend_of_means, trend_of_shares,
};
use tournament::spec_text::{Form, Reading};

use super::compare::{Compared, Decision, bound};
use super::extent::{Extent, Told, percent, round, significant};
use super::figure::Figure;
use super::measure::Measure;
use super::origin::{Expect, Origin};
use super::power::{Power, default_margin};
use super::verdict::Verdict;

/// A claim about several figures.
#[derive(Debug, Clone, PartialEq)]
pub struct Claim {
    /// The table in which it is reported.
    pub table: String,
    /// What is claimed.
    pub label: String,
    /// The ids of the figures, in order.
    pub of: Vec<String>,
    /// The relation between them.
    pub says: Says,
    /// Where the claim comes from.
    pub origin: Origin,
    /// The expected verdict.
    pub expect: Expect,
    /// Why another verdict than agreement is expected.
    pub why: String,
    /// The id by which `words.md` refers to it.
    pub id: Option<String>,
}

/// A relation between several figures.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Says {
    /// They tend to rise.
    Rises,
    /// They tend to fall.
    Falls,
    /// There is no clear difference between two figures.
    Equal,
    /// The difference of two figures is at most this.
    EqualWithin(f64),
    /// The second figure is at least or at most a multiple of the first.
    Ratio {
        /// The factor.
        times: f64,
        /// Whether the factor is a lower bound; otherwise it is an upper bound.
        at_least: bool,
    },
}

const KEYS: [&str; 11] =
    ["table", "label", "of", "says", "margin", "at_least", "at_most", "origin", "expect", "why", "id"];

impl Claim {
    /// Reads a claim. Mistakes are filed as complaints. `ids` are those of all figures.
    pub(crate) fn read(
        form: &Form<'_>,
        ids: &[String],
        figures: &[Figure],
        reading: &Reading,
    ) -> Option<Claim> {
        form.only(&KEYS);
        let label = form.needed("label", "\"rises with resources\"")?;
        if form.entry("of").is_none() {
            form.missing("of", "[\"first\", \"last\"]");
        }
        let of: Vec<_> = form.list("of")?.iter().filter_map(|entry| entry.text("of")).collect();
        for id in of.iter().filter(|id| !ids.contains(&id.value)) {
            let hint = did_you_mean(&id.value, ids.iter().map(String::as_str));
            reading.complain(&id.span, format!("No figure has the id `{}`.{hint}", id.value));
        }
        if form.entry("says").is_none() {
            form.missing("says", "\"rises\"");
        }
        let says = form.choice("says", &["rises", "falls", "equal", "ratio"])?;
        let pair = matches!(says.value, "equal" | "ratio");
        if of.len() < 2 || (pair && of.len() != 2) {
            let wanted = if pair { "two figures" } else { "two or more figures" };
            reading.complain(&form.entry("of")?.span(), format!("`{}` needs {wanted}.", says.value));
        }
        let only = |key: &str, word: &str| {
            if let (Some(entry), true) = (form.entry(key), says.value != word) {
                reading.complain(&entry.span(), format!("`{key}` means nothing with `{}`.", says.value));
            }
        };
        [("margin", "equal"), ("at_least", "ratio"), ("at_most", "ratio")]
            .iter()
            .for_each(|(key, word)| only(key, word));
        let says = match says.value {
            "rises" => Says::Rises,
            "falls" => Says::Falls,
            "equal" => {
                let measures = of.iter().filter_map(|id| measure_of(&id.value, figures));
                let range = measures.filter_map(Measure::range).find(|(_, most)| most.is_finite());
                match form.real("margin", 0.0..=1e12) {
                    Some(margin) => {
                        if range.is_some_and(|(least, most)| margin.value >= most - least) {
                            reading.complain(&margin.span, EVERYTHING);
                        }
                        Says::EqualWithin(margin.value)
                    }
                    None => {
                        if range.is_none() && of.iter().any(|id| measure_of(&id.value, figures).is_some()) {
                            form.missing("margin", "2");
                        }
                        Says::Equal
                    }
                }
            }
            _ => {
                let bounds = (form.real("at_least", 0.0..=1e12), form.real("at_most", 0.0..=1e12));
                if let Some(times) = bounds.0.as_ref().filter(|times| times.value <= 0.0) {
                    reading.complain(&times.span, EVERYTHING);
                }
                match bounds {
                    (Some(times), None) => Says::Ratio { times: times.value, at_least: true },
                    (None, Some(times)) => Says::Ratio { times: times.value, at_least: false },
                    (Some(_), Some(both)) => {
                        let text = "`at_most` does not go with `at_least`: a ratio is one or the other.";
                        reading.complain(&both.span, text);
                        return None;
                    }
                    (None, None) => {
                        form.missing("at_least", "2");
                        return None;
                    }
                }
            }
        };
        let (expect, why) = Expect::read(form, reading);
        Some(Claim {
            table: form.text("table").map_or(String::new(), |found| found.value),
            label: label.value,
            of: of.into_iter().map(|id| id.value).collect(),
            says,
            origin: Origin::read(form),
            expect,
            why,
            id: form.text("id").map(|found| found.value),
        })
    }
}

/// The complaint about a claim that holds whatever is found.
const EVERYTHING: &str = "Every result satisfies this: it cannot fail.";

/// Returns what is measured for the figure with this id.
fn measure_of<'a>(id: &str, figures: &'a [Figure]) -> Option<&'a Measure> {
    figures.iter().find(|figure| figure.id.as_deref() == Some(id))?.published.measure()
}

/// Describes what is claimed.
pub(crate) fn said(says: Says, shares: bool) -> String {
    match says {
        Says::Rises => "rises".to_string(),
        Says::Falls => "falls".to_string(),
        Says::Equal => "no clear difference".to_string(),
        Says::EqualWithin(margin) => format!("equal, within {}", far(margin, shares)),
        Says::Ratio { times, at_least: true } => format!("at least {} times", round(times)),
        Says::Ratio { times, .. } => format!("at most {} times", round(times)),
    }
}

/// Formats a difference.
pub(crate) fn far(difference: f64, shares: bool) -> String {
    match shares {
        true => format!("{:.1} points", 100.0 * difference),
        false => significant(difference, 2),
    }
}

/// Decides whether a claim holds for our figures.
pub(crate) fn compare(says: Says, found: &[Extent], measure: Option<&Measure>) -> Option<Compared> {
    let (first, last) = (found.first()?, found.last()?);
    let matches = found.iter().map(|one| one.count).sum();
    if let Says::Ratio { times, at_least } = says {
        let ratio = last.value / first.value;
        // By error propagation, the logarithm of the ratio has this standard error, so its interval is a
        // factor.
        let error = (first.error / first.value).hypot(last.error / last.value);
        let reach = (Confidence::P95.z() * error).exp();
        let (low, high) = (ratio / reach, ratio * reach);
        let full = match error > 0.0 {
            true => format!(
                "{} ({} to {}) times",
                significant(ratio, 3),
                significant(low, 3),
                significant(high, 3)
            ),
            false => format!("{} times", significant(ratio, 3)),
        };
        let alone = format!("{} times", significant(ratio, 2));
        let told = Told { short: alone.clone(), alone, full };
        return Some(Compared::decided(told, matches, bound(low, high, times, at_least)));
    }
    let points: Option<Vec<Points>> = found.iter().map(|one| one.points).collect();
    let difference = last.value - first.value;
    let (interval, error) = match &points {
        Some(points) => {
            let (one, two) = (points[0], points[points.len() - 1]);
            let all = (one.won + two.won) / (one.trials + two.trials).max(1) as f64;
            let each = |points: Points| 1.0 / points.trials.max(1) as f64;
            let error = (all * (1.0 - all) * (each(one) + each(two))).sqrt();
            (difference_of_shares(one, two, Confidence::P95), error)
        }
        None => {
            let error = first.error.hypot(last.error);
            let reach = Confidence::P95.z() * error;
            (Interval { low: difference - reach, high: difference + reach }, error)
        }
    };
    let Trend { significance, rises } = trend(found, points.as_deref());
    // Exact numbers need no test.
    let exact = points.is_none() && found.iter().all(|one| one.error == 0.0);
    let is = |holds: bool| Decision::Is(if holds { Verdict::Agrees } else { Verdict::Differs });
    let decision = match says {
        Says::Rises if exact => is(difference > 0.0),
        Says::Falls if exact => is(difference < 0.0),
        Says::Equal if exact => is(difference == 0.0),
        Says::EqualWithin(margin) if exact => is(difference.abs() <= margin),
        Says::Rises => Decision::Goes { right: rises },
        Says::Falls => Decision::Goes { right: !rises },
        Says::EqualWithin(margin) => {
            Decision::Within { inside: interval.low >= -margin && interval.high <= margin }
        }
        _ => Decision::Same { near: false },
    };
    let margin = measure.and_then(|measure| default_margin(measure, None));
    let power = match (found.len(), &points) {
        (2, Some(_)) => Power::of_shares(error, margin),
        (2, None) => Power::of_means(error, margin),
        _ => Power::default(),
    };
    Some(Compared {
        told: told(found, interval, points.is_some()),
        matches,
        test: Some(significance).filter(|_| !exact),
        decision,
        power,
    })
}

/// Performs the trend test; for two small counts of wins, Fisher's exact test.
fn trend(found: &[Extent], points: Option<&[Points]>) -> Trend {
    let scores: Vec<f64> = (0..found.len()).map(|at| at as f64).collect();
    let Some(points) = points else {
        let values: Vec<f64> = found.iter().map(|one| one.value).collect();
        let errors: Vec<f64> = found.iter().map(|one| one.error).collect();
        return trend_of_means(&values, &errors, &scores);
    };
    let whole = |points: &Points| points.won == points.won.round() && points.trials <= 100_000;
    match points {
        [one, two] if whole(one) && whole(two) => {
            let share = |points: &Points| Proportion::new(points.won as u64, points.trials);
            let significance: Significance = fisher_exact(share(one), share(two));
            Trend { significance, rises: two.share() > one.share() }
        }
        _ => trend_of_shares(points, &scores),
    }
}

/// Formats all values, and the difference between the last and the first.
fn told(found: &[Extent], interval: Interval, shares: bool) -> Told {
    let value = |one: &Extent| if shares { percent(one.value) } else { round(one.value) };
    let row: Vec<String> = found.iter().map(value).collect();
    let signed = |difference: f64, digits: usize| match shares {
        true => format!("{:+.digits$}", 100.0 * difference),
        false => {
            let sign = if difference < 0.0 { "-" } else { "+" };
            format!("{sign}{}", significant(difference.abs(), digits as i32 + 2))
        }
    };
    let difference = found[found.len() - 1].value - found[0].value;
    let unit = if shares { " points" } else { "" };
    let apart = |digits: usize| {
        if found.iter().all(|one| one.exact) {
            return format!("{} (exact)", signed(difference, digits));
        }
        let [middle, low, high] = [difference, interval.low, interval.high].map(|end| signed(end, digits));
        format!("{middle} ({low} to {high}){unit}")
    };
    Told {
        full: format!("{}: {}", row.join(", "), apart(1)),
        short: apart(0),
        alone: format!("{}{unit}", signed(difference, 0)),
    }
}
