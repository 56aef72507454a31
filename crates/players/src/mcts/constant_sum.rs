//! Whether the goals of two roles have a constant sum, as far as results have shown.
//!
//! As long as they seem to, a proven loss of one role is a proven gain of the other.

use game::{End, Game, Outcomes};

use super::search::Search;
use super::tree::{Kind, NodeId};

/// Whether the goals of two roles had a constant sum in all results so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ConstantSum {
    Unknown,
    Sum(i32),
    No,
}

impl<G: Game + 'static> Search<G> {
    /// Observes the results of playouts that ended.
    pub fn see_outcomes(&mut self, outcomes: &Outcomes) {
        if self.constant_sum == ConstantSum::No {
            return;
        }
        for playout in (0..outcomes.len()).filter(|&playout| outcomes.ends[playout] == End::Goals) {
            let goals = outcomes.goals_of(playout);
            let sum = (0..self.tree.roles).filter(|&r| !self.tree.chance[r]).map(|r| goals[r]).sum();
            self.see(sum);
        }
    }

    /// Observes the result of a node, if it is terminal.
    pub fn see_end(&mut self, id: NodeId) {
        if self.constant_sum == ConstantSum::No || !matches!(self.tree.nodes[id as usize].kind, Kind::Ended) {
            return;
        }
        let value = |role: usize| i32::from(self.tree.bounds(id, role).low);
        let sum = (0..self.tree.roles).filter(|&role| !self.tree.chance[role]).map(value).sum();
        self.see(sum);
    }

    /// Proofs that relied on the constant sum are void once it is seen to be wrong.
    fn see(&mut self, sum: i32) {
        match self.constant_sum {
            ConstantSum::Unknown => self.constant_sum = ConstantSum::Sum(sum),
            ConstantSum::Sum(other) if other != sum => {
                self.constant_sum = ConstantSum::No;
                self.tree.forget_proofs();
            }
            _ => {}
        }
    }

    pub fn is_shared(&self) -> bool {
        matches!(self.constant_sum, ConstantSum::Sum(_))
    }
}
