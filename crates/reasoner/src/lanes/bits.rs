//! Boolean programs over planes.
//!
//! A plane is one bit for each of many games. A program reads planes, combines them with AND and XOR, and
//! writes planes. Inversion is free: a value can be used or stored inverted. Equal operations exist once
//! (structural hashing). Regions, which are values that depend on each other, iterate until nothing changes.

use rustc_hash::FxHashMap;

/// A value or its inverse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Val(pub u32);

impl Val {
    pub const FALSE: Val = Val(0);
    pub const TRUE: Val = Val(1);

    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    pub fn invert_if(self, inverted: bool) -> Val {
        Val(self.0 ^ u32::from(inverted))
    }
}

impl std::ops::Not for Val {
    type Output = Val;
    fn not(self) -> Val {
        Val(self.0 ^ 1)
    }
}

/// The memory that a plane is in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Area {
    /// The state before the step, which is never written.
    State,
    /// The state after the step.
    Next,
    /// Moves, legal moves, counters and scratch.
    Work,
}

/// The location of a plane.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    pub area: Area,
    pub index: u32,
}

impl Place {
    pub fn new(area: Area, index: usize) -> Place {
        Place { area, index: index as u32 }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum BitNode {
    False,
    Read(Place),
    And(Val, Val),
    Xor(Val, Val),
    Latch(u32, u32),
}

/// Values that depend on each other and are iterated until they are stable.
#[derive(Debug, Clone, Default)]
pub(crate) struct BitRegion {
    pub latches: Vec<u32>,
    pub values: Vec<Val>,
}

/// A program under construction.
#[derive(Debug, Clone)]
pub(crate) struct Bits {
    pub nodes: Vec<BitNode>,
    numbers: FxHashMap<BitNode, Val>,
    pub regions: Vec<BitRegion>,
    /// The values to write and their locations, in order.
    pub writes: Vec<(Val, Place)>,
}

impl Bits {
    pub fn new() -> Bits {
        let nodes = vec![BitNode::False];
        Bits { nodes, numbers: FxHashMap::default(), regions: Vec::new(), writes: Vec::new() }
    }

    /// Creates a program from existing nodes, without regions.
    pub fn with(nodes: Vec<BitNode>, writes: Vec<(Val, Place)>) -> Bits {
        Bits { nodes, numbers: FxHashMap::default(), regions: Vec::new(), writes }
    }

    fn push(&mut self, node: BitNode) -> Val {
        if let Some(&val) = self.numbers.get(&node) {
            return val;
        }
        let val = Val((self.nodes.len() as u32) << 1);
        self.nodes.push(node);
        self.numbers.insert(node, val);
        val
    }

    pub fn read(&mut self, area: Area, index: usize) -> Val {
        self.push(BitNode::Read(Place::new(area, index)))
    }

    pub fn latch(&mut self, region: u32, place: u32) -> Val {
        self.push(BitNode::Latch(region, place))
    }

    pub fn and(&mut self, a: Val, b: Val) -> Val {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Val::FALSE || a == !b {
            return Val::FALSE;
        }
        if a == Val::TRUE || a == b {
            return b;
        }
        self.push(BitNode::And(a, b))
    }

    pub fn or(&mut self, a: Val, b: Val) -> Val {
        !self.and(!a, !b)
    }

    pub fn xor(&mut self, a: Val, b: Val) -> Val {
        let inverted = a.is_inverted() != b.is_inverted();
        let (a, b) = (a.invert_if(a.is_inverted()), b.invert_if(b.is_inverted()));
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == b {
            return Val::FALSE.invert_if(inverted);
        }
        if a == Val::FALSE {
            return b.invert_if(inverted);
        }
        self.push(BitNode::Xor(a, b)).invert_if(inverted)
    }

    /// Returns `yes` where `which` holds, and `no` elsewhere.
    pub fn choose(&mut self, which: Val, yes: Val, no: Val) -> Val {
        let differ = self.xor(yes, no);
        let flip = self.and(which, differ);
        self.xor(flip, no)
    }

    /// Returns the disjunction of all values, as a balanced tree.
    pub fn any(&mut self, vals: &[Val]) -> Val {
        match vals {
            [] => Val::FALSE,
            [one] => *one,
            _ => {
                let (left, right) = vals.split_at(vals.len().next_power_of_two() / 2);
                let (left, right) = (self.any(left), self.any(right));
                self.or(left, right)
            }
        }
    }

    pub fn write(&mut self, val: Val, area: Area, index: usize) {
        self.writes.push((val, Place::new(area, index)));
    }
}
