//! The programs of one phase.
//!
//! A step runs in parts: `view` (legal moves and their counts), `choose` (from drawn numbers to moves made),
//! `next` (the following state), `terminal` (of the next phase, on that state) and, if games have ended,
//! `goals`.

use game::{Goal, MoveId};

use super::bits::{Area, Bits, Val};
use super::chooser::{GROUP, GROUPED_FROM, Tree};
use super::exec::Exec;
use super::portable::Plane;
use super::wiring::{Moves, Wiring};
use crate::circuit::{Circuit, Lit, Node};
use crate::making::{Pause, Stopped};
use rustc_hash::FxHashMap;

/// The programs, and the layout of the work area they share.
pub(crate) struct PhaseCode {
    pub terminal: Exec,
    pub view: Exec,
    /// Terminal and the legal moves, without counts.
    pub look: Exec,
    pub choose: Exec,
    pub next: Exec,
    pub goals: Exec,
    pub percepts: Exec,
    /// For each role, the moves that can be legal in this phase.
    pub candidates: Vec<Vec<u32>>,
    /// For each role, the tree over its candidates; `None` if it has at most one.
    pub trees: Vec<Option<Tree>>,
    /// For each role, the first plane of its legal moves.
    pub legal: Vec<usize>,
    /// For each role, the first plane of its drawn numbers.
    pub drawn: Vec<usize>,
    /// For each role, the first plane of its moves made.
    pub made: Vec<usize>,
    /// For each role with a grouped choice, the planes of the sets that contain its candidates.
    sets: Vec<Option<Sets>>,
    /// The planes of these sets.
    pub set_planes: std::ops::Range<usize>,
    /// For each role, its goal values with their planes.
    pub goal_planes: Vec<Vec<(Goal, usize)>>,
    /// Roles with their nonzero goal values, and the planes of these.
    pub goal_terms: Vec<(usize, i64, usize)>,
    /// The plane of games in which some role has no goal or several.
    pub irregular: usize,
    /// For each role, the plane of its first percept.
    pub percept_planes: Vec<usize>,
    /// For each role, the number of possible percepts.
    pub percept_counts: Vec<usize>,
    /// The number of planes of work memory.
    pub work: usize,
}

/// For each candidate a list of planes.
struct Sets {
    /// The end of the list of each candidate.
    ends: Vec<u32>,
    planes: Vec<u32>,
}

/// The plane of games that are over.
pub(crate) const TERMINAL: usize = 0;

impl PhaseCode {
    /// Compiles a circuit. Calls `pause` regularly.
    pub fn new(circuit: &Circuit, pause: Pause<'_>) -> Result<PhaseCode, Stopped> {
        let outputs = &circuit.outputs;
        let candidates: Vec<Vec<u32>> = outputs
            .legal
            .iter()
            .map(|list| (0..list.len() as u32).filter(|&m| list[m as usize] != Lit::FALSE).collect())
            .collect();
        let mut end = 1;
        let mut reserve = |count: usize| {
            end += count;
            end - count
        };
        let is_grouped = |list: &[u32]| list.len() >= GROUPED_FROM;
        // The last group is padded to full length with moves that are never legal.
        let room =
            |list: &[u32]| if is_grouped(list) { list.len().next_multiple_of(GROUP) } else { list.len() };
        let legal: Vec<usize> = candidates.iter().map(|c| reserve(room(c))).collect();
        let made: Vec<usize> =
            candidates.iter().map(|c| if is_grouped(c) { 0 } else { reserve(c.len()) }).collect();
        let mut sets: Vec<Vec<Vec<u32>>> = candidates
            .iter()
            .map(|c| if is_grouped(c) { vec![Vec::new(); c.len()] } else { Vec::new() })
            .collect();
        let mut set_planes: FxHashMap<u32, usize> = FxHashMap::default();
        let first_set = reserve(0);
        for number in used_sets(circuit) {
            let (role, moves) = circuit.aig.set(number);
            let own = &candidates[role as usize];
            if is_grouped(own) {
                let plane = reserve(1);
                set_planes.insert(number, plane);
                for place in moves.iter().filter_map(|m| own.binary_search(m).ok()) {
                    sets[role as usize][place].push(plane as u32);
                }
            }
        }
        let mut trees = Vec::new();
        let mut drawn = Vec::new();
        for (role, list) in candidates.iter().enumerate() {
            if list.len() < 2 {
                trees.push(None);
                drawn.push(0);
                continue;
            }
            let tree = Tree::new(list.len(), legal[role], 0);
            let first = reserve(tree.end);
            let tree = Tree::new(list.len(), legal[role], first);
            drawn.push(reserve(tree.width));
            trees.push(Some(tree));
        }
        let goal_planes: Vec<Vec<(Goal, usize)>> =
            outputs.goals.iter().map(|l| l.iter().map(|&(value, _)| (value, reserve(1))).collect()).collect();
        let irregular = reserve(1);
        let percept_planes: Vec<usize> = outputs.percepts.iter().map(|l| reserve(l.len())).collect();
        let scratch = end;

        let mut wiring = Wiring::new(&circuit.aig, None);
        let over = wiring.val(outputs.terminal);
        wiring.bits.write(over, Area::Work, TERMINAL);
        let compile = |bits: &Bits| Exec::new(bits, scratch, pause);
        let terminal = compile(&wiring.bits)?;

        // Blocks need legal moves and their counts. Single states need terminal and legal moves.
        let look = |counted: bool| {
            let mut wiring = Wiring::new(&circuit.aig, None);
            if !counted {
                let over = wiring.val(outputs.terminal);
                wiring.bits.write(over, Area::Work, TERMINAL);
            }
            for (role, list) in candidates.iter().enumerate() {
                let moves: Vec<Val> =
                    list.iter().map(|&m| wiring.val(outputs.legal[role][m as usize])).collect();
                if let Some(tree) = trees[role].as_ref().filter(|_| counted) {
                    tree.count(&mut wiring.bits, &moves, legal[role]);
                    continue;
                }
                for (i, &val) in moves.iter().enumerate() {
                    wiring.bits.write(val, Area::Work, legal[role] + i);
                }
            }
            compile(&wiring.bits)
        };
        let (view, look) = (look(true)?, look(false)?);

        let mut bits = Bits::new();
        for (role, tree) in trees.iter().enumerate() {
            match tree {
                Some(tree) => tree.walk(&mut bits, drawn[role], made[role]),
                None if candidates[role].is_empty() => {}
                None => bits.write(Val::TRUE, Area::Work, made[role]),
            }
        }
        let choose = compile(&bits)?;

        let moves = || Some(Moves { candidates: &candidates, planes: &made, sets: &set_planes });
        let mut wiring = Wiring::new(&circuit.aig, moves());
        for (fluent, &lit) in outputs.next.iter().enumerate() {
            let val = wiring.val(lit);
            wiring.bits.write(val, Area::Next, fluent);
        }
        let next = compile(&wiring.bits)?;

        let mut wiring = Wiring::new(&circuit.aig, None);
        for (role, list) in outputs.goals.iter().enumerate() {
            for (i, &(_, lit)) in list.iter().enumerate() {
                let val = wiring.val(lit);
                wiring.bits.write(val, Area::Work, goal_planes[role][i].1);
            }
        }
        let regular: Vec<Val> = outputs
            .goals
            .iter()
            .map(|list| {
                let vals: Vec<Val> = list.iter().map(|&(_, lit)| wiring.val(lit)).collect();
                just_one(&mut wiring.bits, &vals)
            })
            .collect();
        let other: Vec<Val> = regular.into_iter().map(|v| !v).collect();
        let other = wiring.bits.any(&other);
        wiring.bits.write(other, Area::Work, irregular);
        let goals = compile(&wiring.bits)?;

        let mut wiring = Wiring::new(&circuit.aig, moves());
        for (role, list) in outputs.percepts.iter().enumerate() {
            for (i, &lit) in list.iter().enumerate() {
                let val = wiring.val(lit);
                wiring.bits.write(val, Area::Work, percept_planes[role] + i);
            }
        }
        let percepts = compile(&wiring.bits)?;

        let work = [&terminal, &view, &look, &choose, &next, &goals, &percepts]
            .iter()
            .map(|e| e.work)
            .max()
            .unwrap_or(scratch);
        Ok(PhaseCode {
            terminal,
            view,
            look,
            choose,
            next,
            goals,
            percepts,
            trees,
            legal,
            drawn,
            made,
            sets: sets.into_iter().map(Sets::new).collect(),
            set_planes: first_set..first_set + set_planes.len(),
            goal_terms: terms(&goal_planes),
            goal_planes,
            irregular,
            percept_planes,
            percept_counts: outputs.percepts.iter().map(Vec::len).collect(),
            work: work.max(scratch),
            candidates,
        })
    }

    /// Returns `true` if the moves of a role are chosen by groups.
    #[inline(always)]
    pub fn is_grouped(&self, role: usize) -> bool {
        self.sets[role].is_some()
    }

    /// Returns the planes of the sets that contain a candidate, for a role with a grouped choice.
    #[inline(always)]
    pub fn sets_of(&self, role: usize, candidate: usize) -> &[u32] {
        let Some(sets) = &self.sets[role] else { return &[] };
        let Some(&end) = sets.ends.get(candidate) else { return &[] };
        let start = if candidate == 0 { 0 } else { sets.ends[candidate - 1] };
        &sets.planes[start as usize..end as usize]
    }

    /// Writes the joint moves of the first lanes where `next` and `percepts` read them. A move that is not a
    /// candidate is ignored.
    pub fn make<'a, const W: usize>(
        &self,
        work: &mut [Plane<W>],
        joints: impl Iterator<Item = &'a [MoveId]>,
    ) {
        for (role, candidates) in self.candidates.iter().enumerate() {
            if !self.is_grouped(role) {
                work[self.made[role]..self.made[role] + candidates.len()].fill([0; W]);
            }
        }
        work[self.set_planes.clone()].fill([0; W]);
        for (lane, joint) in joints.enumerate() {
            let (word, bit) = (lane / 64, 1u64 << (lane % 64));
            for (role, mv) in joint.iter().enumerate() {
                let Ok(place) = self.candidates[role].binary_search(&mv.0) else { continue };
                if !self.is_grouped(role) {
                    work[self.made[role] + place][word] |= bit;
                } else {
                    for &plane in self.sets_of(role, place) {
                        work[plane as usize][word] |= bit;
                    }
                }
            }
        }
    }

    /// Returns the numbers of operations of the parts of one step: terminal, view, choose, next.
    pub fn parts(&self) -> [usize; 4] {
        [self.terminal.operations, self.view.operations, self.choose.operations, self.next.operations]
    }

    /// Returns the size of the machine code of one step in bytes.
    pub fn bytes(&self) -> usize {
        self.terminal.bytes + self.view.bytes + self.choose.bytes + self.next.bytes
    }

    /// Returns the number of operations of one step.
    pub fn operations(&self) -> usize {
        self.terminal.operations + self.view.operations + self.choose.operations + self.next.operations
    }
}

impl Sets {
    fn new(lists: Vec<Vec<u32>>) -> Option<Sets> {
        let mut sets = Sets { ends: Vec::with_capacity(lists.len()), planes: Vec::new() };
        for list in &lists {
            sets.planes.extend(list);
            sets.ends.push(sets.planes.len() as u32);
        }
        (!lists.is_empty()).then_some(sets)
    }
}

/// Returns the goals that contribute to sums.
fn terms(goal_planes: &[Vec<(Goal, usize)>]) -> Vec<(usize, i64, usize)> {
    let of_role = |(role, planes): (usize, &Vec<(Goal, usize)>)| {
        let goals = planes.iter().filter(|(goal, _)| *goal != 0);
        goals.map(|&(goal, plane)| (role, i64::from(goal), plane)).collect::<Vec<_>>()
    };
    goal_planes.iter().enumerate().flat_map(of_role).collect()
}

/// Returns where exactly one of these holds.
fn just_one(bits: &mut Bits, vals: &[Val]) -> Val {
    let (mut once, mut twice) = (Val::FALSE, Val::FALSE);
    for &val in vals {
        let again = bits.and(once, val);
        twice = bits.or(twice, again);
        once = bits.or(once, val);
    }
    bits.and(once, !twice)
}

/// Returns the sets of moves that the next state or percepts depend on.
fn used_sets(circuit: &Circuit) -> Vec<u32> {
    let outputs = &circuit.outputs;
    let mut seen = vec![false; circuit.aig.len()];
    let mut work: Vec<usize> =
        outputs.next.iter().chain(outputs.percepts.iter().flatten()).map(|l| l.node()).collect();
    let mut found = Vec::new();
    while let Some(node) = work.pop() {
        if std::mem::replace(&mut seen[node], true) {
            continue;
        }
        match circuit.aig.node(node) {
            Node::Set(number) => found.push(number),
            Node::And(a, b) => work.extend([a.node(), b.node()]),
            Node::Latch(region, _) => {
                work.extend(circuit.aig.regions[region as usize].values.iter().map(|l| l.node()));
            }
            Node::False | Node::Fluent(_) => {}
        }
    }
    found.sort_unstable();
    found
}
