//! Gates, sinks and readers of a net under construction.

use super::net::Wire;
use crate::circuit::{Lit, Node};

/// The maximum number of inputs of one gate, so that counts fit into a byte.
const MOST_INPUTS: usize = 250;
/// A gate with at most this many inputs that is read only by sinks is duplicated into each of them.
const FEW_INPUTS: usize = 3;
/// The number of dummy sinks, with which lists of readers are padded to multiples of four.
const PADDING: usize = 4;

/// A net being laid out.
pub(crate) struct Layout<'a> {
    nodes: &'a [Node],
    /// The number of the first gate. Fluents, and possibly sets of moves, come before it.
    first: usize,
    /// Whether a conjunction is part of the sinks that show it.
    absorbed: Vec<bool>,
    /// Whether a conjunction is part of the only gate that reads it.
    merged: Vec<bool>,
    wires: Vec<Wire>,
    /// The inputs of each gate, the constant, and each sink. Sinks that never hold have the inverse of the
    /// constant.
    inputs: Vec<Vec<Wire>>,
    constant: usize,
}

/// The finished layout of a net.
pub(crate) struct Laid {
    pub starts: Vec<u32>,
    pub edges: Vec<Wire>,
    pub counts: Vec<u8>,
    pub sinks: usize,
    pub wires: Vec<Wire>,
}

impl<'a> Layout<'a> {
    /// Lays out the gates among the nodes that are followed, for sinks in rows and for other sinks that show
    /// these wires. Wires in `asked` are queried only occasionally; they are gates if they are followed
    /// anyway. Sets of moves, if they are followed, are inputs like fluents.
    pub fn new(
        nodes: &'a [Node],
        followed: Vec<bool>,
        (fluents, sets): (usize, usize),
        rows: &[Lit],
        others: &[Lit],
        asked: &[Lit],
    ) -> Layout<'a> {
        let mut readers = vec![0u32; nodes.len()];
        let mut shows = vec![0u32; nodes.len()];
        let mut apart = vec![false; nodes.len()];
        rows.iter().chain(others).for_each(|lit| shows[lit.node()] += 1);
        // A sink in a row is read without inversion, so the inverse of a conjunction needs a gate.
        rows.iter().filter(|lit| lit.is_inverted()).for_each(|lit| apart[lit.node()] = true);
        for lit in asked {
            readers[lit.node()] += 1;
            apart[lit.node()] = true;
        }
        for (number, node) in nodes.iter().enumerate() {
            if let Node::And(a, b) = *node {
                for lit in [a, b] {
                    readers[lit.node()] += 1;
                    apart[lit.node()] |= lit.is_inverted() || !followed[number];
                }
            }
        }
        let mut sizes = vec![1usize; nodes.len()];
        let mut merged = vec![false; nodes.len()];
        let mut absorbed = vec![false; nodes.len()];
        for (number, node) in nodes.iter().enumerate() {
            if let Node::And(a, b) = *node
                && followed[number]
            {
                let size = |lit: Lit| if merged[lit.node()] { sizes[lit.node()] } else { 1 };
                sizes[number] = size(a) + size(b);
                let fits = sizes[number] <= MOST_INPUTS / 2;
                let alone = readers[number] == 1 && shows[number] == 0 && !apart[number];
                merged[number] = alone && fits;
                let few = shows[number] == 1 || sizes[number] <= FEW_INPUTS;
                absorbed[number] = readers[number] == 0 && !apart[number] && fits && few;
            }
        }
        let is_and = |n: usize| followed[n] && matches!(nodes[n], Node::And(..));
        let is_gate: Vec<bool> = (0..nodes.len()).map(|n| is_and(n) && !merged[n] && !absorbed[n]).collect();
        let first = fluents + sets;
        let constant = first + is_gate.iter().filter(|g| **g).count();
        let wires = vec![Wire::NONE; nodes.len()];
        let mut layout = Layout { nodes, first, absorbed, merged, wires, inputs: Vec::new(), constant };
        for number in 0..nodes.len() {
            layout.wires[number] = match nodes[number] {
                Node::False => Wire::new(constant, true),
                Node::Fluent(f) => Wire::new(f as usize, false),
                Node::Set(set) if followed[number] && sets > 0 => Wire::new(fluents + set as usize, false),
                Node::And(..) if is_gate[number] => {
                    let inputs = layout.flatten(number);
                    layout.inputs.push(inputs);
                    Wire::new(first + layout.inputs.len() - 1, false)
                }
                _ => Wire::NONE,
            };
        }
        // The constant, then the padding.
        layout.inputs.resize(layout.inputs.len() + 1 + PADDING, Vec::new());
        layout
    }

    /// Returns the inputs of the gate of a node.
    fn flatten(&self, gate: usize) -> Vec<Wire> {
        let (mut work, mut inputs) = (vec![gate], Vec::new());
        while let Some(node) = work.pop() {
            let Node::And(a, b) = self.nodes[node] else { continue };
            for lit in [a, b] {
                if self.merged[lit.node()] {
                    work.push(lit.node());
                } else {
                    inputs.push(self.wire(lit));
                }
            }
        }
        inputs
    }

    fn wire(&self, lit: Lit) -> Wire {
        self.wires[lit.node()].invert_if(lit.is_inverted())
    }

    fn push(&mut self, inputs: Vec<Wire>) -> usize {
        self.inputs.push(inputs);
        self.first + self.inputs.len() - 1
    }

    /// Adds a sink that shows a wire, possibly inverted.
    pub fn sink(&mut self, lit: Lit) -> Wire {
        if self.absorbed[lit.node()] {
            let inputs = self.flatten(lit.node());
            return Wire::new(self.push(inputs), lit.is_inverted());
        }
        let inputs = vec![self.wire(lit)];
        Wire::new(self.push(inputs), false)
    }

    /// Adds consecutive sinks, padded to a multiple of 64 with sinks that never hold. Returns the first one.
    pub fn row(&mut self, count: usize, lit: impl Fn(usize) -> Option<Lit>) -> usize {
        let first = self.first + self.inputs.len();
        for place in 0..count.next_multiple_of(64) {
            let lit = if place < count { lit(place) } else { None };
            let inputs = match lit {
                None => vec![Wire::new(self.constant, true)],
                Some(lit) if self.absorbed[lit.node()] => self.flatten(lit.node()),
                Some(lit) => vec![self.wire(lit)],
            };
            self.push(inputs);
        }
        first
    }

    /// Computes the readers of every node, and the counts in the empty state.
    pub fn finish(self) -> Laid {
        let count = self.first + self.inputs.len();
        let mut readers: Vec<Vec<Wire>> = vec![Vec::new(); self.constant];
        let mut counts = vec![1u8; count];
        for (node, inputs) in (self.first..).zip(&self.inputs) {
            let holds = |w: &&Wire| (counts[w.node()] == 0) != w.is_inverted();
            counts[node] = inputs.iter().filter(|w| !holds(w)).count() as u8;
            for input in inputs.iter().filter(|w| w.node() < self.constant) {
                readers[input.node()].push(Wire::new(node, input.is_inverted()));
            }
        }
        let (mut starts, mut edges) = (vec![0], Vec::new());
        for list in &mut readers {
            // Gates before sinks, in topological order.
            list.sort_unstable_by_key(|w| w.0);
            edges.extend_from_slice(list);
            let missing = list.len().next_multiple_of(4) - list.len();
            edges.extend((1..=missing).map(|i| Wire::new(self.constant + i, false)));
            starts.push(edges.len() as u32);
        }
        Laid { starts, edges, counts, sinks: self.constant + 1, wires: self.wires }
    }
}
