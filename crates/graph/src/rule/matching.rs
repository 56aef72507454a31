//! Matching of rules in a graph.
//!
//! A search plan is executed step by step with backtracking. A slot that is already filled is
//! compared instead of bound, so the same plan also works if the caller supplies parameters.
//! The matches are graph homomorphisms; where they must be injective, `Step::Differ` checks
//! that.

use rustc_hash::FxHashSet;

use super::{Level, Rule, Slot, Step};
use crate::graph::{GONE, Graph};
use crate::label::Quantifier;
use crate::regexp::Move;
use crate::value::{Item, Value, Values};
use crate::vocabulary::LabelId;

/// A match of one level, with the matches of its child levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proof {
    /// The level.
    pub level: usize,
    /// The items in the slots.
    pub slots: Box<[Item]>,
    /// The matches of the child levels.
    pub children: Vec<Proof>,
}

/// The matches with the same effect, represented by one of them, and the key that identifies them.
#[derive(Debug, Clone)]
pub struct Event {
    /// The items in the anchors.
    pub key: Box<[u32]>,
    /// One of the matches.
    pub proof: Proof,
}

/// Matches of rules without quantified parts, one per event, stored one after another.
#[derive(Debug, Default)]
pub struct Flat {
    slots: Vec<Item>,
    /// The position at which the matches of the current rule begin.
    first: usize,
    /// The number of matches of the current rule.
    count: usize,
    seen: FxHashSet<Box<[u32]>>,
}

/// The number of events below which they are compared one by one instead of hashed.
const FEW: usize = 16;

impl Flat {
    /// Removes all matches.
    pub fn clear(&mut self) {
        self.slots.clear();
        self.begin();
    }

    /// Begins the matches of another rule.
    pub fn begin(&mut self) {
        self.first = self.slots.len();
        self.count = 0;
        self.seen.clear();
    }

    /// Returns the number of matches of the current rule.
    pub fn count(&self) -> usize {
        self.count
    }

    /// Returns the position at which the matches of the current rule begin.
    pub fn first(&self) -> usize {
        self.first
    }

    /// Returns the match at a position, for a rule with `width` slots.
    pub fn get(&self, at: usize, width: usize) -> &[Item] {
        &self.slots[at..at + width]
    }

    /// Adds a match, unless its event is already present.
    fn add(&mut self, anchor: &[usize], slots: &[Item]) {
        let same = |known: &[Item]| anchor.iter().all(|&slot| known[slot] == slots[slot]);
        let key = |slots: &[Item]| anchor.iter().map(|&slot| slots[slot].0).collect();
        if self.count < FEW {
            let width = slots.len().max(1);
            if self.count > 0 && self.slots[self.first..].chunks_exact(width).any(same) {
                return;
            }
        } else {
            if self.seen.is_empty() {
                self.seen.extend(self.slots[self.first..].chunks_exact(slots.len().max(1)).map(key));
            }
            if !self.seen.insert(key(slots)) {
                return;
            }
        }
        self.slots.extend_from_slice(slots);
        self.count += 1;
    }
}

/// The maximum number of events of a rule in one state.
const MAX_EVENTS: usize = 1_000_000;
/// The maximum number of combinations of quantified parts.
const MAX_PROOFS: usize = 100_000;

/// A search for the matches of a rule in one graph.
pub struct Matcher<'a> {
    rule: &'a Rule,
    graph: &'a Graph,
    values: &'a Values,
    /// The remaining number of steps; zero means that the search was abandoned.
    pub fuel: u64,
}

impl<'a> Matcher<'a> {
    /// Creates a search with a limit on its steps.
    pub fn new(rule: &'a Rule, graph: &'a Graph, values: &'a Values, fuel: u64) -> Matcher<'a> {
        Matcher { rule, graph, values, fuel }
    }

    pub(super) fn rule(&self) -> &'a Rule {
        self.rule
    }

    /// Returns `true` if the search was abandoned.
    pub fn exhausted(&self) -> bool {
        self.fuel == 0
    }

    /// Returns the slots before the search, with the parameters supplied by the caller, or
    /// `None` if these do not fit.
    pub fn seed(&self, given: &[(usize, Item)]) -> Option<Vec<Item>> {
        let mut slots = self.rule.template.clone();
        self.put(&mut slots, given).then_some(slots)
    }

    /// Fills slots before the search. Returns `false` if an item does not fit.
    pub fn put(&self, slots: &mut [Item], given: &[(usize, Item)]) -> bool {
        for &(slot, item) in given {
            let free = slots[slot] == Item::NONE;
            if item == Item::NONE || (free && !self.fits(slot, item)) || (!free && slots[slot] != item) {
                return false;
            }
            slots[slot] = item;
        }
        true
    }

    /// Adds the matches of a rule without quantified parts, one per event.
    pub fn flat(&mut self, slots: &mut [Item], list: &mut Flat) {
        let level = &self.rule.levels[0];
        self.run(&level.plan, slots, &mut |matcher: &mut Matcher<'a>, slots: &mut [Item]| {
            if matcher.dangling_allows(level, slots) {
                list.add(&level.anchor, slots);
                if list.count >= MAX_EVENTS {
                    matcher.fuel = 0;
                }
            }
            // Without anchors there is only one event, so the first match suffices.
            level.anchor.is_empty() || matcher.fuel == 0
        });
    }

    /// Returns all events. `slots` comes from [`Matcher::seed`].
    pub fn events(&mut self, mut slots: Vec<Item>) -> Vec<Event> {
        let rule = self.rule;
        if rule.is_flat() {
            let mut list = Flat::default();
            self.flat(&mut slots, &mut list);
            let event = |at: usize| {
                let slots = list.get(at * slots.len(), slots.len());
                let key = rule.levels[0].anchor.iter().map(|&slot| slots[slot].0).collect();
                Event { key, proof: Proof { level: 0, slots: slots.into(), children: Vec::new() } }
            };
            return (0..list.count()).map(event).collect();
        }
        let mut seen: FxHashSet<Box<[u32]>> = FxHashSet::default();
        let mut events: Vec<Event> = Vec::new();
        for proof in self.satisfy(0, &mut slots).into_iter().flatten() {
            let mut key = Vec::new();
            self.key(&proof, &mut key);
            let key: Box<[u32]> = key.into();
            if seen.insert(key.clone()) {
                events.push(Event { key, proof });
            }
        }
        events
    }

    /// Returns `true` if there is any match.
    pub fn any(&mut self, mut slots: Vec<Item>) -> bool {
        let rule = self.rule;
        if !rule.is_flat() {
            return !self.satisfy(0, &mut slots).is_empty();
        }
        let mut found = false;
        self.run(&rule.levels[0].plan, &mut slots, &mut |matcher: &mut Matcher<'a>, slots: &mut [Item]| {
            found = matcher.dangling_allows(&rule.levels[0], slots);
            found
        });
        found
    }

    /// Appends the key of a proof. The parts of child levels are sorted and deduplicated, so
    /// that the key does not depend on the order in which they were found.
    fn key(&self, proof: &Proof, key: &mut Vec<u32>) {
        let level = &self.rule.levels[proof.level];
        key.push(u32::MAX - 1 - proof.level as u32);
        key.extend(level.anchor.iter().map(|&slot| proof.slots[slot].0));
        let mut parts: Vec<Vec<u32>> = Vec::new();
        for child in &proof.children {
            let mut part = Vec::new();
            self.key(child, &mut part);
            parts.push(part);
        }
        parts.sort_unstable();
        parts.dedup();
        key.extend(parts.into_iter().flatten());
    }

    /// Returns the ways in which a level can be satisfied, each as the list of its matches;
    /// empty if there is none.
    fn satisfy(&mut self, number: usize, slots: &mut [Item]) -> Vec<Vec<Proof>> {
        let rule = self.rule;
        let level = &rule.levels[number];
        let mut found: Vec<Vec<Proof>> = Vec::new();
        let mut anchors: FxHashSet<Vec<Item>> = FxHashSet::default();
        let universal = matches!(level.quantifier, Quantifier::Forall | Quantifier::ForallSome);
        let mut failed = false;
        self.run(&level.plan, slots, &mut |matcher: &mut Matcher<'a>, slots: &mut [Item]| {
            if !matcher.dangling_allows(level, slots) {
                return false;
            }
            let proofs = matcher.with_children(number, slots, universal);
            if universal {
                if proofs.is_empty() {
                    failed = true;
                    return true;
                }
                let anchor = level.anchor.iter().map(|&slot| slots[slot]).collect();
                if anchors.insert(anchor) {
                    found.push(proofs);
                }
            } else {
                found.extend(proofs.into_iter().map(|proof| vec![proof]));
            }
            if found.len() > MAX_PROOFS {
                matcher.fuel = 0;
            }
            matcher.fuel == 0
        });
        if failed || self.fuel == 0 {
            return Vec::new();
        }
        match level.quantifier {
            Quantifier::Exists => found,
            Quantifier::ExistsOptional if found.is_empty() => vec![Vec::new()],
            Quantifier::ExistsOptional => found,
            Quantifier::ForallSome if found.is_empty() => Vec::new(),
            Quantifier::Forall | Quantifier::ForallSome => {
                let lists: Vec<Vec<Vec<Proof>>> = found
                    .into_iter()
                    .map(|proofs| proofs.into_iter().map(|proof| vec![proof]).collect())
                    .collect();
                self.product(lists)
            }
        }
    }

    /// Returns the proofs of one match of a level. Below an existential level, all child levels
    /// must hold; below a universal one, it suffices that one of them does.
    fn with_children(&mut self, number: usize, slots: &mut [Item], universal: bool) -> Vec<Proof> {
        let rule = self.rule;
        let level = &rule.levels[number];
        let proof =
            |slots: &[Item], children| Proof { level: number, slots: slots.to_vec().into(), children };
        if level.children.is_empty() {
            return vec![proof(slots, Vec::new())];
        }
        if universal {
            let mut proofs = Vec::new();
            for &child in &level.children {
                for children in self.satisfy(child, slots) {
                    proofs.push(proof(slots, children));
                }
            }
            return proofs;
        }
        let mut lists = Vec::new();
        let mut counted = Vec::new();
        for &child in &level.children {
            let ways = self.satisfy(child, slots);
            if ways.is_empty() {
                counted.iter().for_each(|&slot: &usize| slots[slot] = Item::NONE);
                return Vec::new();
            }
            if let Some(slot) = rule.levels[child].count {
                let count = self.count(child, slots);
                let number = self.values.item(&Value::Int(count));
                if slots[slot] == Item::NONE {
                    slots[slot] = number;
                    counted.push(slot);
                } else if slots[slot] != number {
                    counted.iter().for_each(|&slot: &usize| slots[slot] = Item::NONE);
                    return Vec::new();
                }
            }
            lists.push(ways);
        }
        let ways = self.product(lists);
        let mut proofs = Vec::new();
        self.run(&level.after, slots, &mut |matcher: &mut Matcher<'a>, slots: &mut [Item]| {
            proofs.extend(ways.iter().map(|children| proof(slots, children.clone())));
            if proofs.len() > MAX_PROOFS {
                matcher.fuel = 0;
            }
            matcher.fuel == 0
        });
        counted.iter().for_each(|&slot| slots[slot] = Item::NONE);
        proofs
    }

    fn count(&mut self, number: usize, slots: &mut [Item]) -> i32 {
        let mut count = 0;
        let rule = self.rule;
        self.run(&rule.levels[number].plan, slots, &mut |_: &mut Matcher<'a>, _: &mut [Item]| {
            count += 1;
            false
        });
        count
    }

    /// Combines one element of each list in all possible ways.
    fn product(&mut self, lists: Vec<Vec<Vec<Proof>>>) -> Vec<Vec<Proof>> {
        let mut ways: Vec<Vec<Proof>> = vec![Vec::new()];
        for list in lists {
            if ways.len().saturating_mul(list.len()) > MAX_PROOFS {
                self.fuel = 0;
                return Vec::new();
            }
            ways = match <[Vec<Proof>; 1]>::try_from(list) {
                Ok([only]) => {
                    ways.iter_mut().for_each(|way| way.extend(only.iter().cloned()));
                    ways
                }
                Err(list) => {
                    let longer =
                        |way: &Vec<Proof>, more: &Vec<Proof>| way.iter().chain(more).cloned().collect();
                    ways.iter().flat_map(|way| list.iter().map(move |more| longer(way, more))).collect()
                }
            };
        }
        ways
    }

    /// Returns `true` unless the rule checks for dangling edges and erasing the nodes of this
    /// match leaves some.
    pub(super) fn dangling_allows(&self, level: &Level, slots: &[Item]) -> bool {
        if !self.rule.check_dangling || level.erase_nodes.is_empty() {
            return true;
        }
        let image = |label: super::LabelRef| match label {
            super::LabelRef::Fixed(label) => label,
            super::LabelRef::Variable(slot) => slots[slot].0,
        };
        level.erase_nodes.iter().all(|&slot| {
            let node = slots[slot];
            self.graph.incident(node).filter(|edge| edge.b.is_node()).all(|edge| {
                let levels = self.rule.levels.iter();
                levels.flat_map(|level| &level.pattern).any(|&(label, a, b)| {
                    image(label) == edge.label && slots[a] == edge.a && slots[b] == edge.b
                })
            })
        })
    }

    #[inline]
    fn fits(&self, slot: usize, item: Item) -> bool {
        match &self.rule.slots[slot] {
            Slot::Node(None) => item.is_node(),
            Slot::Node(Some(allowed)) => {
                item.is_node() && allowed.get(self.graph.type_of(item) as usize).copied().unwrap_or(false)
            }
            Slot::Data(None) => item.is_value(),
            Slot::Data(Some(sort)) => {
                item.is_value() && (item == Item::ERROR || self.values.sort(item) == Some(*sort))
            }
            Slot::Label => true,
        }
    }

    /// Fills a slot, continues the search, and empties the slot again. Returns `true` to stop the search.
    #[inline]
    fn bind<F: FnMut(&mut Matcher<'a>, &mut [Item]) -> bool>(
        &mut self,
        slot: usize,
        item: Item,
        rest: &[Step],
        slots: &mut [Item],
        found: &mut F,
    ) -> bool {
        if slots[slot] != Item::NONE {
            return slots[slot] == item && self.run(rest, slots, found);
        }
        if !self.fits(slot, item) {
            return false;
        }
        slots[slot] = item;
        let stop = self.run(rest, slots, found);
        slots[slot] = Item::NONE;
        stop
    }

    /// Executes a plan. `found` is called for each match and returns `true` to stop the search.
    pub(super) fn run<F: FnMut(&mut Matcher<'a>, &mut [Item]) -> bool>(
        &mut self,
        plan: &[Step],
        slots: &mut [Item],
        found: &mut F,
    ) -> bool {
        if self.fuel <= 1 {
            self.fuel = 0;
            return true;
        }
        self.fuel -= 1;
        let Some((step, rest)) = plan.split_first() else { return found(self, slots) };
        let graph = self.graph;
        match step {
            Step::Has(label, a, b) => graph.has(*label, slots[*a], slots[*b]) && self.run(rest, slots, found),
            Step::Out(label, a, b) => {
                if slots[*b] != Item::NONE {
                    return graph.has(*label, slots[*a], slots[*b]) && self.run(rest, slots, found);
                }
                for edge in graph.out(*label, slots[*a]) {
                    if self.bind(*b, edge.b, rest, slots, found) {
                        return true;
                    }
                }
                false
            }
            Step::In(label, a, b) => {
                if slots[*a] != Item::NONE {
                    return graph.has(*label, slots[*a], slots[*b]) && self.run(rest, slots, found);
                }
                for edge in graph.inn(*label, slots[*b]) {
                    if self.bind(*a, edge.b, rest, slots, found) {
                        return true;
                    }
                }
                false
            }
            Step::Edges(label, a, b) => self.edges(*label, *a, *b, rest, slots, found),
            Step::Node(slot) => {
                if slots[*slot] != Item::NONE {
                    return graph.type_of(slots[*slot]) != GONE && self.run(rest, slots, found);
                }
                for node in graph.nodes() {
                    if self.bind(*slot, node, rest, slots, found) {
                        return true;
                    }
                }
                false
            }
            Step::Differ(a, b) => slots[*a] != slots[*b] && self.run(rest, slots, found),
            Step::Type(slot, allowed) => {
                let kind = graph.type_of(slots[*slot]) as usize;
                allowed.get(kind).copied().unwrap_or(false) && self.run(rest, slots, found)
            }
            Step::Not(plan, own) => {
                let hit = self.hits(plan, slots);
                own.iter().for_each(|&slot| slots[slot] = self.rule.template[slot]);
                self.fuel == 0 || (!hit && self.run(rest, slots, found))
            }
            Step::Test(expr) => {
                expr.eval(&|slot| self.values.value(slots[slot])) == Value::Bool(true)
                    && self.run(rest, slots, found)
            }
            Step::Eval(expr, slot) => {
                let value = self.values.item(&expr.eval(&|slot| self.values.value(slots[slot])));
                self.bind(*slot, value, rest, slots, found)
            }
            Step::Wild(labels, variable, a, b) => {
                for &label in labels.iter() {
                    let stop = match variable {
                        None => self.edges(label, *a, *b, rest, slots, found),
                        Some(slot) if slots[*slot] == Item::NONE => {
                            slots[*slot] = Item(label);
                            let stop = self.edges(label, *a, *b, rest, slots, found);
                            slots[*slot] = Item::NONE;
                            stop
                        }
                        Some(slot) => {
                            slots[*slot] == Item(label) && self.edges(label, *a, *b, rest, slots, found)
                        }
                    };
                    if stop {
                        return true;
                    }
                }
                false
            }
            Step::Path(automaton, a, b) => {
                let follow = |step: &Move, turned: bool, node: u32, next: &mut Vec<u32>| {
                    follow(graph, step, turned, Item(node), next);
                };
                let (known_a, known_b) = (slots[*a] != Item::NONE, slots[*b] != Item::NONE);
                if known_a {
                    let ends = automaton.reach(slots[*a].0, false, graph.capacity(), &follow);
                    if known_b {
                        return ends.binary_search(&slots[*b].0).is_ok() && self.run(rest, slots, found);
                    }
                    return ends.into_iter().any(|end| self.bind(*b, Item(end), rest, slots, found));
                }
                if known_b {
                    let starts = automaton.reach(slots[*b].0, true, graph.capacity(), &follow);
                    return starts.into_iter().any(|start| self.bind(*a, Item(start), rest, slots, found));
                }
                for node in graph.nodes() {
                    for end in automaton.reach(node.0, false, graph.capacity(), &follow) {
                        if !self.fits(*a, node) || (a == b && end != node.0) {
                            continue;
                        }
                        slots[*a] = node;
                        let stop = self.bind(*b, Item(end), rest, slots, found);
                        slots[*a] = Item::NONE;
                        if stop {
                            return true;
                        }
                    }
                }
                false
            }
        }
    }

    /// Returns `true` if a plan has a match.
    fn hits(&mut self, plan: &[Step], slots: &mut [Item]) -> bool {
        let mut hit = false;
        self.run(plan, slots, &mut |_: &mut Matcher<'a>, _: &mut [Item]| {
            hit = true;
            true
        });
        hit
    }

    /// Searches the edges with a label, whichever ends are known.
    fn edges<F: FnMut(&mut Matcher<'a>, &mut [Item]) -> bool>(
        &mut self,
        label: LabelId,
        a: usize,
        b: usize,
        rest: &[Step],
        slots: &mut [Item],
        found: &mut F,
    ) -> bool {
        let graph = self.graph;
        match (slots[a] != Item::NONE, slots[b] != Item::NONE) {
            (true, true) => graph.has(label, slots[a], slots[b]) && self.run(rest, slots, found),
            (true, false) => graph.out(label, slots[a]).iter().any(|e| self.bind(b, e.b, rest, slots, found)),
            (false, true) => graph.inn(label, slots[b]).iter().any(|e| self.bind(a, e.b, rest, slots, found)),
            (false, false) => {
                for edge in graph.all(label) {
                    if (a == b && edge.a != edge.b) || !self.fits(a, edge.a) {
                        continue;
                    }
                    slots[a] = edge.a;
                    let stop = self.bind(b, edge.b, rest, slots, found);
                    slots[a] = Item::NONE;
                    if stop {
                        return true;
                    }
                }
                false
            }
        }
    }
}

fn follow(graph: &Graph, step: &Move, turned: bool, node: Item, next: &mut Vec<u32>) {
    let mut along = |label: LabelId, back: bool| {
        let edges = if back != turned { graph.inn(label, node) } else { graph.out(label, node) };
        next.extend(edges.iter().map(|edge| edge.b.0));
    };
    match step {
        Move::Edge(label, back) => along(*label, *back),
        Move::Any(labels, back) => labels.iter().for_each(|&label| along(label, *back)),
        Move::Type(kinds) => {
            if node.is_node() && kinds.contains(&graph.type_of(node)) {
                next.push(node.0);
            }
        }
    }
}
