//! Where a continuous function changes its sign.

/// The most that each step may add to the width that bisection would leave.
const SLACK: f64 = 1.0;
/// How far the interpolated point is moved towards the middle, for each unit of the squared width.
const TRUNCATION: f64 = 0.2;

/// Returns a root of `function` between `low` and `high`, to within `tolerance`, by the ITP
/// method (Oliveira and Takahashi, ACM Transactions on Mathematical Software 47, 2020): as fast
/// as interpolation where the function is smooth, and at most one step slower than bisection
/// where it is not. If the function has the same sign at both ends, the one at which it is
/// nearer to 0 is returned.
pub(crate) fn root(function: impl Fn(f64) -> f64, low: f64, high: f64, tolerance: f64) -> f64 {
    let (mut low, mut high) = (low, high);
    let (mut at_low, mut at_high) = (function(low), function(high));
    if at_low * at_high >= 0.0 {
        return if at_low.abs() <= at_high.abs() { low } else { high };
    }
    let pull = TRUNCATION / (high - low);
    let bisections = ((high - low) / (2.0 * tolerance)).log2().ceil().max(0.0);
    let mut allowed = tolerance * (bisections + SLACK).exp2();
    while high - low > 2.0 * tolerance {
        let middle = low + (high - low) / 2.0;
        if middle <= low || middle >= high {
            break;
        }
        let interpolated = (at_high * low - at_low * high) / (at_high - at_low);
        let towards = (middle - interpolated).signum();
        let shift = pull * (high - low) * (high - low);
        let truncated = match shift <= (middle - interpolated).abs() {
            true => interpolated + towards * shift,
            false => middle,
        };
        let reach = (allowed - (high - low) / 2.0).max(0.0);
        let next = match (truncated - middle).abs() <= reach {
            true => truncated,
            false => middle - towards * reach,
        };
        let at_next = function(next);
        if at_next == 0.0 {
            return next;
        }
        if (at_next > 0.0) == (at_low > 0.0) {
            (low, at_low) = (next, at_next);
        } else {
            (high, at_high) = (next, at_next);
        }
        allowed /= 2.0;
    }
    low + (high - low) / 2.0
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn roots_of_smooth_functions_take_few_steps() {
        let steps = Cell::new(0);
        let found = root(
            |x| {
                steps.set(steps.get() + 1);
                x.powi(3) - x - 2.0
            },
            1.0,
            2.0,
            1e-13,
        );
        // The real root of x³ - x - 2, by Cardano's formula.
        let cardano = (1.0 + (26.0f64 / 27.0).sqrt()).cbrt() + (1.0 - (26.0f64 / 27.0).sqrt()).cbrt();
        assert!((found - cardano).abs() < 2e-13, "{found}");
        assert!(steps.get() <= 14, "{} steps", steps.get());
    }

    #[test]
    fn a_jump_takes_no_more_steps_than_bisection_and_one() {
        let steps = Cell::new(0);
        let found = root(
            |x| {
                steps.set(steps.get() + 1);
                if x < 0.3 { -1e-9 } else { 1e9 }
            },
            0.0,
            1.0,
            1e-12,
        );
        assert!((found - 0.3).abs() < 2e-12, "{found}");
        assert!(steps.get() <= 2 + 40 + 1, "{} steps", steps.get());
    }

    #[test]
    fn without_a_change_of_sign_the_nearer_end_is_returned() {
        assert_eq!(root(|x| x + 1.0, 0.0, 1.0, 1e-9), 0.0);
        assert_eq!(root(|x| x - 2.0, 0.0, 1.0, 1e-9), 1.0);
    }
}
