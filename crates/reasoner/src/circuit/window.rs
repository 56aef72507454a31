//! Queries about a part of a graph.
//!
//! A window is the part of a graph below some wires, down to a size limit. Wires beyond the limit may have
//! any value. Whatever is impossible in a window is impossible in the graph; the converse need not hold, and
//! is never used. The window includes the facts about its fluents and, if wires depend on moves, what is
//! known about these: every role makes one legal move, and the state is not terminal.

use rustc_hash::FxHashMap;

use super::facts::{Fact, Facts};
use super::sat::{Answer, Literal, Solver, not};
use super::{Aig, Lit, Node};

/// The maximum number of conjuncts of a legal move that are used.
const CONJUNCTS: usize = 40;
/// The largest class of equivalent moves for which a clause says that one of them is legal.
const ALIKE: usize = 48;
/// Up to this number of literals, at-most-one constraints are encoded pairwise.
const PAIRWISE: usize = 6;

/// The work charged for a member of a set, in visited literals.
const COST_OF_MEMBER: u64 = 1;

/// What is known about the moves made.
pub(crate) struct Made {
    legal: Vec<Vec<Lit>>,
    /// For each role and move, the sorted conjuncts of its legality.
    implied: Vec<Vec<Vec<Lit>>>,
    /// For each role, the number of moves that can be legal.
    possible: Vec<usize>,
    /// The wires that hold in states that are not terminal.
    going_on: Vec<Lit>,
}

impl Made {
    pub fn new(aig: &Aig, legal: &[Vec<Lit>], terminal: Lit) -> Made {
        let conjuncts = |lit: Lit| {
            let mut list = aig.conjuncts(lit, CONJUNCTS);
            list.sort_unstable();
            list
        };
        Made {
            legal: legal.to_vec(),
            implied: legal.iter().map(|list| list.iter().map(|&lit| conjuncts(lit)).collect()).collect(),
            possible: legal.iter().map(|l| l.iter().filter(|&&lit| lit != Lit::FALSE).count()).collect(),
            going_on: aig.conjuncts(!terminal, CONJUNCTS).into_iter().filter(|l| !l.is_constant()).collect(),
        }
    }
}

/// A part of a graph, with a solver for it.
#[derive(Default)]
pub(crate) struct Window {
    pub solver: Solver,
    /// For each node, its literal, valid if the window number matches.
    literals: Vec<(u32, Literal)>,
    window: u32,
    /// The nodes of the window. Those before `expanded` are encoded together with their inputs.
    nodes: Vec<u32>,
    expanded: usize,
    /// The facts that were used.
    pub used: Vec<u32>,
    truth: Literal,
}

impl Window {
    /// Opens a window with at most `most` nodes below some wires, and as many again below what is known about
    /// moves.
    pub fn open(&mut self, aig: &Aig, facts: &Facts, made: Option<&Made>, roots: &[Lit], most: usize) {
        self.solver.clear();
        self.window += 1;
        self.nodes.clear();
        self.expanded = 0;
        self.used.clear();
        if self.literals.len() < aig.len() {
            self.literals.resize(aig.len(), (0, 0));
        }
        self.truth = self.solver.variable();
        self.solver.add(&[self.truth]);
        roots.iter().for_each(|&lit| {
            self.literal(lit);
        });
        self.expand(aig, most);
        if let Some(made) = made {
            self.moves(aig, made, most);
        }
        self.facts(aig, facts);
    }

    /// Returns `true` if it is proven that these wires cannot all hold.
    pub fn refute(&mut self, lits: &[Lit], most_conflicts: u32) -> bool {
        let assumed: Vec<Literal> = lits.iter().map(|&lit| self.literal(lit)).collect();
        self.solver.solve(&assumed, most_conflicts) == Answer::Impossible
    }

    /// Returns `true` if it is proven that at most one of these wires holds.
    pub fn exclusive(&mut self, lits: &[Lit], most_conflicts: u32) -> bool {
        if lits.len() <= 2 * PAIRWISE {
            let pairs = (1..lits.len()).flat_map(|i| (0..i).map(move |j| (i, j)));
            return pairs.into_iter().all(|(i, j)| self.refute(&[lits[i], lits[j]], most_conflicts));
        }
        // A sequential encoding: `again` says that a wire holds although an earlier one does.
        let (mut before, mut again) = (not(self.truth), Vec::new());
        for &lit in lits {
            let own = self.literal(lit);
            let (twice, so_far) = (self.solver.variable(), self.solver.variable());
            self.solver.add(&[not(twice), own]);
            self.solver.add(&[not(twice), before]);
            self.solver.add(&[not(so_far), before, own]);
            self.solver.add(&[so_far, not(before)]);
            self.solver.add(&[so_far, not(own)]);
            again.push(twice);
            before = so_far;
        }
        self.solver.add(&again);
        self.solver.solve(&[], most_conflicts.saturating_mul(lits.len() as u32)) == Answer::Impossible
    }

    /// Returns the literal of a wire, and adds its node to the window.
    fn literal(&mut self, lit: Lit) -> Literal {
        let node = lit.node();
        let known = match self.literals[node] {
            (window, literal) if window == self.window => literal,
            _ => {
                let literal = if node == 0 { not(self.truth) } else { self.solver.variable() };
                self.literals[node] = (self.window, literal);
                self.nodes.push(node as u32);
                literal
            }
        };
        known ^ u32::from(lit.is_inverted())
    }

    fn known(&self, lit: Lit) -> Option<Literal> {
        let (window, literal) = self.literals[lit.node()];
        (window == self.window).then_some(literal ^ u32::from(lit.is_inverted()))
    }

    /// Encodes gates and adds their inputs to the window, those nearest to the roots first. Each gate becomes
    /// three clauses (Tseitin encoding).
    fn expand(&mut self, aig: &Aig, most: usize) {
        let most = self.expanded + most;
        while self.expanded < self.nodes.len() && self.expanded < most {
            let node = self.nodes[self.expanded] as usize;
            self.expanded += 1;
            if let Node::And(a, b) = aig.node(node) {
                let own = self.literal(Lit::of(node));
                let (a, b) = (self.literal(a), self.literal(b));
                self.solver.add(&[not(own), a]);
                self.solver.add(&[not(own), b]);
                self.solver.add(&[own, not(a), not(b)]);
            }
        }
    }

    /// Encodes what is known about the moves made. Moves that belong to the same sets of the window are
    /// equivalent.
    fn moves(&mut self, aig: &Aig, made: &Made, most: usize) {
        let roles = made.legal.len();
        let mut sets_of: Vec<FxHashMap<u32, Vec<u32>>> = vec![FxHashMap::default(); roles];
        let mut sets: Vec<(usize, u32)> = Vec::new();
        for &node in &self.nodes {
            if let Node::Set(number) = aig.node(node as usize) {
                let (role, moves) = aig.set(number);
                self.solver.work += moves.len() as u64 * COST_OF_MEMBER;
                for &m in moves.iter().filter(|m| made.legal[role as usize][**m as usize] != Lit::FALSE) {
                    sets_of[role as usize].entry(m).or_default().push(sets.len() as u32);
                }
                sets.push((role as usize, node));
            }
        }
        let mut members: Vec<Vec<Literal>> = vec![Vec::new(); sets.len()];
        for (role, own) in sets_of.iter().enumerate() {
            let mut moves: Vec<u32> = own.keys().copied().collect();
            moves.sort_unstable();
            let mut classes: FxHashMap<&[u32], usize> = FxHashMap::default();
            let mut alike: Vec<(&[u32], Vec<u32>)> = Vec::new();
            for m in moves {
                let key = &own[&m][..];
                let class = *classes.entry(key).or_insert_with(|| {
                    alike.push((key, Vec::new()));
                    alike.len() - 1
                });
                alike[class].1.push(m);
            }
            let mut all: Vec<Literal> = Vec::with_capacity(alike.len() + 1);
            for (key, moves) in &alike {
                let class = self.solver.variable();
                all.push(class);
                for &set in *key {
                    members[set as usize].push(class);
                }
                self.legal(class, made, role, moves);
            }
            if own.len() < made.possible[role] {
                all.push(self.solver.variable());
            }
            self.at_most_one(&all);
            if !all.is_empty() {
                self.solver.add(&all);
            }
        }
        for ((_, node), mut classes) in sets.into_iter().zip(members) {
            let own = self.literal(Lit::of(node as usize));
            for &class in &classes {
                self.solver.add(&[not(class), own]);
            }
            classes.push(not(own));
            self.solver.add(&classes);
        }
        for &lit in &made.going_on {
            let simple = match aig.node(lit.node()) {
                Node::Fluent(_) => true,
                Node::And(a, b) => [a, b].iter().all(|l| matches!(aig.node(l.node()), Node::Fluent(_))),
                _ => false,
            };
            if simple || self.known(lit).is_some() {
                let own = self.literal(lit);
                self.solver.add(&[own]);
            }
        }
        self.expand(aig, most);
    }

    /// Encodes that if one of these moves of a role is made, it is legal.
    fn legal(&mut self, class: Literal, made: &Made, role: usize, moves: &[u32]) {
        let implied = |m: u32| &made.implied[role][m as usize];
        let mut common = implied(moves[0]).clone();
        for &m in &moves[1..] {
            if common.is_empty() {
                break;
            }
            common.retain(|lit| implied(m).binary_search(lit).is_ok());
        }
        for lit in common {
            let lit = self.literal(lit);
            self.solver.add(&[not(class), lit]);
        }
        if (2..=ALIKE).contains(&moves.len()) {
            let mut clause = vec![not(class)];
            clause.extend(moves.iter().map(|&m| self.literal(made.legal[role][m as usize])));
            self.solver.add(&clause);
        }
    }

    fn at_most_one(&mut self, literals: &[Literal]) {
        if literals.len() <= PAIRWISE {
            for i in 1..literals.len() {
                for j in 0..i {
                    self.solver.add(&[not(literals[i]), not(literals[j])]);
                }
            }
            return;
        }
        // A binary encoding: each literal implies the bits of its own number.
        let bits = usize::BITS - (literals.len() - 1).leading_zeros();
        for bit in 0..bits {
            let own = self.solver.variable();
            for (number, &literal) in literals.iter().enumerate() {
                self.solver.add(&[not(literal), own ^ u32::from(number >> bit & 1 == 0)]);
            }
        }
    }

    /// Encodes the facts about the fluents in the window.
    fn facts(&mut self, aig: &Aig, facts: &Facts) {
        let mut fluents: FxHashMap<u32, Literal> = FxHashMap::default();
        let mut order = Vec::new();
        for &node in &self.nodes {
            if let Node::Fluent(fluent) = aig.node(node as usize) {
                fluents.insert(fluent, self.literals[node as usize].1);
                order.push(fluent);
            }
        }
        let mut numbers: Vec<u32> = order.iter().flat_map(|&f| facts.about(f)).copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        for number in numbers {
            let Some(fact) = facts.get(number) else { continue };
            let of = |list: &[u32]| -> Vec<Literal> {
                list.iter().filter_map(|f| fluents.get(f).copied()).collect()
            };
            match fact {
                Fact::AtMostOne(members) => {
                    let own = of(members);
                    if own.len() < 2 {
                        continue;
                    }
                    self.at_most_one(&own);
                }
                Fact::Some(members) => {
                    let own = of(members);
                    if own.len() < members.len() {
                        continue;
                    }
                    self.solver.add(&own);
                }
                Fact::Same(a, b, inverted) => {
                    let (Some(&a), Some(&b)) = (fluents.get(a), fluents.get(b)) else { continue };
                    let b = b ^ u32::from(*inverted);
                    self.solver.add(&[not(a), b]);
                    self.solver.add(&[a, not(b)]);
                }
                Fact::Constant(a, value) => {
                    let Some(&a) = fluents.get(a) else { continue };
                    self.solver.add(&[a ^ u32::from(!*value)]);
                }
            }
            self.used.push(number);
        }
    }
}
