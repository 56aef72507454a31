//! Parts of a large program that are run only if they can have an effect.
//!
//! A sheet that keeps a history has fluents for every moment of a match, and in any game only few moments
//! matter. Their rules have a condition in common: that the moment is kept. If many planes of the next state
//! are conjunctions with the same value, their *guard*, they form a *section*: in games in which the guard
//! does not hold, none of them holds, and if it holds in no game the section is not run. Large conjunctions
//! within the program ("kept, and no square differs") become sections too, with the fluents among their
//! conditions as guard.
//!
//! Values that sections share, their guards, and everything that depends on no section are computed before
//! them. The result is exact: a value that is skipped is false.

use rustc_hash::FxHashMap;

use super::bits::{Area, BitNode, Bits, Val};

/// The number of operations from which a program is searched for sections.
pub(crate) const LARGE: usize = 50_000;
/// The minimum number of planes of the next state that must share a guard.
const SHARED: u32 = 16;
/// Conditions of more than one in this many planes are no useful guards.
const TOO_COMMON: u32 = 8;
/// The maximum number of conditions of one plane.
const CONDITIONS: usize = 64;
/// The minimum number of operations of a conjunction that becomes a section.
const HEAVY: usize = 64;
/// The maximum number of nodes visited in such a conjunction, and of fluents in its guard.
const MOST: usize = 4096;
const FLUENTS: usize = 4;
/// The number of levels of conjunctions that are searched for whether a guard determines a value.
const CLOSE: u32 = 3;

/// A part of a program. The parts are run in order.
pub(crate) struct Piece {
    pub bits: Bits,
    /// Present if the part is a section, which is run only if its guard holds in some game.
    pub section: Option<Section>,
}

/// The guard of a section, and the planes that are cleared if it is not run.
pub(crate) struct Section {
    /// The plane of work memory that contains its guard.
    pub guard: u32,
    /// The planes of the next state that it writes.
    pub next: Vec<u32>,
    /// The planes of work memory for its results, in the order in which it leaves them.
    pub work: Vec<u32>,
}

/// A program split into parts.
pub(crate) struct Split {
    pub pieces: Vec<Piece>,
    /// Where sections read their guards.
    pub guard_place: usize,
    /// Where sections leave the results for planes of work memory, one place after the other.
    pub found: usize,
    /// The first free plane of work memory.
    pub end: usize,
}

/// The part that computes a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Owner {
    Nobody,
    Main,
    Section(u32),
}

impl Owner {
    /// A value that two owners need is computed by the main part.
    fn also(self, other: Owner) -> Owner {
        match self {
            Owner::Nobody => other,
            own if own == other => own,
            _ => Owner::Main,
        }
    }
}

/// Splits a program with at least `large` operations. Its planes of work memory begin at `first`. Returns
/// `None` if splitting is not worthwhile.
pub(crate) fn split(bits: &Bits, first: usize, large: usize) -> Option<Split> {
    let is_operation = |node: &BitNode| matches!(node, BitNode::And(..) | BitNode::Xor(..));
    let operations = bits.nodes.iter().filter(|node| is_operation(node)).count();
    if operations < large || !bits.regions.is_empty() {
        return None;
    }
    let mut bits = bits.clone();
    let mut plan = Plan::new(&mut bits);
    plan.own(&bits);
    let owned = bits.nodes.iter().zip(&plan.owner).filter(|(node, _)| is_operation(node));
    let inside = owned.filter(|(_, owner)| matches!(owner, Owner::Section(_))).count();
    if inside * 2 < operations {
        return None;
    }
    Some(plan.emit(&bits, first))
}

/// The conjunction of some conditions.
struct Guard {
    val: Val,
    conditions: Vec<Val>,
}

impl Guard {
    fn new(bits: &mut Bits, conditions: Vec<Val>) -> Guard {
        // A conjunction among the conditions is redundant, because its own conditions are in the list too.
        let is_plain = |val: &&Val| val.is_inverted() || !matches!(bits.nodes[val.node()], BitNode::And(..));
        let plain: Vec<Val> = conditions.iter().filter(is_plain).copied().collect();
        let val = plain.into_iter().fold(Val::TRUE, |all, condition| bits.and(all, condition));
        Guard { val, conditions }
    }
}

struct Plan {
    /// The guards of sections, with the conditions that they imply. Those of the `inner` large conjunctions
    /// come first.
    guards: Vec<Guard>,
    inner: usize,
    /// For each node, the section whose large conjunction it is the root of.
    root: Vec<Option<u32>>,
    /// For each write, its section.
    writes: Vec<Option<u32>>,
    owner: Vec<Owner>,
    /// Whether a value depends on a large conjunction that is a section.
    late: Vec<bool>,
}

impl Plan {
    fn new(bits: &mut Bits) -> Plan {
        let mut plan = Plan {
            guards: Vec::new(),
            inner: 0,
            root: Vec::new(),
            writes: Vec::new(),
            owner: Vec::new(),
            late: Vec::new(),
        };
        plan.find_conjunctions(bits);
        plan.inner = plan.guards.len();
        plan.find_writes(bits);
        plan
    }

    /// Finds large conjunctions with fluents among their conditions.
    fn find_conjunctions(&mut self, bits: &mut Bits) {
        let count = bits.nodes.len();
        let alone = alone(bits);
        let mut sections: FxHashMap<Vec<Val>, u32> = FxHashMap::default();
        self.root = vec![None; count];
        self.late = vec![false; count];
        for node in 0..count {
            let (BitNode::And(a, b) | BitNode::Xor(a, b)) = bits.nodes[node] else { continue };
            self.late[node] = self.late[a.node()] || self.late[b.node()];
            if self.late[node] || alone[node] || !matches!(bits.nodes[node], BitNode::And(..)) {
                continue;
            }
            let Some(fluents) = guard_of(bits, node, &alone) else { continue };
            let section = *sections.entry(fluents).or_insert_with_key(|fluents| {
                self.guards.push(Guard::new(bits, fluents.clone()));
                self.guards.len() as u32 - 1
            });
            self.root[node] = Some(section);
            self.late[node] = true;
        }
    }

    /// Finds planes of the next state that share a condition.
    fn find_writes(&mut self, bits: &mut Bits) {
        let mut counts: FxHashMap<Val, u32> = FxHashMap::default();
        let mut list = Vec::new();
        for write in 0..bits.writes.len() {
            conditions(bits, write, &mut list);
            list.iter().for_each(|val| *counts.entry(*val).or_default() += 1);
        }
        let most = bits.writes.len() as u32 / TOO_COMMON;
        counts.retain(|_, count| (SHARED..=most).contains(count));
        let mut sections: FxHashMap<Val, u32> = FxHashMap::default();
        let mut common: Vec<Vec<Val>> = Vec::new();
        self.writes = vec![None; bits.writes.len()];
        for write in 0..bits.writes.len() {
            conditions(bits, write, &mut list);
            let known = list.iter().filter_map(|val| counts.get(val).map(|count| (*count, *val)));
            let Some((_, key)) = known.max_by_key(|&(count, val)| (count, std::cmp::Reverse(val))) else {
                continue;
            };
            let number = *sections.entry(key).or_insert_with(|| {
                common.push(list.clone());
                common.len() as u32 - 1
            });
            common[number as usize].retain(|val| list.binary_search(val).is_ok());
            self.writes[write] = Some(number + self.inner as u32);
        }
        for conditions in common {
            self.guards.push(Guard::new(bits, conditions));
        }
        // The guards were added at the end.
        self.root.resize(bits.nodes.len(), None);
        let late = |late: &[bool], node: usize| match bits.nodes[node] {
            BitNode::And(a, b) | BitNode::Xor(a, b) => late[a.node()] || late[b.node()],
            _ => false,
        };
        for node in self.late.len()..bits.nodes.len() {
            self.late.push(late(&self.late, node));
        }
    }

    /// Determines the owner of each value: a section, if nothing else needs the value.
    fn own(&mut self, bits: &Bits) {
        let mut owner = vec![Owner::Nobody; bits.nodes.len()];
        for guard in &self.guards {
            owner[guard.val.node()] = Owner::Main;
        }
        for ((val, _), section) in bits.writes.iter().zip(&self.writes) {
            let by = section.map_or(Owner::Main, Owner::Section);
            owner[val.node()] = owner[val.node()].also(by);
        }
        for node in (0..bits.nodes.len()).rev() {
            let (BitNode::And(a, b) | BitNode::Xor(a, b)) = bits.nodes[node] else { continue };
            if owner[node] == Owner::Nobody {
                continue;
            }
            if let Some(section) = self.root[node] {
                owner[node] = Owner::Section(section);
            }
            for operand in [a, b] {
                owner[operand.node()] = owner[operand.node()].also(owner[node]);
            }
        }
        self.owner = owner;
        // A value that is also needed elsewhere is written by the main part.
        for ((val, _), section) in bits.writes.iter().zip(&mut self.writes) {
            let own = section.map(Owner::Section);
            *section = section.filter(|_| Some(self.owner[val.node()]) == own);
        }
    }

    /// Returns the part that computes a value. The order is: values that depend on no section, the large
    /// conjunctions, the values that depend on them, the sections of the next state.
    fn piece(&self, owner: Owner, late: bool) -> usize {
        match owner {
            Owner::Section(section) if (section as usize) < self.inner => 1 + section as usize,
            Owner::Section(section) => 2 + section as usize,
            _ if late => 1 + self.inner,
            _ => 0,
        }
    }

    fn emit(self, bits: &Bits, first: usize) -> Split {
        let count = bits.nodes.len();
        let is_operation = |node: usize| matches!(bits.nodes[node], BitNode::And(..) | BitNode::Xor(..));
        let is_needed = |node: usize| is_operation(node) && self.owner[node] != Owner::Nobody;
        let piece_of: Vec<usize> = (0..count).map(|n| self.piece(self.owner[n], self.late[n])).collect();
        let mut write_in = Vec::with_capacity(bits.writes.len());
        for ((val, _), section) in bits.writes.iter().zip(&self.writes) {
            let owner = section.map_or(Owner::Main, Owner::Section);
            write_in.push(self.piece(owner, self.late[val.node()]));
        }
        let (guard_place, found) = (first, first + 1);
        let mut out = Out {
            bits,
            pieces: (0..self.guards.len() + 2).map(|_| Piece::new()).collect(),
            known: FxHashMap::default(),
            piece_of,
            made: vec![Val::FALSE; count],
            plane: vec![0; count],
        };
        for (section, guard) in (0..).zip(&self.guards) {
            let piece = self.piece(Owner::Section(section), false);
            let conditions = guard.conditions.iter().map(|val| ((piece, val.node()), !val.is_inverted()));
            out.known.extend(conditions);
        }
        for section in 0..self.guards.len() as u32 {
            let piece = self.piece(Owner::Section(section), false);
            out.pieces[piece].section = Some(Section { guard: 0, next: Vec::new(), work: Vec::new() });
        }
        let mut shared = out.shared(&write_in, is_needed);
        for guard in self.guards.iter().map(|guard| guard.val.node()) {
            shared[guard] |= self.root[guard].is_some();
        }
        // There are as many places for results as the section with the most results needs.
        let mut roots = vec![0; out.pieces.len()];
        for node in (0..count).filter(|&n| shared[n] && self.root[n].is_some() && is_needed(n)) {
            roots[out.piece_of[node]] += 1;
        }
        let mut end = found + roots.iter().copied().max().unwrap_or(0);
        let mut reserve = || {
            end += 1;
            end - 1
        };
        for section in out.pieces.iter_mut().filter_map(|piece| piece.section.as_mut()) {
            section.guard = reserve() as u32;
        }
        for node in (0..count).filter(|&n| is_needed(n)) {
            let piece = out.piece_of[node];
            out.make(node);
            if !shared[node] {
                continue;
            }
            let plane = reserve();
            out.plane[node] = plane as u32;
            let Piece { bits, section } = &mut out.pieces[piece];
            match section {
                Some(section) => {
                    let guard = bits.read(Area::Work, guard_place);
                    let val = bits.and(guard, out.made[node]);
                    bits.write(val, Area::Work, found + section.work.len());
                    section.work.push(plane as u32);
                }
                None => bits.write(out.made[node], Area::Work, plane),
            }
        }
        for (section, guard) in (0..).zip(&self.guards) {
            let at = self.piece(Owner::Section(section), false);
            let Some(plane) = out.pieces[at].section.as_ref().map(|section| section.guard) else { continue };
            let piece = self.piece(Owner::Main, self.late[guard.val.node()]);
            let val = out.operand(guard.val, piece);
            out.pieces[piece].bits.write(val, Area::Work, plane as usize);
        }
        for ((val, to), piece) in bits.writes.iter().zip(&write_in) {
            let val = out.operand(*val, *piece);
            let Piece { bits, section } = &mut out.pieces[*piece];
            let val = match section {
                Some(section) => {
                    section.next.push(to.index);
                    let guard = bits.read(Area::Work, guard_place);
                    bits.and(guard, val)
                }
                None => val,
            };
            bits.write(val, to.area, to.index as usize);
        }
        out.pieces.retain(|piece| !piece.bits.writes.is_empty());
        Split { pieces: out.pieces, guard_place, found, end }
    }
}

/// The parts of a program under construction.
struct Out<'b> {
    bits: &'b Bits,
    pieces: Vec<Piece>,
    /// The values that nodes have if the guard of a part holds.
    known: FxHashMap<(usize, usize), bool>,
    /// For each node, the part that computes it, its value there, and the plane in which other parts read it.
    piece_of: Vec<usize>,
    made: Vec<Val>,
    plane: Vec<u32>,
}

impl Out<'_> {
    /// Returns the values that parts other than their own need.
    fn shared(&self, write_in: &[usize], is_needed: impl Fn(usize) -> bool) -> Vec<bool> {
        let mut shared = vec![false; self.bits.nodes.len()];
        let mut need = |node: usize, piece: usize| {
            shared[node] |= self.piece_of[node] != piece && self.known(piece, node, CLOSE).is_none();
        };
        for node in (0..self.bits.nodes.len()).filter(|&n| is_needed(n)) {
            let (BitNode::And(a, b) | BitNode::Xor(a, b)) = self.bits.nodes[node] else { continue };
            [a, b].into_iter().for_each(|operand| need(operand.node(), self.piece_of[node]));
        }
        for ((val, _), piece) in self.bits.writes.iter().zip(write_in) {
            need(val.node(), *piece);
        }
        shared
    }

    /// Returns the value that a node has if the guard of a part holds, as far as this many levels determine
    /// it.
    fn known(&self, piece: usize, node: usize, levels: u32) -> Option<bool> {
        if let Some(&known) = self.known.get(&(piece, node)) {
            return Some(known);
        }
        if levels == 0 || self.pieces[piece].section.is_none() {
            return None;
        }
        let BitNode::And(a, b) = self.bits.nodes[node] else { return None };
        let of = |val: Val| self.known(piece, val.node(), levels - 1).map(|known| known != val.is_inverted());
        match (of(a), of(b)) {
            (Some(false), _) | (_, Some(false)) => Some(false),
            (Some(true), Some(true)) => Some(true),
            _ => None,
        }
    }

    /// Returns a value as seen by a part of the program.
    fn operand(&mut self, val: Val, piece: usize) -> Val {
        let node = val.node();
        if let Some(known) = self.known(piece, node, CLOSE) {
            return Val::FALSE.invert_if(known != val.is_inverted());
        }
        let own = match self.bits.nodes[node] {
            BitNode::False => Val::FALSE,
            BitNode::Read(place) => self.pieces[piece].bits.read(place.area, place.index as usize),
            _ if self.piece_of[node] == piece => self.made[node],
            _ => self.pieces[piece].bits.read(Area::Work, self.plane[node] as usize),
        };
        own.invert_if(val.is_inverted())
    }

    fn make(&mut self, node: usize) {
        let piece = self.piece_of[node];
        let (BitNode::And(a, b) | BitNode::Xor(a, b)) = self.bits.nodes[node] else { return };
        let (x, y) = (self.operand(a, piece), self.operand(b, piece));
        let bits = &mut self.pieces[piece].bits;
        self.made[node] = match self.bits.nodes[node] {
            BitNode::Xor(..) => bits.xor(x, y),
            _ => match exclusive(bits, x, y) {
                Some((x, y)) => bits.xor(x, y),
                None => bits.and(x, y),
            },
        };
    }
}

/// Recognises `!(x & y) & !(!x & !y)`, which is the exclusive or of `x` and `y`.
fn exclusive(bits: &Bits, a: Val, b: Val) -> Option<(Val, Val)> {
    match (bits.nodes[a.node()], bits.nodes[b.node()]) {
        (BitNode::And(x, y), BitNode::And(u, v))
            if a.is_inverted() && b.is_inverted() && (x == !u && y == !v || x == !v && y == !u) =>
        {
            Some((x, y))
        }
        _ => None,
    }
}

impl Piece {
    fn new() -> Piece {
        Piece { bits: Bits::new(), section: None }
    }
}

/// Returns the conjunctions that are used exactly once, as part of another conjunction.
fn alone(bits: &Bits) -> Vec<bool> {
    let mut uses = vec![0u32; bits.nodes.len()];
    for node in &bits.nodes {
        let inner = matches!(node, BitNode::And(..));
        let (BitNode::And(a, b) | BitNode::Xor(a, b)) = node else { continue };
        for operand in [a, b] {
            uses[operand.node()] += if inner && !operand.is_inverted() { 1 } else { 2 };
        }
    }
    bits.writes.iter().for_each(|(val, _)| uses[val.node()] += 2);
    uses.into_iter()
        .zip(&bits.nodes)
        .map(|(uses, node)| uses == 1 && matches!(node, BitNode::And(..)))
        .collect()
}

/// Returns the fluents among the conditions of a large conjunction.
fn guard_of(bits: &Bits, root: usize, alone: &[bool]) -> Option<Vec<Val>> {
    let (mut own, mut looked_at) = (0, 0);
    let mut fluents = Vec::new();
    let mut work = vec![(root, true)];
    while let Some((node, is_own)) = work.pop() {
        looked_at += 1;
        if looked_at > MOST {
            return None;
        }
        own += usize::from(is_own);
        let BitNode::And(a, b) = bits.nodes[node] else { continue };
        for operand in [a, b].into_iter().filter(|v| !v.is_inverted()) {
            match bits.nodes[operand.node()] {
                BitNode::And(..) => work.push((operand.node(), is_own && alone[operand.node()])),
                BitNode::Read(place) if place.area == Area::State => fluents.push(operand),
                _ => {}
            }
        }
    }
    fluents.sort_unstable();
    fluents.dedup();
    (own >= HEAVY && (1..=FLUENTS).contains(&fluents.len())).then_some(fluents)
}

/// Lists the conditions of a plane of the next state, if it is a conjunction.
fn conditions(bits: &Bits, write: usize, list: &mut Vec<Val>) {
    list.clear();
    let (val, to) = bits.writes[write];
    if to.area != Area::Next || val.is_inverted() {
        return;
    }
    let mut work = vec![val.node()];
    while let Some(node) = work.pop() {
        let BitNode::And(a, b) = bits.nodes[node] else { continue };
        for operand in [a, b] {
            list.push(operand);
            if !operand.is_inverted() {
                work.push(operand.node());
            }
        }
        if list.len() > CONDITIONS {
            list.clear();
            return;
        }
    }
    list.sort_unstable();
    list.dedup();
}
