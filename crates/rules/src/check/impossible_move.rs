//! A move that no role can make.
//!
//! `(does random (cut ?c))` never holds if no rule makes `cut` legal for `random`. The pattern,
//! including the role, is compared with the heads of all rules for `legal`. `input` only
//! declares domains and makes no move legal.

use super::near::Near;
use super::{Code, Report, Survey};
use crate::analysis::Support;
use crate::text::{Writer, brief};
use crate::{Atom, Keyword, Term};

pub(crate) const CODE: Code = Code::doubt("impossible-move", "a `does` that no rule for `legal` can produce");

pub(super) fn check(survey: &Survey, support: &Support, report: &mut Report) {
    let near = Near::new();
    for read in support.unmatched().iter().filter(|r| r.atom.relation == Keyword::Does.id()) {
        let [role, action] = &read.atom.arguments[..] else { continue };
        let symbols = &survey.normal.symbols;
        let who = match role {
            Term::Constant(role) if !survey.roles.contains(symbols.full_name(*role)) => continue,
            Term::Constant(role) => format!("for `{}`", symbols.name(*role)),
            Term::Variable(_) => "for anyone".to_string(),
            Term::Function(..) => continue,
        };
        let writer = Writer { symbols, relations: &survey.normal.relations, variables: &read.rule.variables };
        let message = format!("no rule makes `{}` legal {who}", brief(writer.term(action)));
        let able = survey.normal.roles.iter().take(100).find(|r| {
            let arguments = vec![Term::Constant(**r), action.clone()];
            support.matches(&Atom { relation: Keyword::Does.id(), arguments })
        });
        let remedy = match (able, action) {
            (Some(able), _) => format!("`{}` can do this: did you mean that role?", symbols.name(*able)),
            (None, Term::Constant(name) | Term::Function(name, _)) => {
                let moves = support.shapes(Keyword::Legal.id()).map(|s| symbols.name(s));
                near.remedy(
                    symbols.name(*name),
                    moves,
                    "add a rule for `legal`, or correct the move".to_string(),
                )
            }
            (None, Term::Variable(_)) => "add a rule for `legal`".to_string(),
        };
        report.say(&CODE, read.place, message, remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, remedy};
    use super::*;

    const SHEET: &str = "(role agent) (role random) (legal random noop)
        (<= (legal agent (cut ?c)) (true (wire ?c)))
        (<= (next (wire ?c)) (true (wire ?c)) ";

    #[test]
    fn what_is_done_must_be_legal_for_that_role() {
        let accepted = format!("{SHEET} (not (does agent (cut ?c))))");
        let rejected = format!("{SHEET} (not (does random (cut ?c))))");
        examples(&CODE, &accepted, &rejected, &["3:53 no rule makes `(cut ?c)` legal for `random`"]);
        assert_eq!(remedy(&CODE, &rejected), "`agent` can do this: did you mean that role?");
    }

    #[test]
    fn near_names_of_moves_are_suggested() {
        let text = format!("{SHEET} (does agent (cutt ?c)))");
        assert_eq!(remedy(&CODE, &text), "did you mean `cut`?");
    }
}
