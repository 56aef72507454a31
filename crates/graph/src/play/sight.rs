//! What players see.
//!
//! With `filter`, the player to move sees the state that results from the filter. With
//! `observes` edges, every player sees its own node and the nodes that it observes, with
//! everything between them.

use std::sync::Arc;

use game::{Fault, MoveId, PerceptId, RoleId};

use super::options::{Choice, Choices};
use super::texts::Fact;
use super::{GraphGame, GraphScratch, GraphState};
use crate::control::Kind;
use crate::engine::Config;
use crate::value::Item;

impl GraphGame {
    /// Computes what a role sees in a state, in the order of texts.
    pub(super) fn sight(
        &self,
        scratch: &mut GraphScratch,
        state: &GraphState,
        role: usize,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault> {
        percepts.clear();
        if self.is_chance(role) {
            return Ok(());
        }
        let config = &state.0.config;
        if let Some(observes) = self.observes {
            let own = self.players[role];
            let observed: Vec<Item> = config.graph.out(observes, own).iter().map(|edge| edge.b).collect();
            *percepts = self.see(config, |item| item == own || observed.contains(&item));
            return Ok(());
        }
        if self.view(scratch, state)?.turn == Some(role) {
            let shown = state.0.shown.get_or_init(|| self.shown(scratch, state, role));
            percepts.extend_from_slice(shown.as_ref().map_err(Fault::clone)?);
        }
        Ok(())
    }

    /// Returns what the role to move sees through `filter`.
    fn shown(
        &self,
        scratch: &mut GraphScratch,
        state: &GraphState,
        role: usize,
    ) -> Result<Box<[PerceptId]>, Fault> {
        let mut walk = scratch.take(self);
        if walk.filter(self, state)? {
            let seen = self.see(walk.config(), |_| true);
            scratch.put_back(self, walk);
            return Ok(seen.into());
        }
        let config = &state.0.config;
        let filters = self.filters(config)?;
        let shown = self.take(config, self.only_filter(&filters, role)?)?;
        Ok(self.see(&shown, |_| true).into())
    }

    /// Returns the only match of `filter`.
    fn only_filter<'c>(&self, filters: &'c [Choice], role: usize) -> Result<&'c Choice, Fault> {
        match filters {
            [only] => Ok(only),
            [] => Err(Fault::BadState(format!(
                "{} has the turn but `filter` does not apply.",
                self.roles[role]
            ))),
            several => {
                let text =
                    format!("`filter` applies in {} ways; it must apply in exactly one.", several.len());
                Err(Fault::BadState(text))
            }
        }
    }

    /// Returns the matches of `filter`.
    pub(super) fn filters(&self, config: &Config) -> Result<Vec<Choice>, Fault> {
        let place = self.place(config.term)?;
        // The trials at the first location are tried regardless of what else can be done.
        let first = place.leads.iter().any(|lead| lead.filter);
        if place.derived.kind != Kind::Trial || place.slow || !first {
            return Ok(self.options(config)?.filters);
        }
        let mut choices = Choices::default();
        let records = Arc::new(config.records.clone());
        for number in (0..place.leads.len()).filter(|&number| place.leads[number].filter) {
            self.try_out(config, &place, number, &records, &mut choices)?;
        }
        Ok(choices.filters)
    }

    fn see(&self, config: &Config, visible: impl FnMut(Item) -> bool) -> Vec<PerceptId> {
        let mut facts: Vec<Fact> = Vec::new();
        self.facts_about(config, visible, &mut facts);
        self.percepts.of_facts(&facts, |fact| self.fact_text(fact))
    }

    /// Computes what everyone sees if nothing is hidden: the joint move.
    pub(super) fn moves_seen(&self, joint: &[MoveId], percepts: &mut Vec<PerceptId>) {
        percepts.clear();
        percepts.extend(RoleId::all(self.roles.len()).map(|role| {
            let text =
                format!("(does {} {})", self.roles[role.index()], self.moves.text(joint[role.index()]));
            self.percepts.of_text(&text)
        }));
        self.percepts.sort(percepts);
        percepts.dedup();
    }
}
