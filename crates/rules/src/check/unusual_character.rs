//! A character that other programs may be unable to read.
//!
//! Anything but white space and parentheses can be part of a name here. Quotes, commas,
//! brackets and non-ASCII characters are usually accidental.

use gdl::{Name, Term};
use rustc_hash::FxHashSet;

use super::survey::{Place, walk};
use super::{Code, Report, Survey};

pub(crate) const CODE: Code =
    Code::doubt("unusual-character", "a name contains a character that other programs may not accept");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let mut seen: FxHashSet<&Name> = FxHashSet::default();
    for sentence in survey.sentences.iter().filter(|s| s.place != Place::Known) {
        walk(sentence.term, &mut |term: &Term| {
            let Some(name) = term.name() else { return };
            let Some(unusual) = name.chars().find(|c| is_unusual(*c)) else { return };
            if seen.insert(name) {
                let message =
                    format!("`{}` contains the unusual character {unusual:?}", crate::text::brief(&**name));
                report.say(&CODE, term.span, message, "use letters, digits, `_`, `-` and `+`");
            }
        });
    }
}

fn is_unusual(c: char) -> bool {
    !c.is_ascii_graphic() || "\"'`,[]{}|\\".contains(c)
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn names_are_plain() {
        let rejected = "(cell a, 1) (cell \"b\" 1)";
        let expected = [
            "1:7 `a,` contains the unusual character ','",
            "1:19 `\"b\"` contains the unusual character '\"'",
        ];
        examples(&CODE, "(cell a_1 -2) (valid? ++ 1)", rejected, &expected);
    }
}
