//! A circuit restricted to the moves that can be legal.
//!
//! In the circuit of a phase most moves are never legal, for example those of the roles whose turn it is not.
//! Sets of moves are reduced to the others, and a set that contains all moves of a role, or none, becomes a
//! constant.

use super::{Aig, Circuit, Lit, Node, Outputs};

/// A circuit over the moves that can be legal. It has no regions.
pub(crate) struct Restricted {
    /// For each role, the moves that can be legal, by their numbers in the game.
    pub candidates: Vec<Vec<u32>>,
    /// The graph. Its sets contain indices of candidates.
    pub aig: Aig,
    /// The outputs. `legal` has one wire for each candidate.
    pub outputs: Outputs,
}

impl Restricted {
    /// Restricts a circuit. Returns `None` if the circuit has regions.
    pub fn new(circuit: &Circuit) -> Option<Restricted> {
        let from = &circuit.aig;
        if !from.regions.is_empty() {
            return None;
        }
        let old = &circuit.outputs;
        let possible = |list: &Vec<Lit>| -> Vec<u32> {
            (0..list.len() as u32).filter(|&m| list[m as usize] != Lit::FALSE).collect()
        };
        let candidates: Vec<Vec<u32>> = old.legal.iter().map(possible).collect();
        let mut needed = vec![false; from.len()];
        let wires = old.legal.iter().chain(&old.percepts).flatten().chain(&old.next);
        let goals = old.goals.iter().flatten().map(|(_, lit)| lit);
        wires.chain(goals).chain([&old.terminal]).for_each(|lit| needed[lit.node()] = true);
        mark_cone(from, &mut needed);
        let counts = candidates.iter().map(|list| list.len() as u32).collect();
        let mut aig = Aig::with(counts, from.exclusions());
        let mut made = vec![Lit::FALSE; from.len()];
        let of = |made: &[Lit], lit: Lit| made[lit.node()].invert_if(lit.is_inverted());
        for number in (0..from.len()).filter(|&n| needed[n]) {
            made[number] = match from.node(number) {
                Node::False | Node::Latch(..) => Lit::FALSE,
                Node::Fluent(fluent) => aig.fluent(fluent),
                Node::Set(set) => {
                    let (role, moves) = from.set(set);
                    let own = &candidates[role as usize];
                    let places = moves.iter().filter_map(|m| own.binary_search(m).ok());
                    let places = places.map(|place| place as u32).collect();
                    aig.moves(role, places)
                }
                Node::And(a, b) => {
                    let (a, b) = (of(&made, a), of(&made, b));
                    aig.and(a, b)
                }
            };
        }
        let all = |list: &[Lit]| -> Vec<Lit> { list.iter().map(|&lit| of(&made, lit)).collect() };
        let legal = old.legal.iter().zip(&candidates);
        let outputs = Outputs {
            terminal: of(&made, old.terminal),
            legal: legal.map(|(l, own)| own.iter().map(|&m| of(&made, l[m as usize])).collect()).collect(),
            next: all(&old.next),
            goals: old
                .goals
                .iter()
                .map(|l| l.iter().map(|&(g, lit)| (g, of(&made, lit))).collect())
                .collect(),
            percepts: old.percepts.iter().map(|list| all(list)).collect(),
        };
        Some(Restricted { candidates, aig, outputs })
    }
}

/// Marks everything that marked nodes depend on. Every node must come after its inputs.
pub(crate) fn mark_cone(aig: &Aig, marked: &mut [bool]) {
    for number in (0..aig.len()).rev() {
        if let Node::And(a, b) = aig.node(number)
            && marked[number]
        {
            marked[a.node()] = true;
            marked[b.node()] = true;
        }
    }
}
