//! `legal`, `goal`, `terminal` or `init` that depends on percepts.
//!
//! GDL-II: percepts inform players and must not affect the game. Public sheets violate this, so
//! it is tolerated. Percepts that require a move never hold there.

use super::depends_on_does::for_each_entry;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code =
    Code::restriction("depends-on-sees", "`legal`, `goal`, `terminal` or `init` depends on `sees`");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let heads = [Keyword::Legal, Keyword::Goal, Keyword::Terminal, Keyword::Init];
    for_each_entry(survey, &heads, &[Keyword::Sees], |head, what, span, direct| {
        let how = if direct { String::new() } else { format!(": `{what}` depends on it") };
        let message = format!("`{}` must not depend on `sees`{how}", head.name());
        report.say(&CODE, span, message, "read the conditions of the percept instead");
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn percepts_decide_nothing() {
        let accepted = "(role r) (<= (sees r p) (true p)) (<= terminal (true p))";
        let rejected = "(role r) (<= (sees r p) (true p)) (<= terminal (sees r p))";
        examples(&CODE, accepted, rejected, &["1:48 `terminal` must not depend on `sees`"]);
    }
}
