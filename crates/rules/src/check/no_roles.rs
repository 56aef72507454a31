//! A game without roles.

use gdl::Span;

use super::{Code, Report, Survey};

pub(crate) const CODE: Code = Code::error("no-roles", "the sheet has no role");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    if survey.roles.is_empty() {
        report.say(&CODE, Span::default(), "the sheet has no role", "add a fact such as `(role white)`");
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn a_game_has_players() {
        examples(&CODE, "(role white)", "(legal white noop)", &["1:1 the sheet has no role"]);
    }
}
