//! A keyword with the wrong number of arguments.

use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::error("keyword-arity", "a keyword has the wrong number of arguments");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for sentence in survey.sentences.iter().filter(|s| s.keyword.is_none()) {
        let Some(keyword) = Keyword::named(sentence.name).filter(|k| !k.is_domain()) else { continue };
        let (takes, example) = match keyword {
            Keyword::Role => ("1 argument", "(role white)"),
            Keyword::Init => ("1 argument", "(init (cell 1 1 b))"),
            Keyword::True => ("1 argument", "(true (cell 1 1 b))"),
            Keyword::Next => ("1 argument", "(next (cell 1 1 b))"),
            Keyword::Does => ("2 arguments", "(does white (mark 1 1))"),
            Keyword::Legal => ("2 arguments", "(legal white (mark 1 1))"),
            Keyword::Goal => ("2 arguments", "(goal white 100)"),
            Keyword::Terminal => ("no arguments", "terminal"),
            Keyword::Sees => ("2 arguments", "(sees white (moved black))"),
            _ => ("1 or 2 arguments", "(knows white (winning black))"),
        };
        let message = format!("`{}` takes {takes}, not {}", keyword.name(), sentence.arity());
        report.say(&CODE, sentence.span(), message, format!("write it as in `{example}`"));
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn keywords_have_their_number_of_arguments() {
        let accepted = "(role r) (init p) (<= (legal r m) (true p)) (<= terminal (true p)) (goal r 100)";
        let rejected = "(init cell 1)\n(<= (terminal now) (true p) (not (does r)))";
        let expected = [
            "1:1 `init` takes 1 argument, not 2",
            "2:5 `terminal` takes no arguments, not 1",
            "2:34 `does` takes 2 arguments, not 1",
        ];
        examples(&CODE, accepted, rejected, &expected);
    }
}
