//! Sixty-four random games at once, one bit per game. Wires that differ in these games need no proof.

use game::{Rng, Seed};

use super::{Circuit, Lit, Node};

/// Random games of a circuit.
pub(crate) struct Simulation<'a> {
    circuit: &'a Circuit,
    rng: Rng,
    /// For each fluent, its value in each game.
    pub state: Vec<u64>,
    initial: Vec<u64>,
    /// For each node, its value in each game.
    pub values: Vec<u64>,
    /// For each role and move, the games in which it is made.
    made: Vec<Vec<u64>>,
    /// For each region, its first node and the one after its last.
    regions: Vec<(usize, usize)>,
    /// The number of nodes, moves and members of sets visited so far.
    pub looks: usize,
}

impl<'a> Simulation<'a> {
    /// Creates games that begin in the initial state.
    pub fn new(circuit: &'a Circuit, initial: &[bool]) -> Simulation<'a> {
        let initial: Vec<u64> = initial.iter().map(|&b| if b { u64::MAX } else { 0 }).collect();
        let extent = |region: &super::Region| {
            let from = region.latches.iter().copied().min().unwrap_or(0) as usize;
            let last =
                region.values.iter().map(|lit| lit.node()).chain(region.latches.iter().map(|&n| n as usize));
            (from, last.max().unwrap_or(0) + 1)
        };
        Simulation {
            circuit,
            rng: Seed(7).derive_name("simulation").rng(),
            state: initial.clone(),
            initial,
            values: vec![0; circuit.aig.len()],
            made: circuit.outputs.legal.iter().map(|list| vec![0; list.len()]).collect(),
            regions: circuit.aig.regions.iter().map(extent).collect(),
            looks: 0,
        }
    }

    /// Returns the value of a wire in each game.
    pub fn read(&self, lit: Lit) -> u64 {
        self.values[lit.node()] ^ if lit.is_inverted() { u64::MAX } else { 0 }
    }

    /// Evaluates some nodes. A set of moves holds in the games in which one of its moves is made.
    fn evaluate(&mut self, from: usize, to: usize) {
        self.looks += to - from;
        for number in from..to {
            self.values[number] = match self.circuit.aig.node(number) {
                Node::False => 0,
                Node::Fluent(fluent) => self.state[fluent as usize],
                Node::Set(set) => {
                    let (role, moves) = self.circuit.aig.set(set);
                    let made = &self.made[role as usize];
                    self.looks += moves.len();
                    moves.iter().fold(0, |all, &m| all | made[m as usize])
                }
                Node::And(a, b) => self.read(a) & self.read(b),
                Node::Latch(..) => self.values[number],
            };
        }
    }

    fn evaluate_all(&mut self) {
        let mut place = 0;
        for number in 0..self.regions.len() {
            let (from, to) = self.regions[number];
            if from < place {
                continue;
            }
            self.evaluate(place, from);
            let region = &self.circuit.aig.regions[number];
            region.latches.iter().for_each(|&latch| self.values[latch as usize] = 0);
            loop {
                self.evaluate(from, to);
                let region = &self.circuit.aig.regions[number];
                let next: Vec<u64> = region.values.iter().map(|&lit| self.read(lit)).collect();
                let mut changed = false;
                for (&latch, value) in region.latches.iter().zip(next) {
                    changed |= self.values[latch as usize] != value;
                    self.values[latch as usize] = value;
                }
                if !changed {
                    break;
                }
            }
            place = to;
        }
        self.evaluate(place, self.circuit.aig.len());
    }

    /// Returns the number of nodes, moves and members of sets that a step visits.
    pub fn cost(circuit: &Circuit) -> usize {
        let aig = &circuit.aig;
        let members = |number: usize| match aig.node(number) {
            Node::Set(set) => aig.set(set).1.len(),
            _ => 0,
        };
        let moves: usize = circuit.outputs.legal.iter().map(Vec::len).sum();
        aig.len() + moves + (0..aig.len()).map(members).sum::<usize>()
    }

    /// Evaluates the state, and chooses a random legal move for every role. Returns the games that continue.
    pub fn look(&mut self) -> u64 {
        self.made.iter_mut().for_each(|list| list.fill(0));
        self.evaluate_all();
        let mut going_on = !self.read(self.circuit.outputs.terminal);
        for role in 0..self.made.len() {
            let legal = &self.circuit.outputs.legal[role];
            self.looks += legal.len();
            let mut counts = [0u32; 64];
            let each = |mut bits: u64, act: &mut dyn FnMut(usize)| {
                while bits != 0 {
                    act(bits.trailing_zeros() as usize);
                    bits &= bits - 1;
                }
            };
            for &lit in legal.iter().filter(|&&lit| lit != Lit::FALSE) {
                each(self.read(lit), &mut |game| counts[game] += 1);
            }
            let mut left = [0u32; 64];
            for game in 0..64 {
                if counts[game] == 0 {
                    going_on &= !(1 << game);
                } else {
                    left[game] = self.rng.below(counts[game] as usize) as u32 + 1;
                }
            }
            for (number, &lit) in legal.iter().enumerate() {
                let mut made = 0;
                if lit != Lit::FALSE {
                    each(self.read(lit), &mut |game| {
                        made |= u64::from(left[game] == 1) << game;
                        left[game] = left[game].wrapping_sub(1);
                    });
                }
                self.made[role][number] = made;
            }
        }
        if self.made.iter().any(|list| list.is_empty()) {
            going_on = 0;
        }
        self.evaluate_all();
        going_on
    }

    /// Advances to the next state. Games that do not continue start again.
    pub fn step(&mut self, going_on: u64) {
        let next: Vec<u64> = self.circuit.outputs.next.iter().map(|&lit| self.read(lit)).collect();
        for ((own, next), initial) in self.state.iter_mut().zip(next).zip(&self.initial) {
            *own = next & going_on | initial & !going_on;
        }
    }
}
