//! Rules: patterns, what they erase and create, and how they are matched.
//!
//! A rule has one numbered place (slot) for each node, data value and label
//! variable in it; a match is an array of what they stand for. Quantified
//! parts are levels below the root, each with its own search plan.

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

/// What a rule is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ActionRole {
    /// It makes transitions.
    Transformer,
    /// It says that something holds.
    Condition,
    /// It says that something must not hold.
    Forbidden,
    /// It says that something must hold.
    Invariant,
}

/// What may stand in a slot.
#[derive(Debug, Clone, PartialEq)]
pub enum Slot {
    /// A node, of one of the marked types where some are.
    Node(Option<Arc<[bool]>>),
    /// A value of a sort, or of any.
    Data(Option<Sort>),
    /// A label.
    Label,
}

/// A label in a rule: itself, or that in a slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LabelRef {
    /// This one.
    Fixed(LabelId),
    /// The one in the slot.
    Variable(usize),
}

/// One step of a search plan.
#[derive(Debug, Clone)]
pub enum Step {
    /// Any node.
    Node(usize),
    /// Any edge with the label.
    Edges(LabelId, usize, usize),
    /// The edges from the source, which is known.
    Out(LabelId, usize, usize),
    /// The edges to the target, which is known.
    In(LabelId, usize, usize),
    /// This edge, both ends of which are known.
    Has(LabelId, usize, usize),
    /// An edge with one of the labels; the label goes into a slot.
    Wild(Arc<[LabelId]>, Option<usize>, usize, usize),
    /// A walk that the automaton accepts.
    Path(Arc<Automaton>, usize, usize),
    /// The value of an expression.
    Eval(Expr, usize),
    /// An expression that must be true.
    Test(Expr),
    /// Two slots that must differ.
    Differ(usize, usize),
    /// A node that must have one of the types.
    Type(usize, Arc<[bool]>),
    /// A pattern that must not be found; its own slots are given too.
    Not(Box<[Step]>, Box<[usize]>),
}

/// One quantified part of a rule, with what it does.
#[derive(Debug, Clone)]
pub struct Level {
    /// How it is quantified. The root is `Exists`.
    pub quantifier: Quantifier,
    /// The level it is in.
    pub parent: usize,
    /// The levels in it.
    pub children: Vec<usize>,
    /// How it is searched for.
    pub plan: Vec<Step>,
    /// What is looked at when the levels in it have been counted.
    pub after: Vec<Step>,
    /// The slot for the number of its matches.
    pub count: Option<usize>,
    /// The slots by which its matches are told apart.
    pub anchor: Vec<usize>,
    /// Its own slots.
    pub slots: Vec<usize>,
    /// Edges of the pattern.
    pub pattern: Vec<(LabelRef, usize, usize)>,
    /// Nodes that go.
    pub erase_nodes: Vec<usize>,
    /// Edges that go.
    pub erase_edges: Vec<(LabelRef, usize, usize)>,
    /// Nodes that come.
    pub new_nodes: Vec<(usize, TypeId)>,
    /// Edges that come.
    pub new_edges: Vec<(LabelRef, usize, usize)>,
    /// Nodes that become one.
    pub merges: Vec<(usize, usize)>,
}

/// A parameter of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    /// Its slot.
    pub slot: usize,
    /// How it may be used.
    pub direction: Direction,
}

/// A rule.
#[derive(Debug, Clone)]
pub struct Rule {
    /// Its name with that of its package: `win.row`.
    pub name: String,
    /// The file it comes from.
    pub file: String,
    /// Rules of higher priority come first.
    pub priority: i32,
    /// What it is for.
    pub role: ActionRole,
    /// What is done where a forbidden or invariant rule is broken.
    pub policy: Policy,
    /// The text of its transitions, if it is not the name.
    pub format: Option<String>,
    /// What may stand in the slots.
    pub slots: Vec<Slot>,
    /// What stands in the slots before the search: values that are written out.
    pub template: Vec<Item>,
    /// The root and the quantified parts.
    pub levels: Vec<Level>,
    /// The numbered parameters in order.
    pub parameters: Vec<Parameter>,
    /// Whether it changes anything.
    pub modifying: bool,
    /// Whether erasing must not leave edges dangling.
    pub check_dangling: bool,
}

impl Rule {
    /// Whether it is looked at in every state, whatever the control program says.
    pub fn is_property(&self) -> bool {
        self.role != ActionRole::Transformer
    }

    /// Whether it has no quantified parts.
    pub fn is_flat(&self) -> bool {
        self.levels.len() == 1
    }

    /// Whether it has no quantified parts and makes no nodes one.
    pub fn is_simple(&self) -> bool {
        self.is_flat() && self.levels[0].merges.is_empty()
    }

    /// The labels that it can create or erase; none where it can be any.
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

    /// Whether it can erase a node of a type, or make it one with another.
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
