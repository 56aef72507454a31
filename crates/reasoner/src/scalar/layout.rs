//! Gates, sinks and who reads whom, while a net is made.

use super::net::Wire;
use crate::circuit::{Lit, Node};

/// Inputs of one gate, at most, so that counts fit a byte.
const MOST_INPUTS: usize = 250;
/// A gate with at most so many inputs that only sinks read is made anew in each of them.
const FEW_INPUTS: usize = 3;
/// Sinks that stand for nothing: readers are padded with them to multiples of four.
const PADDING: usize = 4;

/// A net being laid out.
pub(crate) struct Layout<'a> {
    nodes: &'a [Node],
    /// The number of the first gate: fluents come before, and maybe sets of moves.
    first: usize,
    /// Whether a conjunction is part of the sinks that show it.
    absorbed: Vec<bool>,
    /// Whether a conjunction is part of the one gate that reads it.
    merged: Vec<bool>,
    wires: Vec<Wire>,
    /// For each gate, the constant, and each sink its inputs; sinks that are
    /// never to hold have the constant's inverse.
    inputs: Vec<Vec<Wire>>,
    constant: usize,
}

/// What a net is made of.
pub(crate) struct Laid {
    pub starts: Vec<u32>,
    pub edges: Vec<Wire>,
    pub counts: Vec<u8>,
    pub sinks: usize,
    pub wires: Vec<Wire>,
}

impl<'a> Layout<'a> {
    /// Lays out the gates among the nodes that are followed, for sinks in rows
    /// and for others that show these wires. Those that are only asked about now
    /// and then are gates where they are followed anyway. Sets of moves are inputs
    /// like fluents where they are followed.
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
        // A sink in a row is read as it is: the inverse of a conjunction has a gate.
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

    /// The inputs of the gate that a node is.
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

    /// A sink that shows a wire, maybe inverted.
    pub fn sink(&mut self, lit: Lit) -> Wire {
        if self.absorbed[lit.node()] {
            let inputs = self.flatten(lit.node());
            return Wire::new(self.push(inputs), lit.is_inverted());
        }
        let inputs = vec![self.wire(lit)];
        Wire::new(self.push(inputs), false)
    }

    /// Sinks side by side, filled up to a multiple of 64 with ones that never hold.
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

    /// Gives every node its readers, and counts their values where nothing holds.
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
