//! A domain declaration that depends on the state or on moves.
//!
//! `base`, `input` and `percept` declare what is possible in any state.

use super::depends_on_does::for_each_entry;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code =
    Code::restriction("domain-depends-on-play", "`base`, `input` or `percept` depends on `true` or `does`");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let heads = [Keyword::Base, Keyword::Input, Keyword::Percept];
    for_each_entry(survey, &heads, &[Keyword::True, Keyword::Does], |head, what, span, direct| {
        let how = if direct { String::new() } else { format!(": `{what}` does") };
        let message = format!("`{}` must not depend on the state or on moves{how}", head.name());
        report.say(&CODE, span, message, "declare the domain with relations that are the same in all states");
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn domains_are_the_same_in_all_states() {
        let rejected = "(<= (base (cell ?x)) (true (row ?x)))";
        let expected = ["1:22 `base` must not depend on the state or on moves"];
        examples(&CODE, "(row 1) (<= (base (cell ?x)) (row ?x))", rejected, &expected);
    }
}
