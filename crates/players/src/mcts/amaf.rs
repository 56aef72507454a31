//! All-moves-as-first values (AMAF).
//!
//! Playouts that pass through a node are informative about every move made later in them, not only about the
//! first. Nodes that are visited often store these values, and nodes below them are guided by the nearest
//! such node (GRAVE, Cazenave 2015) until their own moves have been tried.

use std::ops::Range;

use game::{End, MoveId, Outcomes, RoleId};
use rustc_hash::FxHashMap;

use super::select::Path;
use super::tree::{Kind, Tree};

/// The number of visits from which a node stores values.
const KEEP: u32 = 12;
/// The number of visits from which a node guides those below it.
pub(super) const GUIDE: u32 = 40;

/// The count and the sum of values by role and move.
#[derive(Debug, Default)]
pub(super) struct Amaf {
    seen: FxHashMap<(RoleId, MoveId), (f32, f32)>,
}

impl Amaf {
    /// Returns the mean value of a move for its role, from 0 to 1, if it was ever made.
    pub fn value(&self, role: RoleId, mv: MoveId) -> Option<f32> {
        self.seen.get(&(role, mv)).map(|(count, sum)| sum / count)
    }
}

/// Updates the nodes of a path with the playouts from its end.
pub(super) fn learn<S>(tree: &mut Tree<S>, path: &Path, outcomes: &Outcomes, playouts: Range<usize>) {
    let roles = tree.roles;
    // The moves of the playouts, summed up once for all nodes.
    let mut later: FxHashMap<(RoleId, MoveId), (f32, f32)> = FxHashMap::default();
    let mut means = vec![0.0f32; roles];
    for playout in playouts.clone().filter(|&playout| outcomes.ends[playout] != End::CutOff) {
        let goals = outcomes.goals_of(playout);
        let value = |role: usize| goals[role].clamp(0, 100) as f32 / 100.0;
        (0..roles).for_each(|role| means[role] += value(role));
        for joint in outcomes.traces[playout].chunks_exact(roles) {
            for (role, &mv) in joint.iter().enumerate() {
                let entry = later.entry((RoleId(role as u32), mv)).or_default();
                (entry.0, entry.1) = (entry.0 + 1.0, entry.1 + value(role));
            }
        }
    }
    let count = playouts.len() as f32;
    let mut picks = path.picks.as_slice();
    for depth in (0..path.nodes.len()).rev() {
        let node = &mut tree.nodes[path.nodes[depth] as usize];
        // The moves on the path itself come after the nodes above them.
        if depth + 1 < path.nodes.len()
            && let Kind::Inner(inner) = &node.kind
        {
            let (rest, own) = picks.split_at(picks.len() - inner.choices.len());
            picks = rest;
            for (choice, &place) in inner.choices.iter().zip(own) {
                let entry = later.entry((choice.role, choice.edges[place as usize].mv)).or_default();
                (entry.0, entry.1) = (entry.0 + count, entry.1 + means[choice.role.index()]);
            }
        }
        if node.visits >= KEEP {
            let amaf = node.amaf.get_or_insert_default();
            for (key, (count, sum)) in &later {
                let entry = amaf.seen.entry(*key).or_default();
                (entry.0, entry.1) = (entry.0 + count, entry.1 + sum);
            }
        }
    }
}
