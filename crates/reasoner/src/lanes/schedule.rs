//! Programs in execution order.
//!
//! Operations are ordered by a depth-first walk from the writes, so that a value is used soon after it is
//! computed. Each operation is one of AND, AND-NOT, OR, XOR on stored planes. If both inputs of an AND are
//! inverted, the OR is stored and the value is its inverse.

use super::bits::{BitNode, Bits, Place, Val};
use crate::making::{Pause, Stopped};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Op {
    And,
    /// The inverse of the first operand AND the second.
    AndNot,
    Or,
    Xor,
}

/// Where an operand comes from: an earlier operation or memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Source {
    /// The result of the operation with this number.
    Made(u32),
    Memory(Place),
    /// A latch of a region that is being evaluated or already stable.
    Latch(u32),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item {
    /// Computes value `number`.
    Make { number: u32, op: Op, a: Source, b: Source },
    /// Writes a value, inverted if the flag is set.
    Write { from: Source, inverted: bool, to: Place },
    /// Writes a constant.
    Constant { value: bool, to: Place },
    /// Sets latches to false and begins a loop.
    Enter { first: u32, count: u32 },
    /// Assigns a value to a latch. The value of a latch can only grow.
    Grow { latch: u32, from: Source, inverted: bool },
    /// Sets a latch to true.
    GrowTrue { latch: u32 },
    /// Jumps back to the matching `Enter` if any latch has grown.
    Repeat,
}

/// A program ready for code generation.
#[derive(Debug, Clone, Default)]
pub(crate) struct Schedule {
    pub items: Vec<Item>,
    /// The number of values.
    pub values: u32,
    /// The number of latches.
    pub latches: u32,
}

impl Schedule {
    pub fn operations(&self) -> usize {
        self.items.iter().filter(|i| matches!(i, Item::Make { .. })).count()
    }
}

struct Scheduler<'b> {
    bits: &'b Bits,
    pause: Pause<'b>,
    out: Schedule,
    /// For each node, its source and whether it is stored inverted, once it is computed.
    made: Vec<Option<(Source, bool)>>,
    first_latch: Vec<u32>,
    region_done: Vec<bool>,
}

/// Orders the operations of a program. Calls `pause` for each region.
pub(crate) fn schedule(bits: &Bits, pause: Pause<'_>) -> Result<Schedule, Stopped> {
    let mut first_latch = Vec::new();
    let mut latches = 0;
    for region in &bits.regions {
        first_latch.push(latches);
        latches += region.latches.len() as u32;
    }
    let mut scheduler = Scheduler {
        bits,
        pause,
        out: Schedule { latches, ..Schedule::default() },
        made: vec![None; bits.nodes.len()],
        first_latch,
        region_done: vec![false; bits.regions.len()],
    };
    for &(val, to) in &bits.writes {
        if val.node() == 0 {
            scheduler.out.items.push(Item::Constant { value: val.is_inverted(), to });
            continue;
        }
        scheduler.make(val)?;
        let (from, inverted) = scheduler.source(val);
        scheduler.out.items.push(Item::Write { from, inverted, to });
    }
    Ok(scheduler.out)
}

impl Scheduler<'_> {
    fn source(&self, val: Val) -> (Source, bool) {
        let (source, inverted) = self.made[val.node()].expect("values are made before they are used");
        (source, inverted != val.is_inverted())
    }

    /// Computes a value and everything it depends on.
    fn make(&mut self, val: Val) -> Result<(), Stopped> {
        let mut work = vec![val.node()];
        while let Some(&node) = work.last() {
            if self.made[node].is_some() {
                work.pop();
                continue;
            }
            match self.bits.nodes[node] {
                BitNode::False => unreachable!("constants are folded"),
                BitNode::Read(place) => self.made[node] = Some((Source::Memory(place), false)),
                BitNode::Latch(region, _) => self.region(region as usize)?,
                BitNode::And(a, b) | BitNode::Xor(a, b) => {
                    let missing = [b, a].into_iter().find(|v| self.made[v.node()].is_none());
                    match missing {
                        Some(v) => {
                            work.push(v.node());
                            continue;
                        }
                        None => self.operation(node, a, b),
                    }
                }
            }
            work.pop();
        }
        Ok(())
    }

    fn operation(&mut self, node: usize, a: Val, b: Val) {
        let ((x, x_out), (y, y_out)) = (self.source(a), self.source(b));
        let xor = matches!(self.bits.nodes[node], BitNode::Xor(..));
        let (op, a, b, inverted) = match (xor, x_out, y_out) {
            (true, ..) => (Op::Xor, x, y, x_out != y_out),
            (false, false, false) => (Op::And, x, y, false),
            (false, true, false) => (Op::AndNot, x, y, false),
            (false, false, true) => (Op::AndNot, y, x, false),
            (false, true, true) => (Op::Or, x, y, true),
        };
        let number = self.out.values;
        self.out.values += 1;
        self.out.items.push(Item::Make { number, op, a, b });
        self.made[node] = Some((Source::Made(number), inverted));
    }

    /// Evaluates a region: first everything it needs from outside, then its loop.
    fn region(&mut self, number: usize) -> Result<(), Stopped> {
        if std::mem::replace(&mut self.region_done[number], true) {
            return Ok(());
        }
        (self.pause)()?;
        let region = self.bits.regions[number].clone();
        let inside = self.inside(number);
        for node in 1..self.bits.nodes.len() {
            let reads = |v: &Val| inside[node] && !inside[v.node()] && v.node() != 0;
            if let BitNode::And(a, b) | BitNode::Xor(a, b) = self.bits.nodes[node] {
                for v in [a, b].iter().filter(|v| reads(v)) {
                    self.make(*v)?;
                }
            }
        }
        for &value in &region.values {
            if value.node() != 0 && !inside[value.node()] {
                self.make(value)?;
            }
        }
        let first = self.first_latch[number];
        for (place, &latch) in region.latches.iter().enumerate() {
            self.made[latch as usize] = Some((Source::Latch(first + place as u32), false));
        }
        self.out.items.push(Item::Enter { first, count: region.latches.len() as u32 });
        // Latches that are always true come first, so that all others see them in the first round.
        let latches =
            || region.values.iter().enumerate().map(|(place, value)| (first + place as u32, *value));
        for (latch, _) in latches().filter(|(_, value)| *value == Val::TRUE) {
            self.out.items.push(Item::GrowTrue { latch });
        }
        for (latch, value) in latches().filter(|(_, value)| value.node() != 0) {
            self.make(value)?;
            let (from, inverted) = self.source(value);
            self.out.items.push(Item::Grow { latch, from, inverted });
        }
        self.out.items.push(Item::Repeat);
        Ok(())
    }

    /// Returns the nodes that are part of a region's loop.
    fn inside(&self, number: usize) -> Vec<bool> {
        let mut inside = vec![false; self.bits.nodes.len()];
        for node in 0..self.bits.nodes.len() {
            inside[node] = match self.bits.nodes[node] {
                BitNode::Latch(region, _) => region as usize == number,
                BitNode::And(a, b) | BitNode::Xor(a, b) => inside[a.node()] || inside[b.node()],
                _ => false,
            };
        }
        // Nodes that depend on the latches are part of the loop only if the values of the region depend on
        // them.
        let mut needed = vec![false; self.bits.nodes.len()];
        let mut work: Vec<usize> = self.bits.regions[number].values.iter().map(|v| v.node()).collect();
        while let Some(node) = work.pop() {
            if inside[node]
                && !std::mem::replace(&mut needed[node], true)
                && let BitNode::And(a, b) | BitNode::Xor(a, b) = self.bits.nodes[node]
            {
                work.extend([a.node(), b.node()]);
            }
        }
        needed
    }
}
