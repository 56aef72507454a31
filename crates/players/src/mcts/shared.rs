//! Whether two roles share a fixed sum, as far as results have shown.
//!
//! While they seem to, one role's loss is proven to be the other's gain.

use game::{End, Game, Outcomes};

use super::search::Search;
use super::tree::{Kind, NodeId};

/// Whether all results seen so far give two roles the same sum.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shared {
    Unknown,
    Sum(i32),
    No,
}

impl<G: Game + 'static> Search<G> {
    /// Sees the results of playouts that came to an end.
    pub fn see_outcomes(&mut self, outcomes: &Outcomes) {
        if self.shared == Shared::No {
            return;
        }
        for playout in (0..outcomes.len()).filter(|&playout| outcomes.ends[playout] == End::Goals) {
            let goals = outcomes.goals_of(playout);
            let sum = (0..self.tree.roles).filter(|&r| !self.tree.chance[r]).map(|r| goals[r]).sum();
            self.see(sum);
        }
    }

    /// Sees the result of a node, if it is an end.
    pub fn see_end(&mut self, id: NodeId) {
        if self.shared == Shared::No || !matches!(self.tree.nodes[id as usize].kind, Kind::Ended) {
            return;
        }
        let value = |role: usize| i32::from(self.tree.bounds(id, role).low);
        let sum = (0..self.tree.roles).filter(|&role| !self.tree.chance[role]).map(value).sum();
        self.see(sum);
    }

    /// Proofs that took one role's loss for the other's gain are void once that is seen to be wrong.
    fn see(&mut self, sum: i32) {
        match self.shared {
            Shared::Unknown => self.shared = Shared::Sum(sum),
            Shared::Sum(other) if other != sum => {
                self.shared = Shared::No;
                self.tree.forget_proofs();
            }
            _ => {}
        }
    }

    pub fn is_shared(&self) -> bool {
        matches!(self.shared, Shared::Sum(_))
    }
}
