//! A role that has no legal move while another role has the turn.
//!
//! Every role makes a move in every step; the one whose turn it is not usually has `noop`. This
//! is found where it can be proven that a fluent such as `control` always names exactly one role
//! ([`crate::analysis::Control`]), and no rule for `legal` is about the waiting role meanwhile.

use gdl::RuleSheet;

use super::survey::constant;
use super::{Code, Report, no_first_move};
use crate::analysis::Control;
use crate::{Keyword, Rules};

pub(crate) const CODE: Code =
    Code::doubt("no-move-while-waiting", "a role has no legal move while another has the turn");

pub(crate) fn check(sheet: &RuleSheet, rules: &Rules, report: &mut Report) {
    let control = rules.control();
    if control.iter().all(|c| c.stuck.is_empty()) {
        return;
    }
    let said = report.places(&[no_first_move::CODE]);
    for clause in sheet.clauses.iter().filter(|c| c.body.is_empty()) {
        let arguments = clause.head.arguments();
        let keyword = clause.head.name().and_then(|name| Keyword::find(name, arguments.len()));
        let Some(term) = arguments.first().filter(|_| keyword == Some(Keyword::Role)) else { continue };
        let Some(role) = constant(term).and_then(|name| rules.symbols.find(name)) else { continue };
        let other =
            |c: &Control| c.stuck.iter().find(|(r, _)| *r == role).map(|(_, other)| (c.fluent, *other));
        let Some((fluent, other)) = control.iter().find_map(other) else { continue };
        if said.contains(&term.span) {
            continue;
        }
        let (role, turn) = (rules.name(role), format!("({} {})", rules.name(fluent.name), rules.name(other)));
        let message = format!("`{role}` has no legal move while `{turn}` holds");
        let remedy = format!("add a rule such as `(<= (legal {role} noop) (true {turn}))`");
        report.say(&CODE, term.span, message, remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, findings, remedy};
    use super::*;
    use crate::Strictness;

    const SHEET: &str = "(role white) (role black) (init (control white)) (init (cell 1)) (init (cell 2))
        (<= (legal ?p (take ?c)) (true (control ?p)) (true (cell ?c)))
        (<= (next (control white)) (true (control black)))
        (<= (next (control black)) (true (control white)))
        (<= (legal black noop) (true (control white)))\n";

    #[test]
    fn who_waits_needs_a_move_too() {
        let accepted = format!("{SHEET} (<= (legal white noop) (true (control black)))");
        let expected = ["1:7 `white` has no legal move while `(control black)` holds"];
        examples(&CODE, &accepted, SHEET, &expected);
        let add = "add a rule such as `(<= (legal white noop) (true (control black)))`";
        assert_eq!(remedy(&CODE, SHEET), add);
    }

    #[test]
    fn what_is_not_proven_is_not_reported() {
        let both = format!("{SHEET} (init (control black))");
        assert_eq!(findings(&CODE, &both, Strictness::Lenient), Vec::<String>::new());
        let sometimes = format!("{SHEET} (<= (legal white wait) (true (cell 3)))");
        assert_eq!(findings(&CODE, &sometimes, Strictness::Lenient), Vec::<String>::new());
    }
}
