//! Call patterns: what is known of the arguments when a relation is called.
//!
//! A call is a relation, a [`Pattern`] and the ground terms in the bound places of the pattern. Every answer
//! to a call is ground, because rules are safe. It is therefore known before a rule runs which variables are
//! bound at each point, and each rule can be compiled to one plan per pattern.

use rules::{RelationId, Symbol, Term, Variable};

/// The maximum nesting of functions around a free variable in a pattern.
const MAX_DEPTH: usize = 4;
/// The maximum number of places in a pattern.
const MAX_PLACES: usize = 64;

/// What is known of one argument.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Shape {
    /// A ground term, different from call to call.
    Bound,
    /// The term with this number in the answer. Equal numbers mean equal terms.
    Free(u32),
    /// Any term matches, and its value is not needed.
    Any,
    /// A function whose arguments are not all bound.
    Function(Symbol, Box<[Shape]>),
}

/// What is known of all arguments of a relation.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Pattern {
    pub relation: RelationId,
    pub shapes: Box<[Shape]>,
    /// The number of bound places.
    pub inputs: usize,
    /// The number of different free variables.
    pub outputs: usize,
}

impl Pattern {
    /// Returns `true` if every argument is simply bound, free or ignored, and no two free arguments must be
    /// equal.
    pub fn is_plain(&self) -> bool {
        let free = self.shapes.iter().filter(|s| matches!(s, Shape::Free(_))).count();
        free == self.outputs && self.shapes.iter().all(|s| !matches!(s, Shape::Function(..)))
    }

    /// Returns the pattern in which every ignored place is free. Statistics are kept by it.
    pub fn widened(&self) -> Pattern {
        let mut wide = self.clone();
        let (mut numbers, mut next) = (vec![None; self.outputs], 0);
        wide.shapes.iter_mut().for_each(|s| widen(s, &mut numbers, &mut next));
        wide.outputs = next as usize;
        wide
    }
}

/// Numbers free places in order of appearance.
fn widen(shape: &mut Shape, numbers: &mut [Option<u32>], next: &mut u32) {
    let mut fresh = || {
        *next += 1;
        *next - 1
    };
    match shape {
        Shape::Bound => {}
        Shape::Any => *shape = Shape::Free(fresh()),
        Shape::Free(number) => *number = *numbers[*number as usize].get_or_insert_with(fresh),
        Shape::Function(_, parts) => parts.iter_mut().for_each(|s| widen(s, numbers, next)),
    }
}

/// An atom as a call: its pattern, and the terms in its places.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub pattern: Pattern,
    /// The terms in the bound places, in order.
    pub bound: Vec<Term>,
    /// The term that each free variable of the pattern is matched with.
    pub free: Vec<Term>,
}

/// Converts an atom to a call. `is_bound` returns whether a variable has a value, `is_wanted` whether
/// anything else reads it.
pub(crate) fn ask(
    relation: RelationId,
    arguments: &[Term],
    is_bound: &dyn Fn(Variable) -> bool,
    is_wanted: &dyn Fn(Variable) -> bool,
) -> Asked {
    read(relation, arguments, is_bound, is_wanted, false)
}

/// Does the same, but never builds a function as an input of the call: its place is free, and the answers are
/// compared with it afterwards. A recursion through such calls cannot build ever larger terms.
pub(crate) fn ask_lifted(
    relation: RelationId,
    arguments: &[Term],
    is_bound: &dyn Fn(Variable) -> bool,
    is_wanted: &dyn Fn(Variable) -> bool,
) -> Asked {
    read(relation, arguments, is_bound, is_wanted, true)
}

fn read(
    relation: RelationId,
    arguments: &[Term],
    is_bound: &dyn Fn(Variable) -> bool,
    is_wanted: &dyn Fn(Variable) -> bool,
    lifted: bool,
) -> Asked {
    let (bound, free) = (Vec::new(), Vec::new());
    let mut reader = Reader { arguments, is_bound, is_wanted, lifted, bound, free, places: 0 };
    let shapes: Box<[Shape]> = arguments.iter().map(|t| reader.shape(t, 0)).collect();
    let pattern = Pattern { relation, shapes, inputs: reader.bound.len(), outputs: reader.free.len() };
    Asked { pattern, bound: reader.bound, free: reader.free }
}

struct Reader<'a> {
    arguments: &'a [Term],
    is_bound: &'a dyn Fn(Variable) -> bool,
    is_wanted: &'a dyn Fn(Variable) -> bool,
    lifted: bool,
    bound: Vec<Term>,
    free: Vec<Term>,
    places: usize,
}

impl Reader<'_> {
    fn shape(&mut self, term: &Term, depth: usize) -> Shape {
        self.places += 1;
        let is_lifted = self.lifted && matches!(term, Term::Function(..)) && !term.is_ground();
        if !is_lifted && is_known(term, self.is_bound) {
            self.bound.push(term.clone());
            return Shape::Bound;
        }
        match term {
            Term::Function(name, parts) if !is_lifted && depth < MAX_DEPTH && self.places < MAX_PLACES => {
                Shape::Function(*name, parts.iter().map(|t| self.shape(t, depth + 1)).collect())
            }
            Term::Variable(v) if !(self.is_wanted)(*v) && self.occurrences(*v) == 1 => Shape::Any,
            _ => {
                let known = self.free.iter().position(|t| t == term);
                let number = known.unwrap_or_else(|| {
                    self.free.push(term.clone());
                    self.free.len() - 1
                });
                Shape::Free(number as u32)
            }
        }
    }

    fn occurrences(&self, variable: Variable) -> usize {
        let mut count = 0;
        self.arguments.iter().for_each(|t| t.variables(&mut |v| count += usize::from(v == variable)));
        count
    }
}

/// Returns `true` if all variables of a term are bound.
pub(crate) fn is_known(term: &Term, is_bound: &dyn Fn(Variable) -> bool) -> bool {
    match term {
        Term::Constant(_) => true,
        Term::Variable(v) => is_bound(*v),
        Term::Function(_, parts) => parts.iter().all(|t| is_known(t, is_bound)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(number: u32) -> Term {
        Term::Variable(Variable(number))
    }

    #[test]
    fn equal_free_variables_share_a_number_and_unread_ones_have_none() {
        let pair = Term::Function(Symbol(9), vec![variable(0), variable(1)]);
        let arguments = [variable(0), variable(2), pair, variable(1)];
        let asked = ask(RelationId(3), &arguments, &|v| v.0 == 0, &|_| false);
        let inner = Shape::Function(Symbol(9), [Shape::Bound, Shape::Free(0)].into());
        assert_eq!(*asked.pattern.shapes, [Shape::Bound, Shape::Any, inner, Shape::Free(0)]);
        assert_eq!((asked.pattern.inputs, asked.pattern.outputs), (2, 1));
        assert!(!asked.pattern.is_plain());
        let all_wanted = ask(RelationId(3), &arguments, &|v| v.0 == 0, &|_| true);
        assert_eq!(asked.pattern.widened(), all_wanted.pattern);
    }

    #[test]
    fn deep_open_terms_are_asked_for_as_a_whole() {
        let mut term = variable(0);
        for _ in 0..10 {
            term = Term::Function(Symbol(1), vec![term]);
        }
        let asked = ask(RelationId(3), &[term], &|_| false, &|_| true);
        assert_eq!(asked.free[0].depth(), 10 - MAX_DEPTH);
    }
}
