//! Rules: their patterns, what they erase and create, and how they are matched.
//!
//! A rule has a numbered slot for each of its nodes, data values and label variables; a match
//! is an array of the items in these slots. Quantified parts are levels below the root, each
//! with its own search plan.

mod apply;
mod broad;
mod build;
mod constraints;
mod edges;
mod expressions;
mod finish;
mod matching;
mod negatives;
mod plan;

pub use apply::{Applied, apply, apply_simple};
pub use broad::{Broad, apply_broad};
pub use build::{Context, build};
pub use matching::{Event, Flat, Matcher, Proof};
pub use plan::Statistics;

use std::sync::Arc;

use crate::expr::Expr;
use crate::label::{Direction, Quantifier};
use crate::properties::Policy;
use crate::regexp::Automaton;
use crate::value::{Item, Sort};
use crate::vocabulary::{LabelId, TypeId};

/// The purpose of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionRole {
    /// It defines transitions.
    Transformer,
    /// It reports that something holds.
    Condition,
    /// It describes something that must not hold.
    Forbidden,
    /// It describes something that must hold.
    Invariant,
}

/// The items that a slot can contain.
#[derive(Debug, Clone, PartialEq)]
pub enum Slot {
    /// A node; restricted to the marked types, if given.
    Node(Option<Arc<[bool]>>),
    /// A value; restricted to one sort, if given.
    Data(Option<Sort>),
    /// A label.
    Label,
}

/// A label in a rule: either fixed, or bound to a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelRef {
    /// This label.
    Fixed(LabelId),
    /// The label in this slot.
    Variable(usize),
}

/// One step of a search plan.
#[derive(Debug, Clone)]
pub enum Step {
    /// Enumerates all nodes.
    Node(usize),
    /// Enumerates all edges with the label.
    Edges(LabelId, usize, usize),
    /// Enumerates the edges from a known source.
    Out(LabelId, usize, usize),
    /// Enumerates the edges to a known target.
    In(LabelId, usize, usize),
    /// Checks for an edge whose ends are known.
    Has(LabelId, usize, usize),
    /// Enumerates edges with one of the labels; the label is bound to a slot, if given.
    Wild(Arc<[LabelId]>, Option<usize>, usize, usize),
    /// Matches a path that the automaton accepts.
    Path(Arc<Automaton>, usize, usize),
    /// Binds a slot to the value of an expression.
    Eval(Expr, usize),
    /// Checks that an expression is true.
    Test(Expr),
    /// Checks that two slots differ.
    Differ(usize, usize),
    /// Checks that a node has one of the types.
    Type(usize, Arc<[bool]>),
    /// Checks a negative application condition: a plan that must have no match, and its local slots.
    Not(Box<[Step]>, Box<[usize]>),
}

/// A quantified part of a rule, with its effects.
#[derive(Debug, Clone)]
pub struct Level {
    /// The quantifier; `Exists` for the root.
    pub quantifier: Quantifier,
    /// The parent level.
    pub parent: usize,
    /// The child levels.
    pub children: Vec<usize>,
    /// The search plan.
    pub plan: Vec<Step>,
    /// The part of the plan that is executed after the child levels have been counted.
    pub after: Vec<Step>,
    /// The slot for the number of its matches.
    pub count: Option<usize>,
    /// The slots by which its matches are distinguished.
    pub anchor: Vec<usize>,
    /// The slots that belong to this level.
    pub slots: Vec<usize>,
    /// The edges of the pattern.
    pub pattern: Vec<(LabelRef, usize, usize)>,
    /// The nodes that are erased.
    pub erase_nodes: Vec<usize>,
    /// The edges that are erased.
    pub erase_edges: Vec<(LabelRef, usize, usize)>,
    /// The nodes that are created, with their types.
    pub new_nodes: Vec<(usize, TypeId)>,
    /// The edges that are created.
    pub new_edges: Vec<(LabelRef, usize, usize)>,
    /// The pairs of nodes that are merged.
    pub merges: Vec<(usize, usize)>,
}

/// A parameter of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its slot.
    pub slot: usize,
    /// How it can be used.
    pub direction: Direction,
}

/// A rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// The name, qualified by its package: `win.row`.
    pub name: String,
    /// The file it was loaded from.
    pub file: String,
    /// The priority; rules with a higher priority go first.
    pub priority: i32,
    /// Its purpose.
    pub role: ActionRole,
    /// What happens if a forbidden or invariant rule is violated.
    pub policy: Policy,
    /// The label format of its transitions, if it is not the name.
    pub format: Option<String>,
    /// The items that each slot can contain.
    pub slots: Vec<Slot>,
    /// The items in the slots before the search: constants written in the rule.
    pub template: Vec<Item>,
    /// The root and the quantified parts.
    pub levels: Vec<Level>,
    /// The numbered parameters, in order.
    pub parameters: Vec<Parameter>,
    /// Whether it changes the graph.
    pub modifying: bool,
    /// Whether a match that leaves dangling edges is rejected.
    pub check_dangling: bool,
}

impl Rule {
    /// Returns `true` if it is a property that is checked in every state, regardless of the control program.
    pub fn is_property(&self) -> bool {
        self.role != ActionRole::Transformer
    }

    /// Returns `true` if it has no quantified parts.
    pub fn is_flat(&self) -> bool {
        self.levels.len() == 1
    }

    /// Returns `true` if it has no quantified parts and merges no nodes.
    pub fn is_simple(&self) -> bool {
        self.is_flat() && self.levels[0].merges.is_empty()
    }

    /// Returns the labels that it can create or erase, or `None` if it can be any label.
    pub fn changes(&self) -> Option<Vec<LabelId>> {
        let mut labels = Vec::new();
        for level in &self.levels {
            for (label, _, _) in level.erase_edges.iter().chain(&level.new_edges) {
                match label {
                    LabelRef::Fixed(label) => labels.push(*label),
                    LabelRef::Variable(_) => return None,
                }
            }
        }
        Some(labels)
    }

    /// Returns `true` if it can erase a node of this type, or merge it with another.
    pub fn takes(&self, kind: TypeId) -> bool {
        let fits = |slot: usize| match &self.slots[slot] {
            Slot::Node(Some(allowed)) => allowed[kind as usize],
            _ => true,
        };
        self.levels.iter().any(|level| {
            let merged = level.merges.iter().flat_map(|(a, b)| [*a, *b]);
            level.erase_nodes.iter().copied().chain(merged).any(fits)
        })
    }
}
