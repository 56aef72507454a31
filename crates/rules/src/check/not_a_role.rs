//! A term that is not a role where a role is required.
//!
//! The first argument of `does`, `legal`, `goal`, `sees`, `input`, `percept` and `knows` is a
//! role, so `(does explodes ask)` can never hold.

use super::near::Near;
use super::survey::constant;
use super::{Code, Report, Survey};
use crate::Keyword;
use crate::text::brief;

pub(crate) const CODE: Code =
    Code::restriction("not-a-role", "the first argument of `does`, `legal`, `goal` or `sees` is not a role");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    if survey.roles.is_empty() {
        return;
    }
    let near = Near::new();
    let names = || survey.normal.roles.iter().map(|r| survey.normal.symbols.name(*r));
    for sentence in survey.sentences.iter().filter(|s| s.keyword.is_some_and(Keyword::has_role)) {
        let role = &sentence.term.arguments()[0];
        let Some(name) = role.name() else { continue };
        if constant(role).is_some_and(|name| survey.roles.contains(name)) {
            continue;
        }
        let listed: Vec<String> = names().take(4).map(|n| format!("`{n}`")).collect();
        let others = if survey.normal.roles.len() > 4 { ", …" } else { "" };
        let list = format!("the roles are {}{others}", listed.join(", "));
        let remedy = near.remedy(name, names(), list);
        report.say(&CODE, role.span, format!("`{}` is not a role", brief(role.to_string())), remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, remedy};
    use super::*;

    #[test]
    fn only_roles_do_things() {
        let accepted = "(role agent) (<= (next p) (does agent ask)) (<= (goal ?r 0) (role ?r))";
        let rejected = "(role agent) (<= (next p) (does explodes ask))\n(goal agnet 0)";
        examples(&CODE, accepted, rejected, &["1:33 `explodes` is not a role", "2:7 `agnet` is not a role"]);
        assert_eq!(remedy(&CODE, rejected), "the roles are `agent`");
        assert_eq!(remedy(&CODE, "(role agent) (goal agnet 0)"), "did you mean `agent`?");
    }
}
