//! Bounded unification.
//!
//! `(not (distinct a b))` says that two terms are equal. A clause with many of these can denote
//! terms of exponential size, so everything here counts its steps and fails with [`TooLarge`]
//! beyond a limit.

use gdl::MAX_DEPTH;

use crate::{Term, Variable};

/// The maximum number of steps of one unification, and of nodes of one resulting term.
const MAX_STEPS: usize = 20_000;

/// The result would be unreasonably large.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TooLarge;

/// The bindings of the variables of one rule.
#[derive(Debug, Clone)]
pub(crate) struct Unifier {
    bindings: Vec<Option<Term>>,
}

impl Unifier {
    /// Creates a unifier for `count` variables, none of them bound.
    pub fn new(count: usize) -> Unifier {
        Unifier { bindings: vec![None; count] }
    }

    /// Binds variables so that the terms become equal. Returns `false` if that is impossible.
    /// There is no occurs check here; [`Unifier::is_cyclic`] performs it afterwards.
    pub fn unify(&mut self, a: &Term, b: &Term) -> Result<bool, TooLarge> {
        let mut work = vec![(a.clone(), b.clone())];
        let mut steps = 0;
        while let Some((a, b)) = work.pop() {
            steps += 1;
            if steps > MAX_STEPS {
                return Err(TooLarge);
            }
            match (self.top(a), self.top(b)) {
                (Term::Variable(v), Term::Variable(w)) if v == w => {}
                (Term::Variable(v), t) | (t, Term::Variable(v)) => self.bindings[v.0 as usize] = Some(t),
                (Term::Function(f, x), Term::Function(g, y)) if f == g && x.len() == y.len() => {
                    work.extend(x.into_iter().zip(y));
                }
                (a, b) if a == b => {}
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Returns the term with all bound variables replaced.
    pub fn resolve(&self, term: &Term) -> Result<Term, TooLarge> {
        self.expand(term, MAX_DEPTH, &mut MAX_STEPS.clone())
    }

    /// Follows the bindings of a variable until a function, a constant or an unbound variable is reached.
    fn top(&self, mut term: Term) -> Term {
        while let Term::Variable(v) = term
            && let Some(bound) = &self.bindings[v.0 as usize]
        {
            term = bound.clone();
        }
        term
    }

    fn expand(&self, term: &Term, depth: usize, steps: &mut usize) -> Result<Term, TooLarge> {
        if depth == 0 || *steps == 0 {
            return Err(TooLarge);
        }
        *steps -= 1;
        let mut term = term;
        while let Term::Variable(v) = term
            && let Some(bound) = &self.bindings[v.0 as usize]
        {
            term = bound;
            *steps = steps.checked_sub(1).ok_or(TooLarge)?;
        }
        match term {
            Term::Function(f, arguments) => {
                let arguments =
                    arguments.iter().map(|t| self.expand(t, depth - 1, steps)).collect::<Result<_, _>>()?;
                Ok(Term::Function(*f, arguments))
            }
            other => Ok(other.clone()),
        }
    }

    /// Returns `true` if some variable is bound to a term that contains it.
    pub fn is_cyclic(&self) -> bool {
        #[derive(Clone, Copy, PartialEq)]
        enum Mark {
            Unseen,
            Open,
            Done,
        }
        let mut marks = vec![Mark::Unseen; self.bindings.len()];
        for root in 0..marks.len() {
            let mut stack = vec![(root, false)];
            while let Some((variable, leaving)) = stack.pop() {
                if leaving {
                    marks[variable] = Mark::Done;
                    continue;
                }
                match marks[variable] {
                    Mark::Done => continue,
                    Mark::Open => return true,
                    Mark::Unseen => {}
                }
                let Some(term) = &self.bindings[variable] else {
                    marks[variable] = Mark::Done;
                    continue;
                };
                marks[variable] = Mark::Open;
                stack.push((variable, true));
                let mut inner: Vec<Variable> = Vec::new();
                term.variables(&mut |v| inner.push(v));
                inner.sort_unstable();
                inner.dedup();
                if inner.iter().any(|v| marks[v.0 as usize] == Mark::Open) {
                    return true;
                }
                stack.extend(inner.into_iter().map(|v| (v.0 as usize, false)));
            }
        }
        false
    }
}

/// Returns `true` if two atoms of different rules can be the same sentence, or if it would take
/// too long to decide.
pub(crate) fn may_match(a: &[Term], b: &[Term]) -> bool {
    let differ = |(x, y): (&Term, &Term)| matches!((x, y), (Term::Constant(c), Term::Constant(d)) if c != d);
    if a.len() != b.len() || a.iter().zip(b).any(differ) {
        return false;
    }
    let mut left: Vec<(Side, u32, Side, &Term)> = Vec::new();
    let mut work: Vec<(Side, &Term, Side, &Term)> =
        a.iter().zip(b).map(|(x, y)| (Side::Left, x, Side::Right, y)).rev().collect();
    let mut steps = 0;
    while let Some((s, x, t, y)) = work.pop() {
        steps += 1;
        if steps > 256 {
            return true;
        }
        let (s, x) = walk(&left, s, x);
        let (t, y) = walk(&left, t, y);
        match (x, y) {
            (Term::Variable(v), Term::Variable(w)) if s == t && v == w => {}
            (Term::Variable(v), _) => left.push((s, v.0, t, y)),
            (_, Term::Variable(w)) => left.push((t, w.0, s, x)),
            (Term::Constant(c), Term::Constant(d)) if c == d => {}
            (Term::Function(f, xs), Term::Function(g, ys)) if f == g && xs.len() == ys.len() => {
                work.extend(xs.iter().zip(ys).map(|(x, y)| (s, x, t, y)));
            }
            _ => return false,
        }
    }
    true
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

fn walk<'t>(
    bindings: &[(Side, u32, Side, &'t Term)],
    mut side: Side,
    mut term: &'t Term,
) -> (Side, &'t Term) {
    while let Term::Variable(v) = term {
        match bindings.iter().find(|(s, w, ..)| *s == side && *w == v.0) {
            Some((_, _, s, t)) => (side, term) = (*s, t),
            None => break,
        }
    }
    (side, term)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Symbol;

    fn v(n: u32) -> Term {
        Term::Variable(Variable(n))
    }

    fn c(n: u32) -> Term {
        Term::Constant(Symbol(n))
    }

    fn f(arguments: Vec<Term>) -> Term {
        Term::Function(Symbol(0), arguments)
    }

    #[test]
    fn equalities_are_taken_together() {
        let mut unifier = Unifier::new(2);
        assert_eq!(unifier.unify(&v(0), &v(1)), Ok(true));
        assert_eq!(unifier.unify(&v(0), &c(3)), Ok(true));
        assert_eq!(unifier.resolve(&v(1)), Ok(c(3)));
        assert_eq!(unifier.unify(&v(1), &c(4)), Ok(false));
    }

    #[test]
    fn a_term_cannot_contain_itself() {
        let mut unifier = Unifier::new(1);
        assert_eq!(unifier.unify(&v(0), &f(vec![v(0)])), Ok(true));
        assert!(unifier.is_cyclic());
    }

    #[test]
    fn exponential_terms_are_refused() {
        let mut unifier = Unifier::new(60);
        for n in 0..59 {
            assert_eq!(unifier.unify(&v(n), &f(vec![v(n + 1), v(n + 1)])), Ok(true));
        }
        assert_eq!(unifier.resolve(&v(0)), Err(TooLarge));
    }

    #[test]
    fn variables_of_two_rules_are_different_variables() {
        assert!(may_match(&[v(0), f(vec![v(0)])], &[v(1), v(0)]));
        assert!(!may_match(&[v(0), v(0)], &[c(1), c(2)]));
        assert!(may_match(&[v(0), v(0)], &[c(1), v(0)]));
    }
}
