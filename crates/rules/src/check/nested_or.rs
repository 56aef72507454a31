//! An `or` inside an `or`.

use gdl::LiteralKind;

use super::{Code, Report, Survey};

pub(crate) const CODE: Code = Code::doubt("nested-or", "an `or` is directly inside another `or`");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    survey.literals(|literal| {
        if let LiteralKind::Or(parts) = &literal.kind {
            for part in parts.iter().filter(|p| matches!(p.kind, LiteralKind::Or(_))) {
                let remedy = "move its alternatives into the outer `or`";
                report.say(&CODE, part.span, "this `or` is inside another `or`", remedy);
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn alternatives_are_flat() {
        examples(
            &CODE,
            "(<= p (or q r s))",
            "(<= p (or q (or r s)))",
            &["1:13 this `or` is inside another `or`"],
        );
    }
}
