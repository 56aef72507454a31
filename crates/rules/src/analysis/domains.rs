//! Argument domains: which constants and functions can occur in which position.
//!
//! A position is an argument of a relation, or of a function in such a position. Each domain is
//! a superset of the values that can ever occur in its position. A position with too many
//! values, or too deep inside a term, is left open. The domains are computed in
//! [`super::flow`].

use rustc_hash::FxHashMap;

use super::{Functor, When};
use crate::{Keyword, RelationId, Rules, Symbol};

/// The domains of all argument positions of a sheet.
#[derive(Debug, Clone)]
pub struct Domains {
    pub(super) nodes: Vec<Node>,
    pub(super) arguments: Vec<Vec<usize>>,
    /// The first of the positions inside a function at a position; the others follow it.
    pub(super) inner: FxHashMap<(usize, Functor), usize>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Node {
    /// Whether any term can occur here; if so, the lists are empty.
    pub open: bool,
    pub depth: u8,
    /// Sorted by number.
    pub constants: Vec<Symbol>,
    pub functions: Vec<Functor>,
}

/// The domain of one position.
#[derive(Debug, Clone, Copy)]
pub struct Domain<'d> {
    domains: &'d Domains,
    node: usize,
}

impl Rules {
    /// Computes the domain of each position.
    pub fn domains(&self) -> Domains {
        Domains::new(&self.relations, &self.rules, std::iter::empty(), When::Ever)
    }
}

impl Domains {
    /// Returns the domain of argument `index` of a relation.
    pub fn argument(&self, relation: RelationId, index: usize) -> Domain<'_> {
        Domain { domains: self, node: self.arguments[relation.index()][index] }
    }

    /// Returns the domain of fluents that can ever be true.
    pub fn fluents(&self) -> Domain<'_> {
        self.argument(Keyword::True.id(), 0)
    }

    /// Returns the domain of moves that can ever be legal for any role.
    pub fn moves(&self) -> Domain<'_> {
        self.argument(Keyword::Legal.id(), 1)
    }

    /// Returns the domain of percepts that any role can ever have.
    pub fn percepts(&self) -> Domain<'_> {
        self.argument(Keyword::Sees.id(), 1)
    }

    /// Returns the positions inside a function at a position.
    pub(super) fn child(&self, node: usize, functor: Functor) -> Option<std::ops::Range<usize>> {
        self.inner.get(&(node, functor)).map(|&first| first..first + functor.arity)
    }
}

impl<'d> Domain<'d> {
    fn get(self) -> &'d Node {
        &self.domains.nodes[self.node]
    }

    /// Returns `true` if nothing is known: any term can occur here.
    pub fn is_open(self) -> bool {
        self.get().open
    }

    /// Returns `true` if no term can occur here.
    pub fn is_empty(self) -> bool {
        let node = self.get();
        !node.open && node.constants.is_empty() && node.functions.is_empty()
    }

    /// Returns the constants that can occur here, sorted by number; empty if the position is open.
    pub fn constants(self) -> &'d [Symbol] {
        &self.get().constants
    }

    /// Returns the functions that can occur here; empty if the position is open.
    pub fn functions(self) -> impl Iterator<Item = Functor> + 'd {
        self.get().functions.iter().copied()
    }

    /// Returns the domain of argument `index` of a function that can occur here.
    pub fn argument(self, function: Functor, index: usize) -> Option<Domain<'d>> {
        let node = self.domains.child(self.node, function)?.nth(index)?;
        Some(Domain { domains: self.domains, node })
    }

    /// Returns an upper bound on the number of ground terms, or `None` if this position or one
    /// inside it is open.
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
