//! States in which nodes that came are numbered canonically.
//!
//! Nodes of the start graph keep their numbers, so most nodes that came are
//! told apart by the edges to these and to values: their sums of hashes order
//! them. Only where two of them have the same sum are the canonical numbering
//! and its search needed. Which way is taken depends on nothing but the graph
//! up to isomorphism.
//!
//! A recipe that ends with something that could not be done is left where it
//! tried that, with its variables. For exploring that is the state's location;
//! in a game, where states are equal if their futures are, control goes on to
//! where something can be done.

use game::Fault;

use super::GraphGame;
use crate::canon::{canonical, mix2};
use crate::control::Kind;
use crate::engine::Config;
use crate::value::Item;
use crate::vocabulary::FLAG;

impl GraphGame {
    /// A state in which nodes that came are numbered canonically.
    pub(super) fn settled(&self, config: Config) -> Result<Config, Fault> {
        let mut config = self.at_rest(config)?;
        Sums::default().settle(&mut config, self.grammar.names.len())?;
        Ok(config)
    }

    /// A state whose control location is not inside a recipe where nothing can be done there.
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

/// Sums of what each node that came is connected to.
#[derive(Default)]
pub(super) struct Sums {
    sums: Vec<u64>,
    order: Vec<(u64, usize)>,
    number: Vec<u32>,
}

impl Sums {
    /// Numbers the nodes that came canonically. Whether their sums and no variables tell them apart, so that
    /// the numbers stay for as long as nothing changes at these nodes.
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

    /// Numbers nodes by their sums; false if two are equal.
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
            // What is not told apart itself only counts.
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
