//! The translation from ground rules to a circuit.

use std::sync::Arc;

use game::{Deadline, Goal};
use rustc_hash::FxHashMap;

use super::exclusion::Exclusions;
use super::store::{Source, Store};
use super::strays::StrayWires;
use super::{Aig, Circuits, Lit, NoCircuits, Region};
use crate::ground::{AtomId, AtomKind, Ground};
use crate::making::{Making, Progress, Stopped};

/// The wires that answer the questions about a state.
#[derive(Debug, Clone, Default)]
pub struct Outputs {
    /// Holds if the match is over.
    pub terminal: Lit,
    /// For each role and move, the wire that holds if the move is legal.
    pub legal: Vec<Vec<Lit>>,
    /// For each stored fluent, the wire that holds if the fluent holds next.
    pub next: Vec<Lit>,
    /// For each role, the goal values and their wires.
    pub goals: Vec<Vec<(Goal, Lit)>>,
    /// For each role, the wires of its percepts.
    pub percepts: Vec<Vec<Lit>>,
}

impl Default for Lit {
    fn default() -> Lit {
        Lit::FALSE
    }
}

/// A circuit: a graph and its outputs.
#[derive(Debug, Clone)]
pub struct Circuit {
    /// The graph.
    pub aig: Aig,
    /// Its outputs.
    pub outputs: Outputs,
}

impl Circuit {
    /// Builds the circuit of ground rules within limits. Stored fluents with a known value become constants.
    pub fn build(
        ground: &Ground,
        store: &Store,
        known: &[Option<bool>],
        allowed: Allowed<'_>,
    ) -> Result<Circuit, NoCircuits> {
        Circuit::build_with(ground, store, known, None, allowed).0
    }

    /// Builds the circuit and the wires of strays, on which no output depends.
    pub(crate) fn build_with_strays(
        ground: &Ground,
        store: &Store,
        known: &[Option<bool>],
        allowed: Allowed<'_>,
    ) -> Result<(Circuit, StrayWires), NoCircuits> {
        let mut builder = Builder::new(ground, store, known, None, allowed);
        let outputs = builder.outputs();
        let mut wires = |list: &[AtomId]| list.iter().map(|&a| builder.wire(a)).collect();
        let strays = StrayWires { next: wires(&ground.strays.next), legal: wires(&ground.strays.legal) };
        match builder.gave_up {
            None => Ok((Circuit { aig: builder.aig, outputs }, strays)),
            Some(why) => Err(why),
        }
    }

    /// Returns for each clause of the sheet the number of gates that were created for its instances. A gate
    /// that several instances need counts for the first of them. The gates that join the instances of an atom
    /// are divided among their clauses in proportion to the numbers of instances. Clauses beyond the end have
    /// none.
    pub fn gates_by_clause(ground: &Ground, circuits: &Circuits) -> Vec<f64> {
        let (store, known) = (&circuits.store, &circuits.known);
        let (_, gates) = Circuit::build_with(ground, store, known, Some(Vec::new()), Allowed::default());
        gates.unwrap_or_default()
    }

    fn build_with(
        ground: &Ground,
        store: &Store,
        known: &[Option<bool>],
        gates: Option<Vec<f64>>,
        allowed: Allowed<'_>,
    ) -> (Result<Circuit, NoCircuits>, Option<Vec<f64>>) {
        let mut builder = Builder::new(ground, store, known, gates, allowed);
        let outputs = builder.outputs();
        let circuit = match builder.gave_up {
            None => Ok(Circuit { aig: builder.aig, outputs }),
            Some(why) => Err(why),
        };
        (circuit, builder.gates)
    }

    /// Returns the number of gates of the graph.
    pub fn gate_count(&self) -> usize {
        (0..self.aig.len()).filter(|&n| matches!(self.aig.node(n), super::Node::And(..))).count()
    }
}

/// Limits for building a circuit. `None` means no limit.
#[derive(Debug, Clone, Copy, Default)]
pub struct Allowed<'a> {
    /// The maximum number of nodes.
    pub nodes: Option<usize>,
    /// The maximum number of literals of instances that may be visited.
    pub literals: Option<u64>,
    /// The preparation of the game that the circuit is part of.
    pub making: Option<&'a Making>,
}

impl Allowed<'_> {
    /// Reports the number of nodes to the observer. Fails once the deadline has passed.
    pub(crate) fn look(&self, nodes: usize) -> Result<(), Stopped> {
        self.making.map_or(Ok(()), |making| making.look(Progress::Circuit(nodes)))
    }

    /// Returns the deadline.
    pub(crate) fn deadline(&self) -> Deadline {
        self.making.map_or_else(Deadline::never, |making| making.deadline.clone())
    }
}

/// The number of literals between two checks of the limits.
const LOOK: u64 = 4_096;

struct Builder<'g> {
    ground: &'g Ground,
    store: &'g Store,
    known: &'g [Option<bool>],
    aig: Aig,
    wires: Vec<Option<Lit>>,
    /// For each move, the wires that hold whenever it is made, because it must be legal.
    implied: FxHashMap<(u32, u32), Vec<Lit>>,
    /// The number of gates created for each clause, if they are counted.
    gates: Option<Vec<f64>>,
    allowed: Allowed<'g>,
    /// The number of literals of instances visited so far.
    literals: u64,
    /// Why building stopped. Wires created afterwards are meaningless.
    gave_up: Option<NoCircuits>,
}

impl<'g> Builder<'g> {
    fn new(
        ground: &'g Ground,
        store: &'g Store,
        known: &'g [Option<bool>],
        gates: Option<Vec<f64>>,
        allowed: Allowed<'g>,
    ) -> Builder<'g> {
        let counts: Vec<u32> = ground.moves.iter().map(|m| m.len() as u32).collect();
        Builder {
            ground,
            store,
            known,
            aig: Aig::with(counts, Arc::new(Exclusions::new(&store.stored_facts()))),
            wires: vec![None; ground.atoms()],
            implied: FxHashMap::default(),
            gates,
            allowed,
            literals: 0,
            gave_up: None,
        }
    }

    /// Returns the wires of all outputs.
    fn outputs(&mut self) -> Outputs {
        let (ground, store) = (self.ground, self.store);
        let legal: Vec<Vec<Lit>> =
            ground.legal.iter().map(|list| list.iter().map(|&a| self.wire(a)).collect()).collect();
        for (role, list) in legal.iter().enumerate() {
            for (number, &lit) in list.iter().enumerate() {
                let conjuncts = self.aig.conjuncts(lit, 200);
                self.implied.insert((role as u32, number as u32), conjuncts);
            }
        }
        let terminal = ground.terminal.map_or(Lit::FALSE, |a| self.wire(a));
        let goals =
            ground.goals.iter().map(|l| l.iter().map(|&(v, a)| (v, self.wire(a))).collect()).collect();
        let next = store.fluents.iter().map(|&f| ground.next[f as usize]);
        let next = next.map(|a| a.map_or(Lit::FALSE, |a| self.wire(a))).collect();
        let percepts =
            ground.percepts.iter().map(|l| l.iter().map(|&(_, a)| self.wire(a)).collect()).collect();
        Outputs { terminal, legal, next, goals, percepts }
    }

    /// Counts literals, and checks the limits from time to time.
    fn count(&mut self, literals: usize) {
        let before = self.literals / LOOK;
        self.literals += literals as u64;
        if self.literals / LOOK == before || self.gave_up.is_some() {
            return;
        }
        let Allowed { nodes, literals, .. } = self.allowed;
        if nodes.is_some_and(|most| self.aig.len() > most)
            || literals.is_some_and(|most| self.literals > most)
        {
            self.gave_up = Some(NoCircuits::TooLarge);
        }
        if self.allowed.look(self.aig.len()).is_err() {
            self.gave_up = Some(NoCircuits::Stopped);
        }
    }

    /// Attributes the gates created since there were `before` nodes to some clauses, in equal parts.
    fn book(&mut self, before: usize, clauses: impl ExactSizeIterator<Item = u32>) {
        let Some(gates) = &mut self.gates else { return };
        let is_gate = |&n: &usize| matches!(self.aig.node(n), super::Node::And(..));
        let made = (before..self.aig.len()).filter(is_gate).count();
        let share = made as f64 / clauses.len() as f64;
        for clause in clauses.filter(|_| made > 0) {
            if clause as usize >= gates.len() {
                gates.resize(clause as usize + 1, 0.0);
            }
            gates[clause as usize] += share;
        }
    }

    /// Returns the wire of an atom, and creates everything it depends on. Visits the strongly connected
    /// components with Tarjan's algorithm, without recursion.
    fn wire(&mut self, root: AtomId) -> Lit {
        if let Some(lit) = self.wires[root.index()] {
            return lit;
        }
        let mut index: FxHashMap<u32, (u32, u32)> = FxHashMap::default();
        let mut stack: Vec<AtomId> = Vec::new();
        let mut work: Vec<(AtomId, Vec<AtomId>, usize)> = Vec::new();
        let mut next = 0u32;
        let open = |builder: &Self, atom: AtomId| -> Vec<AtomId> {
            let mut needs: Vec<AtomId> = Vec::new();
            for instance in builder.ground.instances(atom) {
                needs.extend(
                    instance.body.iter().map(|l| l.atom()).filter(|a| builder.wires[a.index()].is_none()),
                );
            }
            needs.sort_unstable();
            needs.dedup();
            needs
        };
        self.leaf(root);
        if let Some(lit) = self.wires[root.index()] {
            return lit;
        }
        let needs = open(self, root);
        index.insert(root.0, (next, next));
        next += 1;
        stack.push(root);
        work.push((root, needs, 0));
        while let Some((atom, needs, position)) = work.last_mut() {
            if self.gave_up.is_some() {
                return Lit::FALSE;
            }
            let atom = *atom;
            if let Some(&need) = needs.get(*position) {
                *position += 1;
                if self.wires[need.index()].is_some() {
                    continue;
                }
                self.leaf(need);
                if self.wires[need.index()].is_some() {
                    continue;
                }
                if let Some(&(order, _)) = index.get(&need.0) {
                    let own = index.get_mut(&atom.0).expect("atoms at work are numbered");
                    own.1 = own.1.min(order);
                } else {
                    index.insert(need.0, (next, next));
                    next += 1;
                    stack.push(need);
                    let needs = open(self, need);
                    work.push((need, needs, 0));
                }
                continue;
            }
            work.pop();
            let (order, low) = index[&atom.0];
            if let Some((parent, ..)) = work.last() {
                let up = index.get_mut(&parent.0).expect("atoms at work are numbered");
                up.1 = up.1.min(low);
            }
            if order == low {
                let from =
                    stack.iter().rposition(|a| *a == atom).expect("the component's root is on the stack");
                let members = stack.split_off(from);
                self.component(&members);
            }
        }
        self.wires[root.index()].expect("the root's component is finished")
    }

    /// Creates the wire of an atom that is an input.
    fn leaf(&mut self, atom: AtomId) {
        let lit = match self.ground.kinds[atom.index()] {
            AtomKind::Derived => return,
            AtomKind::Fluent(number) => match &self.store.sources[number as usize] {
                Source::Constant(value) => Lit::FALSE.invert_if(*value),
                Source::Stored(number, inverted) => self.stored(*number).invert_if(*inverted),
                Source::NoneOf(numbers) => {
                    let none: Vec<Lit> = numbers.iter().map(|&n| !self.stored(n)).collect();
                    self.aig.all(&none)
                }
            },
            AtomKind::Does(role, number) => self.aig.moves(role, vec![number]),
        };
        self.wires[atom.index()] = Some(lit);
    }

    /// Returns the wire of a stored fluent.
    fn stored(&mut self, number: u32) -> Lit {
        match self.known[number as usize] {
            Some(value) => Lit::FALSE.invert_if(value),
            None => self.aig.fluent(number),
        }
    }

    fn component(&mut self, members: &[AtomId]) {
        self.count(members.len());
        if self.gave_up.is_some() {
            members.iter().for_each(|atom| self.wires[atom.index()] = Some(Lit::FALSE));
            return;
        }
        let own = |a: AtomId| a == members[0];
        let recursive = members.len() > 1
            || self.ground.instances(members[0]).any(|i| i.body.iter().any(|l| own(l.atom())));
        if !recursive {
            let lit = self.disjunction(members[0]);
            self.wires[members[0].index()] = Some(lit);
            return;
        }
        let number = self.aig.regions.len() as u32;
        let mut region = Region::default();
        for (place, atom) in members.iter().enumerate() {
            let latch = self.aig.latch(number, place as u32);
            self.wires[atom.index()] = Some(latch);
            region.latches.push(latch.node() as u32);
        }
        self.aig.regions.push(Region::default());
        for &atom in members {
            region.values.push(self.disjunction(atom));
        }
        self.aig.regions[number as usize] = region;
    }

    fn disjunction(&mut self, atom: AtomId) -> Lit {
        let ground = self.ground;
        let mut alternatives = Vec::new();
        let mut body = Vec::new();
        // Instances that differ in only one move become one instance with a set of moves.
        let mut by_rest: FxHashMap<(Vec<Lit>, u32), (Vec<u32>, u32)> = FxHashMap::default();
        let mut order: Vec<(Vec<Lit>, u32)> = Vec::new();
        'instances: for instance in ground.instances(atom) {
            self.count(1 + instance.body.len());
            if self.gave_up.is_some() {
                return Lit::FALSE;
            }
            body.clear();
            let mut does: Option<(u32, u32)> = None;
            let mut single = true;
            for literal in instance.body {
                if let AtomKind::Does(role, number) = ground.kinds[literal.atom().index()]
                    && !literal.is_negative()
                {
                    single &= does.is_none();
                    does = Some((role, number));
                }
                let lit =
                    self.wires[literal.atom().index()].expect("atoms are wired before those that need them");
                body.push(lit.invert_if(literal.is_negative()));
            }
            if let Some(made) = does
                && single
            {
                let own = self.aig.moves(made.0, vec![made.1]);
                if let Some(implied) = self.implied.get(&made) {
                    if body.iter().any(|l| implied.contains(&!*l)) {
                        continue 'instances;
                    }
                    body.retain(|l| !implied.contains(l));
                }
                body.retain(|l| *l != own);
                body.sort_unstable();
                let key = (body.clone(), made.0);
                let moves = by_rest.entry(key.clone()).or_insert_with(|| {
                    order.push(key);
                    (Vec::new(), instance.clause)
                });
                moves.0.push(made.1);
                continue;
            }
            let before = self.aig.len();
            let lit = self.aig.all(&body);
            self.book(before, [instance.clause].into_iter());
            alternatives.push(lit);
        }
        for key in order {
            let (moves, clause) = by_rest.remove(&key).expect("every key was entered once");
            let before = self.aig.len();
            let mut all = key.0;
            all.push(self.aig.moves(key.1, moves));
            let lit = self.aig.all(&all);
            self.book(before, [clause].into_iter());
            alternatives.push(lit);
        }
        let before = self.aig.len();
        let lit = self.aig.any(&alternatives);
        if self.gates.is_some() {
            let clauses: Vec<u32> = ground.instances(atom).map(|i| i.clause).collect();
            self.book(before, clauses.into_iter());
        }
        lit
    }
}
