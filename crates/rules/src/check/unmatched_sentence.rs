//! A sentence that no rule for its relation can derive.
//!
//! The relation is defined, but the constants do not match: `(column 9)` when the columns are 1 to 8.

use super::{Code, Report, Survey};
use crate::Keyword;
use crate::analysis::Support;
use crate::text::{Writer, brief};

pub(crate) const CODE: Code =
    Code::doubt("unmatched-sentence", "no rule or fact of a relation can derive this sentence");

pub(super) fn check(survey: &Survey, support: &Support, report: &mut Report) {
    for read in support.unmatched() {
        let relation = &survey.normal.relations[read.atom.relation.index()];
        let special = [Keyword::True, Keyword::Does].iter().any(|k| k.id() == read.atom.relation);
        let undefined = relation.rules.is_empty();
        if special || undefined || relation.is_auxiliary() {
            continue;
        }
        let (symbols, relations) = (&survey.normal.symbols, &survey.normal.relations);
        let writer = Writer { symbols, relations, variables: &read.rule.variables };
        let message = format!("no rule or fact can derive `{}`", brief(writer.atom(read.atom)));
        let remedy = format!("compare it with the definition of `{}`", relation.name);
        report.say(&CODE, read.place, message, remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn constants_fit_the_definition() {
        let rejected = "(role r) (column 1) (column 2) (<= terminal (column 9))";
        let accepted = "(role r) (column 1) (column 2) (<= terminal (column 2))";
        examples(&CODE, accepted, rejected, &["1:45 no rule or fact can derive `(column 9)`"]);
    }
}
