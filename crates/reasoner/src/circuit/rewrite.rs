//! Reassembles conjunctions of many wires with fewer gates.
//!
//! A gate that is read by only one other gate, uninverted, is part of that gate: together they form one
//! conjunction of many wires. In this form the graph can be rebuilt. Alternatives that share conditions are
//! factored, `a & b | a & c` to `a & (b | c)`. Two wires that several conjunctions have in common are joined
//! once, the most common pair first (Paar's greedy method). The rest becomes a balanced tree.

use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::sweep::compact;
use super::{Aig, Circuit, Lit, Node};
use crate::making::{Pause, Stopped};

/// The largest conjunction in which pairs are counted. Longer ones are split.
const LONG: usize = 48;
/// The maximum number of alternatives among which common conditions are searched for.
const ALTERNATIVES: usize = 400;
/// The maximum number of pairs.
const PAIRS: usize = 6_000_000;
/// The work for one circuit, in wires that are looked at: a few seconds. What is left when it is done stays as
/// it is, which is correct, if larger than it could be.
const WORK: u64 = 300_000_000;

/// Replaces the circuit by an equivalent one with fewer gates, if there is one. Calls `pause` for each
/// conjunction that is factored and each pair that is joined.
pub(crate) fn rewrite(circuit: &mut Circuit, pause: Pause<'_>) -> Result<(), Stopped> {
    // The gates of a region must keep their order.
    if !circuit.aig.regions.is_empty() {
        return Ok(());
    }
    let put_together = |factored: bool| {
        pause()?;
        let Some(mut parts) = Parts::new(circuit) else { return Ok(None) };
        if factored {
            parts.factor(pause)?;
        }
        parts.share(pause)?;
        Ok(Some(compact(&parts.emit(circuit))))
    };
    let others = [put_together(true)?, put_together(false)?];
    for other in others.into_iter().flatten() {
        if other.gate_count() < circuit.gate_count() {
            *circuit = other;
        }
    }
    Ok(())
}

/// Conjunctions by number: nodes of the old graph, followed by those that are added.
struct Parts<'a> {
    from: &'a Aig,
    /// For each conjunction, its wires in order.
    wires: Vec<Option<Vec<Lit>>>,
    /// How often each node is read.
    uses: Vec<u32>,
    /// The conjunctions of the old graph, in order.
    roots: Vec<u32>,
    /// The work that may still be done.
    left: u64,
}

impl<'a> Parts<'a> {
    /// Splits a graph into conjunctions. Returns `None` if there are too many pairs.
    fn new(circuit: &'a Circuit) -> Option<Parts<'a>> {
        let from = &circuit.aig;
        let mut uses = vec![0u32; from.len()];
        // Whether a node is part of the gate that reads it.
        let mut within = vec![true; from.len()];
        circuit.outputs.each(|lit| {
            uses[lit.node()] += 1;
            within[lit.node()] = false;
        });
        for number in (0..from.len()).rev() {
            if uses[number] == 0 {
                continue;
            }
            if let Node::And(a, b) = from.node(number) {
                for lit in [a, b] {
                    uses[lit.node()] += 1;
                    within[lit.node()] &= !lit.is_inverted() && uses[lit.node()] == 1;
                }
            }
        }
        let is_gate = |n: usize| matches!(from.node(n), Node::And(..));
        let mut parts = Parts { from, wires: vec![None; from.len()], uses, roots: Vec::new(), left: WORK };
        let (mut work, mut pairs) = (Vec::new(), 0);
        for root in (0..from.len()).filter(|&n| parts.uses[n] > 0 && is_gate(n) && !within[n]) {
            let mut wires = Vec::new();
            work.push(root);
            while let Some(node) = work.pop() {
                let Node::And(a, b) = from.node(node) else { unreachable!("only gates are taken apart") };
                for lit in [a, b] {
                    if is_gate(lit.node()) && within[lit.node()] {
                        work.push(lit.node());
                    } else {
                        wires.push(lit);
                    }
                }
            }
            wires.sort_unstable();
            wires.dedup();
            pairs += wires.len().min(LONG) * wires.len();
            parts.wires[root] = Some(wires);
            parts.roots.push(root as u32);
        }
        (pairs <= PAIRS).then_some(parts)
    }

    fn add(&mut self, wires: Vec<Lit>) -> Lit {
        self.wires.push(Some(wires));
        self.uses.push(1);
        Lit::of(self.wires.len() - 1)
    }

    /// Factors common conditions out of alternatives.
    fn factor(&mut self, pause: Pause<'_>) -> Result<(), Stopped> {
        let mut work: Vec<usize> = self.roots.iter().map(|&n| n as usize).collect();
        while let Some(node) = work.pop() {
            pause()?;
            while self.left > 0
                && let Some(rest) = self.factor_once(node)
            {
                work.push(rest);
            }
        }
        Ok(())
    }

    /// Factors the most common condition out of the alternatives that contain it. Returns the node of what
    /// remains of them.
    fn factor_once(&mut self, node: usize) -> Option<usize> {
        let own = self.wires[node].as_ref()?;
        let is_alternative =
            |lit: &&Lit| lit.is_inverted() && self.uses[lit.node()] == 1 && self.wires[lit.node()].is_some();
        let alternatives: Vec<Lit> = own.iter().filter(is_alternative).copied().collect();
        if !(2..=ALTERNATIVES).contains(&alternatives.len()) {
            return None;
        }
        let wires = |lit: Lit| self.wires[lit.node()].as_deref().unwrap_or(&[]);
        let mut counts: FxHashMap<Lit, u32> = FxHashMap::default();
        for &alternative in &alternatives {
            wires(alternative).iter().for_each(|&lit| *counts.entry(lit).or_default() += 1);
        }
        self.left = self.left.saturating_sub(counts.values().map(|&count| u64::from(count)).sum());
        let (best, count) = counts.into_iter().max_by_key(|&(lit, count)| (count, std::cmp::Reverse(lit)))?;
        if count < 2 {
            return None;
        }
        let chosen: Vec<Lit> =
            alternatives.into_iter().filter(|&lit| wires(lit).binary_search(&best).is_ok()).collect();
        let mut common = wires(chosen[0]).to_vec();
        for &lit in &chosen[1..] {
            common.retain(|wire| wires(lit).binary_search(wire).is_ok());
        }
        let mut rest: Vec<Lit> = Vec::new();
        let mut whole = false;
        for &lit in &chosen {
            let list = self.wires[lit.node()].as_mut().expect("alternatives are conjunctions");
            list.retain(|wire| common.binary_search(wire).is_err());
            match list[..] {
                [] => whole = true,
                [one] => {
                    self.wires[lit.node()] = None;
                    rest.push(!one);
                }
                _ => rest.push(lit),
            }
        }
        let mut factored = None;
        if whole {
            chosen.iter().for_each(|lit| self.wires[lit.node()] = None);
        } else {
            rest.sort_unstable();
            rest.dedup();
            let left = self.add(rest);
            factored = Some(left.node());
            common.push(!left);
        }
        let term = if common.len() == 1 { common[0] } else { self.add(common) };
        let own = self.wires[node].as_mut().expect("it was there before");
        own.retain(|lit| chosen.binary_search(lit).is_err());
        own.push(!term);
        own.sort_unstable();
        own.dedup();
        // An alternative that consists only of the common conditions absorbs the others.
        factored.or(Some(term.node()))
    }

    /// Joins pairs that several conjunctions have in common.
    fn share(&mut self, pause: Pause<'_>) -> Result<(), Stopped> {
        self.cut();
        let mut pairs = Pairs::default();
        for set in 0..self.wires.len() {
            if let Some(wires) = self.wires[set].as_ref().filter(|w| w.len() <= LONG) {
                pairs.enter(set as u32, wires);
            }
        }
        while self.left > 0
            && let Some((a, b)) = pairs.best()
        {
            pause()?;
            let sets = pairs.with(a, b);
            let joined =
                sets.iter().copied().find(|&s| self.wires[s as usize].as_ref().is_some_and(|w| w.len() == 2));
            let joined = match joined {
                Some(set) => Lit::of(set as usize),
                None => {
                    let lit = self.add(vec![a, b]);
                    pairs.enter(lit.node() as u32, &[a, b]);
                    lit
                }
            };
            for set in sets.into_iter().filter(|&s| s as usize != joined.node()) {
                let wires = self.wires[set as usize].as_mut().expect("pairs are of conjunctions");
                self.left = self.left.saturating_sub((wires.len() * wires.len()) as u64);
                pairs.leave(set, wires);
                wires.retain(|&lit| lit != a && lit != b);
                wires.push(joined);
                wires.sort_unstable();
                pairs.enter(set, wires);
            }
            pairs.done(a, b);
        }
        Ok(())
    }

    /// Splits long conjunctions into short ones.
    fn cut(&mut self) {
        for set in 0..self.wires.len() {
            let Some(mut wires) = self.wires[set].take() else { continue };
            while wires.len() > LONG {
                let chunks: Vec<Vec<Lit>> = wires.chunks(LONG).map(<[Lit]>::to_vec).collect();
                wires = chunks.into_iter().map(|c| if c.len() == 1 { c[0] } else { self.add(c) }).collect();
            }
            self.wires[set] = Some(wires);
        }
    }

    /// Builds the graph from the conjunctions.
    fn emit(&self, circuit: &Circuit) -> Circuit {
        let mut aig = Aig::with(self.from.move_counts().to_vec(), self.from.exclusions());
        let mut made: Vec<Option<Lit>> = vec![None; self.wires.len()];
        let mut work: Vec<usize> = Vec::new();
        circuit.outputs.each(|lit| work.push(lit.node()));
        work.reverse();
        while let Some(&node) = work.last() {
            if made[node].is_some() {
                work.pop();
                continue;
            }
            let lit = match &self.wires[node] {
                Some(wires) => {
                    let before = work.len();
                    work.extend(wires.iter().rev().map(|l| l.node()).filter(|&n| made[n].is_none()));
                    if work.len() > before {
                        continue;
                    }
                    let of =
                        |l: &Lit| made[l.node()].expect("it was just looked at").invert_if(l.is_inverted());
                    let wires: Vec<Lit> = wires.iter().map(of).collect();
                    aig.all(&wires)
                }
                None => match self.from.node(node) {
                    Node::False => Lit::FALSE,
                    Node::Fluent(fluent) => aig.fluent(fluent),
                    Node::Set(set) => {
                        let (role, moves) = self.from.set(set);
                        aig.moves(role, moves.to_vec())
                    }
                    Node::And(..) | Node::Latch(..) => {
                        unreachable!("gates are conjunctions, there are no regions")
                    }
                },
            };
            made[node] = Some(lit);
            work.pop();
        }
        let outputs = circuit
            .outputs
            .map(|lit| made[lit.node()].expect("all that is written is made").invert_if(lit.is_inverted()));
        Circuit { aig, outputs }
    }
}

/// Pairs of wires, with the number of conjunctions that contain both.
#[derive(Default)]
struct Pairs {
    counts: FxHashMap<(Lit, Lit), u32>,
    /// The pairs, the most common first. Entries with outdated counts are skipped.
    heap: BinaryHeap<(u32, std::cmp::Reverse<(Lit, Lit)>)>,
    /// For each wire, the conjunctions that contain it.
    sets: FxHashMap<Lit, Vec<u32>>,
}

impl Pairs {
    fn enter(&mut self, set: u32, wires: &[Lit]) {
        for (place, &b) in wires.iter().enumerate() {
            let list = self.sets.entry(b).or_default();
            if let Err(at) = list.binary_search(&set) {
                list.insert(at, set);
            }
            for &a in &wires[..place] {
                let count = self.counts.entry((a, b)).or_default();
                *count += 1;
                if *count > 1 {
                    self.heap.push((*count, std::cmp::Reverse((a, b))));
                }
            }
        }
    }

    fn leave(&mut self, set: u32, wires: &[Lit]) {
        for (place, &b) in wires.iter().enumerate() {
            if let Some(list) = self.sets.get_mut(&b)
                && let Ok(at) = list.binary_search(&set)
            {
                list.remove(at);
            }
            for &a in &wires[..place] {
                if let Some(count) = self.counts.get_mut(&(a, b)) {
                    *count -= 1;
                    if *count > 1 {
                        self.heap.push((*count, std::cmp::Reverse((a, b))));
                    }
                }
            }
        }
    }

    /// Returns the most common pair that is in at least two conjunctions.
    fn best(&mut self) -> Option<(Lit, Lit)> {
        while let Some((count, std::cmp::Reverse(pair))) = self.heap.pop() {
            if self.counts.get(&pair) == Some(&count) {
                return Some(pair);
            }
        }
        None
    }

    /// Returns the conjunctions that contain both wires.
    fn with(&self, a: Lit, b: Lit) -> Vec<u32> {
        let of = |lit: Lit| self.sets.get(&lit).map_or(&[][..], |list| list);
        of(a).iter().copied().filter(|set| of(b).binary_search(set).is_ok()).collect()
    }

    /// Removes a pair that has been joined everywhere.
    fn done(&mut self, a: Lit, b: Lit) {
        self.counts.remove(&(a, b));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::circuit::Outputs;

    /// Returns the values of all outputs for all values of eight fluents.
    fn table(circuit: &Circuit) -> Vec<Vec<bool>> {
        let evaluate = |state: u32| {
            let mut values = vec![false; circuit.aig.len()];
            for number in 0..circuit.aig.len() {
                let of = |lit: Lit| values[lit.node()] != lit.is_inverted();
                values[number] = match circuit.aig.node(number) {
                    Node::Fluent(fluent) => state >> fluent & 1 == 1,
                    Node::And(a, b) => of(a) && of(b),
                    _ => false,
                };
            }
            circuit.outputs.next.iter().map(|lit| values[lit.node()] != lit.is_inverted()).collect()
        };
        (0..256).map(evaluate).collect()
    }

    fn circuit(aig: Aig, next: Vec<Lit>) -> Circuit {
        Circuit { aig, outputs: Outputs { next, ..Outputs::default() } }
    }

    #[test]
    fn common_conditions_are_factored_and_common_pairs_shared() {
        let mut aig = Aig::new(vec![]);
        let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|fluent| aig.fluent(fluent));
        let both = [[a, b], [a, c], [a, d]].map(|pair| aig.all(&pair));
        let some = aig.any(&both);
        let (long, other) = (aig.all(&[b, d, c]), aig.all(&[c, d, e]));
        let mut circuit = circuit(aig, vec![some, long, other]);
        let before = table(&circuit);
        // The first conjunction needs five gates and the other two need two each. After rewriting three gates
        // are enough for the first, and `c & d` exists once.
        assert_eq!(circuit.gate_count(), 9);
        rewrite(&mut circuit, &|| Ok(())).expect("nobody stops it");
        assert_eq!(circuit.gate_count(), 6);
        assert_eq!(table(&circuit), before);
    }

    #[test]
    fn random_graphs_mean_the_same_afterwards() {
        let mut rng = game::Seed(6).rng();
        let mut fewer = 0;
        for _ in 0..200 {
            let mut aig = Aig::new(vec![]);
            let mut wires: Vec<Lit> = (0..8).map(|fluent| aig.fluent(fluent)).collect();
            for _ in 0..40 {
                let some: Vec<Lit> = (0..2 + rng.below(3))
                    .map(|_| wires[rng.below(wires.len())].invert_if(rng.below(2) == 0))
                    .collect();
                wires.push(if rng.below(2) == 0 { aig.all(&some) } else { aig.any(&some) });
            }
            let next = (0..6).map(|_| wires[wires.len() - 1 - rng.below(20)]).collect();
            let mut circuit = compact(&circuit(aig, next));
            let (before, gates) = (table(&circuit), circuit.gate_count());
            rewrite(&mut circuit, &|| Ok(())).expect("nobody stops it");
            assert_eq!(table(&circuit), before);
            assert!(circuit.gate_count() <= gates);
            fewer += usize::from(circuit.gate_count() < gates);
        }
        assert!(fewer > 20, "{fewer}");
    }
}
