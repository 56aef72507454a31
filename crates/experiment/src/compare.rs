//! Comparing our figure with a published one: the test, and what it decides.

use statistics::{
    Points, Proportion, Significance, binomial_test, equal_outcomes_test, fisher_exact, goodness_of_fit,
    homogeneity, mean_test, score_test, two_proportions,
};

use super::extent::{Extent, Told, number, percent, round, shares, triple};
use super::figure::{Figure, Published};
use super::measure::{Measure, Measured, counts};
use super::outcome::Outcome;
use super::power::{Power, default_margin};
use super::verdict::Verdict;

/// The maximum counts for which exact tests are fast.
const EXACT: u64 = 200_000;

/// What decides a comparison.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Decision {
    /// It is already decided.
    Is(Verdict),
    /// They agree unless the test finds a difference and ours is not near enough, provided that the test
    /// would have found a difference that matters.
    Same {
        /// Whether ours is near enough.
        near: bool,
    },
    /// The test must find a direction.
    Goes {
        /// Whether the direction is the one that was claimed.
        right: bool,
    },
    /// The interval of a difference decides, then the test.
    Within {
        /// Whether the whole interval is small enough.
        inside: bool,
    },
}

impl Decision {
    /// Returns the verdict, given whether the test found something, and whether it could have missed a
    /// difference that matters.
    pub(crate) fn verdict(self, found: bool, blind: bool) -> Verdict {
        match self {
            Decision::Is(verdict) => verdict,
            Decision::Same { near } if near || !found => {
                if blind {
                    Verdict::Unclear
                } else {
                    Verdict::Agrees
                }
            }
            Decision::Same { .. } => Verdict::Differs,
            Decision::Goes { .. } if !found => Verdict::Unclear,
            Decision::Goes { right } => {
                if right {
                    Verdict::Agrees
                } else {
                    Verdict::Differs
                }
            }
            Decision::Within { inside: true } => Verdict::Agrees,
            Decision::Within { .. } => {
                if found {
                    Verdict::Differs
                } else {
                    Verdict::Unclear
                }
            }
        }
    }
}

/// Our figure, and what decides whether it agrees.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Compared {
    /// Our figure as text.
    pub(crate) told: Told,
    /// The number of matches that it comes from.
    pub(crate) matches: u64,
    /// The test, if there was one.
    pub(crate) test: Option<Significance>,
    /// What decides.
    pub(crate) decision: Decision,
    /// What the test could have found.
    pub(crate) power: Power,
}

impl Compared {
    /// Creates a comparison without a test.
    pub(crate) fn decided(told: Told, matches: u64, verdict: Verdict) -> Compared {
        Compared { told, matches, test: None, decision: Decision::Is(verdict), power: Power::default() }
    }
}

/// Compares our figure with a published one. Returns `None` if ours is not available.
pub(crate) fn compare(figure: &Figure, outcome: &Outcome) -> Option<Compared> {
    let wins_of = |ours: [u64; 3]| Points { won: ours[0] as f64, trials: ours.iter().sum() };
    let Some(measure) = figure.published.measure() else {
        let ours = counts(outcome, &figure.select)?;
        let (total, wins) = (ours.iter().sum(), wins_of(ours));
        let found = ours.map(|count| count as f64 / u64::max(total, 1) as f64);
        let whole = found.map(|share| format!("{:.0} %", 100.0 * share)).join(" / ");
        let told = |full: String| Told { full, short: whole.clone(), alone: whole.clone() };
        return Some(match &figure.published {
            Published::Shares(theirs, within) => {
                let sum: f64 = theirs.iter().sum();
                let near = found.iter().zip(theirs).all(|(ours, theirs)| (ours - theirs).abs() <= *within);
                Compared {
                    told: told(shares(found)),
                    matches: total,
                    test: Some(goodness_of_fit(&ours, &theirs.map(|share| share / sum))),
                    decision: Decision::Same { near },
                    power: Power::of_shares(error_of(theirs[0], total, None), figure.margin),
                }
            }
            Published::Counts(theirs) => {
                let beside = wins_of(*theirs);
                let both = (wins.won + beside.won) / (wins.trials + beside.trials).max(1) as f64;
                Compared {
                    told: told(triple(ours)),
                    matches: total,
                    test: Some(homogeneity(&[theirs.to_vec(), ours.to_vec()])),
                    decision: Decision::Same { near: false },
                    power: Power::of_shares(error_of(both, total, Some(beside.trials)), figure.margin),
                }
            }
            _ => return None,
        });
    };
    let found = measure.of(outcome, &figure.select)?;
    let extent = Extent::of(&found)?;
    let told = extent.told(measure);
    let decided = |verdict: Verdict| Compared::decided(told.clone(), extent.count, verdict);
    Some(match &figure.published {
        Published::Value { value, within, of, error, .. } => {
            let near = (extent.value - value).abs() <= *within;
            let test = match found {
                Measured::Share(count, total) => Some(share_test(Proportion::new(count, total), *value, *of)),
                Measured::Score(_) => extent.points.map(|points| score_test(points, *value)),
                Measured::Mean(mean) => Some(match (mean.value(), mean.standard_error()) {
                    (Some(always), Some(0.0)) if *measure == Measure::Goal && error.is_none() => {
                        equal_outcomes_test(mean.count(), always, *value, 0.0, 100.0)
                    }
                    _ => mean_test(mean, *value, error.unwrap_or(0.0)),
                }),
                Measured::Number(..) | Measured::Exact(_) | Measured::Ranged { .. } => None,
            };
            let power = match extent.points {
                Some(points) => Power::of_shares(error_of(*value, points.trials, *of), None),
                None => {
                    let margin = default_margin(measure, Some(*value));
                    Power::of_means(extent.error.hypot(error.unwrap_or(0.0)), margin)
                }
            };
            let power = match (of, error) {
                (None, None) => power.seeing(&found, measure, *value),
                _ => power,
            };
            let inside = near || (extent.low..=extent.high).contains(value);
            let decision = match test {
                Some(_) => Decision::Same { near },
                None => Decision::Is(if inside { Verdict::Agrees } else { Verdict::Differs }),
            };
            Compared { told, matches: extent.count, test, decision, power }
        }
        Published::About { value, margin, .. } => decided(match () {
            () if extent.low >= value - margin && extent.high <= value + margin => Verdict::Agrees,
            () if extent.low > value + margin || extent.high < value - margin => Verdict::Differs,
            () => Verdict::Unclear,
        }),
        Published::Bound { value, at_least, .. } => {
            decided(bound(extent.low, extent.high, *value, *at_least))
        }
        _ => decided(Verdict::Shown),
    })
}

/// Decides whether an interval is entirely within a bound, entirely outside, or neither.
pub(crate) fn bound(low: f64, high: f64, value: f64, at_least: bool) -> Verdict {
    let (kept, broken) = match at_least {
        true => (low >= value, high < value),
        false => (high <= value, low > value),
    };
    match (kept, broken) {
        (true, _) => Verdict::Agrees,
        (_, true) => Verdict::Differs,
        _ => Verdict::Unclear,
    }
}

/// Returns the standard error of a share of `trials`, minus a share of `others` if given.
fn error_of(share: f64, trials: u64, others: Option<u64>) -> f64 {
    let each = |trials: u64| 1.0 / trials.max(1) as f64;
    (share * (1.0 - share) * (each(trials) + others.map_or(0.0, each))).sqrt()
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

/// Formats what our figure is compared with.
pub(crate) fn published(found: &Published) -> String {
    match found {
        Published::Counts(counts) => triple(*counts),
        Published::Shares(found, _) => shares(*found),
        Published::Value { measure, value, of, error, .. } => {
            let text = number(measure, *value);
            match (of, error) {
                (Some(of), _) => format!("{text} of {of}"),
                (None, Some(error)) if *error > 0.0 => format!("{text} (standard error {})", round(*error)),
                _ => text,
            }
        }
        Published::About { measure, value, margin } => match measure.is_share() {
            true => format!("about {}, within {} points", percent(*value), round(100.0 * margin)),
            false => format!("about {}, within {}", round(*value), round(*margin)),
        },
        Published::Bound { measure, value, at_least: true } => {
            format!("at least {}", number(measure, *value))
        }
        Published::Bound { measure, value, .. } => format!("at most {}", number(measure, *value)),
        Published::Nothing { .. } => "–".to_string(),
    }
}
