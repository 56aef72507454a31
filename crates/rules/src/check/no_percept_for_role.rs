//! A role that chooses moves but sees nothing.
//!
//! As soon as a sheet has a rule for `sees`, roles no longer see the moves of the others. A role
//! that these rules leave out is blind. This is no problem for a role that only chooses in the
//! initial state, which everyone knows, nor for `random`, which chooses by chance.

use rustc_hash::FxHashSet;

use super::no_goal_for_role::without;
use super::{Code, Report, Survey};
use crate::analysis::Support;
use crate::{Keyword, Literal, Symbol, Term};

pub(crate) const CODE: Code =
    Code::doubt("no-percept-for-role", "the rules for `sees` leave out a role that chooses moves");

/// The maximum number of roles that are looked at.
const MAX_ROLES: usize = 16;

pub(super) fn check(survey: &Survey, support: &Support, report: &mut Report) {
    let blind = without(survey, Keyword::Sees).into_iter().filter(|(_, name)| &***name != "random");
    for (role, name) in blind.take(MAX_ROLES) {
        if survey.normal.symbols.find(name).is_some_and(|role| chooses_later(survey, support, role)) {
            let message = format!("`{name}` chooses moves but sees nothing: no rule for `sees` is about it");
            let remedy = format!("add rules such as `(<= (sees {name} …) …)`");
            report.say(&CODE, role.span, message, remedy);
        }
    }
}

/// Returns `true` if a role can have several legal moves after the first step.
fn chooses_later(survey: &Survey, support: &Support, role: Symbol) -> bool {
    let mut moves: FxHashSet<&Term> = FxHashSet::default();
    for &number in &survey.normal.relations[Keyword::Legal.id().index()].rules {
        let rule = &survey.normal.rules[number];
        let [player, action] = &rule.head.arguments[..] else { continue };
        let other = matches!(player, Term::Constant(c) if *c != role);
        let later =
            |literal: &Literal| !matches!(literal, Literal::Positive(a) if !support.can_hold_later(a));
        if !other && support.fires(number) && rule.body.iter().all(later) {
            moves.insert(action);
            if moves.len() > 1 || !action.is_ground() {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, findings};
    use super::*;
    use crate::Strictness;

    const SHEET: &str = "(role white) (role black) (role random) (init (free 1)) (init (free 2))
        (<= (legal ?p (take ?c)) (role ?p) (true (free ?c)))
        (<= (taken ?c) (does ?p (take ?c)))
        (<= (next (free ?c)) (true (free ?c)) (not (taken ?c)))
        (<= (sees white ?m) (does random ?m))\n";

    #[test]
    fn what_one_role_sees_the_others_do_not() {
        let accepted = format!("{SHEET} (<= (sees black ?m) (does white ?m))");
        let expected = ["1:20 `black` chooses moves but sees nothing: no rule for `sees` is about it"];
        examples(&CODE, &accepted, SHEET, &expected);
        let all = format!("{SHEET} (<= (sees ?p ?m) (role ?p) (does random ?m))");
        assert_eq!(findings(&CODE, &all, Strictness::Lenient), Vec::<String>::new());
    }

    #[test]
    fn without_percepts_everyone_sees_the_moves() {
        let sheet = SHEET.replace("(<= (sees white ?m) (does random ?m))", "");
        assert_eq!(findings(&CODE, &sheet, Strictness::Lenient), Vec::<String>::new());
    }

    #[test]
    fn a_role_that_only_chooses_at_first_needs_no_percepts() {
        let sheet = "(role spy) (role cutter) (init (stage arm)) (wire red) (wire blue)
            (<= (legal spy (arm ?w)) (true (stage arm)) (wire ?w)) (<= (legal spy noop) (true (stage cut)))
            (<= (next (stage cut)) (true (stage arm))) (<= (sees cutter (told ?w)) (does spy (arm ?w)))";
        let again = "(<= (next (stage arm)) (true (stage cut)))";
        let expected = ["1:7 `spy` chooses moves but sees nothing: no rule for `sees` is about it"];
        examples(&CODE, sheet, &format!("{sheet} {again}"), &expected);
    }
}
