//! Knowledge about moves.
//!
//! GDL-III: `knows` is about states, so the sentence it is about must not depend on `does`.

use gdl::Span;

use super::{Code, Report, Survey};
use crate::depend::known;
use crate::{Keyword, Literal};

pub(crate) const CODE: Code =
    Code::error("knows-depends-on-does", "what a `knows` is about depends on `does`");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let depends = survey.graph.depending_on(&[Keyword::Does]);
    for (rule, places) in survey.normal.rules.iter().zip(&survey.normal.places) {
        for (literal, place) in rule.body.iter().zip(&places.body) {
            let about = Literal::atom(literal).and_then(|a| known(survey.normal, a.relation, &a.arguments));
            if let Some(about) = about.filter(|p| depends[p.index()]) {
                say(survey, about.index(), *place, report);
            }
        }
    }
}

fn say(survey: &Survey, relation: usize, place: Span, report: &mut Report) {
    let name = &survey.normal.relations[relation].name;
    let message = format!("`knows` is about states, and `{name}` depends on the moves made");
    report.say(&CODE, place, message, "record the move in the state with `next`, and ask about that");
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn knowledge_is_about_states() {
        let accepted = "(role r) (<= hot (true p)) (<= (next q) (knows r hot))";
        let rejected = "(role r) (<= hot (does r m)) (<= (next q) (knows r hot))";
        let expected = ["1:43 `knows` is about states, and `hot` depends on the moves made"];
        examples(&CODE, accepted, rejected, &expected);
    }
}
