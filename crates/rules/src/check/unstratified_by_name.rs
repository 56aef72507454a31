//! A relation that depends on its own negation, but only by name.
//!
//! In `(<= (goal ?r 0) (role ?r) (not (goal ?r 100)))` the specification considers only the
//! names and forbids the rule. The constants separate the cases, so the sheet can be played.

use super::Code;

pub(crate) const CODE: Code = Code::restriction(
    "unstratified-by-name",
    "a relation depends on its own negation by name, although its constants keep the cases apart",
);

/// The remedy for this finding.
pub(crate) const REMEDY: &str = "define a separate relation for the negated case and read that in both rules";

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn cases_told_apart_by_constants_play() {
        let accepted = "(role r) (<= won (true f)) (<= (goal r 100) won) (<= (goal r 0) (not won))";
        let rejected = "(role r) (<= (goal r 100) (true f)) (<= (goal r 0) (not (goal r 100)))";
        examples(&CODE, accepted, rejected, &["1:57 `goal` depends on the negation of itself"]);
    }
}
