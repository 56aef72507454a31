//! The constraints on a match, before a search order is chosen.

use std::sync::Arc;

use super::{LabelRef, Step};
use crate::expr::Expr;
use crate::regexp::Automaton;
use crate::vocabulary::LabelId;

/// A constraint on the slots of a match.
#[derive(Debug, Clone)]
pub(super) enum Constraint {
    Node(usize),
    Edge(LabelId, usize, usize),
    Wild(Arc<[LabelId]>, Option<usize>, usize, usize),
    Path(Arc<Automaton>, usize, usize),
    Eval(Expr, usize),
    Test(Expr),
    Differ(usize, usize),
    Type(usize, Arc<[bool]>),
    /// A negative application condition, with the slots that are local to it.
    Not(Vec<Constraint>, Vec<usize>),
}

impl Constraint {
    /// Returns the slots it refers to, except for local ones.
    pub(super) fn slots(&self) -> Vec<usize> {
        let mut slots = Vec::new();
        match self {
            Constraint::Node(slot) | Constraint::Type(slot, _) => slots.push(*slot),
            Constraint::Edge(_, a, b) | Constraint::Path(_, a, b) | Constraint::Differ(a, b) => {
                slots.extend([*a, *b])
            }
            Constraint::Wild(_, variable, a, b) => {
                slots.extend([*a, *b]);
                slots.extend(variable);
            }
            Constraint::Eval(expr, slot) => {
                expr.slots(&mut |slot| slots.push(slot));
                slots.push(*slot);
            }
            Constraint::Test(expr) => expr.slots(&mut |slot| slots.push(slot)),
            Constraint::Not(inner, own) => {
                slots.extend(inner.iter().flat_map(Constraint::slots).filter(|slot| !own.contains(slot)));
            }
        }
        slots.sort_unstable();
        slots.dedup();
        slots
    }

    /// Returns the slots that must be filled before it can be evaluated.
    pub(super) fn inputs(&self) -> Vec<usize> {
        match self {
            Constraint::Eval(expr, _) => {
                let mut slots = Vec::new();
                expr.slots(&mut |slot| slots.push(slot));
                slots
            }
            Constraint::Test(_) | Constraint::Differ(..) | Constraint::Type(..) | Constraint::Not(..) => {
                self.slots()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the edge that it requires, if any.
    pub(super) fn edge(&self) -> Option<(LabelRef, usize, usize)> {
        match self {
            Constraint::Edge(label, a, b) => Some((LabelRef::Fixed(*label), *a, *b)),
            Constraint::Wild(_, Some(slot), a, b) => Some((LabelRef::Variable(*slot), *a, *b)),
            _ => None,
        }
    }

    /// Returns the relative cost of checking it when all its slots are filled.
    pub(super) fn price(&self) -> u32 {
        match self {
            Constraint::Node(_) => 0,
            Constraint::Differ(..) | Constraint::Type(..) => 1,
            Constraint::Edge(..) => 2,
            Constraint::Eval(..) | Constraint::Test(_) => 3,
            Constraint::Wild(..) => 4,
            Constraint::Not(inner, _) => 5 + inner.len() as u32,
            Constraint::Path(..) => 100,
        }
    }

    /// Returns the search step that evaluates it with the slots known so far.
    pub(super) fn step(
        self,
        known: &[bool],
        plan_not: impl FnOnce(Vec<Constraint>, &[usize]) -> Vec<Step>,
    ) -> Step {
        match self {
            Constraint::Node(slot) => Step::Node(slot),
            Constraint::Edge(label, a, b) => match (known[a], known[b]) {
                (true, true) => Step::Has(label, a, b),
                (true, false) => Step::Out(label, a, b),
                (false, true) => Step::In(label, a, b),
                (false, false) => Step::Edges(label, a, b),
            },
            Constraint::Wild(labels, variable, a, b) => Step::Wild(labels, variable, a, b),
            Constraint::Path(automaton, a, b) => Step::Path(automaton, a, b),
            Constraint::Eval(expr, slot) => Step::Eval(expr, slot),
            Constraint::Test(expr) => Step::Test(expr),
            Constraint::Differ(a, b) => Step::Differ(a, b),
            Constraint::Type(slot, allowed) => Step::Type(slot, allowed),
            Constraint::Not(inner, own) => {
                let plan = plan_not(inner, &own);
                Step::Not(plan.into(), own.into())
            }
        }
    }
}
