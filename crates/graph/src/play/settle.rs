//! Canonical numbering of created nodes in states.
//!
//! Created nodes are those that are not in the start graph. Nodes of the start graph keep their
//! numbers, so most created nodes are distinguished by their edges to these and to values: a
//! sum of hashes over these edges gives them an order. Only if two sums are equal is the
//! canonical labelling with its search needed. Which method is used depends only on the
//! isomorphism class of the graph.
//!
//! A recipe that ends with something that could not be done is left at the location where that
//! was tried, with its variables. For exploration this is the location of the state. In a game,
//! where states are equal if their futures are, control advances to a location where something
//! can be done.

use game::Fault;

use super::GraphGame;
use crate::canon::{canonical, mix2};
use crate::control::Kind;
use crate::engine::Config;
use crate::value::Item;
use crate::vocabulary::FLAG;

impl GraphGame {
    /// Returns the state with its created nodes numbered canonically.
    pub(super) fn settled(&self, config: Config) -> Result<Config, Fault> {
        let mut config = self.at_rest(config)?;
        Sums::default().settle(&mut config, self.grammar.names.len())?;
        Ok(config)
    }

    /// Advances control out of a recipe as long as nothing can be done at its location.
    pub(super) fn at_rest(&self, mut config: Config) -> Result<Config, Fault> {
        loop {
            let place = self.place(config.term)?;
            let derived = &place.derived;
            if derived.kind != Kind::Trial || derived.depth == 0 || place.slow {
                return Ok(config);
            }
            for trial in &derived.trials {
                if !self.grammar.events(&config.graph, &config.records, trial)?.is_empty() {
                    return Ok(config);
                }
            }
            self.grammar.proceed(&mut config.records, &derived.failure)?;
            config.term = derived.failure.term;
        }
    }
}

/// Sums of hashes over what each created node is connected to.
#[derive(Default)]
pub(super) struct Sums {
    sums: Vec<u64>,
    order: Vec<(u64, usize)>,
    number: Vec<u32>,
}

impl Sums {
    /// Numbers the created nodes canonically. Returns `true` if their sums distinguish them
    /// without the help of variables; then the numbers remain valid until something changes at
    /// these nodes.
    pub(super) fn settle(&mut self, config: &mut Config, fixed: usize) -> Result<bool, Fault> {
        if config.graph.capacity() <= fixed {
            return Ok(true);
        }
        let marks: Vec<Item> = config.records.iter().flat_map(|record| record.iter().copied()).collect();
        let distinct = self.rank(config, &marks, fixed);
        if !distinct {
            let found = canonical(&config.graph, &marks, fixed).map_err(|_| {
                Fault::Budget("A state has too many symmetries to be compared with others.".to_string())
            })?;
            self.number = found.number;
        }
        let number = &self.number;
        let as_before = |(at, &number): (usize, &u32)| number as usize == at || number == u32::MAX;
        if number.last() == Some(&u32::MAX) || !number.iter().enumerate().all(as_before) {
            for item in config.records.iter_mut().flat_map(|record| record.iter_mut()) {
                if item.is_node() {
                    *item = Item(number[item.index()]);
                }
            }
            config.graph.renumber(number);
        }
        Ok(distinct && !marks.iter().any(|mark| mark.is_node() && mark.index() >= fixed))
    }

    /// Numbers the nodes by their sums. Returns `false` if two sums are equal.
    fn rank(&mut self, config: &Config, marks: &[Item], fixed: usize) -> bool {
        let graph = &config.graph;
        let sums = &mut self.sums;
        sums.clear();
        sums.extend(graph.types()[fixed..].iter().map(|kind| mix2(3, u64::from(*kind))));
        let mut add = |node: Item, what: u64, other: u64| {
            if node.is_node() && node.index() >= fixed {
                let sum = &mut sums[node.index() - fixed];
                *sum = sum.wrapping_add(mix2(what, other));
            }
        };
        for edge in graph.changing() {
            let label = u64::from(edge.label) << 2;
            let known = |item: Item| !item.is_node() || item.index() < fixed;
            if edge.label & FLAG != 0 {
                add(edge.a, label | 1, 0);
                continue;
            }
            // A neighbour that has no canonical number itself is only counted.
            add(edge.a, label | 2, if known(edge.b) { u64::from(edge.b.0) + 1 } else { 0 });
            add(edge.b, label | 3, if known(edge.a) { u64::from(edge.a.0) + 1 } else { 0 });
        }
        for (at, mark) in marks.iter().enumerate() {
            add(*mark, 5 << 40, at as u64);
        }
        let there = graph.nodes().filter(|node| node.index() >= fixed);
        self.order.clear();
        self.order.extend(there.map(|node| (self.sums[node.index() - fixed], node.index())));
        self.order.sort_unstable();
        if self.order.windows(2).any(|pair| pair[0].0 == pair[1].0) {
            return false;
        }
        self.number.clear();
        self.number.resize(graph.capacity(), u32::MAX);
        for node in graph.nodes().take_while(|node| node.index() < fixed) {
            self.number[node.index()] = node.0;
        }
        for (rank, &(_, node)) in self.order.iter().enumerate() {
            self.number[node] = (fixed + rank) as u32;
        }
        true
    }
}
