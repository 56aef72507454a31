//! Stratification: the number of negations between a relation and the facts.

use rustc_hash::FxHashMap;

use super::Functor;
use crate::{Atom, Keyword, Literal, RelationId, Rules};

impl Rules {
    /// Returns the stratum of each relation, indexed by relation number. A relation is above
    /// everything it reads under `not` or `knows`, and never below anything it reads.
    pub fn strata(&self) -> Vec<u32> {
        let known = self.knowable();
        let mut strata = vec![0; self.relations.len()];
        for component in &self.components {
            let rules = component.relations.iter().flat_map(|r| &self.relation(*r).rules);
            let literals = rules.flat_map(|&rule| &self.rules[rule].body);
            let mut stratum = 0;
            for (literal, atom) in literals.filter_map(|l| Some((l, l.atom()?))) {
                let above = u32::from(matches!(literal, Literal::Negative(_)));
                stratum = stratum.max(strata[atom.relation.index()] + above);
                if let Some(relation) = about(atom).and_then(|f| known.get(&f)) {
                    stratum = stratum.max(strata[relation.index()] + 1);
                }
            }
            component.relations.iter().for_each(|r| strata[r.index()] = stratum);
        }
        strata
    }

    /// Returns the relations that knowledge can be about.
    fn knowable(&self) -> FxHashMap<Functor, RelationId> {
        let numbered = self.relations.iter().zip(0..);
        let functor = |name: &str, arity| Some(Functor { name: self.symbols.find(name)?, arity });
        numbered.filter_map(|(r, number)| Some((functor(&r.name, r.arity)?, RelationId(number)))).collect()
    }
}

/// Returns the functor of the sentence that a `knows` is about.
fn about(atom: &Atom) -> Option<Functor> {
    match Keyword::of(atom.relation) {
        Some(Keyword::Knows | Keyword::CommonKnowledge) => atom.arguments.last().and_then(Functor::of),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Rules, Strictness};

    #[test]
    fn each_negation_is_a_step_up() {
        let sheet =
            "(role r) (p 1) (<= (q ?x) (p ?x)) (<= (s ?x) (p ?x) (not (q ?x))) (<= t (p 1) (not (s 1)))
            (<= u (knows r t))";
        let rules = Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient).rules.expect("it plays");
        let strata = rules.strata();
        let of = |name: &str| {
            let number =
                rules.relations.iter().position(|r| &*r.name == name).expect("a relation of the sheet");
            strata[number]
        };
        assert_eq!([of("p"), of("q"), of("s"), of("t"), of("u")], [0, 0, 1, 2, 3]);
    }
}
