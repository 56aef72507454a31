//! Fluents that exclude each other, indexed for simplification.

use super::facts::{Fact, Facts};

/// Groups of fluents of which at most one holds.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Exclusions {
    /// For each fluent, the groups that contain it, in order.
    groups: Vec<Vec<u32>>,
    /// For each group, its members if one of them always holds.
    exact: Vec<Option<Vec<u32>>>,
}

impl Exclusions {
    pub fn new(facts: &Facts) -> Exclusions {
        let always: rustc_hash::FxHashSet<&[u32]> = facts
            .iter()
            .filter_map(|fact| if let Fact::Some(members) = fact { Some(&members[..]) } else { None })
            .collect();
        let mut found = Exclusions::default();
        for fact in facts.iter() {
            let Fact::AtMostOne(members) = fact else { continue };
            for &member in members {
                let member = member as usize;
                if found.groups.len() <= member {
                    found.groups.resize_with(member + 1, Vec::new);
                }
                found.groups[member].push(found.exact.len() as u32);
            }
            found.exact.push(always.contains(&members[..]).then(|| members.clone()));
        }
        found
    }

    pub fn is_empty(&self) -> bool {
        self.exact.is_empty()
    }

    /// Returns the groups of a fluent, in order.
    pub fn of(&self, fluent: u32) -> &[u32] {
        self.groups.get(fluent as usize).map_or(&[], |list| list)
    }

    /// Returns the members of a group if one of them always holds.
    pub fn exact(&self, group: u32) -> Option<&[u32]> {
        self.exact[group as usize].as_deref()
    }

    /// Returns `true` if two different fluents never hold together.
    pub fn exclude(&self, a: u32, b: u32) -> bool {
        a != b && self.of(a).iter().any(|group| self.of(b).binary_search(group).is_ok())
    }
}
