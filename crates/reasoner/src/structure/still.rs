//! Fluents that keep their values unless certain moves are made.

use rustc_hash::FxHashMap;

use super::Support;
use crate::circuit::{Aig, Lit, Node};

/// Rebuilds wires under the assumption that no set of moves holds.
pub(super) struct Stillness<'a> {
    aig: &'a Aig,
    bare: Aig,
    made: FxHashMap<usize, Lit>,
}

impl<'a> Stillness<'a> {
    pub fn new(aig: &'a Aig) -> Stillness<'a> {
        Stillness { aig, bare: Aig::new(Vec::new()), made: FxHashMap::default() }
    }

    /// Returns `true` if a fluent with this next value keeps its value when none of the moves is made that
    /// the wire reads.
    pub fn keeps(&mut self, fluent: u32, next: Lit) -> bool {
        self.without_moves(next) == Some(self.bare.fluent(fluent))
    }

    /// Returns a wire without moves, or `None` if it needs a region.
    fn without_moves(&mut self, wire: Lit) -> Option<Lit> {
        let mut work = vec![wire.node()];
        while let Some(&node) = work.last() {
            if self.made.contains_key(&node) {
                work.pop();
                continue;
            }
            let lit = match self.aig.node(node) {
                Node::False | Node::Set(_) => Lit::FALSE,
                Node::Latch(..) => return None,
                Node::Fluent(fluent) => self.bare.fluent(fluent),
                Node::And(a, b) => {
                    if let Some(missing) = [a, b].into_iter().find(|l| !self.made.contains_key(&l.node())) {
                        work.push(missing.node());
                        continue;
                    }
                    let of = |l: Lit| self.made[&l.node()].invert_if(l.is_inverted());
                    self.bare.and(of(a), of(b))
                }
            };
            self.made.insert(node, lit);
            work.pop();
        }
        Some(self.made[&wire.node()].invert_if(wire.is_inverted()))
    }
}

/// Returns the moves that wires read, as role and number, without duplicates.
pub(super) fn moves_of(aig: &Aig, support: &Support) -> Vec<(u32, u32)> {
    let mut moves: Vec<(u32, u32)> = Vec::new();
    for &set in &support.sets {
        let (role, own) = aig.set(set);
        moves.extend(own.iter().map(|&mv| (role, mv)));
    }
    moves.sort_unstable();
    moves.dedup();
    moves
}
