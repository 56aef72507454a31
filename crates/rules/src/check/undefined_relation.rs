//! A relation that is read but never defined.
//!
//! It never holds; usually its name or its number of arguments is a typo.

use gdl::Name;
use rustc_hash::FxHashMap;

use super::near::Near;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::doubt("undefined-relation", "a relation is used but never defined");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let near = Near::new();
    let mut known: FxHashMap<usize, Vec<&str>> = FxHashMap::default();
    for relation in survey.normal.relations.iter().filter(|r| !r.rules.is_empty() && !r.is_auxiliary()) {
        known.entry(relation.arity).or_default().push(&relation.name);
    }
    for keyword in Keyword::ALL.into_iter().filter(|k| !k.is_domain()) {
        known.entry(keyword.arity()).or_default().push(keyword.name());
    }
    for (operator, arity) in [("not", 1), ("distinct", 2)] {
        known.entry(arity).or_default().push(operator);
    }
    let mut remedies: FxHashMap<(&Name, usize), String> = FxHashMap::default();
    for sentence in survey.sentences.iter().filter(|s| s.is_read()) {
        let (name, arity) = (sentence.name, sentence.arity());
        let given = [Keyword::True, Keyword::Does, Keyword::Knows, Keyword::CommonKnowledge, Keyword::Role];
        let wrong_arity = sentence.keyword.is_none() && Keyword::named(name).is_some_and(|k| !k.is_domain());
        if survey.defined.contains(&(name, arity))
            || sentence.keyword.is_some_and(|k| given.contains(&k))
            || wrong_arity
            || super::operator_as_name::is_operator(name)
        {
            continue;
        }
        let remedy = remedies.entry((name, arity)).or_insert_with(|| {
            remedy(survey, &near, name, arity, known.get(&arity).map_or(&[], Vec::as_slice))
        });
        report.say(&CODE, sentence.span(), format!("`{name}` is not defined"), remedy.clone());
    }
}

fn remedy(survey: &Survey, near: &Near, name: &Name, arity: usize, known: &[&str]) -> String {
    if let Some(other) = survey.arities.get(name) {
        let plural = if *other == 1 { "" } else { "s" };
        return format!("`{name}` is defined with {other} argument{plural}, not {arity}");
    }
    near.remedy(name, known.iter().copied(), "add facts or rules for it, or correct the name".to_string())
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, remedy};
    use super::*;

    #[test]
    fn what_is_read_is_defined() {
        let accepted = "(role r) (color red) (<= (legal r ?c) (color ?c))";
        let rejected = "(role r) (color red) (<= (legal r ?c)\n  (colour ?c))";
        examples(&CODE, accepted, rejected, &["2:3 `colour` is not defined"]);
        assert_eq!(remedy(&CODE, rejected), "did you mean `color`?");
    }

    #[test]
    fn misspelt_keywords_are_recognised() {
        assert_eq!(remedy(&CODE, "(role r) (init p) (<= terminal (ture p))"), "did you mean `true`?");
    }

    #[test]
    fn a_forgotten_argument_is_recognised() {
        assert_eq!(remedy(&CODE, "(succ 1 2) (<= p (succ 1))"), "`succ` is defined with 2 arguments, not 1");
    }
}
