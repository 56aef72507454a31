//! The last steps of building a rule: parameters, search plans and anchors.

use std::collections::BTreeMap;

use super::build::Builder;
use super::constraints::Constraint;
use super::plan::plan;
use super::{LabelRef, Level, Parameter, Slot};
use crate::GrammarError;
use crate::label::Direction;
use crate::value::Item;

impl Builder<'_> {
    pub(super) fn parameters(&mut self) -> Result<Vec<Parameter>, GrammarError> {
        let mut numbered: BTreeMap<usize, Parameter> = BTreeMap::new();
        for node in 0..self.nodes.len() {
            for (direction, number) in self.nodes[node].parameters.clone() {
                let slot = self.slot_of[node];
                let wrong = |text: &str| {
                    GrammarError::new(&self.raw.file, text).at(format!("node {}", self.raw.nodes[node]))
                };
                if slot == usize::MAX || self.slot_level[slot] != 0 {
                    return Err(wrong("a parameter must be outside of all quantifiers."));
                }
                match number {
                    None => self.drafts[0].level.anchor.push(slot),
                    Some(number) => {
                        if numbered.insert(number, Parameter { slot, direction }).is_some() {
                            return Err(wrong("two nodes have the same parameter number."));
                        }
                    }
                }
            }
        }
        if let Some((at, (number, _))) = numbered.iter().enumerate().find(|(at, (number, _))| at != *number) {
            let text = format!("there is a parameter {number} but no parameter {at}.");
            return Err(GrammarError::new(&self.raw.file, text));
        }
        Ok(numbered.into_values().collect())
    }

    /// Plans the search of every level and determines the anchors.
    pub(super) fn levels(&mut self) -> Result<Vec<Level>, GrammarError> {
        let mut known: Vec<Vec<bool>> = vec![Vec::new(); self.drafts.len()];
        let mut order: Vec<usize> = (0..self.drafts.len()).collect();
        order.sort_by_key(|&level| self.depth(level));
        for level in order {
            let mut now = if level == 0 {
                let mut now: Vec<bool> = self.template.iter().map(|item| *item != Item::NONE).collect();
                for node in 0..self.nodes.len() {
                    if self.nodes[node].parameters.iter().any(|(direction, _)| *direction == Direction::In) {
                        now[self.slot_of[node]] = true;
                    }
                }
                now
            } else {
                known[self.drafts[level].level.parent].clone()
            };
            let children = self.drafts[level].level.children.clone();
            let mut late: Vec<usize> =
                children.iter().filter_map(|&child| self.drafts[child].level.count).collect();
            late.retain(|&slot| !now[slot]);
            let mut constraints = std::mem::take(&mut self.drafts[level].constraints);
            let mut after = Vec::new();
            // Whatever depends on a count must wait for it.
            loop {
                let (later, soon): (Vec<_>, Vec<_>) =
                    constraints.into_iter().partition(|c| c.slots().iter().any(|slot| late.contains(slot)));
                constraints = soon;
                if later.is_empty() {
                    break;
                }
                for constraint in later {
                    if let Constraint::Eval(_, slot) = &constraint
                        && !now[*slot]
                    {
                        late.push(*slot);
                    }
                    after.push(constraint);
                }
            }
            let context = self.context;
            let slots = &self.slots;
            let make = |list: Vec<Constraint>, now: &mut Vec<bool>| {
                plan(list, now, slots, context.statistics, context.vocabulary)
            };
            let plans = make(constraints, &mut now).and_then(|steps| {
                for &child in &children {
                    if let Some(slot) = self.drafts[child].level.count {
                        now[slot] = true;
                    }
                }
                Ok((steps, make(after, &mut now)?))
            });
            let (steps, after) = plans.map_err(|undetermined| self.undetermined(undetermined.0))?;
            if level == 0 {
                // Every item used in a created edge must be known when the rule is applied.
                let used = self.drafts[0].level.new_edges.iter().flat_map(|(_, a, b)| [*a, *b]);
                let created: Vec<usize> =
                    self.drafts.iter().flat_map(|d| d.level.new_nodes.iter().map(|n| n.0)).collect();
                if let Some(slot) = used.into_iter().find(|slot| !now[*slot] && !created.contains(slot)) {
                    return Err(self.undetermined(slot));
                }
            }
            let draft = &mut self.drafts[level].level;
            (draft.plan, draft.after) = (steps, after);
            known[level] = now;
        }
        let parameters: Vec<usize> = (0..self.nodes.len())
            .filter(|&node| self.nodes[node].parameters.iter().any(|(_, number)| number.is_some()))
            .map(|node| self.slot_of[node])
            .collect();
        self.drafts[0].level.anchor.extend(parameters);
        for level in 0..self.drafts.len() {
            let changes = &self.drafts[level].level;
            let mut used: Vec<usize> = changes.erase_nodes.clone();
            for (label, a, b) in changes.erase_edges.iter().chain(&changes.new_edges) {
                used.extend([*a, *b]);
                if let LabelRef::Variable(slot) = label {
                    used.push(*slot);
                }
            }
            used.extend(changes.merges.iter().flat_map(|(a, b)| [*a, *b]));
            // Matches that agree on the items they change have the same effect, so these are the anchors.
            for slot in used {
                let mut owner = self.slot_level[slot];
                if self.slots[slot] == Slot::Label {
                    owner = level;
                }
                let created =
                    self.drafts.iter().any(|d| d.level.new_nodes.iter().any(|(new, _)| *new == slot));
                if !created {
                    self.drafts[owner].level.anchor.push(slot);
                }
            }
        }
        let levels = std::mem::take(&mut self.drafts).into_iter().enumerate();
        Ok(levels
            .map(|(number, draft)| {
                let mut level = draft.level;
                level.anchor.sort_unstable();
                level.anchor.dedup();
                level.slots = (0..self.slots.len()).filter(|&slot| self.slot_level[slot] == number).collect();
                level
            })
            .collect())
    }

    pub(super) fn undetermined(&self, slot: usize) -> GrammarError {
        let node = self.slot_of.iter().position(|known| *known == slot);
        let error =
            GrammarError::new(&self.raw.file, "nothing determines the value of this node or attribute.");
        match node {
            Some(node) => error.at(format!("node {}", self.raw.nodes[node])),
            None => error,
        }
    }
}
