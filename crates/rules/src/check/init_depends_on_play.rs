//! An initial state that depends on a state or on moves.
//!
//! In the initial state nothing is true yet and no move has been made, so `true` and `does` never hold.

use super::depends_on_does::for_each_entry;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::restriction("init-depends-on-play", "`init` depends on `true` or `does`");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for_each_entry(survey, &[Keyword::Init], &[Keyword::True, Keyword::Does], |_, what, span, direct| {
        let how = if direct { String::new() } else { format!(": `{what}` does") };
        let message = format!("`init` must not depend on the state or on moves{how}");
        report.say(&CODE, span, message, "use relations that are the same in all states");
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn the_start_has_nothing_before_it() {
        let rejected = "(<= (init (cell ?x)) (true (row ?x)))";
        let expected = ["1:22 `init` must not depend on the state or on moves"];
        examples(&CODE, "(row 1) (<= (init (cell ?x)) (row ?x))", rejected, &expected);
    }
}
