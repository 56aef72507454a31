//! A clause that expands to too many conjunctions.
//!
//! Each `or` multiplies the number of conjunctions that a clause denotes, and equalities can
//! double the size of terms each time. No legitimate sheet comes near the limits, which bound
//! time and memory.

use gdl::Span;

use super::{Code, Report};
use crate::alternatives::MAX_ALTERNATIVES;

pub(crate) const CODE: Code = Code::error(
    "too-many-alternatives",
    "a clause has too many alternatives, or terms that become too large",
);

/// Reports a body with too many alternatives.
pub(crate) fn report(report: &mut Report, span: Span) {
    let message = format!(
        "this gives the rule too many alternatives (more than {MAX_ALTERNATIVES}, or very long ones)"
    );
    report.say(&CODE, span, message, "define a separate relation for the inner alternatives");
}

/// Reports a term that grows too large.
pub(crate) fn report_term(report: &mut Report, span: Span) {
    report.say(
        &CODE,
        span,
        "the terms that this makes equal become too large",
        "write the terms out instead of equating variables",
    );
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, findings};
    use super::*;
    use crate::Strictness;

    #[test]
    fn alternatives_are_bounded() {
        let accepted = format!("(<= p {})", "(or q r) ".repeat(12));
        let rejected = format!("(<= p {})", "(or q r) ".repeat(13));
        let expected =
            ["1:115 this gives the rule too many alternatives (more than 4096, or very long ones)"];
        examples(&CODE, &accepted, &rejected, &expected);
    }

    #[test]
    fn terms_that_double_are_refused() {
        let equal: String =
            (0..60).map(|n| format!("(not (distinct ?x{n} (f ?x{0} ?x{0})))", n + 1)).collect();
        let text = format!("(<= (p ?x0) (q ?x60) {equal})");
        assert_eq!(findings(&CODE, &text, Strictness::Lenient).len(), 1);
    }
}
