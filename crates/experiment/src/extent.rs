//! Measured numbers with their intervals, and as text.
//!
//! Tables show all meaningful digits. Running text shows few: whole percent, or three digits of other
//! numbers.

use statistics::{Confidence, Points, Proportion};

use super::measure::{Measure, Measured};

/// A number with its uncertainty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Extent {
    /// The number.
    pub(crate) value: f64,
    /// The lower end of its 95 % interval.
    pub(crate) low: f64,
    /// The upper end.
    pub(crate) high: f64,
    /// Its standard error.
    pub(crate) error: f64,
    /// The number of values that it comes from.
    pub(crate) count: u64,
    /// The points, if it is a share or a score.
    pub(crate) points: Option<Points>,
    /// Whether it is known to be exact.
    pub(crate) exact: bool,
}

/// A number as text.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct Told {
    /// For tables, with its interval.
    pub(crate) full: String,
    /// For running text, with its interval.
    pub(crate) short: String,
    /// For running text, without its interval.
    pub(crate) alone: String,
}

impl Extent {
    /// Computes the extent of what was measured. Returns `None` for a mean without values.
    pub(crate) fn of(found: &Measured) -> Option<Extent> {
        Some(match *found {
            Measured::Share(count, total) => {
                let interval = Proportion::new(count, total).exact(Confidence::P95);
                let points = Points { won: count as f64, trials: total };
                Extent::of_points(points, interval.low, interval.high)
            }
            Measured::Score(ref score) => {
                let interval = score.interval(Confidence::P95);
                let points = Points { won: score.points, trials: score.games };
                Extent::of_points(points, interval.low, interval.high)
            }
            Measured::Mean(mean) => {
                let (value, count) = (mean.value()?, mean.count());
                let error = mean.standard_error().unwrap_or(f64::INFINITY);
                // A single value says nothing about the spread of others.
                let (low, high) = mean
                    .interval(Confidence::P95)
                    .map_or((f64::NEG_INFINITY, f64::INFINITY), |interval| (interval.low, interval.high));
                Extent { low, high, error, count, ..Extent::of_number(value) }
            }
            Measured::Number(value, count) => Extent { count, ..Extent::of_number(value) },
            Measured::Exact(value) => Extent { exact: true, ..Extent::of_number(value) },
            Measured::Ranged { value, low, high, count } => {
                let error = (high - low) / 2.0 / Confidence::P95.z();
                Extent { low, high, error, count, ..Extent::of_number(value) }
            }
        })
    }

    fn of_number(value: f64) -> Extent {
        Extent { value, low: value, high: value, error: 0.0, count: 0, points: None, exact: false }
    }

    fn of_points(points: Points, low: f64, high: f64) -> Extent {
        let (value, count) = (points.share(), points.trials);
        let error = (value * (1.0 - value) / count.max(1) as f64).sqrt();
        Extent { low, high, error, count, points: Some(points), ..Extent::of_number(value) }
    }

    /// Formats the number.
    pub(crate) fn told(&self, measure: &Measure) -> Told {
        let plain = self.low == self.high || !self.low.is_finite();
        if measure.is_share() {
            let whole = |share: f64| format!("{:.0}", 100.0 * share);
            return Told {
                full: format!("{} ({} to {})", percent(self.value), percent(self.low), percent(self.high)),
                short: format!("{} % ({} to {})", whole(self.value), whole(self.low), whole(self.high)),
                alone: format!("{} %", whole(self.value)),
            };
        }
        let alone = significant(self.value, 3);
        if self.exact {
            let [full, short] = [&round(self.value), &alone].map(|text| format!("{text} (exact)"));
            return Told { full, short, alone };
        }
        let reach = (self.high - self.low) / 2.0;
        let middle = (self.high + self.low) / 2.0;
        // The interval of a mean is symmetric.
        let even = (middle - self.value).abs() <= 1e-9 * (1.0 + self.value.abs());
        if plain || self.count == 0 {
            return Told { full: round(self.value), short: alone.clone(), alone };
        }
        match even {
            true => {
                let digits = (1 - reach.abs().log10().floor() as i32).clamp(2, 9) as usize;
                Told {
                    full: format!("{:.digits$} ± {reach:.digits$}", self.value),
                    short: format!("{alone} ± {}", significant(reach, 1)),
                    alone,
                }
            }
            false => Told {
                full: format!("{} ({} to {})", round(self.value), round(self.low), round(self.high)),
                short: format!("{alone} ({} to {})", significant(self.low, 3), significant(self.high, 3)),
                alone,
            },
        }
    }
}

/// Formats a share in percent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// Formats wins, draws and losses.
pub(crate) fn triple(counts: [u64; 3]) -> String {
    format!("{} / {} / {}", counts[0], counts[1], counts[2])
}

/// Formats shares of wins, draws and losses.
pub(crate) fn shares(shares: [f64; 3]) -> String {
    format!("{} / {} / {}", percent(shares[0]), percent(shares[1]), percent(shares[2]))
}

/// Formats a number for a table, with at least three decimals and three significant digits. Whole numbers
/// and those from 1000 have no decimals.
pub(crate) fn round(value: f64) -> String {
    if value.abs() >= 1000.0 || value == value.round() {
        return format!("{value:.0}");
    }
    let digits = (2 - value.abs().log10().floor() as i32).clamp(3, 12) as usize;
    let mut text = format!("{value:.digits$}");
    let shortest = text.find('.').map_or(0, |point| point + 4);
    while text.len() > shortest && text.ends_with('0') {
        text.pop();
    }
    text
}

/// Formats a number to this many significant digits.
pub(crate) fn significant(value: f64, digits: i32) -> String {
    if value == 0.0 || !value.is_finite() {
        return format!("{value:.0}");
    }
    let after = (digits - 1 - value.abs().log10().floor() as i32).clamp(0, 12) as usize;
    format!("{value:.after$}")
}

/// Formats a value of this measure.
pub(crate) fn number(measure: &Measure, value: f64) -> String {
    if measure.is_share() { percent(value) } else { round(value) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_numbers_keep_their_digits() {
        assert_eq!(round(0.000_212_7), "0.000213");
        assert_eq!(round(0.04), "0.040");
        assert_eq!(round(0.001), "0.001");
        assert_eq!(round(115.8964), "115.896");
        assert_eq!(round(5478.0), "5478");
        assert_eq!(significant(282.42, 3), "282");
        assert_eq!(significant(0.012_34, 3), "0.0123");
    }

    #[test]
    fn words_have_fewer_digits_than_tables() {
        let share = Extent::of(&Measured::Share(186, 200)).unwrap().told(&Measure::Wins);
        assert_eq!(share.full, "93.00 % (88.53 % to 96.12 %)");
        assert_eq!((share.short.as_str(), share.alone.as_str()), ("93 % (89 to 96)", "93 %"));
        let mean = statistics::Mean::of([100.0, 120.0, 110.0, 90.0]);
        let told = Extent::of(&Measured::Mean(mean)).unwrap().told(&Measure::Length);
        assert_eq!((told.full.as_str(), told.short.as_str()), ("105.00 ± 20.54", "105 ± 21"));
    }

    #[test]
    fn what_is_exact_is_said_to_be() {
        let told = Extent::of(&Measured::Exact(11.458_333)).unwrap().told(&Measure::Pointer("/x".into()));
        assert_eq!((told.full.as_str(), told.short.as_str()), ("11.458 (exact)", "11.5 (exact)"));
    }

    #[test]
    fn one_value_has_no_interval() {
        let one = Extent::of(&Measured::Mean(statistics::Mean::of([7.0]))).unwrap();
        assert!(one.low == f64::NEG_INFINITY && one.high == f64::INFINITY);
        assert_eq!(one.told(&Measure::Goal).full, "7");
    }
}
