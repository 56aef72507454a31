//! States as nodes and edges, for languages whose states are graphs.

use std::fmt;

/// Shows the states of a game as diagrams.
pub trait Diagrams: fmt::Debug + Send + Sync {
    /// Returns the diagram of the state with these facts, or `None` if they are not a state of the
    /// game or it has no nodes or too many.
    fn diagram(&self, facts: &[String], most_nodes: usize) -> Option<Diagram>;

    /// Returns the nodes that a move names, in the same order.
    fn nodes_of_move(&self, mv: &str) -> Vec<String>;

    /// Returns the nodes that a fact is about, except those of roles.
    fn nodes_of_fact(&self, fact: &str) -> Vec<String>;
}

/// A state as nodes and edges.
#[derive(Debug, Clone, PartialEq)]
pub struct Diagram {
    /// The nodes.
    pub nodes: Vec<DiagramNode>,
    /// The edges, in the order in which they are drawn.
    pub edges: Vec<DiagramEdge>,
}

/// A node of a diagram.
#[derive(Debug, Clone, PartialEq)]
pub struct DiagramNode {
    /// Its name.
    pub name: String,
    /// The position given by the description, in units of its own.
    pub place: (f32, f32),
    /// Whether it represents a role.
    pub is_role: bool,
    /// The names of the things on it.
    pub things: Vec<String>,
    /// The names and values of its attributes.
    pub values: Vec<String>,
}

/// An edge of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramEdge {
    /// The index of the node where it begins.
    pub from: usize,
    /// The index of the node where it ends.
    pub to: usize,
    /// Its name.
    pub name: String,
    /// Whether rules can change it; the edges that they cannot change form the board.
    pub changes: bool,
}
