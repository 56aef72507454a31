//! The basis of a net: a circuit, and what each move changes.
//!
//! If no set of moves holds, the next state is a function of the state alone: most fluents stay, some are
//! *restless*. A move changes only what depends on the sets that contain it. If only one role has a choice,
//! its move determines the moves of all roles, so the changes of each of its moves are computed once: a few
//! fluents become true or false, and a few depend on the state. This turns the step of a game with frame
//! axioms into a copy of the state under a mask.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::circuit::{Aig, Circuit, Lit, Node, Outputs, Restricted};

/// The maximum number of nodes visited while fluents are matched with the sets they depend on. If every
/// fluent depends on most of a large circuit, a net has no advantage.
const MAX_LOOKS: usize = 3_000_000;
/// The maximum number of nodes visited while plans are made, and the number of pairs of a move and a fluent
/// it may change that cost as much as one node.
const MAX_PLANNED: usize = 25_000_000;
const PAIRS_PER_LOOK: usize = 4;
/// The maximum number of nodes of the graphs of all phases that are combined.
const MOST_TOGETHER: usize = 60_000;
/// The maximum number of changes of all plans of a circuit.
const MOST_CHANGES: usize = 3_000_000;

/// A circuit prepared for single states.
pub(crate) struct Sketch {
    /// For each role, the moves that can be legal.
    pub candidates: Vec<Vec<u32>>,
    /// The graph, with wires for plans and restless fluents.
    pub aig: Arc<Aig>,
    pub outputs: Outputs,
    /// For each fluent, its next value if none of the sets holds; `None` if fluents depend on too much for
    /// that to be useful.
    pub still: Option<Vec<Lit>>,
    /// The number of sets.
    pub sets: usize,
    /// For each role and candidate, the sets that contain it.
    pub sets_of: Vec<Vec<Vec<u32>>>,
    /// For each set, the fluents whose next value depends on it.
    pub fluents_of: Vec<Vec<u32>>,
    /// The changes of each move of the only role that has a choice, if there is one.
    pub plans: Option<Plans>,
    /// The number of nodes before plans were made.
    unplanned: usize,
}

/// For each candidate of one role, the next values that differ from the still ones.
pub(crate) struct Plans {
    pub role: usize,
    pub changes: Vec<Vec<(u32, Lit)>>,
}

impl Sketch {
    /// Prepares a circuit, with plans if they are requested and not too large. Returns `None` for circuits
    /// with regions.
    pub fn new(circuit: &Circuit, planned: bool) -> Option<Sketch> {
        let Restricted { candidates, aig, outputs } = Restricted::new(circuit)?;
        let (sets, sets_of) = sets_of(&aig, candidates.iter().map(Vec::len));
        let unplanned = aig.len();
        let (still, fluents_of, plans) = (None, Vec::new(), None);
        let aig = Arc::new(aig);
        let mut sketch =
            Sketch { candidates, aig, outputs, still, sets, sets_of, fluents_of, plans, unplanned };
        sketch.untangle(planned);
        Some(sketch)
    }

    /// Computes what depends on moves, unless nearly everything does.
    fn untangle(&mut self, planned: bool) -> Option<()> {
        let aig = Arc::make_mut(&mut self.aig);
        let mut on_moves = vec![false; aig.len()];
        for number in 0..aig.len() {
            on_moves[number] = match aig.node(number) {
                Node::Set(_) => true,
                Node::And(a, b) => on_moves[a.node()] || on_moves[b.node()],
                Node::False | Node::Fluent(_) | Node::Latch(..) => false,
            };
        }
        let mut fluents_of = vec![Vec::new(); self.sets];
        let mut looks = MAX_LOOKS;
        for (fluent, &lit) in self.outputs.next.iter().enumerate() {
            for set in sets_below(aig, &on_moves, lit, &mut looks)? {
                fluents_of[set as usize].push(fluent as u32);
            }
        }
        let mut given = Given { memo: vec![(0, Lit::FALSE); on_moves.len()], on_moves, stamp: 1 };
        let mut looks = usize::MAX;
        let next = self.outputs.next.iter();
        let still = next.map(|&lit| given.wire(aig, lit, &[], &mut looks)).collect::<Option<Vec<Lit>>>()?;
        self.unplanned = aig.len();
        self.fluents_of = fluents_of;
        self.still = Some(still);
        if planned {
            self.plans = self.plan(&mut given);
        }
        Some(())
    }

    /// Combines the sketches of all phases in one graph, so that shared parts exist once. Returns `None` if
    /// some changes are not precomputed, or if the graph is too large.
    pub fn together(sketches: &[Sketch]) -> Option<Vec<Sketch>> {
        let planned = |s: &Sketch| s.still.is_some() && s.plans.is_some();
        let nodes: usize = sketches.iter().map(|s| s.aig.len()).sum();
        if sketches.len() < 2 || nodes > MOST_TOGETHER || !sketches.iter().all(planned) {
            return None;
        }
        // Each phase numbers its moves differently, so its roles become separate roles.
        let roles = sketches[0].candidates.len();
        let counts: Vec<usize> = sketches.iter().flat_map(|s| s.candidates.iter().map(Vec::len)).collect();
        let mut aig =
            Aig::with(counts.iter().map(|&count| count as u32).collect(), sketches[0].aig.exclusions());
        let mut maps = Vec::new();
        for (phase, sketch) in sketches.iter().enumerate() {
            let mut made = vec![Lit::FALSE; sketch.aig.len()];
            for number in 0..sketch.aig.len() {
                let of = |lit: Lit| made[lit.node()].invert_if(lit.is_inverted());
                made[number] = match sketch.aig.node(number) {
                    Node::False | Node::Latch(..) => Lit::FALSE,
                    Node::Fluent(fluent) => aig.fluent(fluent),
                    Node::And(a, b) => aig.and(of(a), of(b)),
                    Node::Set(set) => {
                        let (role, places) = sketch.aig.set(set);
                        aig.moves((phase * roles) as u32 + role, places.to_vec())
                    }
                };
            }
            maps.push(made);
        }
        let (sets, all) = sets_of(&aig, counts.into_iter());
        let (unplanned, aig) = (aig.len(), Arc::new(aig));
        let mut found = Vec::new();
        for ((sketch, made), sets_of) in sketches.iter().zip(maps).zip(all.chunks(roles)) {
            let of = |lit: Lit| made[lit.node()].invert_if(lit.is_inverted());
            let change = |list: &Vec<(u32, Lit)>| list.iter().map(|&(f, lit)| (f, of(lit))).collect();
            let plans = |p: &Plans| Plans { role: p.role, changes: p.changes.iter().map(change).collect() };
            found.push(Sketch {
                candidates: sketch.candidates.clone(),
                aig: Arc::clone(&aig),
                outputs: sketch.outputs.map(of),
                still: sketch.still.as_ref().map(|list| list.iter().map(|&lit| of(lit)).collect()),
                sets,
                sets_of: sets_of.to_vec(),
                fluents_of: Vec::new(),
                plans: sketch.plans.as_ref().map(plans),
                unplanned,
            });
        }
        Some(found)
    }

    /// Returns `true` if plans depend on so much that keeping it up to date cannot pay off.
    pub fn is_heavy(&self) -> bool {
        self.aig.len() > self.unplanned * 3
    }

    /// Computes the changes of moves, if only one role has a choice and they are not too many.
    fn plan(&mut self, given: &mut Given) -> Option<Plans> {
        let mut choosers = (0..self.candidates.len()).filter(|&r| self.candidates[r].len() > 1);
        let role = choosers.next()?;
        if choosers.next().is_some() || self.candidates.iter().any(Vec::is_empty) {
            return None;
        }
        let still = self.still.as_ref()?;
        let aig = Arc::make_mut(&mut self.aig);
        let mut looks = MAX_PLANNED;
        let mut room = MOST_CHANGES;
        let mut changes = Vec::with_capacity(self.candidates[role].len());
        // A next value depends only on those sets in its cone that contain the move, and many moves agree in
        // these.
        let mut made: FxHashMap<(u32, Box<[u32]>), Lit> = FxHashMap::default();
        let mut pairs: Vec<(u32, u32)> = Vec::new();
        for sets in &self.sets_of[role] {
            pairs.clear();
            for &set in sets {
                pairs.extend(self.fluents_of[set as usize].iter().map(|&fluent| (fluent, set)));
            }
            looks = looks.checked_sub(pairs.len() / PAIRS_PER_LOOK)?;
            pairs.sort_unstable();
            let mut own = Vec::new();
            for group in pairs.chunk_by(|a, b| a.0 == b.0) {
                let fluent = group[0].0;
                let holding: Box<[u32]> = group.iter().map(|(_, set)| *set).collect();
                let key = (fluent, holding);
                let lit = match made.get(&key) {
                    Some(&lit) => lit,
                    None => {
                        given.stamp += 1;
                        let lit = self.outputs.next[fluent as usize];
                        let lit = given.wire(aig, lit, &key.1, &mut looks)?;
                        made.insert(key, lit);
                        lit
                    }
                };
                if lit != still[fluent as usize] {
                    own.push((fluent, lit));
                }
            }
            room = room.checked_sub(own.len())?;
            changes.push(own);
        }
        Some(Plans { role, changes })
    }
}

/// Returns the number of sets of moves, and for each role and candidate the sets that contain it.
fn sets_of(aig: &Aig, candidates: impl Iterator<Item = usize>) -> (usize, Vec<Vec<Vec<u32>>>) {
    let mut found: Vec<Vec<Vec<u32>>> = candidates.map(|count| vec![Vec::new(); count]).collect();
    let mut sets = 0;
    for node in 0..aig.len() {
        if let Node::Set(set) = aig.node(node) {
            let (role, places) = aig.set(set);
            places.iter().for_each(|&p| found[role as usize][p as usize].push(set));
            sets = sets.max(set as usize + 1);
        }
    }
    (sets, found)
}

/// Wires under the assumption that exactly certain sets hold.
struct Given {
    on_moves: Vec<bool>,
    /// For each node that depends on moves, its wire, valid if the stamp matches.
    memo: Vec<(u32, Lit)>,
    stamp: u32,
}

impl Given {
    /// Returns the wire of the state that `lit` becomes if exactly these sets hold.
    fn wire(&mut self, aig: &mut Aig, lit: Lit, holding: &[u32], looks: &mut usize) -> Option<Lit> {
        let mut work = vec![lit.node()];
        while let Some(&node) = work.last() {
            if self.of(Lit::of(node)).is_some() {
                work.pop();
                continue;
            }
            *looks = looks.checked_sub(1)?;
            let made = match aig.node(node) {
                Node::Set(set) => Lit::FALSE.invert_if(holding.contains(&set)),
                Node::And(a, b) => match (self.of(a), self.of(b)) {
                    (Some(Lit::FALSE), _) | (_, Some(Lit::FALSE)) => Lit::FALSE,
                    (Some(a), Some(b)) => aig.and(a, b),
                    (None, _) => {
                        work.push(a.node());
                        continue;
                    }
                    (_, None) => {
                        work.push(b.node());
                        continue;
                    }
                },
                Node::False | Node::Fluent(_) | Node::Latch(..) => Lit::of(node),
            };
            self.memo[node] = (self.stamp, made);
            work.pop();
        }
        self.of(lit)
    }

    /// Returns the wire, if it is computed or does not depend on moves.
    fn of(&self, lit: Lit) -> Option<Lit> {
        if !self.on_moves[lit.node()] {
            return Some(lit);
        }
        let (stamp, made) = self.memo[lit.node()];
        (stamp == self.stamp).then_some(made.invert_if(lit.is_inverted()))
    }
}

/// Returns the sets of moves that a wire depends on.
fn sets_below(aig: &Aig, on_moves: &[bool], lit: Lit, looks: &mut usize) -> Option<Vec<u32>> {
    let mut seen = FxHashSet::default();
    let mut work = vec![lit.node()];
    let mut found = Vec::new();
    while let Some(node) = work.pop() {
        if !on_moves[node] || !seen.insert(node) {
            continue;
        }
        *looks = looks.checked_sub(1)?;
        match aig.node(node) {
            Node::Set(set) => found.push(set),
            Node::And(a, b) => work.extend([a.node(), b.node()]),
            _ => {}
        }
    }
    Some(found)
}
