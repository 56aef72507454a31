//! Which constants and functions can stand in which place.
//!
//! A place is an argument of a relation, or of a function in such a place. The
//! sets are supersets of what can ever occur there; a place with too many
//! values, or too deep in a term, is left open. [`super::flow`] finds them.

use rustc_hash::FxHashMap;

use super::Functor;
use crate::{Keyword, RelationId, Rules, Symbol};

/// The values of every place of a sheet's relations.
#[derive(Debug, Clone)]
pub struct Domains {
    pub(super) nodes: Vec<Node>,
    pub(super) arguments: Vec<Vec<usize>>,
    /// The first of the places inside a function at a place; the others follow it.
    pub(super) inner: FxHashMap<(usize, Functor), usize>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// Anything can stand here; the lists are empty.
    pub open: bool,
    pub depth: u8,
    /// Sorted.
    pub constants: Vec<Symbol>,
    pub functions: Vec<Functor>,
}

/// The values of one place.
#[derive(Debug, Clone, Copy)]
pub struct Domain<'d> {
    domains: &'d Domains,
    node: usize,
}

impl Rules {
    /// The values that can occur in each place.
    pub fn domains(&self) -> Domains {
        Domains::new(&self.relations, &self.rules, &[])
    }
}

impl Domains {
    /// What can stand as argument `index` of a relation.
    pub fn argument(&self, relation: RelationId, index: usize) -> Domain<'_> {
        Domain { domains: self, node: self.arguments[relation.index()][index] }
    }

    /// All fluents that can ever be true.
    pub fn fluents(&self) -> Domain<'_> {
        self.argument(Keyword::True.id(), 0)
    }

    /// All moves that can ever be legal for anyone.
    pub fn moves(&self) -> Domain<'_> {
        self.argument(Keyword::Legal.id(), 1)
    }

    /// All percepts that anyone can ever have.
    pub fn percepts(&self) -> Domain<'_> {
        self.argument(Keyword::Sees.id(), 1)
    }

    /// The places inside a function at a place.
    pub(super) fn child(&self, node: usize, functor: Functor) -> Option<std::ops::Range<usize>> {
        self.inner.get(&(node, functor)).map(|&first| first..first + functor.arity)
    }
}

impl<'d> Domain<'d> {
    fn get(self) -> &'d Node {
        &self.domains.nodes[self.node]
    }

    /// Whether nothing is known: anything may stand here.
    pub fn is_open(self) -> bool {
        self.get().open
    }

    /// Whether nothing can stand here.
    pub fn is_empty(self) -> bool {
        let node = self.get();
        !node.open && node.constants.is_empty() && node.functions.is_empty()
    }

    /// The constants that can stand here, by number; none listed if the place is open.
    pub fn constants(self) -> &'d [Symbol] {
        &self.get().constants
    }

    /// The functions that can stand here; none listed if the place is open.
    pub fn functions(self) -> impl Iterator<Item = Functor> + 'd {
        self.get().functions.iter().copied()
    }

    /// What can stand as argument `index` of a function that can stand here.
    pub fn argument(self, function: Functor, index: usize) -> Option<Domain<'d>> {
        let node = self.domains.child(self.node, function)?.nth(index)?;
        Some(Domain { domains: self.domains, node })
    }

    /// How many ground terms fit at most; none if the place, or one inside, is open.
    pub fn size(self) -> Option<u128> {
        let node = self.get();
        if node.open {
            return None;
        }
        let mut size = node.constants.len() as u128;
        for functor in &node.functions {
            let mut product: u128 = 1;
            for node in self.domains.child(self.node, *functor)? {
                product = product.saturating_mul(Domain { node, ..self }.size()?);
            }
            size = size.saturating_add(product);
        }
        Some(size)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Strictness;

    fn rules(sheet: &str) -> Rules {
        Rules::check(&gdl::parse_kif(sheet).sheet, Strictness::Lenient).rules.expect("it plays")
    }

    fn names(rules: &Rules, domain: Domain) -> Vec<String> {
        domain.constants().iter().map(|c| rules.name(*c).to_string()).collect()
    }

    #[test]
    fn values_flow_through_the_state() {
        let rules = rules(
            "(role x) (role o) (init (cell 1 b)) (init (cell 2 b)) (init (control x))
             (<= (legal ?r (mark ?c)) (true (control ?r)) (true (cell ?c b)))
             (<= (next (cell ?c ?r)) (does ?r (mark ?c)))
             (<= (next (control o)) (true (control x)))",
        );
        let domains = rules.domains();
        let cell = domains.fluents().functions().next().expect("cell is the first fluent");
        let place = |index| domains.fluents().argument(cell, index).expect("an argument of cell");
        assert_eq!(names(&rules, place(0)), ["1", "2"]);
        assert_eq!(names(&rules, place(1)), ["x", "o", "b"]);
        assert_eq!(domains.moves().size(), Some(2));
        assert_eq!(domains.fluents().size(), Some(2 * 3 + 2));
    }

    #[test]
    fn a_variable_has_the_values_its_places_share() {
        let rules = rules("(role r) (p 1) (p 2) (q 2) (q 3) (<= (s ?x) (p ?x) (q ?x))");
        let relation =
            RelationId(rules.relations.iter().position(|r| &*r.name == "s").expect("s is there") as u32);
        assert_eq!(names(&rules, rules.domains().argument(relation, 0)), ["2"]);
    }

    #[test]
    fn growing_terms_end_in_an_open_place() {
        let rules = rules("(role r) (init (n z)) (<= (next (n (s ?x))) (true (n ?x)))");
        assert_eq!(rules.domains().fluents().size(), None);
    }
}
