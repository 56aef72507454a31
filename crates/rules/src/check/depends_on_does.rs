//! `legal`, `goal` or `terminal` that depends on the moves made.
//!
//! They are evaluated before anyone moves, so `does` has no meaning there, directly or through
//! other relations. Sheets that violate this are played as if no move had been made.

use super::{Code, Report, Survey};
use crate::{Keyword, Literal, RelationId};

pub(crate) const CODE: Code =
    Code::restriction("depends-on-does", "`legal`, `goal` or `terminal` depends on `does`");

const ASKED_BEFORE: [Keyword; 3] = [Keyword::Legal, Keyword::Goal, Keyword::Terminal];

pub(super) fn check(survey: &Survey, report: &mut Report) {
    for_each_entry(survey, &ASKED_BEFORE, &[Keyword::Does], |head, what, span, direct| {
        let how = if direct { String::new() } else { format!(": `{what}` depends on it") };
        let message = format!("`{}` must not depend on `does`{how}", head.name());
        let remedy = "`does` never holds here: record the move in the state with `next`, and read that";
        report.say(&CODE, span, message, remedy);
    });
}

/// Calls `visit` with every literal through which one of `heads` depends on one of `sources`.
/// The arguments are the head, the name of the relation, the location, and whether the relation
/// is itself a source.
pub(super) fn for_each_entry(
    survey: &Survey,
    heads: &[Keyword],
    sources: &[Keyword],
    mut visit: impl FnMut(Keyword, &str, gdl::Span, bool),
) {
    let depends = survey.graph.depending_on(sources);
    let listed = |list: &[Keyword], id: RelationId| list.iter().any(|k| k.id() == id);
    // Auxiliary relations stand for a part of the rule that reads them.
    let own: Vec<Option<Keyword>> = owners(survey, heads);
    for (rule, places) in survey.normal.rules.iter().zip(&survey.normal.places) {
        let Some(head) = own[rule.head.relation.index()] else { continue };
        for (literal, place) in rule.body.iter().zip(&places.body) {
            let Some(atom) = literal.atom() else { continue };
            let relation = &survey.normal.relations[atom.relation.index()];
            if depends[atom.relation.index()] && !listed(heads, atom.relation) && !relation.is_auxiliary() {
                visit(head, &relation.name, *place, listed(sources, atom.relation));
            }
        }
    }
}

/// Returns, for each relation, the keyword whose rules it is part of.
fn owners(survey: &Survey, heads: &[Keyword]) -> Vec<Option<Keyword>> {
    let mut own = vec![None; survey.normal.relations.len()];
    heads.iter().for_each(|k| own[k.id().index()] = Some(*k));
    let mut work: Vec<RelationId> = heads.iter().map(|k| k.id()).collect();
    while let Some(relation) = work.pop() {
        for &rule in &survey.normal.relations[relation.index()].rules {
            for atom in survey.normal.rules[rule].body.iter().filter_map(Literal::atom) {
                let read = atom.relation.index();
                if own[read].is_none() && survey.normal.relations[read].is_auxiliary() {
                    own[read] = own[relation.index()];
                    work.push(atom.relation);
                }
            }
        }
    }
    own
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;

    #[test]
    fn what_is_asked_before_moves_cannot_depend_on_them() {
        let accepted = "(role r) (<= (next p) (does r m)) (<= (legal r m) (true p))";
        let rejected = "(role r) (<= bang (does r m))\n(<= terminal bang)\n(<= (goal r 0) (not (does r ?m)))";
        let expected = [
            "2:14 `terminal` must not depend on `does`: `bang` depends on it",
            "3:21 `goal` must not depend on `does`",
        ];
        examples(&CODE, accepted, rejected, &expected);
    }
}
