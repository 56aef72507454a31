//! A role that has no legal move in the initial state.
//!
//! Found without evaluating the state: none of its rules for `legal` can fire if only what `init`
//! provides is true. A role that waits for its turn needs a move such as `noop`. Whether later
//! states have moves for everybody is found by playing.

use super::no_goal_for_role::role_facts;
use super::{Code, Report, Survey};
use crate::analysis::Support;
use crate::{Atom, Keyword, Symbol, Term, Variable};

pub(crate) const CODE: Code = Code::doubt("no-first-move", "a role has no legal move in the initial state");

pub(super) fn check(survey: &Survey, support: &Support, start: &Support, report: &mut Report) {
    for (role, name) in role_facts(survey) {
        let Some(symbol) = survey.normal.symbols.find(name) else { continue };
        let some_move = some_move(symbol);
        if support.can_hold(&some_move) && !start.can_hold(&some_move) {
            let message = format!("`{name}` has no legal move in the initial state");
            let remedy = format!("add a rule for it, such as `(<= (legal {name} noop) …)`");
            report.say(&CODE, role.span, message, remedy);
        }
    }
}

fn some_move(role: Symbol) -> Atom {
    let arguments = vec![Term::Constant(role), Term::Variable(Variable(0))];
    Atom { relation: Keyword::Legal.id(), arguments }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, findings};
    use super::*;
    use crate::Strictness;

    const SHEET: &str = "(role white) (role black) (init (control white)) (init (cell 1)) (init (cell 2))
        (<= (legal ?p (take ?c)) (true (control ?p)) (true (cell ?c)))
        (<= (next (control white)) (true (control black)))
        (<= (next (control black)) (true (control white)))\n";

    #[test]
    fn who_does_not_begin_needs_a_move_too() {
        let accepted = format!("{SHEET} (<= (legal ?p noop) (role ?p) (not (true (control ?p))))");
        let expected = ["1:20 `black` has no legal move in the initial state"];
        examples(&CODE, &accepted, SHEET, &expected);
    }

    #[test]
    fn rules_that_name_the_role_are_compared_with_the_start() {
        let accepted = "(role a) (role b) (init (turn a)) (legal a go) (<= (legal b wait) (true (turn a)))
            (<= (next (turn b)) (true (turn a)))";
        let rejected =
            accepted.replace("(<= (legal b wait) (true (turn a)))", "(<= (legal b wait) (true (turn b)))");
        examples(&CODE, accepted, &rejected, &["1:16 `b` has no legal move in the initial state"]);
    }

    #[test]
    fn a_role_without_any_move_has_its_own_diagnostic() {
        let sheet = "(role a) (role b) (legal a go)";
        assert_eq!(findings(&CODE, sheet, Strictness::Lenient), Vec::<String>::new());
    }
}
