//! What a match must fulfil, before an order of search is found.

use std::sync::Arc;

use super::{LabelRef, Step};
use crate::expr::Expr;
use crate::regexp::Automaton;
use crate::vocabulary::LabelId;

/// One condition on the slots of a match.
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
    /// A pattern that must not be there, with the slots that are its own.
    Not(Vec<Constraint>, Vec<usize>),
}

impl Constraint {
    /// The slots it speaks of, apart from those that are its own.
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

    /// The slots that must be known before it can be looked at.
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

    /// The edge that it asks for, if it does.
    pub(super) fn edge(&self) -> Option<(LabelRef, usize, usize)> {
        match self {
            Constraint::Edge(label, a, b) => Some((LabelRef::Fixed(*label), *a, *b)),
            Constraint::Wild(_, Some(slot), a, b) => Some((LabelRef::Variable(*slot), *a, *b)),
            _ => None,
        }
    }

    /// How dear it is to look at when everything is known.
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

    /// The step that looks at it when its inputs are known.
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
