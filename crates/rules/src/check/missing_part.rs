//! A game without moves, without an end or without goals.

use gdl::{Name, Span};

use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code =
    Code::restriction("missing-part", "the sheet has no `legal`, no `terminal` or no `goal`");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let parts = [
        (Keyword::Legal, "no rule defines legal moves, so nobody can move", "add rules for `legal`"),
        (
            Keyword::Terminal,
            "no rule defines when the game is over, so it never ends",
            "add a rule for `terminal`",
        ),
        (Keyword::Goal, "no rule defines a goal", "add rules for `goal`"),
    ];
    for (keyword, message, remedy) in parts {
        if !survey.defined.contains(&(&Name::from(keyword.name()), keyword.arity())) {
            report.say(&CODE, Span::default(), message, remedy);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn a_game_has_moves_an_end_and_goals() {
        let accepted = "(role r) (legal r m) (<= terminal (true p)) (goal r 100)";
        let rejected = "(role r) (legal r m)";
        let expected =
            ["1:1 no rule defines a goal", "1:1 no rule defines when the game is over, so it never ends"];
        examples(&CODE, accepted, rejected, &expected);
    }
}
