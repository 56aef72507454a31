//! The nodes of a rule, and its negative application conditions.

use std::collections::BTreeMap;

use super::Slot;
use super::build::Builder;
use super::constraints::Constraint;
use crate::label::Role;

impl Builder<'_> {
    /// Adds the nodes that are matched, erased and created.
    pub(super) fn pattern_nodes(&mut self, injective: bool) {
        let mut placed = vec![false; self.slots.len()];
        let mut matched: Vec<usize> = Vec::new();
        for node in 0..self.nodes.len() {
            let info = &self.nodes[node];
            if !info.is_pattern() {
                continue;
            }
            let slot = self.slot_of[node];
            let level = self.slot_level[slot];
            let (erased, created) = (info.role == Some(Role::Del), info.is_new());
            if info.sort.is_some() {
                for (_, quantifier) in info.arguments.iter().filter(|(number, _)| *number == usize::MAX) {
                    let counted = self.nodes[*quantifier].at.unwrap_or(0);
                    self.drafts[counted].level.count = Some(slot);
                }
                continue;
            }
            let kind = info.created;
            if created {
                self.drafts[level].level.new_nodes.push((slot, kind));
                continue;
            }
            if info.role == Some(Role::Not) {
                continue;
            }
            if erased {
                self.drafts[level].level.erase_nodes.push(slot);
            }
            if !std::mem::replace(&mut placed[slot], true) {
                self.drafts[level].constraints.push(Constraint::Node(slot));
                matched.push(slot);
            }
        }
        if injective {
            for (at, &a) in matched.iter().enumerate() {
                for &b in &matched[..at] {
                    let (la, lb) = (self.slot_level[a], self.slot_level[b]);
                    if self.is_within(la, lb) || self.is_within(lb, la) {
                        let level = self.deeper(la, lb);
                        self.drafts[level].constraints.push(Constraint::Differ(a, b));
                    }
                }
            }
        }
    }

    /// Returns `true` if a level is another or nested in it.
    pub(super) fn is_within(&self, mut inner: usize, outer: usize) -> bool {
        loop {
            if inner == outer {
                return true;
            }
            if inner == 0 {
                return false;
            }
            inner = self.drafts[inner].level.parent;
        }
    }

    /// Groups the forbidden elements into negative application conditions, by connectedness.
    pub(super) fn negative_patterns(&mut self, injective: bool) {
        let nodes = self.nodes.len();
        let is_negative = |builder: &Builder<'_>, node: usize| {
            builder.nodes[node].role == Some(Role::Not) || builder.negative_slot[node].is_some()
        };
        let mut group: Vec<usize> = (0..nodes + self.negatives.len()).collect();
        fn root(group: &[usize], mut at: usize) -> usize {
            while group[at] != at {
                at = group[at];
            }
            at
        }
        let unite = |group: &mut Vec<usize>, a: usize, b: usize| {
            let (a, b) = (root(group, a), root(group, b));
            group[a.max(b)] = a.min(b);
        };
        for (number, negative) in self.negatives.iter().enumerate().filter(|(_, negative)| !negative.alone) {
            for end in negative.ends.into_iter().filter(|&end| is_negative(self, end)) {
                unite(&mut group, nodes + number, end);
            }
        }
        for &(a, b) in &self.joined.clone() {
            unite(&mut group, a, b);
        }
        let mut patterns: BTreeMap<usize, (Vec<Constraint>, Vec<usize>, usize)> = BTreeMap::new();
        for node in (0..nodes).filter(|&node| is_negative(self, node)).collect::<Vec<_>>() {
            let slot = self.negative_slot[node].unwrap_or(self.slot_of[node]);
            let level = self.slot_level[slot];
            let entry = patterns.entry(root(&group, node)).or_insert_with(|| (Vec::new(), Vec::new(), level));
            entry.0.push(Constraint::Node(slot));
            entry.1.push(slot);
            entry.2 = self.deeper(entry.2, level);
        }
        for (number, negative) in std::mem::take(&mut self.negatives).into_iter().enumerate() {
            let at = if negative.alone { nodes + number } else { root(&group, nodes + number) };
            let level = negative.level;
            let entry = patterns.entry(at).or_insert_with(|| (Vec::new(), Vec::new(), level));
            if let Constraint::Wild(_, Some(slot), _, _) = &negative.constraint
                && !self.variables.values().any(|known| known == slot)
            {
                entry.1.push(*slot);
            }
            entry.0.push(negative.constraint);
            entry.2 = self.deeper(entry.2, level);
        }
        for (mut constraints, own, level) in patterns.into_values() {
            if injective {
                let others: Vec<usize> = (0..self.slots.len())
                    .filter(|&slot| matches!(self.slots[slot], Slot::Node(_)) && !own.contains(&slot))
                    .filter(|&slot| {
                        self.drafts.iter().any(|draft| {
                            draft
                                .constraints
                                .iter()
                                .any(|c| matches!(c, Constraint::Node(node) if *node == slot))
                        })
                    })
                    .filter(|&slot| self.is_within(level, self.slot_level[slot]))
                    .collect();
                for (at, &a) in own.iter().enumerate() {
                    if matches!(self.slots[a], Slot::Node(_)) {
                        let nodes = own[..at].iter().filter(|&&b| matches!(self.slots[b], Slot::Node(_)));
                        constraints.extend(others.iter().chain(nodes).map(|&b| Constraint::Differ(a, b)));
                    }
                }
            }
            // Data slots that only this pattern refers to are local to it.
            self.drafts[level].constraints.push(Constraint::Not(constraints, own));
        }
    }
}
