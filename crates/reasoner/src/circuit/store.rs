//! Which fluents a state stores, and how the others are derived from them.
//!
//! A fluent is not stored if it never changes, is the copy or the inverse of another, or holds exactly when
//! none of a few others does. Circuits number only the stored fluents; the game translates.

use super::facts::{Fact, Facts};
use super::{Circuit, Node};
use crate::ground::Ground;

/// In groups of more fluents than this every fluent is stored: a derived one would have to be computed from
/// all the others wherever it is read.
const MOST_MEMBERS: usize = 4;

/// Where the value of a fluent comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// It always has this value.
    Constant(bool),
    /// It is stored under this number, and inverted if the flag is set.
    Stored(u32, bool),
    /// It holds if none of these stored fluents does.
    NoneOf(Vec<u32>),
}

/// The fluents of a game, and which of them are stored.
#[derive(Debug, Clone, Default)]
pub struct Store {
    /// For each fluent, its source.
    pub sources: Vec<Source>,
    /// For each stored fluent, its number among all fluents.
    pub fluents: Vec<u32>,
    /// Facts about the fluents of every reachable state, by their numbers among all fluents.
    pub facts: Facts,
}

impl Store {
    /// Stores every fluent under its number in the ground rules.
    pub fn everything(count: usize) -> Store {
        let sources = (0..count as u32).map(|f| Source::Stored(f, false)).collect();
        Store { sources, fluents: (0..count as u32).collect(), facts: Facts::default() }
    }

    /// Returns the values of the stored fluents in the initial state.
    pub fn initial(&self, ground: &Ground) -> Vec<bool> {
        self.fluents.iter().map(|&f| ground.initial[f as usize]).collect()
    }

    /// Numbers the stored fluents. The sources in `left_out` refer to fluents by their numbers among all.
    fn number(left_out: Vec<Option<Source>>, facts: Facts) -> Store {
        let mut fluents = Vec::new();
        let mut numbers = vec![0; left_out.len()];
        for (fluent, source) in left_out.iter().enumerate() {
            if source.is_none() {
                numbers[fluent] = fluents.len() as u32;
                fluents.push(fluent as u32);
            }
        }
        let number = |fluent: u32| numbers[fluent as usize];
        let sources = (0..).zip(left_out).map(|(fluent, source)| match source {
            None => Source::Stored(number(fluent), false),
            Some(Source::Stored(other, inverted)) => Source::Stored(number(other), inverted),
            Some(Source::NoneOf(others)) => Source::NoneOf(others.into_iter().map(number).collect()),
            Some(constant) => constant,
        });
        Store { sources: sources.collect(), fluents, facts }
    }

    /// Leaves out the fluents that follow from the rest by these facts. The circuit must store every fluent.
    pub fn without_redundant(count: usize, facts: Facts, circuit: &Circuit) -> Store {
        let readers = readers(circuit, count);
        let mut left_out: Vec<Option<Source>> = vec![None; count];
        for fact in facts.iter() {
            if let Fact::Constant(fluent, value) = fact {
                left_out[*fluent as usize] = Some(Source::Constant(*value));
            }
        }
        // Whether another fluent is derived from this one, which must therefore be stored.
        let mut needed = vec![false; count];
        for fact in facts.iter() {
            if let Fact::Same(a, b, inverted) = fact
                && left_out[*a as usize].is_none()
                && left_out[*b as usize].is_none()
                && !needed[*a as usize]
            {
                needed[*b as usize] = true;
                left_out[*a as usize] = Some(Source::Stored(*b, *inverted));
            }
        }
        let exclusive: rustc_hash::FxHashSet<&[u32]> = facts
            .iter()
            .filter_map(|fact| match fact {
                Fact::AtMostOne(members) => Some(&members[..]),
                _ => None,
            })
            .collect();
        for fact in facts.iter() {
            let Fact::Some(members) = fact else { continue };
            let live = |f: &&u32| left_out[**f as usize] != Some(Source::Constant(false));
            let own: Vec<u32> = members.iter().filter(live).copied().collect();
            let stored = |f: &u32| left_out[*f as usize].is_none();
            if !exclusive.contains(&members[..])
                || !(2..=MOST_MEMBERS).contains(&own.len())
                || !own.iter().all(stored)
            {
                continue;
            }
            let free = own.iter().copied().filter(|&f| !needed[f as usize]);
            // The fluent that is read least often, and the last one among equals.
            let Some(out) = free.min_by_key(|&f| (readers[f as usize], u32::MAX - f)) else { continue };
            let others: Vec<u32> = own.iter().copied().filter(|&f| f != out).collect();
            others.iter().for_each(|&f| needed[f as usize] = true);
            left_out[out as usize] = Some(match others[..] {
                [one] => Source::Stored(one, true),
                _ => Source::NoneOf(others),
            });
        }
        Store::number(left_out, facts)
    }

    /// Returns the facts about stored fluents, by their numbers among these: groups of which at most one
    /// holds, and groups of which one always holds.
    pub(crate) fn stored_facts(&self) -> Facts {
        let mut list = Vec::new();
        let plain = |f: &u32| match self.sources[*f as usize] {
            Source::Stored(number, false) if self.fluents[number as usize] == *f => Some(number),
            _ => None,
        };
        for fact in self.facts.iter() {
            match fact {
                Fact::AtMostOne(members) => {
                    let own: Vec<u32> = members.iter().filter_map(plain).collect();
                    if own.len() > 1 {
                        list.push(Fact::AtMostOne(own));
                    }
                }
                Fact::Some(members) => {
                    let live = |f: &&u32| self.sources[**f as usize] != Source::Constant(false);
                    let own: Option<Vec<u32>> = members.iter().filter(live).map(plain).collect();
                    list.extend(own.filter(|own| own.len() > 1).map(Fact::Some));
                }
                Fact::Same(..) | Fact::Constant(..) => {}
            }
        }
        Facts::new(list)
    }

    /// Returns `true` if a fluent holds in a state of stored fluents.
    #[inline]
    pub fn holds(&self, fluent: usize, stored: impl Fn(usize) -> bool) -> bool {
        match &self.sources[fluent] {
            Source::Constant(value) => *value,
            Source::Stored(number, inverted) => stored(*number as usize) != *inverted,
            Source::NoneOf(numbers) => !numbers.iter().any(|&n| stored(n as usize)),
        }
    }

    /// Returns the fluents that are not stored.
    pub fn left_out(&self) -> Vec<u32> {
        let own = |f: &u32| self.fluents.binary_search(f).is_err();
        (0..self.sources.len() as u32).filter(own).collect()
    }
}

/// Returns for each fluent the number of gates that read it.
fn readers(circuit: &Circuit, count: usize) -> Vec<u32> {
    let aig = &circuit.aig;
    let mut readers = vec![0; count];
    for number in 0..aig.len() {
        if let Node::And(a, b) = aig.node(number) {
            for lit in [a, b] {
                if let Node::Fluent(fluent) = aig.node(lit.node()) {
                    readers[fluent as usize] += 1;
                }
            }
        }
    }
    readers
}
