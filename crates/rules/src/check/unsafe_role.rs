//! An unbound role variable in a head.
//!
//! `(<= (sees ?r open) (true open))` does not say who sees it. Public sheets mean every role,
//! and that is how the rule is interpreted.

use gdl::Span;

use super::{Code, Report};

pub(crate) const CODE: Code = Code::restriction("unsafe-role", "the role of a head is an unbound variable");

/// Reports the role variable `name` at `place`.
pub(crate) fn report(report: &mut Report, place: Span, name: &str) {
    let message = format!("nothing restricts `?{name}`, so this means \"every role\"");
    report.say(&CODE, place, message, format!("add `(role ?{name})` to the body"));
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn the_role_of_a_head_is_bound() {
        let accepted = "(role a) (<= (sees ?r open) (role ?r) (true open))";
        let rejected = "(role a) (<= (sees ?r open) (true open))";
        let expected = ["1:20 nothing restricts `?r`, so this means \"every role\""];
        examples(&CODE, accepted, rejected, &expected);
    }
}
