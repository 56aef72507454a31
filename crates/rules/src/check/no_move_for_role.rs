//! A role that can never move.
//!
//! Every role must have a legal move in every non-terminal state.

use super::no_goal_for_role::without;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::restriction("no-move-for-role", "no rule gives a role a legal move");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for (role, name) in without(survey, Keyword::Legal) {
        let message = format!("no rule gives `{name}` a legal move");
        let remedy = format!("add rules for it, such as `(legal {name} noop)`");
        report.say(&CODE, role.span, message, remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn every_role_has_a_move() {
        let accepted = "(role white) (role black) (<= (legal ?r noop) (role ?r))";
        let rejected = "(role white) (role black) (legal white noop)";
        examples(&CODE, accepted, rejected, &["1:20 no rule gives `black` a legal move"]);
    }
}
