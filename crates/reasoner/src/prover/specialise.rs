//! A rule specialised for one call pattern.
//!
//! The head is unified with the pattern once, before anything runs. The inputs of the call become the first
//! variables of the clause, and the outputs become a list of terms to be built from each solution of the
//! body.

use rules::{Atom, Literal, Rule, Term, Variable};

use super::pattern::{Pattern, Shape};

/// A rule specialised for a pattern. Its first variables are the bound places of the pattern.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    /// The number of variables that are inputs of the call.
    pub inputs: usize,
    /// The terms that inputs must match.
    pub entry: Vec<(Variable, Term)>,
    /// The terms of the answer.
    pub outputs: Vec<Term>,
    pub body: Vec<Literal>,
    /// The total number of variables.
    pub variables: usize,
}

/// Returns the rule for this pattern, or `None` if its head cannot match.
pub(crate) fn specialise(rule: &Rule, pattern: &Pattern) -> Option<Clause> {
    let (first_free, mut next) = {
        let own = pattern.inputs + rule.variables.len();
        (own, own + pattern.outputs)
    };
    let mut input = 0;
    let wanted: Vec<Term> =
        pattern.shapes.iter().map(|s| as_term(s, &mut input, first_free, &mut next)).collect();
    let mut unifier = Unifier { inputs: pattern.inputs, bindings: vec![None; next], entry: Vec::new() };
    for (wanted, head) in wanted.iter().zip(&rule.head.arguments) {
        unifier.unify(wanted.clone(), shift(head, pattern.inputs as u32))?;
    }
    let outputs = (0..pattern.outputs)
        .map(|n| unifier.resolve(&Term::Variable(Variable((first_free + n) as u32))))
        .collect();
    let mut body = Vec::with_capacity(rule.body.len());
    for literal in &rule.body {
        let on_atom = |atom: &Atom| Atom {
            relation: atom.relation,
            arguments: atom
                .arguments
                .iter()
                .map(|t| unifier.resolve(&shift(t, pattern.inputs as u32)))
                .collect(),
        };
        body.push(match literal {
            Literal::Positive(atom) => Literal::Positive(on_atom(atom)),
            Literal::Negative(atom) => Literal::Negative(on_atom(atom)),
            Literal::Distinct(a, b) => {
                let a = unifier.resolve(&shift(a, pattern.inputs as u32));
                let b = unifier.resolve(&shift(b, pattern.inputs as u32));
                if a == b {
                    return None;
                }
                Literal::Distinct(a, b)
            }
        });
    }
    let entry = unifier.entry.iter().map(|(v, t)| (*v, unifier.resolve(t))).collect();
    Some(Clause { inputs: pattern.inputs, entry, outputs, body, variables: next })
}

/// Returns a shape as a term over the clause's variables.
fn as_term(shape: &Shape, input: &mut u32, first_free: usize, next: &mut usize) -> Term {
    match shape {
        Shape::Bound => {
            *input += 1;
            Term::Variable(Variable(*input - 1))
        }
        Shape::Free(number) => Term::Variable(Variable(first_free as u32 + number)),
        Shape::Any => {
            *next += 1;
            Term::Variable(Variable(*next as u32 - 1))
        }
        Shape::Function(name, parts) => {
            Term::Function(*name, parts.iter().map(|s| as_term(s, input, first_free, next)).collect())
        }
    }
}

fn shift(term: &Term, by: u32) -> Term {
    match term {
        Term::Constant(_) => term.clone(),
        Term::Variable(v) => Term::Variable(Variable(v.0 + by)),
        Term::Function(name, parts) => Term::Function(*name, parts.iter().map(|t| shift(t, by)).collect()),
    }
}

struct Unifier {
    inputs: usize,
    bindings: Vec<Option<Term>>,
    entry: Vec<(Variable, Term)>,
}

impl Unifier {
    /// Unifies two terms. Inputs are ground when the rule runs: they are never bound, but must match.
    fn unify(&mut self, a: Term, b: Term) -> Option<()> {
        let mut work = vec![(a, b)];
        while let Some((a, b)) = work.pop() {
            let (a, b) = (self.value(a), self.value(b));
            match (a, b) {
                (a, b) if a == b => {}
                (Term::Variable(a), Term::Variable(b)) => {
                    let (low, high) = (a.min(b), a.max(b));
                    if (high.0 as usize) < self.inputs {
                        self.entry.push((high, Term::Variable(low)));
                    } else {
                        self.bindings[high.0 as usize] = Some(Term::Variable(low));
                    }
                }
                (Term::Variable(v), term) | (term, Term::Variable(v)) => {
                    if (v.0 as usize) < self.inputs {
                        self.entry.push((v, term));
                    } else {
                        let mut occurs = false;
                        self.resolve(&term).variables(&mut |w| occurs |= w == v);
                        if occurs {
                            return None;
                        }
                        self.bindings[v.0 as usize] = Some(term);
                    }
                }
                (Term::Function(f, x), Term::Function(g, y)) if f == g && x.len() == y.len() => {
                    work.extend(x.into_iter().zip(y));
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Follows the bindings of a variable. Does not look inside functions.
    fn value(&self, mut term: Term) -> Term {
        while let Term::Variable(v) = term {
            match &self.bindings[v.0 as usize] {
                Some(bound) => term = bound.clone(),
                None => break,
            }
        }
        term
    }

    /// Substitutes all bindings in a term.
    fn resolve(&self, term: &Term) -> Term {
        match self.value(term.clone()) {
            Term::Function(name, parts) => {
                Term::Function(name, parts.iter().map(|t| self.resolve(t)).collect())
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use gdl::Span;
    use rules::{RelationId, Symbol};

    use super::*;

    fn variable(number: u32) -> Term {
        Term::Variable(Variable(number))
    }

    fn list(head: Term, tail: Term) -> Term {
        Term::Function(Symbol(7), vec![head, tail])
    }

    fn rule(arguments: Vec<Term>, body: Vec<Literal>) -> Rule {
        let head = Atom { relation: RelationId(0), arguments };
        Rule { head, body, variables: vec!["a".into(), "b".into()], clause: 0, span: Span::default() }
    }

    fn pattern(shapes: Vec<Shape>, inputs: usize, outputs: usize) -> Pattern {
        Pattern { relation: RelationId(0), shapes: shapes.into(), inputs, outputs }
    }

    #[test]
    fn a_given_term_is_taken_apart_on_entry() {
        let rule = rule(vec![list(variable(0), variable(1)), variable(1)], Vec::new());
        let clause = specialise(&rule, &pattern(vec![Shape::Bound, Shape::Free(0)], 1, 1)).unwrap();
        assert_eq!(clause.entry, [(Variable(0), list(variable(1), variable(2)))]);
        assert_eq!(clause.outputs, [variable(2)]);
    }

    #[test]
    fn an_open_term_is_pushed_into_the_body() {
        let atom = Atom { relation: RelationId(1), arguments: vec![variable(0)] };
        let rule = rule(vec![variable(0)], vec![Literal::Positive(atom)]);
        let open = Shape::Function(Symbol(7), [Shape::Bound, Shape::Free(0)].into());
        let clause = specialise(&rule, &pattern(vec![open], 1, 1)).unwrap();
        let expected = Atom { relation: RelationId(1), arguments: vec![list(variable(0), variable(3))] };
        assert_eq!(clause.body, [Literal::Positive(expected)]);
    }

    #[test]
    fn a_term_that_would_contain_itself_matches_nothing() {
        let rule = rule(vec![variable(0), list(variable(0), variable(1))], Vec::new());
        assert!(specialise(&rule, &pattern(vec![Shape::Free(0), Shape::Free(0)], 0, 1)).is_none());
    }
}
