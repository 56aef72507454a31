//! A name in parentheses without arguments.
//!
//! `(terminal)` means `terminal`; other programs may not read it.

use gdl::{Term, TermKind};

use super::survey::walk;
use super::{Code, Report, Survey};

pub(crate) const CODE: Code =
    Code::doubt("empty-parentheses", "a name without arguments stands in parentheses");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let mut look = |term: &Term| {
        if let TermKind::Compound(name, arguments) = &term.kind
            && arguments.is_empty()
        {
            let message = format!("`{name}` has no arguments and needs no parentheses");
            report.say(&CODE, term.span, message, format!("write `{name}`"));
        }
    };
    for sentence in survey.sentences.iter().filter(|s| s.place != super::survey::Place::Known) {
        walk(sentence.term, &mut look);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn a_name_alone_needs_no_parentheses() {
        let rejected = "(<= (terminal) (true (end)))";
        let expected = [
            "1:5 `terminal` has no arguments and needs no parentheses",
            "1:22 `end` has no arguments and needs no parentheses",
        ];
        examples(&CODE, "(<= terminal (true end))", rejected, &expected);
    }
}
