//! Why a move was made, for people.

use game::{Budget, Explanation, Fault, Game, MoveId, RoleId};

use super::choose::Candidate;
use super::search::Search;
use super::tree::{Kind, NONE, NodeId, Tree};

/// Moves that are listed.
const LISTED: usize = 5;
/// Steps of the expected play that are shown.
const STEPS: usize = 10;

impl<G: Game> Search<G> {
    /// Says what the search found.
    pub fn explain(
        &self,
        role: RoleId,
        candidates: &[Candidate],
        chosen: MoveId,
        fault: Option<Fault>,
    ) -> Explanation {
        let mut entries = Vec::new();
        let mut say = |name: &str, value: String| entries.push((name.to_string(), value));
        if let Some(of) = candidates.iter().find(|c| c.mv == chosen) {
            let proven = match (of.solved, of.low, of.high) {
                (true, ..) => format!(", proven, {} steps to the end", of.distance.saturating_add(1)),
                (_, 0, 100) => String::new(),
                (_, low, high) => format!(", proven between {low} and {high}"),
            };
            say("value", format!("{:.1}{proven}", of.value));
        }
        let mut best: Vec<&Candidate> = candidates.iter().collect();
        best.sort_by_key(|c| std::cmp::Reverse((c.mv == chosen, c.visits)));
        for c in best.into_iter().take(LISTED) {
            let share = c.share.map_or(String::new(), |share| format!(", played {:.1} %", share * 100.0));
            let proven = if c.solved { ", proven" } else { "" };
            let text = format!("value {:.1}, visits {}{share}{proven}", c.value, c.visits);
            say(&self.game.move_text(role, c.mv), text);
        }
        say("expected", self.expected(role, chosen).join(" "));
        say("playouts", self.playouts.to_string());
        if self.settings.budget == Budget::Clock {
            let rate = self.playouts as f64 / self.took.as_secs_f64().max(1e-9);
            say("playouts per second", format!("{rate:.0}"));
        }
        say("nodes", self.tree.nodes.len().to_string());
        if let Some(fault) = fault {
            say("broken off", fault.to_string());
        }
        Explanation { entries }
    }

    /// The moves most visited after the chosen one, of the roles that have a choice.
    fn expected(&self, role: RoleId, chosen: MoveId) -> Vec<String> {
        let mut texts = Vec::new();
        let mut at = self.root;
        let mut first = Some((role, chosen));
        while texts.len() < STEPS {
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
                let Some(place) = place else { return texts };
                picks.push(place as u32);
                if choice.edges.len() > 1 {
                    texts.push(self.game.move_text(choice.role, choice.edges[place].mv));
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
        texts
    }
}

/// The place of the move that its role would make.
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
