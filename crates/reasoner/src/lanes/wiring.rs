//! The translation from circuits to programs over planes.

use rustc_hash::FxHashMap;

use super::bits::{Area, BitRegion, Bits, Val};
use crate::circuit::{Aig, Lit, Node};

/// The locations of the planes of moves made.
pub(crate) struct Moves<'a> {
    /// For each role, the moves that are possible in this phase.
    pub candidates: &'a [Vec<u32>],
    /// For each role, the plane of its first candidate in the work area.
    pub planes: &'a [usize],
    /// The planes of sets that are filled game by game. Those of other roles are computed.
    pub sets: &'a FxHashMap<u32, usize>,
}

/// Translates wires of a circuit into values of a program.
pub(crate) struct Wiring<'a> {
    aig: &'a Aig,
    moves: Option<Moves<'a>>,
    pub bits: Bits,
    made: Vec<Option<Val>>,
    places: Vec<FxHashMap<u32, usize>>,
    regions: FxHashMap<u32, u32>,
}

impl<'a> Wiring<'a> {
    pub fn new(aig: &'a Aig, moves: Option<Moves<'a>>) -> Wiring<'a> {
        let places = moves.as_ref().map_or(Vec::new(), |m| {
            m.candidates.iter().map(|list| list.iter().enumerate().map(|(i, &c)| (c, i)).collect()).collect()
        });
        Wiring {
            aig,
            moves,
            bits: Bits::new(),
            made: vec![None; aig.len()],
            places,
            regions: FxHashMap::default(),
        }
    }

    /// Returns the value of a wire, and creates everything it depends on.
    pub fn val(&mut self, lit: Lit) -> Val {
        let mut work = vec![lit.node()];
        while let Some(&node) = work.last() {
            if self.made[node].is_some() {
                work.pop();
                continue;
            }
            let val = match self.aig.node(node) {
                Node::False => Val::FALSE,
                Node::Fluent(f) => self.bits.read(Area::State, f as usize),
                Node::Set(number) => self.set(number),
                Node::Latch(region, place) => {
                    if !self.regions.contains_key(&region) {
                        self.region(region);
                        continue;
                    }
                    self.bits.latch(self.regions[&region], place)
                }
                Node::And(a, b) => {
                    let (a, b) = match self.exclusive(a, b) {
                        Some((x, y)) => {
                            if let Some(missing) = [x, y].into_iter().find(|l| self.made[l.node()].is_none())
                            {
                                work.push(missing.node());
                                continue;
                            }
                            let val = self.bits.xor(self.of(x), self.of(y));
                            self.made[node] = Some(val);
                            work.pop();
                            continue;
                        }
                        None => (a, b),
                    };
                    if let Some(missing) = [b, a].into_iter().find(|l| self.made[l.node()].is_none()) {
                        work.push(missing.node());
                        continue;
                    }
                    self.bits.and(self.of(a), self.of(b))
                }
            };
            self.made[node] = Some(val);
            work.pop();
        }
        self.of(lit)
    }

    fn of(&self, lit: Lit) -> Val {
        self.made[lit.node()].expect("nodes are made before they are read").invert_if(lit.is_inverted())
    }

    /// Recognises `!(x & y) & !(!x & !y)`, which is the exclusive or of `x` and `y`.
    fn exclusive(&self, a: Lit, b: Lit) -> Option<(Lit, Lit)> {
        if !a.is_inverted() || !b.is_inverted() {
            return None;
        }
        match (self.aig.node(a.node()), self.aig.node(b.node())) {
            (Node::And(x, y), Node::And(u, v)) if (x == !u && y == !v) || (x == !v && y == !u) => {
                Some((x, y))
            }
            _ => None,
        }
    }

    /// Returns the value that holds if one of these moves is made. Moves that are impossible in this phase
    /// are left out.
    fn set(&mut self, number: u32) -> Val {
        let (role, moves) = self.aig.set(number);
        let Some(made) = &self.moves else { return Val::FALSE };
        if let Some(&plane) = made.sets.get(&number) {
            return self.bits.read(Area::Work, plane);
        }
        let role = role as usize;
        let places = &self.places[role];
        let own: Vec<usize> = moves.iter().filter_map(|m| places.get(m).copied()).collect();
        let count = made.candidates[role].len();
        if own.len() == count {
            return Val::TRUE;
        }
        let (chosen, inverted) = if own.len() * 2 > count {
            ((0..count).filter(|i| !own.contains(i)).collect(), true)
        } else {
            (own, false)
        };
        let first = made.planes[role];
        let vals: Vec<Val> = chosen.iter().map(|&i: &usize| self.bits.read(Area::Work, first + i)).collect();
        self.bits.any(&vals).invert_if(inverted)
    }

    /// Creates the latches of a region, then their next values.
    fn region(&mut self, number: u32) {
        let own = self.bits.regions.len() as u32;
        self.regions.insert(number, own);
        self.bits.regions.push(BitRegion::default());
        let region = self.aig.regions[number as usize].clone();
        let mut latches = Vec::new();
        for (place, &latch) in region.latches.iter().enumerate() {
            let val = self.bits.latch(own, place as u32);
            self.made[latch as usize] = Some(val);
            latches.push(val.node() as u32);
        }
        let values = region.values.iter().map(|&lit| self.val(lit)).collect();
        self.bits.regions[own as usize] = BitRegion { latches, values };
    }
}
