//! The values of the wires for one state.

use game::{Goal, MoveId, PerceptId};

use super::net::{NOWHERE, Net, Steps, Wire};
use super::zeros::zeros;
use crate::circuit::{Lit, Node};
use crate::lanes::LaneState;

/// The values of the wires of a net for the state queried last.
pub(crate) struct Values {
    state: LaneState,
    /// For each node, the number of its inputs that do not hold; zero if it holds.
    counts: Vec<u8>,
    /// The wires that flipped, in order, followed by free space.
    turned: Vec<Wire>,
    /// A state that was returned to, with its counts.
    home: Option<(LaneState, Vec<u8>)>,
    /// The last state that was far from the previous one.
    far: LaneState,
    /// The values of wires that are computed on demand, valid if the stamp matches.
    made: Vec<(u32, bool)>,
    set_stamps: Vec<u32>,
    fluent_stamps: Vec<u32>,
    stamp: u32,
    work: Vec<u32>,
    /// The number of wires that flipped on the way to states, and while moves were made there.
    pub events: Events,
}

/// The number of wires that flipped.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Events {
    pub entering: u64,
    pub moving: u64,
}

/// A state that differs in at most this many fluents is near.
const NEAR: u32 = 6;

/// States of at most this many words are compared without a branch per word.
const SHORT: usize = 16;

/// Returns `true` if two states of one game are equal.
#[inline]
pub(crate) fn same(a: &LaneState, b: &LaneState) -> bool {
    if a.0.len() > SHORT {
        return a == b;
    }
    let (a, b) = (&a.0[..], &b.0[..a.0.len()]);
    let mut differ = 0;
    for word in 0..a.len() {
        differ |= a[word] ^ b[word];
    }
    differ == 0
}

/// Returns the number of fluents in which two states differ.
#[inline]
pub(crate) fn distance(a: &LaneState, b: &LaneState) -> u32 {
    let (a, b) = (&a.0[..], &b.0[..a.0.len()]);
    let mut differ = 0;
    if a.len() > SHORT {
        // Most words of a long state are equal.
        let words = a.iter().zip(b).filter(|(a, b)| a != b);
        return words.map(|(a, b)| (a ^ b).count_ones()).sum();
    }
    for word in 0..a.len() {
        differ += (a[word] ^ b[word]).count_ones();
    }
    differ
}

impl Values {
    /// Creates the values of an empty state.
    pub fn new(net: &Net, fluents: usize) -> Values {
        Values {
            state: LaneState::empty(fluents),
            counts: net.core.counts.clone(),
            turned: vec![Wire::NONE; 64],
            home: None,
            far: LaneState::empty(fluents),
            made: vec![(0, false); net.core.nodes.len()],
            set_stamps: vec![0; net.core.sets],
            fluent_stamps: vec![0; fluents],
            stamp: 0,
            work: Vec::new(),
            events: Events::default(),
        }
    }

    #[inline]
    fn value(&self, wire: Wire) -> bool {
        (self.counts[wire.node()] == 0) != wire.is_inverted()
    }

    /// Returns the number of fluents in which a state differs from the one that these values belong to.
    #[inline]
    pub fn away(&self, state: &LaneState) -> u32 {
        distance(&self.state, state)
    }

    /// Returns the number of fluents in which a state differs from the nearest one with known values. `away`
    /// is the difference from the last one.
    #[inline]
    pub fn distance(&self, state: &LaneState, away: u32) -> u32 {
        match &self.home {
            Some((home, _)) if away > NEAR => away.min(distance(home, state)),
            _ => away,
        }
    }

    /// Updates the values to a state that differs in `away` fluents. Games begin in the same state again and
    /// again, so the values of a state that was returned to from afar are kept.
    #[inline]
    pub fn enter(&mut self, net: &Net, state: &LaneState, away: u32) {
        if away <= NEAR {
            self.change(net, state);
        } else {
            self.enter_from_afar(net, state, away);
        }
    }

    fn enter_from_afar(&mut self, net: &Net, state: &LaneState, away: u32) {
        if let Some((home, counts)) = &self.home
            && distance(home, state) < away
        {
            self.counts.copy_from_slice(counts);
            self.state.0.copy_from_slice(&home.0);
        }
        self.change(net, state);
        if self.far == *state {
            let (home, counts) = self.home.get_or_insert_with(|| (state.clone(), Vec::new()));
            home.0.copy_from_slice(&state.0);
            counts.clone_from(&self.counts);
        } else {
            self.far.0.copy_from_slice(&state.0);
        }
    }

    /// Propagates the differences.
    #[inline]
    fn change(&mut self, net: &Net, state: &LaneState) {
        let mut end = 0;
        for (word, (own, &there)) in self.state.0.iter_mut().zip(&state.0).enumerate() {
            let mut differ = *own ^ there;
            *own = there;
            if end + 64 > self.turned.len() {
                self.turned.resize(end * 2 + 64, Wire::NONE);
            }
            while differ != 0 {
                let bit = differ.trailing_zeros() as usize;
                differ &= differ - 1;
                let holds = there >> bit & 1 == 1;
                self.counts[word * 64 + bit] = u8::from(!holds);
                self.turned[end] = Wire::new(word * 64 + bit, holds);
                // A fluent without readers need not be propagated.
                end += usize::from(net.core.starts[word * 64 + bit] != net.core.starts[word * 64 + bit + 1]);
            }
        }
        self.events.entering += follow(net, &mut self.counts, &mut self.turned, end);
    }

    #[inline]
    pub fn is_about(&self, state: &LaneState) -> bool {
        same(&self.state, state)
    }

    #[inline]
    pub fn terminal(&self, net: &Net) -> bool {
        self.value(net.terminal)
    }

    /// Fills `moves` with the legal moves of a role.
    #[inline]
    pub fn legal(&self, net: &Net, role: usize, moves: &mut Vec<MoveId>) {
        moves.clear();
        let row = &self.counts[net.legal[role]..];
        if let [only] = net.candidates[role][..] {
            moves.extend((row[0] == 0).then_some(MoveId(only)));
            return;
        }
        for (word, own) in net.candidates[role].chunks(64).enumerate() {
            let mut rest = zeros(&row[word * 64..]);
            moves.reserve(64);
            while rest != 0 {
                moves.push(MoveId(own[rest.trailing_zeros() as usize]));
                rest &= rest - 1;
            }
        }
    }

    /// Returns the unique goal value of a role.
    pub fn goal(&mut self, net: &Net, role: usize) -> Option<Goal> {
        self.begin();
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

    /// Returns all goal values of a role.
    pub fn goal_values(&mut self, net: &Net, role: usize) -> Vec<Goal> {
        self.begin();
        let goals = net.goals[role].iter();
        goals.filter(|(_, lit)| self.evaluate(net, *lit)).map(|&(value, _)| value).collect()
    }

    /// Invalidates what was computed for other moves.
    fn begin(&mut self) {
        self.stamp = self.stamp.wrapping_add(1);
        if self.stamp == 0 {
            self.made.fill((0, false));
            self.set_stamps.fill(0);
            self.fluent_stamps.fill(0);
            self.stamp = 1;
        }
    }

    /// Makes exactly those sets hold that contain the moves made.
    fn make(&mut self, net: &Net, joint: &[MoveId]) {
        self.begin();
        for (role, m) in joint.iter().enumerate() {
            let place = net.places[role][m.0 as usize];
            if place != NOWHERE {
                for &set in &net.sets_of[role][place as usize] {
                    self.set_stamps[set as usize] = self.stamp;
                }
            }
        }
    }

    /// Flips the sets that contain the moves made, if sets are inputs.
    fn turn(&mut self, net: &Net, joint: &[MoveId], made: bool) {
        let Some(first) = net.core.first_set else { return };
        let mut end = 0;
        for (role, m) in joint.iter().enumerate() {
            let place = net.places[role][m.0 as usize];
            let sets = net.sets_of[role].get(place as usize).map_or(&[][..], |sets| sets);
            if end + sets.len() > self.turned.len() {
                self.turned.resize(end * 2 + sets.len(), Wire::NONE);
            }
            for &set in sets {
                let node = first + set as usize;
                self.counts[node] = u8::from(!made);
                self.turned[end] = Wire::new(node, made);
                end += 1;
            }
        }
        self.events.moving += follow(net, &mut self.counts, &mut self.turned, end);
    }

    /// Returns the state after a joint move.
    #[inline]
    pub fn next(&mut self, net: &Net, joint: &[MoveId]) -> LaneState {
        if net.core.first_set.is_some() {
            self.turn(net, joint, true);
            let next = self.still(net);
            self.turn(net, joint, false);
            return next;
        }
        let mut next = self.still(net);
        if let Some(steps) = &net.steps {
            let place = net.places[steps.role][joint[steps.role].0 as usize] as usize;
            return self.planned(net, steps, place, next);
        }
        self.make(net, joint);
        for (role, m) in joint.iter().enumerate() {
            let place = net.places[role][m.0 as usize];
            if place == NOWHERE {
                continue;
            }
            for &set in &net.sets_of[role][place as usize] {
                for &fluent in &net.fluents_of[set as usize] {
                    let stamp = &mut self.fluent_stamps[fluent as usize];
                    if std::mem::replace(stamp, self.stamp) != self.stamp {
                        let value = self.evaluate(net, net.next[fluent as usize]);
                        next.set(fluent as usize, value);
                    }
                }
            }
        }
        next
    }

    /// Returns the next state as shown by the sinks.
    #[inline]
    fn still(&self, net: &Net) -> LaneState {
        let mut next = self.state.clone();
        for (word, (staying, set)) in next.0.iter_mut().zip(&net.staying) {
            *word = *word & staying | set;
        }
        for &(word, sinks) in &net.restless {
            next.0[word] |= zeros(&self.counts[sinks..]);
        }
        next
    }

    /// Returns the state after a move whose changes were precomputed.
    #[inline]
    fn planned(&mut self, net: &Net, steps: &Steps, place: usize, mut next: LaneState) -> LaneState {
        // The result of a move that is never legal is undefined; here it changes nothing.
        let Some(&ends) = steps.ends.get(place) else { return next };
        let (masks, conditions) = if place == 0 { (0, 0) } else { steps.ends[place - 1] };
        for &(word, staying, set) in &steps.masks[masks as usize..ends.0 as usize] {
            let word = &mut next.0[word as usize];
            *word = *word & staying | set;
        }
        let mut begun = false;
        for condition in &steps.conditions[conditions as usize..ends.1 as usize] {
            let value = if condition.wire == Wire::NONE {
                if !std::mem::replace(&mut begun, true) {
                    self.begin();
                }
                self.evaluate(net, condition.lit)
            } else {
                self.value(condition.wire)
            };
            // The value is hard to predict, so there is no branch on it.
            let (word, bit) = (condition.fluent as usize / 64, condition.fluent % 64);
            let word = &mut next.0[word];
            *word = *word & !(1 << bit) | u64::from(value) << bit;
        }
        next
    }

    pub fn percepts(&mut self, net: &Net, joint: &[MoveId], role: usize, percepts: &mut Vec<PerceptId>) {
        self.make(net, joint);
        self.turn(net, joint, true);
        for (number, &lit) in net.percepts[role].iter().enumerate() {
            if self.evaluate(net, lit) {
                percepts.push(PerceptId(number as u32));
            }
        }
        self.turn(net, joint, false);
    }

    /// Returns the value of a wire, and computes it if necessary.
    fn evaluate(&mut self, net: &Net, lit: Lit) -> bool {
        if let Some(value) = self.known(net, lit) {
            return value;
        }
        self.work.clear();
        self.work.push(lit.node() as u32);
        while let Some(&node) = self.work.last() {
            let node = node as usize;
            if self.made[node].0 == self.stamp {
                self.work.pop();
                continue;
            }
            let value = match net.core.nodes[node] {
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
                    // The other input may decide the gate without this one.
                    None if self.known(net, b) == Some(false) => false,
                    None => {
                        self.work.push(a.node() as u32);
                        continue;
                    }
                },
                Node::False | Node::Fluent(_) | Node::Latch(..) => false,
            };
            self.made[node] = (self.stamp, value);
            self.work.pop();
        }
        self.made[lit.node()].1 != lit.is_inverted()
    }

    #[inline]
    fn known(&self, net: &Net, lit: Lit) -> Option<bool> {
        let wire = net.core.wires[lit.node()];
        if wire != Wire::NONE {
            return Some(self.value(wire) != lit.is_inverted());
        }
        let (stamp, value) = self.made[lit.node()];
        (stamp == self.stamp).then_some(value != lit.is_inverted())
    }
}

/// Propagates the first `end` flipped wires through the gates. Returns the total number of flips.
///
/// Wires are propagated in the order in which they flipped, so that the flips of each wire alternate for all
/// its readers, and a wire flips at most once for each length of a path to it. Whether a count propagates is
/// hard to predict, so there is no branch on it.
fn follow(net: &Net, counts: &mut [u8], turned: &mut Vec<Wire>, mut end: usize) -> u64 {
    let core = &*net.core;
    assert_eq!(counts.len(), core.counts.len(), "values belong to one net");
    let mut followed = 0;
    while followed < end {
        let event = turned[followed];
        followed += 1;
        let readers = core.starts[event.node()] as usize..core.starts[event.node() + 1] as usize;
        if end + readers.len() > turned.len() {
            turned.resize(end * 2 + readers.len(), Wire::NONE);
        }
        let room = &mut turned[end..];
        let mut more = 0;
        for four in core.edges[readers].chunks_exact(4) {
            for edge in four {
                let gate = edge.node();
                // The count decreases if the wire, as it is read, holds.
                let holds = ((edge.0 ^ event.0) & 1) as u8;
                // SAFETY: readers are nodes of the net (`Layout::finish`), and there is a count for each
                // node. There is space for every reader, and `more` grows by at most one for each.
                unsafe {
                    let count = counts.get_unchecked_mut(gate);
                    let old = *count;
                    let new = old.wrapping_add(1).wrapping_sub(holds << 1);
                    *count = new;
                    *room.get_unchecked_mut(more) = Wire::new(gate, new == 0);
                    more += usize::from((old == 0) | (new == 0)) & usize::from(gate < core.sinks);
                }
            }
        }
        end += more;
    }
    end as u64
}
