//! `init`, `next` or a domain declaration in a body.
//!
//! The specification allows `init` and `next` only in heads. Sheets that read the next state,
//! mostly in rules for `sees`, can still be played.

use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code =
    Code::restriction("keyword-in-body", "`init`, `next`, `base` or `input` is used in a body");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let heads = [Keyword::Init, Keyword::Next, Keyword::Base, Keyword::Input, Keyword::Percept];
    for sentence in survey.sentences.iter().filter(|s| s.is_read()) {
        if let Some(keyword) = sentence.keyword.filter(|k| heads.contains(k)) {
            let message = format!("`{}` belongs in heads, not in bodies", keyword.name());
            let remedy = "define a separate relation for its conditions and read that in both places";
            report.say(&CODE, sentence.span(), message, remedy);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn the_next_state_is_for_heads() {
        let accepted = "(role r) (<= moved (does r m)) (<= (next p) moved) (<= (sees r p) moved)";
        let rejected = "(role r) (<= (next p) (does r m)) (<= (sees r p) (next p))";
        examples(&CODE, accepted, rejected, &["1:50 `next` belongs in heads, not in bodies"]);
    }
}
