//! A goal value that is not a number from 0 to 100.

use gdl::TermKind;

use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code =
    Code::restriction("goal-value", "a goal value is not a whole number from 0 to 100");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for sentence in survey.sentences.iter().filter(|s| s.keyword == Some(Keyword::Goal) && !s.is_read()) {
        let value = &sentence.term.arguments()[1];
        let fits = match &value.kind {
            TermKind::Variable(_) => true,
            TermKind::Constant(name) => name.parse::<u8>().is_ok_and(|n| n <= 100),
            TermKind::Compound(..) => false,
        };
        if !fits {
            let message = format!("`{}` is not a goal value", crate::text::brief(value.to_string()));
            report.say(&CODE, value.span, message, "goal values are whole numbers from 0 to 100");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn goals_are_numbers_up_to_100() {
        let rejected = "(role r) (goal r win)\n(goal r 101)";
        examples(
            &CODE,
            "(role r) (goal r 100)",
            rejected,
            &["1:18 `win` is not a goal value", "2:9 `101` is not a goal value"],
        );
    }
}
