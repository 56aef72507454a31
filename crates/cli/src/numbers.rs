//! Numbers as arguments: whatever is no number, or out of range, is answered with what is possible.

use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;

use crate::screen::grouped;

/// A kind of number.
pub(crate) trait Number: FromStr + PartialOrd + Copy + Display + Send + Sync + 'static {
    /// What its values are called.
    const NAME: &'static str;
    /// The largest value.
    const MAX: Self;
}

macro_rules! whole {
    ($($kind:ty),*) => {
        $(impl Number for $kind {
            const NAME: &'static str = "a whole number";
            const MAX: $kind = <$kind>::MAX;
        })*
    };
}

whole!(u16, u32, u64, usize);

impl Number for f64 {
    const NAME: &'static str = "a number";
    const MAX: f64 = f64::INFINITY;
}

/// Returns a value parser for numbers in a range. The example is part of its complaint.
pub(crate) fn number_in<T: Number>(
    range: RangeInclusive<T>,
    example: T,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static {
    move |text| {
        let found = text.trim().parse().ok().filter(|number| range.contains(number));
        found.ok_or_else(|| expected(&range, example, text))
    }
}

/// Says what is possible.
fn expected<T: Number>(range: &RangeInclusive<T>, example: T, text: &str) -> String {
    let [low, high] = [range.start(), range.end()].map(shown);
    // The largest value of a kind says nothing to people, unless they exceed it.
    let is_too_large = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let is_open = *range.end() >= T::MAX && !(is_too_large && text.len() >= 5);
    let limits = if is_open { format!(", {low} or more") } else { format!(" from {low} to {high}") };
    format!("it must be {}{limits}, such as {example}", T::NAME)
}

fn shown<T: Number>(number: &T) -> String {
    let text = number.to_string();
    text.parse().map_or(text, grouped)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_range_and_an_example_are_told() {
        let jobs = number_in(1..=1024u32, 4);
        assert_eq!(jobs("7"), Ok(7));
        for text in ["0", "1025", "-1", "many", "1.5", "", "99999999999999"] {
            let said = jobs(text).unwrap_err();
            assert_eq!(said, "it must be a whole number from 1 to 1,024, such as 4");
        }
    }

    #[test]
    fn the_largest_value_of_a_kind_is_told_only_to_those_who_exceed_it() {
        let repeat = number_in(1..=u32::MAX, 100);
        assert_eq!(repeat("0").unwrap_err(), "it must be a whole number, 1 or more, such as 100");
        assert_eq!(
            repeat("5000000000").unwrap_err(),
            "it must be a whole number from 1 to 4,294,967,295, such as 100"
        );
        let gap = number_in(0.0..=100.0, 0.5);
        assert_eq!(gap("nan").unwrap_err(), "it must be a number from 0 to 100, such as 0.5");
    }
}
