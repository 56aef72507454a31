//! Something that moves like a role but has no `role` fact.
//!
//! In `(<= (legal ?p pass) (true (control ?p)))`, a rule such as `(next (control black))` makes
//! `pass` legal for `black`, which nobody can do unless `black` is a role. Only fluents and facts
//! about a single thing count, such as `(control ?p)`: a square can hold a role's piece or nothing.
//! [`super::not_a_role`] reports names that are in the place of a role themselves.

use gdl::{Label, Span};
use rustc_hash::FxHashSet;

use super::near::Near;
use super::survey::constant;
use super::{Code, Report, Survey};
use crate::analysis::{Functor, Support, sources};
use crate::normalise::Normal;
use crate::{Atom, Keyword, Literal, Rule, Symbol, Term, Variable};

pub(crate) const CODE: Code =
    Code::doubt("missing-role", "a constant that moves like a role has no `role` fact");

/// Limits: findings, and rules for `legal` that are looked at.
const MAX_FOUND: usize = 16;
const MAX_RULES: usize = 1000;

pub(super) fn check(survey: &Survey, support: &Support, report: &mut Report) {
    if survey.roles.is_empty() {
        return;
    }
    let normal = survey.normal;
    let near = Near::new();
    let mut seen: FxHashSet<Symbol> = normal.roles.iter().copied().collect();
    let most = seen.len() + MAX_FOUND;
    for &number in normal.relations[Keyword::Legal.id().index()].rules.iter().take(MAX_RULES) {
        let rule = &normal.rules[number];
        let Term::Variable(player) = rule.head.arguments[0] else { continue };
        let Some(turn) = turn(normal, rule, player) else { continue };
        for value in support.values(number, player) {
            if seen.len() == most || !seen.insert(value) {
                continue;
            }
            let name = normal.symbols.name(value);
            let message = format!("`{name}` moves like a role, but there is no `(role {name})`");
            let roles = normal.roles.iter().map(|r| normal.symbols.name(*r));
            let remedy = near.remedy(name, roles, format!("add `(role {name})`"));
            let head = normal.places[number].head;
            let variable = &rule.variables[player.0 as usize];
            let text = format!("`?{variable}` can be `{name}` here");
            let place = written(survey, turn, value).unwrap_or(head);
            report.say(&CODE, place, message, remedy).labels.push(Label { span: head, text });
        }
    }
}

/// Returns the sentence that says who a player is, and nothing else: a fluent or a fact.
fn turn<'r>(normal: &Normal, rule: &'r Rule, player: Variable) -> Option<&'r Atom> {
    let listed = |a: &Atom| {
        let mut rules = normal.relations[a.relation.index()].rules.iter();
        a.relation == Keyword::True.id() || rules.all(|&number| normal.rules[number].body.is_empty())
    };
    rule.body.iter().find_map(|literal| match literal {
        Literal::Positive(atom) => {
            Some(atom).filter(|a| only(a) == Some(&Term::Variable(player)) && listed(a))
        }
        _ => None,
    })
}

/// Returns the only argument of a fluent that is read, or of a relation.
fn only(atom: &Atom) -> Option<&Term> {
    let [argument] = &atom.arguments[..] else { return None };
    match argument {
        _ if atom.relation != Keyword::True.id() => Some(argument),
        Term::Function(_, arguments) if arguments.len() == 1 => arguments.first(),
        _ => None,
    }
}

/// Returns where a head gives a constant to the sentence that says who a player is.
fn written(survey: &Survey, turn: &Atom, value: Symbol) -> Option<Span> {
    let normal = survey.normal;
    let fluent = turn.arguments.first().and_then(Functor::of);
    let relations = sources(turn.relation)?;
    let rules = relations.iter().flat_map(|r| &normal.relations[r.index()].rules);
    rules.map(|&number| &normal.rules[number]).find_map(|rule| {
        let mut term = survey.sheet.clauses[rule.clause].head.arguments().first()?;
        if turn.relation == Keyword::True.id() {
            term = term.arguments().first().filter(|_| Functor::of(&rule.head.arguments[0]) == fluent)?;
        }
        constant(term).filter(|name| *name == normal.symbols.full_name(value)).map(|_| term.span)
    })
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, remedy};
    use super::*;

    const SHEET: &str = "(role white) (init (control white)) (init (cell 1 b)) (init (cell 2 white))
        (<= (legal ?p (take ?c)) (true (control ?p)) (true (cell ?c b)))
        (<= (legal ?p (leave ?c)) (true (cell ?c ?p)))
        (<= (next (control white)) (true (control black)))
        (<= (next (control black)) (true (control white)))\n";

    #[test]
    fn who_has_a_turn_is_a_role() {
        let expected = ["5:28 `black` moves like a role, but there is no `(role black)`"];
        examples(&CODE, &format!("{SHEET} (role black)"), SHEET, &expected);
        assert_eq!(remedy(&CODE, SHEET), "add `(role black)`");
        let misspelled = SHEET.replace("black", "whtie");
        assert_eq!(remedy(&CODE, &misspelled), "did you mean `white`?");
    }

    #[test]
    fn a_list_of_players_is_a_list_of_roles() {
        let rules = "(role a) (player a) (player b) (<= (legal ?p go) (player ?p))";
        let expected = ["1:29 `b` moves like a role, but there is no `(role b)`"];
        examples(&CODE, &format!("{rules} (role b)"), rules, &expected);
        let (both, fewer) = ("(<= (legal ?p go) (player ?p) (role ?p))", "(<= (legal ?p go) (player ?p))");
        examples(&CODE, &rules.replace(fewer, both), rules, &expected);
    }
}
