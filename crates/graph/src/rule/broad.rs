//! Rules whose quantified parts are only one level deep, applied in place: one match of the
//! root, and all matches of the universally quantified parts.
//!
//! Such a rule has one event per match of the root, so no proofs need to be combined, and
//! everything it erases and creates can be collected in one list.

use rustc_hash::FxHashSet;

use super::matching::Matcher;
use super::{LabelRef, Level, Rule};
use crate::graph::{GONE, Graph};
use crate::label::Quantifier;
use crate::value::Item;

/// A match of the root, with the matches of the quantified parts.
#[derive(Debug, Default)]
pub struct Broad {
    /// The items in the slots, one match after another, beginning with the root.
    slots: Vec<Item>,
    /// The level of each match.
    levels: Vec<usize>,
    seen: FxHashSet<Box<[u32]>>,
}

/// The number of matches of one part below which they are compared one by one instead of hashed.
const FEW: usize = 24;

impl Rule {
    /// Returns `true` if it can be matched and applied as [`Broad`].
    pub fn is_broad(&self) -> bool {
        let every = |level: &Level| {
            level.parent == 0
                && matches!(level.quantifier, Quantifier::Forall | Quantifier::ForallSome)
                && level.children.is_empty()
                && level.count.is_none()
        };
        let plain =
            |level: &Level| level.after.is_empty() && level.merges.is_empty() && level.new_nodes.is_empty();
        self.levels.len() > 1
            && !self.slots.is_empty()
            && self.levels.iter().all(plain)
            && self.levels[1..].iter().all(every)
    }
}

impl Broad {
    /// Returns the items in the slots of the root.
    pub fn root(&self, width: usize) -> &[Item] {
        &self.slots[..width]
    }

    fn clear(&mut self) {
        self.slots.clear();
        self.levels.clear();
    }

    /// Adds a match of a part, unless there is one with the same anchor.
    fn add(&mut self, number: usize, level: &Level, first: usize, slots: &[Item]) {
        let key = |slots: &[Item]| level.anchor.iter().map(|&slot| slots[slot].0).collect();
        let known = &self.slots[first * slots.len()..];
        if self.levels.len() - first < FEW {
            let same = |known: &[Item]| level.anchor.iter().all(|&slot| known[slot] == slots[slot]);
            if known.chunks_exact(slots.len()).any(same) {
                return;
            }
        } else {
            if self.levels.len() - first == FEW {
                self.seen.clear();
                self.seen.extend(known.chunks_exact(slots.len()).map(key));
            }
            if !self.seen.insert(key(slots)) {
                return;
            }
        }
        self.slots.extend_from_slice(slots);
        self.levels.push(number);
    }
}

impl<'a> Matcher<'a> {
    /// Searches for matches of a rule that [`Rule::is_broad`], starting from the given slots.
    /// Returns 0 if there is none, 1 if there is one, which is stored in the list, and 2 if
    /// there may be more than one.
    pub fn broad(&mut self, slots: &mut [Item], list: &mut Broad) -> usize {
        let rule = self.rule();
        let root = &rule.levels[0];
        let mut count = 0;
        self.run(&root.plan, slots, &mut |matcher: &mut Matcher<'a>, slots: &mut [Item]| {
            if !matcher.dangling_allows(root, slots) {
                return false;
            }
            if count == 1 {
                count = 2;
                return true;
            }
            list.clear();
            list.slots.extend_from_slice(slots);
            list.levels.push(0);
            for (number, level) in rule.levels.iter().enumerate().skip(1) {
                let first = list.levels.len();
                matcher.run(&level.plan, slots, &mut |matcher: &mut Matcher<'a>, slots: &mut [Item]| {
                    if matcher.dangling_allows(level, slots) {
                        list.add(number, level, first, slots);
                    }
                    matcher.exhausted()
                });
                if level.quantifier == Quantifier::ForallSome && list.levels.len() == first {
                    return matcher.exhausted();
                }
            }
            count = 1;
            matcher.exhausted()
        });
        count
    }
}

/// Applies the match in the list.
pub fn apply_broad(rule: &Rule, graph: &mut Graph, list: &Broad) {
    let width = rule.slots.len();
    let matches = || list.levels.iter().map(|&level| &rule.levels[level]).zip(list.slots.chunks_exact(width));
    let image = |label: LabelRef, slots: &[Item]| match label {
        LabelRef::Fixed(label) => label,
        LabelRef::Variable(slot) => slots[slot].0,
    };
    for (level, slots) in matches() {
        for &(label, a, b) in &level.erase_edges {
            graph.remove_edge(image(label, slots), slots[a], slots[b]);
        }
    }
    for (level, slots) in matches() {
        level.erase_nodes.iter().for_each(|&slot| graph.remove_node(slots[slot]));
    }
    for (level, slots) in matches() {
        for &(label, a, b) in &level.new_edges {
            let there = |item: Item| item.is_value() || (item.is_node() && graph.type_of(item) != GONE);
            if there(slots[a]) && there(slots[b]) {
                graph.add_edge(image(label, slots), slots[a], slots[b]);
            }
        }
    }
}
