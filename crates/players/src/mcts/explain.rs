//! The results of a search, as a thought.

use game::{Budget, Considered, Fault, Game, MoveId, Proven, RoleId, Thought};

use super::choose::Candidate;
use super::search::Search;
use super::tree::{Kind, NONE, NodeId, Tree};

/// The maximum length of the principal line.
const STEPS: usize = 10;

impl<G: Game> Search<G> {
    /// Returns the results of the search.
    pub fn thought(
        &self,
        role: RoleId,
        mut candidates: Vec<Candidate>,
        chosen: MoveId,
        fault: Option<Fault>,
    ) -> Thought {
        candidates.sort_by_key(|of| std::cmp::Reverse((of.mv == chosen, of.visits)));
        let best = candidates.first().filter(|of| of.mv == chosen);
        let proven = best.and_then(|of| match (of.solved, of.low, of.high) {
            (true, ..) => Some(Proven::Exactly(Some(u32::from(of.distance) + 1))),
            (_, 0, 100) => None,
            (_, low, high) => Some(Proven::Between(low.into(), high.into())),
        });
        let considered = |of: &Candidate| Considered {
            value: Some(of.value),
            visits: Some(u64::from(of.visits)),
            share: of.share,
            proven: of.solved,
            ..Considered::new(of.mv)
        };
        let timed = self.settings.budget == Budget::Clock;
        Thought {
            value: best.map(|of| of.value),
            proven,
            moves: candidates.iter().map(considered).collect(),
            line: self.expected(role, chosen),
            playouts: Some(self.playouts),
            playouts_per_second: timed.then(|| self.playouts as f64 / self.took.as_secs_f64().max(1e-9)),
            nodes: Some(self.tree.nodes.len() as u64),
            fault,
            ..Thought::default()
        }
    }

    /// Returns the most visited moves after the chosen one, of the roles that have a choice.
    fn expected(&self, role: RoleId, chosen: MoveId) -> Vec<(RoleId, MoveId)> {
        let mut line = Vec::new();
        let mut at = self.root;
        let mut first = Some((role, chosen));
        while line.len() < STEPS {
            let Kind::Inner(inner) = &self.tree.nodes[at as usize].kind else { break };
            let mut picks = Vec::new();
            for choice in &inner.choices {
                let wanted = first.filter(|(role, _)| *role == choice.role).map(|(_, mv)| mv);
                let place = match wanted {
                    Some(mv) => choice.edges.iter().position(|edge| edge.mv == mv),
                    None => best(
                        &self.tree,
                        at,
                        choice.role,
                        &choice.edges.iter().map(|e| (e.child, e.visits)).collect::<Vec<_>>(),
                    ),
                };
                let Some(place) = place else { return line };
                picks.push(place as u32);
                if choice.edges.len() > 1 {
                    line.push((choice.role, choice.edges[place].mv));
                }
            }
            first = None;
            let child = match &inner.joint {
                Some(joint) => joint.get(&picks[..]).copied(),
                None => Some(inner.choices[0].edges[picks[0] as usize].child),
            };
            match child {
                Some(child) if child != NONE => at = child,
                _ => break,
            }
        }
        line
    }
}

/// Returns the index of the move that its role would make.
fn best<S: Clone + Eq + std::hash::Hash>(
    tree: &Tree<S>,
    at: NodeId,
    role: RoleId,
    edges: &[(NodeId, u32)],
) -> Option<usize> {
    let low = tree.bounds(at, role.index()).low;
    let sure = |child: NodeId| child != NONE && low > 0 && tree.bounds(child, role.index()).low >= low;
    let settled = edges.iter().position(|&(child, _)| sure(child) && tree.nodes[child as usize].solved);
    if tree.nodes[at as usize].solved && settled.is_some() {
        return settled;
    }
    let visited = edges.iter().enumerate().filter(|(_, (_, visits))| *visits > 0);
    visited.max_by_key(|(_, (_, visits))| *visits).map(|(place, _)| place)
}
