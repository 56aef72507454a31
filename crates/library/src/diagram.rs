//! States as nodes and edges, for languages whose states are drawn so.

use std::fmt;

/// Shows the states of a game as diagrams.
pub trait Diagrams: fmt::Debug + Send + Sync {
    /// The state with these facts. None if they are no state of the game, or if it has no nodes
    /// or too many.
    fn diagram(&self, facts: &[String], most_nodes: usize) -> Option<Diagram>;

    /// The nodes that a move names, in its order.
    fn nodes_of_move(&self, mv: &str) -> Vec<String>;

    /// The nodes that a fact is about, without those of the roles.
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
    /// Where the description places it, in units of its own.
    pub place: (f32, f32),
    /// Whether it stands for a role.
    pub is_role: bool,
    /// The names of what lies on it.
    pub things: Vec<String>,
    /// Names and values of its attributes.
    pub values: Vec<String>,
}

/// An edge of a diagram.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiagramEdge {
    /// The number of the node at which it begins.
    pub from: usize,
    /// The number of the node at which it ends.
    pub to: usize,
    /// Its name.
    pub name: String,
    /// Whether rules can change it; what they cannot change is the board.
    pub changes: bool,
}
