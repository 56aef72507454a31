//! SAT sweeping (fraiging): wires that are equal in every reachable state are merged.
//!
//! Random games, and random states that satisfy the facts, give every wire a signature. Wires with the same
//! signature may be equal; those that are proven equal in a window are merged. Wires that depend on the state
//! alone are compared in all states that satisfy the facts. Wires that depend on moves are compared for legal
//! moves of every role in states that are not terminal.

use rustc_hash::FxHashMap;

use super::facts::Facts;
use super::samples::Signatures;
use super::window::{Made, Window};
use super::{Aig, Allowed, Circuit, Lit, Node, Outputs, Region};
use crate::making::Stopped;

/// The maximum number of nodes of a window.
const WINDOW: usize = 250;
/// The maximum number of conflicts of one query.
const CONFLICTS: u32 = 30;
/// The number of literals that all queries about a circuit may visit, for each node and in total.
const WORK_PER_NODE: u64 = 2_000;
const WORK: u64 = 20_000_000;
/// The number of wires with the same signature that a wire is compared with.
const TRIES: usize = 2;

/// Merges equal wires of a circuit, as many as the counted work allows. Fails once the deadline has passed.
pub(crate) fn sweep(
    circuit: &Circuit,
    signatures: &Signatures,
    facts: &Facts,
    allowed: Allowed<'_>,
) -> Result<Circuit, Stopped> {
    let from = &circuit.aig;
    let mut sweeper = Sweeper {
        aig: Aig::with(from.move_counts().to_vec(), from.exclusions()),
        made: vec![Lit::FALSE; from.len()],
        alike: [FxHashMap::default(), FxHashMap::default()],
        window: Window::default(),
        facts,
        signatures,
        moves: None,
        allowed,
        most_work: (from.len() as u64 * WORK_PER_NODE).min(WORK),
    };
    let on_moves = &signatures.on_moves;
    for pass in [false, true] {
        for number in (0..from.len()).filter(|&n| on_moves[n] == pass) {
            sweeper.node(from, number, pass)?;
        }
        if !pass {
            let wires = |list: &Vec<Lit>| list.iter().map(|&lit| sweeper.of(lit)).collect();
            let legal: Vec<Vec<Lit>> = circuit.outputs.legal.iter().map(wires).collect();
            let terminal = sweeper.of(circuit.outputs.terminal);
            sweeper.moves = Some(Made::new(&sweeper.aig, &legal, terminal));
        }
    }
    let regions: Vec<Region> = from
        .regions
        .iter()
        .map(|region| Region {
            latches: region.latches.iter().map(|&n| sweeper.made[n as usize].node() as u32).collect(),
            values: region.values.iter().map(|&lit| sweeper.of(lit)).collect(),
        })
        .collect();
    let outputs = circuit.outputs.map(|lit| sweeper.of(lit));
    sweeper.aig.regions = regions;
    Ok(compact(&Circuit { aig: sweeper.aig, outputs }))
}

struct Sweeper<'a> {
    aig: Aig,
    /// For each node of the old circuit, its wire in the swept one.
    made: Vec<Lit>,
    /// For each signature, the wires that have it: those that depend on the state alone, and those that
    /// depend on moves.
    alike: [FxHashMap<u64, Vec<Lit>>; 2],
    window: Window,
    facts: &'a Facts,
    signatures: &'a Signatures,
    moves: Option<Made>,
    most_work: u64,
    allowed: Allowed<'a>,
}

impl Sweeper<'_> {
    fn is_exhausted(&self) -> bool {
        self.window.solver.work > self.most_work
    }

    fn of(&self, lit: Lit) -> Lit {
        self.made[lit.node()].invert_if(lit.is_inverted())
    }

    fn node(&mut self, from: &Aig, number: usize, on_moves: bool) -> Result<(), Stopped> {
        let before = self.aig.len();
        let lit = match from.node(number) {
            Node::False => Lit::FALSE,
            Node::Fluent(fluent) => self.aig.fluent(fluent),
            Node::Set(set) => {
                let (role, moves) = from.set(set);
                self.aig.moves(role, moves.to_vec())
            }
            Node::Latch(region, place) => self.aig.latch(region, place),
            Node::And(a, b) => {
                let (a, b) = (self.of(a), self.of(b));
                self.aig.and(a, b)
            }
        };
        self.made[number] = lit;
        // A wire that existed before is already among those that others are compared with.
        if lit.is_constant() || self.aig.len() == before {
            return Ok(());
        }
        let Some((signature, inverted)) = self.signatures.of(number) else { return Ok(()) };
        let own = lit.invert_if(inverted);
        let is_gate = matches!(from.node(number), Node::And(..));
        if is_gate && !self.is_exhausted() {
            let own_table = self.alike[1].get(&signature).filter(|_| on_moves);
            let state = self.alike[0].get(&signature);
            let others: Vec<Lit> =
                state.into_iter().chain(own_table).flatten().copied().take(TRIES).collect();
            for other in others {
                self.allowed.look(self.aig.len())?;
                if other.node() != own.node() && self.equal(own, other, on_moves) {
                    self.made[number] = other.invert_if(inverted);
                    return Ok(());
                }
            }
        }
        self.alike[usize::from(on_moves)].entry(signature).or_default().push(own);
        Ok(())
    }

    fn equal(&mut self, a: Lit, b: Lit, on_moves: bool) -> bool {
        let moves = self.moves.as_ref().filter(|_| on_moves);
        self.window.open(&self.aig, self.facts, moves, &[a, b], WINDOW);
        self.window.refute(&[a, !b], CONFLICTS) && self.window.refute(&[!a, b], CONFLICTS)
    }
}

/// Returns the circuit without the nodes that no output depends on.
pub(crate) fn compact(circuit: &Circuit) -> Circuit {
    let from = &circuit.aig;
    let mut needed = vec![false; from.len()];
    let mut work: Vec<usize> = Vec::new();
    circuit.outputs.each(|lit| work.push(lit.node()));
    while let Some(node) = work.pop() {
        if std::mem::replace(&mut needed[node], true) {
            continue;
        }
        match from.node(node) {
            Node::And(a, b) => work.extend([a.node(), b.node()]),
            Node::Latch(region, _) => {
                let region = &from.regions[region as usize];
                work.extend(region.values.iter().map(|lit| lit.node()));
                work.extend(region.latches.iter().map(|&n| n as usize));
            }
            Node::False | Node::Fluent(_) | Node::Set(_) => {}
        }
    }
    let kept: Vec<usize> = (0..from.regions.len())
        .filter(|&r| from.regions[r].latches.iter().any(|&n| needed[n as usize]))
        .collect();
    let mut aig = Aig::with(from.move_counts().to_vec(), from.exclusions());
    let mut made = vec![Lit::FALSE; from.len()];
    let of = |made: &[Lit], lit: Lit| made[lit.node()].invert_if(lit.is_inverted());
    for number in (0..from.len()).filter(|&n| needed[n]) {
        made[number] = match from.node(number) {
            Node::False => Lit::FALSE,
            Node::Fluent(fluent) => aig.fluent(fluent),
            Node::Set(set) => {
                let (role, moves) = from.set(set);
                aig.moves(role, moves.to_vec())
            }
            Node::Latch(region, place) => {
                let region = kept.binary_search(&(region as usize)).expect("needed regions are kept");
                aig.latch(region as u32, place)
            }
            Node::And(a, b) => {
                let (a, b) = (of(&made, a), of(&made, b));
                aig.and(a, b)
            }
        };
    }
    aig.regions = kept
        .iter()
        .map(|&r| Region {
            latches: from.regions[r].latches.iter().map(|&n| made[n as usize].node() as u32).collect(),
            values: from.regions[r].values.iter().map(|&lit| of(&made, lit)).collect(),
        })
        .collect();
    let outputs = circuit.outputs.map(|lit| of(&made, lit));
    Circuit { aig, outputs }
}

impl Outputs {
    /// Replaces every wire.
    pub(crate) fn map(&self, wire: impl Fn(Lit) -> Lit) -> Outputs {
        let list = |list: &Vec<Lit>| list.iter().map(|&lit| wire(lit)).collect();
        Outputs {
            terminal: wire(self.terminal),
            legal: self.legal.iter().map(list).collect(),
            next: list(&self.next),
            goals: self.goals.iter().map(|l| l.iter().map(|&(g, lit)| (g, wire(lit))).collect()).collect(),
            percepts: self.percepts.iter().map(list).collect(),
        }
    }

    /// Calls `act` for every wire.
    pub(crate) fn each(&self, mut act: impl FnMut(Lit)) {
        let wires = self.legal.iter().chain(&self.percepts).flatten().chain(&self.next);
        let goals = self.goals.iter().flatten().map(|(_, lit)| lit);
        wires.chain(goals).chain([&self.terminal]).for_each(|&lit| act(lit));
    }
}
