//! `not` applied to something other than a sentence.

use gdl::LiteralKind;

use super::{Code, Report, Survey};

pub(crate) const CODE: Code =
    Code::restriction("negated-compound", "`not` is applied to `or`, `and`, `not` or `distinct`");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    survey.literals(|literal| {
        if let LiteralKind::Not(inner) = &literal.kind {
            let (what, remedy) = match inner.kind {
                LiteralKind::Atom(_) => return,
                LiteralKind::Or(_) => ("or", "negate each alternative: `(not a) (not b)`"),
                LiteralKind::And(_) => ("and", "negate the parts inside an `or`"),
                LiteralKind::Not(_) => ("not", "remove both"),
                LiteralKind::Distinct(..) => ("distinct", "use the same variable or constant in both places"),
            };
            let message = format!("only a sentence can be negated, not `{what}`");
            report.say(&CODE, literal.span, message, remedy);
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn only_sentences_are_negated() {
        let rejected = "(<= p (not (or q r)))\n(<= (s ?x) (q ?x) (not (distinct ?x a)))";
        let expected = [
            "1:7 only a sentence can be negated, not `or`",
            "2:19 only a sentence can be negated, not `distinct`",
        ];
        examples(&CODE, "(<= p (not q))", rejected, &expected);
    }
}
