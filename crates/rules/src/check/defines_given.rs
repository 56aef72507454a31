//! `true` or `does` in the head of a clause.
//!
//! The state and the moves are given by play; a rule or fact for them would contradict it.
//! `init` and `next` are the keywords that define states.

use super::survey::Place;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code =
    Code::error("defines-given", "a rule or fact defines `true` or `does`, which are determined by play");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for sentence in survey.sentences.iter().filter(|s| matches!(s.place, Place::Fact | Place::Head)) {
        let (message, remedy) = match sentence.keyword {
            Some(Keyword::True) => (
                "`true` is given by the state and cannot be defined",
                "use `init` or `next`, or another name",
            ),
            Some(Keyword::Does) => {
                ("`does` is given by the players and cannot be defined", "use `legal`, or another name")
            }
            _ => continue,
        };
        report.say(&CODE, sentence.span(), message, remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn state_and_moves_cannot_be_defined() {
        let rejected = "(true p)\n(<= (does r m) (true p))";
        let expected = [
            "1:1 `true` is given by the state and cannot be defined",
            "2:5 `does` is given by the players and cannot be defined",
        ];
        examples(&CODE, "(init p) (<= (next p) (true p) (does r m))", rejected, &expected);
    }
}
