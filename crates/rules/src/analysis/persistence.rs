//! Persistence of fluents.
//!
//! A frame rule carries a fluent over to the next state: `(<= (next f) (true f) …)`. Grounders
//! and players use persistence to skip work.

use std::collections::BTreeMap;

use super::{Functor, fluent_read};
use crate::{Keyword, Rules, Term};

/// How long a fluent that is true stays true.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Persists {
    /// No frame rule carries it over.
    Never,
    /// Frame rules carry it over under conditions, or only some of its instances.
    Sometimes,
    /// Once true, it stays true.
    Forever,
    /// It is the same in all states: it stays true, and nothing makes it true later.
    Constant,
}

/// The persistence of one fluent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FluentPersistence {
    /// The fluent.
    pub fluent: Functor,
    /// How long it persists.
    pub persists: Persists,
    /// The frame rules, as indices into [`Rules::rules`].
    pub frame_rules: Vec<usize>,
    /// The other rules for `next` that can make it true.
    pub other_rules: Vec<usize>,
}

impl Rules {
    /// Returns how long each fluent persists, in the order of the first rules.
    pub fn persistence(&self) -> Vec<FluentPersistence> {
        let mut found: Vec<FluentPersistence> = Vec::new();
        let mut numbers: BTreeMap<Functor, usize> = BTreeMap::new();
        for keyword in [Keyword::Init, Keyword::Next] {
            for fluent in self.rules_for(keyword).filter_map(|(_, rule)| Functor::of(&rule.head.arguments[0]))
            {
                numbers.entry(fluent).or_insert_with(|| {
                    let persists = Persists::Never;
                    found.push(FluentPersistence {
                        fluent,
                        persists,
                        frame_rules: vec![],
                        other_rules: vec![],
                    });
                    found.len() - 1
                });
            }
        }
        let mut everything = Vec::new();
        let mut forever: Vec<bool> = vec![false; found.len()];
        for (number, rule) in self.rules_for(Keyword::Next) {
            let fluent = &rule.head.arguments[0];
            let is_frame = rule.body.iter().any(|l| fluent_read(l) == Some(fluent));
            let Some(functor) = Functor::of(fluent) else {
                everything.push((number, is_frame, is_frame && rule.body.len() == 1));
                continue;
            };
            let slot = numbers[&functor];
            let list = if is_frame { &mut found[slot].frame_rules } else { &mut found[slot].other_rules };
            list.push(number);
            forever[slot] |= is_frame && rule.body.len() == 1 && is_most_general(fluent);
        }
        for (slot, fluent) in found.iter_mut().enumerate() {
            for &(number, is_frame, always) in &everything {
                let list = if is_frame { &mut fluent.frame_rules } else { &mut fluent.other_rules };
                list.push(number);
                forever[slot] |= always;
            }
            fluent.persists =
                match (forever[slot], fluent.frame_rules.is_empty(), fluent.other_rules.is_empty()) {
                    (true, _, true) => Persists::Constant,
                    (true, _, false) => Persists::Forever,
                    (false, false, _) => Persists::Sometimes,
                    (false, true, _) => Persists::Never,
                };
        }
        found
    }
}

/// Returns `true` if the arguments of a fluent are distinct variables, so that it matches all instances.
fn is_most_general(fluent: &Term) -> bool {
    let Term::Function(_, arguments) = fluent else { return matches!(fluent, Term::Constant(_)) };
    let mut seen = rustc_hash::FxHashSet::default();
    arguments.iter().all(|t| matches!(t, Term::Variable(_)) && seen.insert(t))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Strictness;

    #[test]
    fn frame_rules_tell_how_long_a_fluent_stays() {
        let sheet = "(role r) (init (wall 1)) (init (cell 1 b)) (init (step 1)) (succ 1 2) (legal r mark)
            (<= (next (wall ?x)) (true (wall ?x)))
            (<= (next (cell ?x ?v)) (true (cell ?x ?v)) (not (does r mark)))
            (<= (next (cell ?x r)) (true (cell ?x b)) (does r mark))
            (<= (next (step ?y)) (true (step ?x)) (succ ?x ?y))
            (<= (next over) (true (step 2)))
            (<= (next over) (true over))";
        let rules = Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient).rules.expect("it plays");
        let found: Vec<(&str, Persists)> =
            rules.persistence().iter().map(|p| (rules.name(p.fluent.name), p.persists)).collect();
        let expected = [
            ("wall", Persists::Constant),
            ("cell", Persists::Sometimes),
            ("step", Persists::Never),
            ("over", Persists::Forever),
        ];
        assert_eq!(found, expected);
    }
}
