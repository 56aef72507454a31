//! A circuit laid out for single states.

use game::Goal;
use rustc_hash::FxHashMap;

use crate::circuit::{Aig, Circuit, Lit, Node};

/// A circuit of one phase with everything precomputed that does not change.
pub(crate) struct Net {
    /// The nodes, in topological order.
    pub nodes: Vec<Node>,
    /// Whether a node is computed only when it is asked for: it depends on the
    /// moves made, or nothing but goals needs it.
    pub lazy: Vec<bool>,
    fanout_starts: Vec<u32>,
    fanouts: Vec<u32>,
    /// For each fluent its node, if it has one.
    pub fluents: Vec<u32>,
    /// For each node the legal moves it decides: role, move, inverted.
    pub decides: FxHashMap<u32, Vec<(u32, u32, bool)>>,
    /// Whether a node decides any.
    pub is_deciding: Vec<bool>,
    /// Moves that are legal in every state of the phase.
    pub always_legal: Vec<Vec<u32>>,
    pub terminal: Lit,
    pub goals: Vec<Vec<(Goal, Lit)>>,
    pub percepts: Vec<Vec<Lit>>,
    pub next: Vec<Lit>,
    /// Fluents whose next value must be computed whatever is done.
    pub restless: Vec<u32>,
    /// For each role and move the sets it is in.
    pub sets_of: Vec<Vec<Vec<u32>>>,
    /// For each set the fluents whose next value depends on it.
    pub fluents_of: Vec<Vec<u32>>,
    pub set_count: usize,
}

/// Nodes looked at while fluents are matched with the sets they depend on. Where
/// every fluent depends on most of a large circuit, a net would gain nothing.
const MAX_LOOKS: usize = 3_000_000;

/// Stands where a fluent has no node.
pub(crate) const NONE: u32 = u32::MAX;

impl Net {
    /// Lays a circuit out; circuits with regions, or too entangled ones, are not for this evaluator.
    pub fn new(circuit: &Circuit, fluents: usize, move_counts: &[usize]) -> Option<Net> {
        let aig = &circuit.aig;
        if !aig.regions.is_empty() {
            return None;
        }
        let nodes: Vec<Node> = (0..aig.len()).map(|n| aig.node(n)).collect();
        let outputs = &circuit.outputs;
        let mut on_moves = vec![false; nodes.len()];
        let mut fluent_nodes = vec![NONE; fluents];
        for (number, node) in nodes.iter().enumerate() {
            match *node {
                Node::Fluent(f) => fluent_nodes[f as usize] = number as u32,
                Node::Set(_) => on_moves[number] = true,
                Node::And(a, b) => on_moves[number] = on_moves[a.node()] || on_moves[b.node()],
                Node::False | Node::Latch(..) => {}
            }
        }
        let asked = outputs.legal.iter().chain(&outputs.percepts).flatten().chain(&outputs.next);
        let needed = cone(&nodes, asked.copied().chain([outputs.terminal]));
        let lazy: Vec<bool> = (0..nodes.len())
            .map(|n| on_moves[n] || (!needed[n] && matches!(nodes[n], Node::And(..))))
            .collect();
        let mut degree = vec![0u32; nodes.len() + 1];
        for (number, node) in nodes.iter().enumerate() {
            if let Node::And(a, b) = *node
                && !lazy[number]
            {
                degree[a.node() + 1] += 1;
                degree[b.node() + 1] += 1;
            }
        }
        for n in 0..nodes.len() {
            degree[n + 1] += degree[n];
        }
        let mut fill = degree.clone();
        let mut fanouts = vec![0u32; degree[nodes.len()] as usize];
        for (number, node) in nodes.iter().enumerate() {
            if let Node::And(a, b) = *node
                && !lazy[number]
            {
                for input in [a, b] {
                    fanouts[fill[input.node()] as usize] = number as u32;
                    fill[input.node()] += 1;
                }
            }
        }
        let mut decides: FxHashMap<u32, Vec<(u32, u32, bool)>> = FxHashMap::default();
        let mut always_legal = vec![Vec::new(); outputs.legal.len()];
        for (role, list) in outputs.legal.iter().enumerate() {
            for (number, &lit) in list.iter().enumerate() {
                if lit == Lit::TRUE {
                    always_legal[role].push(number as u32);
                } else if lit != Lit::FALSE {
                    let entry = (role as u32, number as u32, lit.is_inverted());
                    decides.entry(lit.node() as u32).or_default().push(entry);
                }
            }
        }
        let is_deciding = (0..nodes.len()).map(|n| decides.contains_key(&(n as u32))).collect();
        let moving = outputs.next.iter().chain(outputs.percepts.iter().flatten()).copied();
        let moving = cone(&nodes, moving);
        let used: Vec<(usize, u32)> = nodes
            .iter()
            .enumerate()
            .filter_map(|(n, node)| match node {
                Node::Set(set) if moving[n] => Some((n, *set)),
                _ => None,
            })
            .collect();
        let set_count = used.iter().map(|(_, set)| *set as usize + 1).max().unwrap_or(0);
        let mut sets_of: Vec<Vec<Vec<u32>>> = move_counts.iter().map(|&n| vec![Vec::new(); n]).collect();
        for &(_, set) in &used {
            let (role, moves) = aig.set(set);
            moves.iter().for_each(|&m| sets_of[role as usize][m as usize].push(set));
        }
        let mut fluents_of = vec![Vec::new(); set_count];
        let mut restless = Vec::new();
        let mut looks = MAX_LOOKS;
        let mut still = Still { aig, bare: Aig::new(Vec::new()), made: FxHashMap::default() };
        for (fluent, &lit) in outputs.next.iter().enumerate() {
            for set in sets_below(&nodes, &on_moves, lit, &mut looks)? {
                fluents_of[set as usize].push(fluent as u32);
            }
            let bare = still.without_moves(lit);
            let own = still.bare.fluent(fluent as u32);
            if bare != own {
                restless.push(fluent as u32);
            }
        }
        Some(Net {
            lazy,
            fanout_starts: degree,
            fanouts,
            fluents: fluent_nodes,
            decides,
            is_deciding,
            always_legal,
            terminal: outputs.terminal,
            goals: outputs.goals.clone(),
            percepts: outputs.percepts.clone(),
            next: outputs.next.clone(),
            restless,
            sets_of,
            fluents_of,
            set_count,
            nodes,
        })
    }

    /// The gates that read a node and depend on the state alone.
    #[inline]
    pub fn fanouts(&self, node: usize) -> &[u32] {
        &self.fanouts[self.fanout_starts[node] as usize..self.fanout_starts[node + 1] as usize]
    }
}

/// Wires as they are when none of the sets holds.
struct Still<'a> {
    aig: &'a Aig,
    bare: Aig,
    made: FxHashMap<usize, Lit>,
}

impl Still<'_> {
    fn without_moves(&mut self, lit: Lit) -> Lit {
        let mut work = vec![lit.node()];
        while let Some(&node) = work.last() {
            let made = match self.aig.node(node) {
                _ if self.made.contains_key(&node) => {
                    work.pop();
                    continue;
                }
                Node::False | Node::Set(_) | Node::Latch(..) => Lit::FALSE,
                Node::Fluent(f) => self.bare.fluent(f),
                Node::And(a, b) => {
                    let missing = [a, b].into_iter().find(|l| !self.made.contains_key(&l.node()));
                    if let Some(missing) = missing {
                        work.push(missing.node());
                        continue;
                    }
                    let of = |l: Lit| self.made[&l.node()].invert_if(l.is_inverted());
                    let (a, b) = (of(a), of(b));
                    self.bare.and(a, b)
                }
            };
            self.made.insert(node, made);
            work.pop();
        }
        self.made[&lit.node()].invert_if(lit.is_inverted())
    }
}

/// The nodes that some wires depend on.
fn cone(nodes: &[Node], lits: impl Iterator<Item = Lit>) -> Vec<bool> {
    let mut within = vec![false; nodes.len()];
    lits.for_each(|lit| within[lit.node()] = true);
    for n in (0..nodes.len()).rev() {
        if let Node::And(a, b) = nodes[n]
            && within[n]
        {
            within[a.node()] = true;
            within[b.node()] = true;
        }
    }
    within
}

/// The sets of moves that a wire depends on.
fn sets_below(nodes: &[Node], on_moves: &[bool], lit: Lit, looks: &mut usize) -> Option<Vec<u32>> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![lit.node()];
    let mut found = Vec::new();
    while let Some(node) = work.pop() {
        if !on_moves[node] || !seen.insert(node) {
            continue;
        }
        *looks = looks.checked_sub(1)?;
        match nodes[node] {
            Node::Set(set) => found.push(set),
            Node::And(a, b) => work.extend([a.node(), b.node()]),
            _ => {}
        }
    }
    Some(found)
}
