//! Values of the wires for one state.

use game::{Goal, MoveId, PerceptId};

use super::net::{NONE, Net};
use crate::circuit::{Lit, Node};
use crate::lanes::LaneState;

/// What the wires of a net are for the last state asked about.
pub(crate) struct Values {
    state: LaneState,
    values: Vec<bool>,
    /// Gates to be looked at, one bit each, and a summary of the words in use.
    pending: Vec<u64>,
    /// For each role one bit per move.
    legal: Vec<Vec<u64>>,
    /// Values of wires that depend on moves, valid where the stamp is right.
    made: Vec<(u32, bool)>,
    set_stamps: Vec<u32>,
    fluent_stamps: Vec<u32>,
    stamp: u32,
    work: Vec<u32>,
}

impl Values {
    /// The values of an empty state.
    pub fn new(net: &Net, fluents: usize, move_counts: &[usize]) -> Values {
        let count = net.nodes.len();
        let mut all = Values {
            state: LaneState::empty(fluents),
            values: vec![false; count],
            pending: vec![0; count.div_ceil(64)],
            legal: move_counts.iter().map(|&n| vec![0; n.div_ceil(64)]).collect(),
            made: vec![(0, false); count],
            set_stamps: vec![0; net.set_count],
            fluent_stamps: vec![0; fluents],
            stamp: 0,
            work: Vec::new(),
        };
        for (number, node) in net.nodes.iter().enumerate() {
            if let Node::And(a, b) = *node
                && !net.lazy[number]
            {
                all.values[number] = all.value(a) && all.value(b);
            }
        }
        for (role, list) in net.always_legal.iter().enumerate() {
            list.iter().for_each(|&m| all.legal[role][m as usize / 64] |= 1 << (m % 64));
        }
        for (&node, list) in &net.decides {
            for &(role, m, inverted) in list {
                if all.values[node as usize] != inverted {
                    all.legal[role as usize][m as usize / 64] |= 1 << (m % 64);
                }
            }
        }
        all
    }

    #[inline]
    fn value(&self, lit: Lit) -> bool {
        self.values[lit.node()] != lit.is_inverted()
    }

    /// Goes to a state, following what differs.
    pub fn enter(&mut self, net: &Net, state: &LaneState) {
        let mut first = usize::MAX;
        for word in 0..state.0.len() {
            let mut differ = self.state.0[word] ^ state.0[word];
            while differ != 0 {
                let fluent = word * 64 + differ.trailing_zeros() as usize;
                differ &= differ - 1;
                let node = net.fluents[fluent];
                if node != NONE {
                    self.toggle(net, node as usize, &mut first);
                }
            }
        }
        self.state.0.copy_from_slice(&state.0);
        let mut word = first;
        while word < self.pending.len() {
            let bits = self.pending[word];
            if bits == 0 {
                word += 1;
                continue;
            }
            let node = word * 64 + bits.trailing_zeros() as usize;
            self.pending[word] = bits & (bits - 1);
            if let Node::And(a, b) = net.nodes[node] {
                let value = self.value(a) && self.value(b);
                if value != self.values[node] {
                    self.toggle(net, node, &mut first);
                }
            }
        }
    }

    /// Turns a wire over and marks the gates that read it.
    #[inline]
    fn toggle(&mut self, net: &Net, node: usize, first: &mut usize) {
        self.values[node] = !self.values[node];
        for &gate in net.fanouts(node) {
            let word = gate as usize / 64;
            self.pending[word] |= 1 << (gate % 64);
            *first = word.min(*first);
        }
        if net.is_deciding[node] {
            for &(role, m, _) in &net.decides[&(node as u32)] {
                self.legal[role as usize][m as usize / 64] ^= 1 << (m % 64);
            }
        }
    }

    pub fn is_about(&self, state: &LaneState) -> bool {
        self.state == *state
    }

    pub fn terminal(&self, net: &Net) -> bool {
        self.value(net.terminal)
    }

    /// Fills `moves` with the legal moves of a role.
    pub fn legal(&self, role: usize, moves: &mut Vec<MoveId>) {
        moves.clear();
        for (word, &bits) in self.legal[role].iter().enumerate() {
            let mut rest = bits;
            while rest != 0 {
                moves.push(MoveId(word as u32 * 64 + rest.trailing_zeros()));
                rest &= rest - 1;
            }
        }
    }

    /// The one goal value of a role.
    pub fn goal(&mut self, net: &Net, role: usize) -> Option<Goal> {
        self.begin(net, &[]);
        let mut goal = None;
        for &(value, lit) in &net.goals[role] {
            if self.evaluate(net, lit) {
                if goal.is_some() {
                    return None;
                }
                goal = Some(value);
            }
        }
        goal
    }

    /// All goal values of a role.
    pub fn goal_values(&mut self, net: &Net, role: usize) -> Vec<Goal> {
        self.begin(net, &[]);
        let goals = net.goals[role].iter();
        goals.filter(|(_, lit)| self.evaluate(net, *lit)).map(|&(value, _)| value).collect()
    }

    fn begin(&mut self, net: &Net, joint: &[MoveId]) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.made.fill((0, false));
            self.set_stamps.fill(0);
            self.fluent_stamps.fill(0);
            self.stamp = 1;
        }
        for (role, m) in joint.iter().enumerate() {
            for &set in &net.sets_of[role][m.0 as usize] {
                self.set_stamps[set as usize] = self.stamp;
            }
        }
    }

    /// The state after a joint move.
    pub fn next(&mut self, net: &Net, joint: &[MoveId]) -> LaneState {
        self.begin(net, joint);
        let mut next = self.state.clone();
        for &fluent in &net.restless {
            self.step(net, fluent, &mut next);
        }
        for (role, m) in joint.iter().enumerate() {
            for &set in &net.sets_of[role][m.0 as usize] {
                for &fluent in &net.fluents_of[set as usize] {
                    self.step(net, fluent, &mut next);
                }
            }
        }
        next
    }

    #[inline]
    fn step(&mut self, net: &Net, fluent: u32, next: &mut LaneState) {
        if std::mem::replace(&mut self.fluent_stamps[fluent as usize], self.stamp) != self.stamp {
            let value = self.evaluate(net, net.next[fluent as usize]);
            next.set(fluent as usize, value);
        }
    }

    pub fn percepts(&mut self, net: &Net, joint: &[MoveId], role: usize, percepts: &mut Vec<PerceptId>) {
        self.begin(net, joint);
        for (number, &lit) in net.percepts[role].iter().enumerate() {
            if self.evaluate(net, lit) {
                percepts.push(PerceptId(number as u32));
            }
        }
    }

    /// The value of a wire that may depend on the moves made.
    fn evaluate(&mut self, net: &Net, lit: Lit) -> bool {
        if !net.lazy[lit.node()] {
            return self.value(lit);
        }
        self.work.clear();
        self.work.push(lit.node() as u32);
        while let Some(&node) = self.work.last() {
            let node = node as usize;
            if self.made[node].0 == self.stamp {
                self.work.pop();
                continue;
            }
            let value = match net.nodes[node] {
                Node::Set(set) => self.set_stamps[set as usize] == self.stamp,
                Node::And(a, b) => match self.known(net, a) {
                    Some(false) => false,
                    Some(true) => match self.known(net, b) {
                        Some(value) => value,
                        None => {
                            self.work.push(b.node() as u32);
                            continue;
                        }
                    },
                    // The other side may settle it without this one.
                    None if self.known(net, b) == Some(false) => false,
                    None => {
                        self.work.push(a.node() as u32);
                        continue;
                    }
                },
                _ => self.values[node],
            };
            self.made[node] = (self.stamp, value);
            self.work.pop();
        }
        self.made[lit.node()].1 != lit.is_inverted()
    }

    #[inline]
    fn known(&self, net: &Net, lit: Lit) -> Option<bool> {
        if !net.lazy[lit.node()] {
            return Some(self.value(lit));
        }
        let (stamp, value) = self.made[lit.node()];
        (stamp == self.stamp).then_some(value != lit.is_inverted())
    }
}
