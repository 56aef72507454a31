//! Strata: how many negations stand between a relation and the facts.

use crate::{Literal, Rules};

impl Rules {
    /// The stratum of each relation, by its number. A relation lies above
    /// everything it reads under `not`, and not below anything it reads.
    pub fn strata(&self) -> Vec<u32> {
        let mut strata = vec![0; self.relations.len()];
        for component in &self.components {
            let mut stratum = 0;
            for relation in &component.relations {
                for &rule in &self.relation(*relation).rules {
                    for literal in &self.rules[rule].body {
                        if let Some(atom) = literal.atom() {
                            let above = u32::from(matches!(literal, Literal::Negative(_)));
                            stratum = stratum.max(strata[atom.relation.index()] + above);
                        }
                    }
                }
            }
            component.relations.iter().for_each(|r| strata[r.index()] = stratum);
        }
        strata
    }
}

#[cfg(test)]
mod tests {
    use crate::{Rules, Strictness};

    #[test]
    fn each_negation_is_a_step_up() {
        let sheet =
            "(role r) (p 1) (<= (q ?x) (p ?x)) (<= (s ?x) (p ?x) (not (q ?x))) (<= t (p 1) (not (s 1)))";
        let rules = Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient).rules.expect("it plays");
        let strata = rules.strata();
        let of = |name: &str| {
            let number =
                rules.relations.iter().position(|r| &*r.name == name).expect("a relation of the sheet");
            strata[number]
        };
        assert_eq!([of("p"), of("q"), of("s"), of("t")], [0, 0, 1, 2]);
    }
}
