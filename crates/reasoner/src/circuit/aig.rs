//! The and-inverter graph: inputs, sets of moves, gates, and regions that are iterated to a fixpoint.
//!
//! Gates are created by structural hashing with local simplification rules, so equal gates exist once.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::exclusion::Exclusions;

/// A wire or its inverse.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(pub u32);

impl Lit {
    /// Always false.
    pub const FALSE: Lit = Lit(0);
    /// Always true.
    pub const TRUE: Lit = Lit(1);

    /// Returns the wire of a node.
    pub fn of(node: usize) -> Lit {
        Lit((node as u32) << 1)
    }

    /// Returns the node of this wire.
    #[inline]
    pub fn node(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Returns `true` if the wire is inverted.
    #[inline]
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// Returns the inverse of the wire if `inverted` is `true`, and the wire itself otherwise.
    #[must_use]
    pub fn invert_if(self, inverted: bool) -> Lit {
        Lit(self.0 ^ u32::from(inverted))
    }

    /// Returns `true` if the wire has the same value in all states.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }
}

impl std::ops::Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// A node of the graph.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Node {
    /// The constant false.
    False,
    /// A fluent.
    Fluent(u32),
    /// A set of moves of one role, see [`Aig::set`].
    Set(u32),
    /// The conjunction of two wires.
    And(Lit, Lit),
    /// One of the atoms of a region, as region and place. It starts false and can only become true until the
    /// region is stable.
    Latch(u32, u32),
}

/// Atoms that depend on each other. They are evaluated repeatedly until nothing changes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Region {
    /// The latch nodes.
    pub latches: Vec<u32>,
    /// The wire that each latch takes its next value from.
    pub values: Vec<Lit>,
}

/// A set of moves of one role. It never contains more than half of the role's moves.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct MoveSet {
    role: u32,
    moves: Box<[u32]>,
}

/// An and-inverter graph.
#[derive(Debug, Clone)]
pub struct Aig {
    nodes: Vec<Node>,
    gates: FxHashMap<(Lit, Lit), Lit>,
    fluents: FxHashMap<u32, Lit>,
    sets: Vec<MoveSet>,
    set_numbers: FxHashMap<MoveSet, Lit>,
    move_counts: Vec<u32>,
    /// Fluents that never hold together.
    exclusions: Arc<Exclusions>,
    /// The regions, each after those it depends on.
    pub regions: Vec<Region>,
}

impl Aig {
    /// Creates an empty graph for roles with the given numbers of moves.
    pub fn new(move_counts: Vec<u32>) -> Aig {
        Aig::with(move_counts, Arc::default())
    }

    /// Creates an empty graph in which some fluents exclude each other.
    pub(crate) fn with(move_counts: Vec<u32>, exclusions: Arc<Exclusions>) -> Aig {
        Aig {
            exclusions,
            nodes: vec![Node::False],
            gates: FxHashMap::default(),
            fluents: FxHashMap::default(),
            sets: Vec::new(),
            set_numbers: FxHashMap::default(),
            move_counts,
            regions: Vec::new(),
        }
    }

    /// Returns the fluents that exclude each other.
    pub(crate) fn exclusions(&self) -> Arc<Exclusions> {
        Arc::clone(&self.exclusions)
    }

    /// Returns the number of moves of each role.
    pub(crate) fn move_counts(&self) -> &[u32] {
        &self.move_counts
    }

    /// Returns `true` if the two wires are fluents that never hold together.
    fn exclude(&self, a: Lit, b: Lit) -> bool {
        if a.is_inverted() || b.is_inverted() || self.exclusions.is_empty() {
            return false;
        }
        match (self.nodes[a.node()], self.nodes[b.node()]) {
            (Node::Fluent(a), Node::Fluent(b)) => self.exclusions.exclude(a, b),
            _ => false,
        }
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns `true` if the graph contains only the constant.
    pub fn is_empty(&self) -> bool {
        self.nodes.len() == 1
    }

    /// Returns a node.
    #[inline]
    pub fn node(&self, number: usize) -> Node {
        self.nodes[number]
    }

    /// Returns the role and the moves of a set node.
    pub fn set(&self, number: u32) -> (u32, &[u32]) {
        let set = &self.sets[number as usize];
        (set.role, &set.moves)
    }

    /// Returns the wire of a fluent.
    pub fn fluent(&mut self, number: u32) -> Lit {
        if let Some(&lit) = self.fluents.get(&number) {
            return lit;
        }
        let lit = self.push(Node::Fluent(number));
        self.fluents.insert(number, lit);
        lit
    }

    fn push(&mut self, node: Node) -> Lit {
        self.nodes.push(node);
        Lit::of(self.nodes.len() - 1)
    }

    /// Returns the wire that holds if the role makes one of these moves.
    pub fn moves(&mut self, role: u32, mut moves: Vec<u32>) -> Lit {
        moves.sort_unstable();
        moves.dedup();
        let count = self.move_counts[role as usize];
        if moves.len() * 2 > count as usize {
            let mut others = Vec::with_capacity(count as usize - moves.len());
            let mut next = moves.iter().peekable();
            for m in 0..count {
                if next.peek() == Some(&&m) {
                    next.next();
                } else {
                    others.push(m);
                }
            }
            return !self.small_set(role, others);
        }
        self.small_set(role, moves)
    }

    fn small_set(&mut self, role: u32, moves: Vec<u32>) -> Lit {
        if moves.is_empty() {
            return Lit::FALSE;
        }
        let set = MoveSet { role, moves: moves.into() };
        if let Some(&lit) = self.set_numbers.get(&set) {
            return lit;
        }
        let lit = self.push(Node::Set(self.sets.len() as u32));
        self.sets.push(set.clone());
        self.set_numbers.insert(set, lit);
        lit
    }

    /// Returns the set of a wire: the role, the moves, and `true` if the wire means all moves except these.
    fn as_set(&self, lit: Lit) -> Option<(u32, &[u32], bool)> {
        match self.nodes[lit.node()] {
            Node::Set(number) => {
                let (role, moves) = self.set(number);
                Some((role, moves, lit.is_inverted()))
            }
            _ => None,
        }
    }

    /// Returns the intersection of two sets of the same role, or `None` if the wires are not two such sets.
    fn meet_sets(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let (role, x, x_out) = self.as_set(a)?;
        let (other, y, y_out) = self.as_set(b)?;
        if role != other {
            return None;
        }
        let moves: Vec<u32> = match (x_out, y_out) {
            (false, _) => x.iter().copied().filter(|m| (y.binary_search(m).is_ok()) != y_out).collect(),
            (true, false) => y.iter().copied().filter(|m| x.binary_search(m).is_err()).collect(),
            (true, true) => {
                let union = [x, y].concat();
                return Some(!self.moves(role, union));
            }
        };
        Some(self.moves(role, moves))
    }

    /// Returns the conjunction of two wires.
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let asked = (a.min(b), a.max(b));
        let mut pair = asked;
        loop {
            match self.join(pair.0, pair.1) {
                Ok(lit) => {
                    if pair != asked {
                        self.gates.insert(asked, lit);
                    }
                    return lit;
                }
                Err((a, b)) => pair = (a.min(b), a.max(b)),
            }
        }
    }

    /// Returns the conjunction of two ordered wires, or two other wires that have the same conjunction.
    fn join(&mut self, a: Lit, b: Lit) -> Result<Lit, (Lit, Lit)> {
        if a == Lit::FALSE || a == !b {
            return Ok(Lit::FALSE);
        }
        if a == Lit::TRUE || a == b {
            return Ok(b);
        }
        if let Some(lit) = self.meet_sets(a, b) {
            return Ok(lit);
        }
        if self.exclude(a, b) {
            return Ok(Lit::FALSE);
        }
        if self.exclude(a, !b) {
            return Ok(a);
        }
        if self.exclude(!a, b) {
            return Ok(b);
        }
        if let Some(&lit) = self.gates.get(&(a, b)) {
            return Ok(lit);
        }
        if let Some(lit) = self.absorb(a, b).or_else(|| self.absorb(b, a)) {
            self.gates.insert((a, b), lit);
            return Ok(lit);
        }
        if let Some(simpler) = self.compare(a, b) {
            return Err(simpler);
        }
        let lit = self.push(Node::And(a, b));
        self.gates.insert((a, b), lit);
        Ok(lit)
    }

    /// Simplifies the conjunction of `a` and a gate `b` by looking one level into `b`.
    fn absorb(&mut self, a: Lit, b: Lit) -> Option<Lit> {
        let Node::And(x, y) = self.nodes[b.node()] else { return None };
        if !b.is_inverted() {
            if x == a || y == a {
                return Some(b);
            }
            if x == !a || y == !a {
                return Some(Lit::FALSE);
            }
            if let Some(met) = self.meet_sets(a, x) {
                return Some(self.and(met, y));
            }
            if let Some(met) = self.meet_sets(a, y) {
                return Some(self.and(met, x));
            }
            if self.exclude(a, x) || self.exclude(a, y) {
                return Some(Lit::FALSE);
            }
            // `a` implies the negation of what it excludes, and the negation of `!a` is `a` itself.
            if self.exclude(a, !x) {
                return Some(self.and(a, y));
            }
            if self.exclude(a, !y) {
                return Some(self.and(a, x));
            }
            if self.exclude(!a, x) || self.exclude(!a, y) {
                return Some(b);
            }
            return None;
        }
        if x == a {
            return Some(self.and(a, !y));
        }
        if y == a {
            return Some(self.and(a, !x));
        }
        if x == !a || y == !a || self.exclude(a, x) || self.exclude(a, y) {
            return Some(a);
        }
        if self.exclude(a, !x) {
            return Some(self.and(a, !y));
        }
        if self.exclude(a, !y) {
            return Some(self.and(a, !x));
        }
        // If `a` is a set of moves, the moves in the denied conjunction may exclude it or contain it.
        for (part, rest) in [(x, y), (y, x)] {
            if let Some(met) = self.meet_sets(a, part) {
                if met == Lit::FALSE {
                    return Some(a);
                }
                if met == a {
                    return Some(self.and(a, !rest));
                }
            }
        }
        None
    }

    /// Returns two simpler wires with the same conjunction as two gates, by comparing the inputs of both.
    /// These are two-level rewriting rules of Brummayer and Biere.
    fn compare(&self, a: Lit, b: Lit) -> Option<(Lit, Lit)> {
        let (Node::And(p, q), Node::And(x, y)) = (self.nodes[a.node()], self.nodes[b.node()]) else {
            return None;
        };
        match (a.is_inverted(), b.is_inverted()) {
            (false, false) => {
                if self.contrary([p, q], [x, y]) {
                    return Some((Lit::FALSE, Lit::TRUE));
                }
                let shared = [(x, y), (y, x)].into_iter().find(|(l, _)| *l == p || *l == q);
                shared.map(|(_, other)| (a, other))
            }
            (true, false) => self.deny(b, [x, y], [p, q]),
            (false, true) => self.deny(a, [p, q], [x, y]),
            (true, true) => {
                let same = |&(l, m): &(Lit, Lit)| (l, !m) == (x, y) || (l, !m) == (y, x);
                [(p, q), (q, p)].into_iter().find(same).map(|(l, _)| (!l, Lit::TRUE))
            }
        }
    }

    /// Returns `true` if one of the two wires and one of the two others never hold together.
    fn contrary(&self, wires: [Lit; 2], others: [Lit; 2]) -> bool {
        wires.iter().any(|&l| others.iter().any(|&m| l == !m || self.exclude(l, m)))
    }

    /// Does the same for a gate with the inputs `wires` and the negated conjunction of `others`.
    fn deny(&self, gate: Lit, wires: [Lit; 2], others: [Lit; 2]) -> Option<(Lit, Lit)> {
        if self.contrary(wires, others) {
            return Some((gate, Lit::TRUE));
        }
        let [l, m] = others;
        match (wires.contains(&l), wires.contains(&m)) {
            (true, _) => Some((gate, !m)),
            (_, true) => Some((gate, !l)),
            _ => None,
        }
    }

    /// Returns the disjunction of two wires.
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Returns the conjunction of all wires. Sets of one role are intersected first; the rest becomes a
    /// balanced tree over the sorted wires.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        let mut work: Vec<Lit> = Vec::with_capacity(lits.len());
        for &lit in lits {
            // A conjunction with a set is split up, so that its set can be intersected with others.
            match self.nodes[lit.node()] {
                Node::And(x, y)
                    if !lit.is_inverted() && (self.as_set(x).is_some() || self.as_set(y).is_some()) =>
                {
                    work.extend([x, y]);
                }
                _ => work.push(lit),
            }
        }
        work.sort_unstable();
        work.dedup();
        let sets: Vec<Lit> = work.iter().copied().filter(|l| self.as_set(*l).is_some()).collect();
        if sets.len() > 1 {
            work.retain(|l| !sets.contains(l));
            let mut met: Vec<Lit> = Vec::new();
            for role in 0..self.move_counts.len() as u32 {
                let own = sets.iter().copied().filter(|l| self.as_set(*l).is_some_and(|(r, ..)| r == role));
                let own: Vec<Lit> = own.collect();
                if let Some(lit) = self.meet_all(role, &own) {
                    met.push(lit);
                }
            }
            work.extend(met);
            work.sort_unstable();
        }
        if work.first() == Some(&Lit::FALSE) || work.windows(2).any(|w| w[0] == !w[1]) {
            return Lit::FALSE;
        }
        if !self.exclusions.is_empty() && !self.settle_exclusions(&mut work) {
            return Lit::FALSE;
        }
        if work.is_empty() {
            return Lit::TRUE;
        }
        while work.len() > 1 {
            let mut next = Vec::with_capacity(work.len().div_ceil(2));
            for pair in work.chunks(2) {
                next.push(if pair.len() == 2 { self.and(pair[0], pair[1]) } else { pair[0] });
            }
            work = next;
        }
        work[0]
    }

    /// Simplifies a conjunction by the exclusions. Returns `false` if the conjunction can never hold.
    fn settle_exclusions(&mut self, work: &mut Vec<Lit>) -> bool {
        let exclusions = self.exclusions();
        let fluent = |aig: &Aig, lit: Lit| match aig.nodes[lit.node()] {
            Node::Fluent(fluent) => Some(fluent),
            _ => None,
        };
        let mut holding: FxHashSet<u32> = FxHashSet::default();
        for &lit in work.iter().filter(|lit| !lit.is_inverted()) {
            for &group in fluent(self, lit).map_or(&[][..], |f| exclusions.of(f)) {
                if !holding.insert(group) {
                    return false;
                }
            }
        }
        let denied = |lit: Lit| fluent(self, lit).filter(|_| lit.is_inverted());
        // If one member of a group holds, the others are known not to hold.
        work.retain(|&lit| {
            denied(lit).is_none_or(|f| !exclusions.of(f).iter().any(|group| holding.contains(group)))
        });
        // If exactly one member of a group always holds, denying most members is the disjunction of the rest.
        let mut counts: std::collections::BTreeMap<u32, usize> = std::collections::BTreeMap::new();
        for fluent in work.iter().filter_map(|&lit| fluent(self, lit).filter(|_| lit.is_inverted())) {
            exclusions.of(fluent).iter().for_each(|&group| *counts.entry(group).or_default() += 1);
        }
        for (group, count) in counts {
            let Some(members) = exclusions.exact(group).filter(|all| count * 2 > all.len()) else { continue };
            let denied: Vec<Lit> = members.iter().map(|&f| !self.fluent(f)).collect();
            let others: Vec<Lit> = denied.iter().filter(|lit| !work.contains(lit)).map(|&lit| !lit).collect();
            // Another group may have removed some of them already.
            if denied.len() - others.len() == count {
                work.retain(|lit| !denied.contains(lit));
                let some = self.any(&others);
                if some == Lit::FALSE {
                    return false;
                }
                work.push(some);
            }
        }
        work.sort_unstable();
        work.dedup();
        true
    }

    /// Returns the intersection of many sets of one role, computed in one pass.
    fn meet_all(&mut self, role: u32, sets: &[Lit]) -> Option<Lit> {
        if sets.len() < 2 {
            return sets.first().copied();
        }
        let count = self.move_counts[role as usize] as usize;
        let mut within = vec![true; count];
        for &lit in sets {
            let (_, moves, inverted) = self.as_set(lit).expect("only sets are met");
            if inverted {
                moves.iter().for_each(|&m| within[m as usize] = false);
            } else {
                let mut member = vec![false; count];
                moves.iter().for_each(|&m| member[m as usize] = true);
                within.iter_mut().zip(member).for_each(|(w, m)| *w &= m);
            }
        }
        let moves = (0..count as u32).filter(|&m| within[m as usize]).collect();
        Some(self.moves(role, moves))
    }

    /// Returns the disjunction of all wires.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let inverted: Vec<Lit> = lits.iter().map(|&l| !l).collect();
        !self.all(&inverted)
    }

    /// Creates a latch of a region whose values are set later.
    pub fn latch(&mut self, region: u32, place: u32) -> Lit {
        self.push(Node::Latch(region, place))
    }

    /// Returns the conjuncts of a wire, found by descending through uninverted gates.
    pub fn conjuncts(&self, lit: Lit, limit: usize) -> Vec<Lit> {
        let (mut work, mut found) = (vec![lit], Vec::new());
        while let Some(lit) = work.pop() {
            match self.nodes[lit.node()] {
                Node::And(a, b) if !lit.is_inverted() && found.len() + work.len() < limit => {
                    found.push(lit);
                    work.extend([a, b]);
                }
                _ => found.push(lit),
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn most_moves_are_the_negation_of_the_few_others() {
        let mut aig = Aig::new(vec![5]);
        let most = aig.moves(0, vec![0, 1, 2, 3]);
        let last = aig.moves(0, vec![4]);
        assert_eq!(most, !last);
        assert_eq!(aig.moves(0, vec![0, 1, 2, 3, 4]), Lit::TRUE);
        let (a, b) = (aig.moves(0, vec![0]), aig.moves(0, vec![1]));
        assert_eq!(aig.and(a, b), Lit::FALSE);
        let both = aig.or(a, b);
        assert_eq!(both, aig.moves(0, vec![0, 1]));
    }

    #[test]
    fn gates_are_shared_and_folded() {
        let mut aig = Aig::new(vec![]);
        let (a, b, c) = (aig.fluent(0), aig.fluent(1), aig.fluent(2));
        let ab = aig.and(a, b);
        assert_eq!(ab, aig.and(b, a));
        assert_eq!(aig.and(a, ab), ab);
        assert_eq!(aig.and(!a, ab), Lit::FALSE);
        assert_eq!(aig.and(a, !ab), aig.and(a, !b));
        assert_eq!(aig.all(&[a, b, !a]), Lit::FALSE);
        assert_eq!(aig.any(&[a, !a, c]), Lit::TRUE);
    }
}
