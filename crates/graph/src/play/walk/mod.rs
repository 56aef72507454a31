//! Play in place.
//!
//! One graph is modified from the first state of a game to the last. Matches are kept in one
//! list, and they are applied without copying the graph as long as there is only one way to
//! continue ([`straight`]). Created nodes are numbered canonically only if a move refers to
//! one, or if the state itself is needed.

mod list;
mod straight;

use std::sync::Arc;

use game::{Fault, MoveId};

use super::options::Choices;
use super::places::Place;
use super::tables::Named;
use super::{GraphGame, GraphState};
use crate::control::{Enter, Kind, TermId};
use crate::engine::Config;
use crate::rule::Flat;
use crate::value::Item;

use straight::{Passed, Straight};

/// The origin of a listed move.
#[derive(Clone, Copy)]
enum Way {
    /// A match in the list: the control location, the trial and the position at which it begins.
    Match(TermId, usize, usize),
    /// A choice that had to be followed.
    Choice(usize),
}

/// A game that is played in place.
pub(super) struct Walk {
    run: Straight,
    /// Whether the created nodes are numbered canonically.
    settled: bool,
    flat: Flat,
    found: Vec<(Named, Way)>,
    choices: Choices,
    slots: Vec<Item>,
    /// Scratch space in which recipes are followed to find out whether they can be done.
    aside: Straight,
}

impl Walk {
    pub(super) fn new(game: &GraphGame) -> Walk {
        Walk {
            run: Straight::new(game),
            settled: true,
            flat: Flat::default(),
            found: Vec::new(),
            choices: Choices::default(),
            slots: Vec::new(),
            aside: Straight::new(game),
        }
    }

    /// Starts from a state.
    pub(super) fn start(&mut self, config: &Config) {
        self.run.start(config);
        self.settled = true;
    }

    /// Returns the current state.
    pub(super) fn config(&self) -> &Config {
        &self.run.config
    }

    /// Returns the distinct move with this index among those listed.
    pub(super) fn nth(&self, wanted: usize) -> MoveId {
        let mut seen = 0;
        let mut last = &self.found[0].0;
        for (named, _) in &self.found {
            if named.rank != last.rank {
                seen += 1;
                last = named;
            }
            if seen == wanted {
                break;
            }
        }
        last.mv
    }

    /// Returns the distinct moves that were listed, in the order of their texts.
    pub(super) fn different(&self) -> Vec<MoveId> {
        let mut moves: Vec<MoveId> = self.found.iter().map(|(named, _)| named.mv).collect();
        moves.dedup();
        moves
    }

    /// Returns the state after a move.
    pub(super) fn after(
        &mut self,
        game: &GraphGame,
        state: &GraphState,
        turn: usize,
        mv: MoveId,
    ) -> Result<GraphState, Fault> {
        self.start(&state.0.config);
        if !self.find(game, mv)? {
            self.list(game)?;
        }
        self.make(game, turn, mv)?;
        let distinct = self.run.settle(game, state.0.distinct)?;
        Ok(GraphState::new(self.run.config.clone(), distinct))
    }

    /// Calls `visit` with the moves whose recipes were followed to list them, and the states they lead to.
    pub(super) fn reached(
        &mut self,
        game: &GraphGame,
        mut visit: impl FnMut(MoveId, GraphState),
    ) -> Result<(), Fault> {
        for at in 0..self.found.len() {
            let (named, Way::Choice(choice)) = &self.found[at] else { continue };
            let alone =
                |other: usize| self.found.get(other).is_none_or(|(other, _)| other.rank != named.rank);
            // If several choices have the same name, they have yet to be checked for leading to
            // the same state.
            if !alone(at + 1) || !alone(at.wrapping_sub(1)) {
                continue;
            }
            if let Some(config) = self.choices.reached(*choice) {
                let mv = named.mv;
                self.aside.start(config);
                let distinct = self.aside.settle(game, false)?;
                visit(mv, GraphState::new(self.aside.config.clone(), distinct));
            }
        }
        Ok(())
    }

    /// Applies `filter` if it is a rule with a single match. Returns `false` if the case is not that simple.
    pub(super) fn filter(&mut self, game: &GraphGame, state: &GraphState) -> Result<bool, Fault> {
        self.start(&state.0.config);
        let place = self.run.place(game, state.0.config.term)?;
        if place.derived.kind != Kind::Trial || place.slow {
            return Ok(false);
        }
        let mut filters = (0..place.leads.len()).filter(|&number| place.leads[number].filter);
        let (Some(number), None) = (filters.next(), filters.next()) else { return Ok(false) };
        let trial = &place.derived.trials[number];
        if trial.launch.is_some() || place.leads[number].depth > 0 {
            return Ok(false);
        }
        if place.leads[number].broad && self.run.find_broad(game, (trial, &place.leads[number]), false)? == 1
        {
            self.run.apply_broad(game, trial, None)?;
            self.run.settle(game, false)?;
            return Ok(true);
        }
        let config = &self.run.config;
        let events = game.grammar.events(&config.graph, &config.records, trial)?;
        let [event] = &events[..] else { return Ok(false) };
        self.run.apply_event(game, trial, event, None)?;
        self.run.settle(game, false)?;
        Ok(true)
    }

    /// Makes a move that was listed, or that the caller claims to be possible.
    pub(super) fn make(&mut self, game: &GraphGame, turn: usize, mv: MoveId) -> Result<(), Fault> {
        let mut ways = self.found.iter().filter(|(named, _)| named.mv == mv);
        let only = match (ways.next(), ways.next()) {
            (Some((_, way)), None) => Some(*way),
            _ => None,
        };
        let was_settled = std::mem::replace(&mut self.settled, false);
        match only {
            Some(Way::Match(term, number, at)) => self.apply_listed(game, term, number, at, mv),
            Some(Way::Choice(at)) => {
                self.run.touched = true;
                match self.choices.reached(at) {
                    Some(config) => self.run.config.clone_from(config),
                    None => self.run.config = game.take(&self.run.config, &self.choices.list[at])?,
                }
                Ok(())
            }
            None => {
                if !was_settled {
                    self.run.config = game.settled(self.run.config.clone())?;
                }
                let choices = game.options(&self.run.config)?;
                self.run.config = game.make(&self.run.config, &choices, turn, mv)?;
                self.run.touched = true;
                self.settled = true;
                Ok(())
            }
        }
    }

    fn apply_listed(
        &mut self,
        game: &GraphGame,
        term: TermId,
        number: usize,
        at: usize,
        mv: MoveId,
    ) -> Result<(), Fault> {
        let place = self.run.place(game, term)?;
        let trial = &place.derived.trials[number];
        let width = game.grammar.rules[trial.rule].slots.len();
        self.run.apply_match(game, trial, self.flat.get(at, width), trial.launch)?;
        if place.leads[number].depth <= place.derived.depth {
            return Ok(());
        }
        self.finish(game, &place, trial.launch, mv)
    }

    /// Continues inside a recipe or block until it is left.
    fn finish(
        &mut self,
        game: &GraphGame,
        place: &Arc<Place>,
        launch: Option<Enter>,
        mv: MoveId,
    ) -> Result<(), Fault> {
        let base = place.derived.depth;
        self.run.config = match self.run.finish(game, base, launch)? {
            Passed::Left(_) => return Ok(()),
            Passed::Stuck => game.agreed(Vec::new(), mv)?,
            Passed::Open => {
                let mut targets = game.grammar.left(self.run.config.clone(), base, launch)?;
                match targets.len() {
                    1 => targets.swap_remove(0),
                    _ => game.agreed(targets, mv)?,
                }
            }
        };
        self.run.touched = true;
        Ok(())
    }
}
