//! What players see.
//!
//! With `filter`, the player to move sees the state that the filter leaves.
//! With edges `observes`, every player sees its own node and the nodes that it
//! observes, with everything between them.

use game::Fault;

use super::{GraphGame, GraphState};
use crate::value::Item;

impl GraphGame {
    /// The facts that a role sees in a state.
    pub(super) fn sight(&self, state: &GraphState, role: usize) -> Result<Vec<String>, Fault> {
        let config = &state.0.config;
        if self.is_chance(role) {
            return Ok(Vec::new());
        }
        if let Some(observes) = self.observes {
            let own = self.players[role];
            let observed: Vec<Item> = config.graph.out(observes, own).iter().map(|edge| edge.b).collect();
            return Ok(self.facts_about(config, |item| item == own || observed.contains(&item)));
        }
        let choices = self.options(config)?;
        if choices.list.is_empty() || self.turn_of(config)? != role {
            return Ok(Vec::new());
        }
        match &choices.filters[..] {
            [only] => Ok(self.facts_about(&self.take(config, only)?, |_| true)),
            [] => Err(Fault::BadState(format!(
                "{} has the turn but `filter` does not apply.",
                self.roles[role]
            ))),
            several => {
                let text = format!("`filter` applies in {} ways; it must apply in one.", several.len());
                Err(Fault::BadState(text))
            }
        }
    }
}
