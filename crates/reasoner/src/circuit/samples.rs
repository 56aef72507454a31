//! Signatures of wires: hashes of their values in random games.
//!
//! Sixty-four games go through the phases together. For each of their states there is a second one in which
//! the members of groups are chosen at random, as far as the facts allow. Proofs are about all such states,
//! and most of them never come up in random games.

use game::{Rng, Seed};

use super::facts::{Fact, Facts};
use super::simulate::Simulation;
use super::{Circuit, Node};

/// The steps of each phase, by the number of nodes of a circuit, and the approximate number of nodes and
/// members of sets that are visited.
const STEPS: std::ops::RangeInclusive<usize> = 24..=120;
const NODES_PER_STEP: usize = 8;
const MOST_LOOKS: usize = 15_000_000;

/// What was observed of the wires of a circuit.
pub(crate) struct Signatures {
    /// Whether each node depends on the moves made.
    pub on_moves: Vec<bool>,
    /// For each node, a hash of its values and one of their inverses.
    seen: Vec<(u64, u64)>,
}

impl Signatures {
    fn new(circuit: &Circuit) -> Signatures {
        Signatures { on_moves: on_moves(circuit), seen: vec![(0, 0); circuit.aig.len()] }
    }

    /// Returns the signature of a node, and `true` if it is the signature of the inverse.
    pub fn of(&self, node: usize) -> Option<(u64, bool)> {
        let (own, inverse) = self.seen[node];
        (own != inverse).then_some((own.min(inverse), own > inverse))
    }

    fn note(&mut self, values: &[u64], states: u64, going_on: u64) {
        let mix = |seen: u64, word: u64| (seen ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        for ((seen, &value), &on_moves) in self.seen.iter_mut().zip(values).zip(&self.on_moves) {
            let games = if on_moves { states & going_on } else { states };
            *seen = (mix(seen.0, value & games), mix(seen.1, !value & games));
        }
    }
}

/// Returns for each node whether it depends on moves. If part of a region does, all of it does.
fn on_moves(circuit: &Circuit) -> Vec<bool> {
    let aig = &circuit.aig;
    let mut found = vec![false; aig.len()];
    let mut regions = vec![false; aig.regions.len()];
    loop {
        for number in 0..aig.len() {
            found[number] = match aig.node(number) {
                Node::Set(_) => true,
                Node::And(a, b) => found[a.node()] || found[b.node()],
                Node::Latch(region, _) => regions[region as usize],
                Node::False | Node::Fluent(_) => false,
            };
        }
        let mut changed = false;
        for (own, region) in regions.iter_mut().zip(&aig.regions) {
            if !*own && region.values.iter().any(|lit| found[lit.node()]) {
                (*own, changed) = (true, true);
            }
        }
        if !changed {
            return found;
        }
    }
}

/// Plays games through the circuits of all phases. The fluents that determine the phase stay fixed.
pub(crate) fn signatures(
    circuits: &[Circuit],
    fixed: &[u32],
    initial: &[bool],
    facts: &Facts,
) -> Vec<Signatures> {
    let mut found: Vec<Signatures> = circuits.iter().map(Signatures::new).collect();
    let mut games: Vec<Simulation<'_>> = circuits.iter().map(|c| Simulation::new(c, initial)).collect();
    let largest = circuits.iter().map(Simulation::cost).max().unwrap_or(1);
    let each = (largest / NODES_PER_STEP).clamp(*STEPS.start(), *STEPS.end());
    let steps = (MOST_LOOKS / largest).clamp(4 * circuits.len(), each * circuits.len());
    let mut dealer = Dealer::new(facts, fixed, initial.len());
    let first: Vec<u64> = initial.iter().map(|&b| if b { u64::MAX } else { 0 }).collect();
    let (mut state, mut alive) = (first.clone(), u64::MAX);
    for step in 0..steps {
        let phase = step % circuits.len();
        if phase == 0 && games.iter().map(|game| game.looks).sum::<usize>() > 2 * MOST_LOOKS {
            break;
        }
        if phase == 0 {
            // Games that are over start again.
            for (own, first) in state.iter_mut().zip(&first) {
                *own = *own & alive | first & !alive;
            }
            alive = u64::MAX;
        }
        let game = &mut games[phase];
        game.state.copy_from_slice(&state);
        let valid = alive & dealer.deal(&mut game.state);
        let going_on = game.look();
        found[phase].note(&game.values, valid, going_on);
        game.state.copy_from_slice(&state);
        let going_on = game.look();
        found[phase].note(&game.values, alive, going_on);
        game.step(u64::MAX);
        state.copy_from_slice(&game.state);
        alive &= going_on;
    }
    found
}

/// Chooses the members of groups that hold at random.
struct Dealer<'a> {
    facts: &'a Facts,
    rng: Rng,
    /// The groups, with whether one member must hold. Groups with fixed members are empty.
    groups: Vec<(&'a [u32], bool)>,
    /// For each fluent, its groups.
    of: Vec<Vec<u32>>,
    /// Fluents that are in no group and may have any value.
    free: Vec<u32>,
}

impl<'a> Dealer<'a> {
    fn new(facts: &'a Facts, fixed: &[u32], fluents: usize) -> Dealer<'a> {
        let mut in_group = vec![false; fluents];
        fixed.iter().for_each(|&f| in_group[f as usize] = true);
        let always: rustc_hash::FxHashSet<&[u32]> = facts
            .iter()
            .filter_map(|fact| if let Fact::Some(members) = fact { Some(&members[..]) } else { None })
            .collect();
        let mut groups = Vec::new();
        let mut of = vec![Vec::new(); fluents];
        for fact in facts.iter() {
            fact.members().iter().for_each(|&f| in_group[f as usize] = true);
            if let Fact::AtMostOne(members) = fact {
                members.iter().for_each(|&f| of[f as usize].push(groups.len() as u32));
                groups.push((&members[..], always.contains(&members[..])));
            }
        }
        // A member of a group without fixed members may also be in a group that has some.
        let movable = |members: &[u32]| members.iter().all(|f| !fixed.contains(f));
        let free = (0..fluents as u32).filter(|&f| !in_group[f as usize]).collect();
        let rng = Seed(8).derive_name("dealer").rng();
        let groups =
            groups.into_iter().map(|(m, exact)| if movable(m) { (m, exact) } else { (&m[..0], exact) });
        Dealer { facts, rng, groups: groups.collect(), of, free }
    }

    /// Changes a state at random. Returns the games whose states satisfy all facts.
    fn deal(&mut self, state: &mut [u64]) -> u64 {
        for &fluent in &self.free {
            state[fluent as usize] ^= self.rng.next_u64() & self.rng.next_u64();
        }
        for group in 0..self.groups.len() {
            let (members, exact) = self.groups[group];
            if members.is_empty() {
                continue;
            }
            let mut chosen = self.rng.next_u64();
            while chosen != 0 {
                let bit = chosen & chosen.wrapping_neg();
                chosen &= chosen - 1;
                let place = self.rng.below(members.len() + usize::from(!exact));
                let next = members.get(place).copied();
                // The chosen member may hold only if nothing else holds in its other groups.
                let alone = |f: u32| {
                    self.of[f as usize].iter().filter(|&&g| g as usize != group).all(|&g| {
                        let others = self.groups[g as usize].0;
                        !others.is_empty() && others.iter().all(|&o| o == f || state[o as usize] & bit == 0)
                    })
                };
                if next.is_none_or(alone) {
                    members.iter().for_each(|&f| state[f as usize] &= !bit);
                    next.iter().for_each(|&f| state[f as usize] |= bit);
                }
            }
        }
        let mut valid = u64::MAX;
        for fact in self.facts.iter() {
            let word = |f: &u32| state[*f as usize];
            valid &= match fact {
                Fact::AtMostOne(members) => {
                    let (mut once, mut twice) = (0, 0);
                    for member in members {
                        twice |= once & word(member);
                        once |= word(member);
                    }
                    !twice
                }
                Fact::Some(members) => members.iter().fold(0, |all, f| all | word(f)),
                Fact::Same(a, b, inverted) => !(word(a) ^ word(b)) ^ if *inverted { u64::MAX } else { 0 },
                Fact::Constant(a, value) => word(a) ^ if *value { 0 } else { u64::MAX },
            };
        }
        valid
    }
}
