//! A relation that is defined but never read.

use gdl::Name;
use rustc_hash::FxHashSet;

use super::near::Near;
use super::{Code, Report, Survey};
use crate::Keyword;

pub(crate) const CODE: Code = Code::doubt("unused-relation", "a relation is defined but never used");

pub(super) fn check(survey: &Survey, report: &mut Report) {
    let mut read: FxHashSet<(&Name, usize)> = FxHashSet::default();
    let mut undefined: Vec<&str> = Vec::new();
    for sentence in survey.sentences.iter().filter(|s| s.is_read()) {
        let key = (sentence.name, sentence.arity());
        if read.insert(key) && !survey.defined.contains(&key) && sentence.keyword.is_none() {
            undefined.push(sentence.name);
        }
    }
    let near = Near::new();
    let mut seen = FxHashSet::default();
    for sentence in survey.sentences.iter().filter(|s| !s.is_read() && Keyword::named(s.name).is_none()) {
        let (name, arity) = (sentence.name, sentence.arity());
        if read.contains(&(name, arity)) || !seen.insert((name, arity)) {
            continue;
        }
        let keywords = Keyword::ALL.into_iter().filter(|k| k.arity() == arity).map(|k| -> &str { k.name() });
        let candidates = keywords.chain(undefined.iter().copied());
        let remedy = near.remedy(name, candidates, "remove it, or use it".to_string());
        report.say(&CODE, sentence.span(), format!("`{name}` is defined but never used"), remedy);
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{examples, remedy};
    use super::*;

    #[test]
    fn what_is_defined_is_used() {
        let rejected = "(color red) (color blue)";
        examples(
            &CODE,
            "(color red) (<= (init (wire ?c)) (color ?c))",
            rejected,
            &["1:1 `color` is defined but never used"],
        );
    }

    #[test]
    fn misspelt_keywords_are_recognised() {
        assert_eq!(remedy(&CODE, "(<= (nxet p) (true p))"), "did you mean `next`?");
    }
}
