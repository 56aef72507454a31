//! Fluents that change in a fixed cycle, such as whose turn it is.
//!
//! A group of fluents whose next values depend only on the group itself runs like a clock, whatever the
//! players do. If it returns to its initial values after a few steps, the step number determines its values,
//! and each phase gets a circuit of its own in which they are constants.

use std::collections::BTreeMap;

use super::{Circuit, Node};

/// The longest cycle of phases that is searched for.
const MAX_PERIOD: usize = 8;

/// The values of the clock fluents in each phase.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Phases {
    /// The clock fluents.
    pub fluents: Vec<u32>,
    /// Their values in each phase. Phase 0 is the initial one.
    pub values: Vec<Vec<bool>>,
}

impl Phases {
    /// Returns the number of phases; 1 if there is no clock.
    pub fn count(&self) -> usize {
        self.values.len().max(1)
    }

    /// Returns the phase of a state, or `None` if the state belongs to no phase.
    pub fn of(&self, holds: impl Fn(u32) -> bool) -> Option<usize> {
        if self.values.is_empty() {
            return Some(0);
        }
        self.values.iter().position(|phase| self.fluents.iter().zip(phase).all(|(&f, &v)| holds(f) == v))
    }

    /// Finds the phases of a circuit.
    pub fn find(circuit: &Circuit, initial: &[bool], known: &[Option<bool>]) -> Phases {
        let count = initial.len();
        let support: Vec<Option<Vec<u32>>> = (0..count).map(|f| support(circuit, f)).collect();
        let mut within: Vec<bool> = (0..count).map(|f| known[f].is_none() && support[f].is_some()).collect();
        loop {
            let outside: Vec<usize> = (0..count)
                .filter(|&f| within[f])
                .filter(|&f| {
                    let needs = support[f].as_deref().unwrap_or(&[]);
                    needs.iter().any(|&g| !within[g as usize] && known[g as usize].is_none())
                })
                .collect();
            if outside.is_empty() {
                break;
            }
            outside.into_iter().for_each(|f| within[f] = false);
        }
        // Groups of fluents that depend on each other, each with a cycle of its own (union-find).
        let mut group: Vec<usize> = (0..count).collect();
        fn root(group: &mut [usize], mut f: usize) -> usize {
            while group[f] != f {
                group[f] = group[group[f]];
                f = group[f];
            }
            f
        }
        for f in (0..count).filter(|&f| within[f]) {
            for &g in support[f].as_deref().unwrap_or(&[]) {
                if within[g as usize] {
                    let (a, b) = (root(&mut group, f), root(&mut group, g as usize));
                    group[a.max(b)] = a.min(b);
                }
            }
        }
        let mut period = 1;
        let mut chosen: Vec<u32> = Vec::new();
        let mut groups: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        for f in (0..count).filter(|&f| within[f]) {
            groups.entry(root(&mut group, f)).or_default().push(f as u32);
        }
        let mut state = initial.to_vec();
        for members in groups.into_values() {
            if members.len() <= 64
                && let Some(own) = cycle(circuit, &members, &mut state, initial, known)
                && own > 1
                && lcm(period, own) <= MAX_PERIOD
            {
                period = lcm(period, own);
                chosen.extend(members);
            }
        }
        if chosen.is_empty() {
            return Phases::default();
        }
        chosen.sort_unstable();
        let mut values = Vec::new();
        for _ in 0..period {
            values.push(chosen.iter().map(|&f| state[f as usize]).collect());
            advance(circuit, &chosen, &mut state, known);
        }
        Phases { fluents: chosen, values }
    }
}

fn lcm(a: usize, b: usize) -> usize {
    let (mut x, mut y) = (a, b);
    while y > 0 {
        (x, y) = (y, x % y);
    }
    a / x * b
}

/// Returns the fluents that the next value of a fluent depends on, or `None` if it depends on moves or
/// regions, or on too many nodes.
fn support(circuit: &Circuit, fluent: usize) -> Option<Vec<u32>> {
    let mut seen = rustc_hash::FxHashSet::default();
    let mut work = vec![circuit.outputs.next[fluent].node()];
    let mut found = Vec::new();
    while let Some(node) = work.pop() {
        if !seen.insert(node) {
            continue;
        }
        if seen.len() > 4000 {
            return None;
        }
        match circuit.aig.node(node) {
            Node::False => {}
            Node::Fluent(f) => found.push(f),
            Node::Set(_) | Node::Latch(..) => return None,
            Node::And(a, b) => work.extend([a.node(), b.node()]),
        }
    }
    found.sort_unstable();
    Some(found)
}

/// Returns the number of steps after which the members are back at their initial values. The state must be
/// the initial one, and is the initial one again afterwards.
fn cycle(
    circuit: &Circuit,
    members: &[u32],
    state: &mut [bool],
    initial: &[bool],
    known: &[Option<bool>],
) -> Option<usize> {
    let mut back = None;
    for step in 1..=MAX_PERIOD {
        advance(circuit, members, state, known);
        if members.iter().all(|&f| state[f as usize] == initial[f as usize]) {
            back = Some(step);
            break;
        }
    }
    members.iter().for_each(|&f| state[f as usize] = initial[f as usize]);
    back
}

fn advance(circuit: &Circuit, members: &[u32], state: &mut [bool], known: &[Option<bool>]) {
    let next = |&f: &u32| {
        let lit = circuit.outputs.next[f as usize];
        evaluate(circuit, lit.node(), state, known) != lit.is_inverted()
    };
    let values: Vec<bool> = members.iter().map(next).collect();
    members.iter().zip(values).for_each(|(&f, value)| state[f as usize] = value);
}

/// Returns the value of a node that depends on only a few fluents.
fn evaluate(circuit: &Circuit, root: usize, state: &[bool], known: &[Option<bool>]) -> bool {
    let mut values: rustc_hash::FxHashMap<usize, bool> = rustc_hash::FxHashMap::default();
    let mut work = vec![root];
    while let Some(&node) = work.last() {
        let value = match circuit.aig.node(node) {
            Node::False | Node::Set(_) | Node::Latch(..) => false,
            Node::Fluent(f) => known[f as usize].unwrap_or(state[f as usize]),
            Node::And(a, b) => match (values.get(&a.node()), values.get(&b.node())) {
                (Some(&x), Some(&y)) => (x != a.is_inverted()) && (y != b.is_inverted()),
                (x, _) => {
                    work.push(if x.is_none() { a.node() } else { b.node() });
                    continue;
                }
            },
        };
        values.insert(node, value);
        work.pop();
    }
    values[&root]
}
