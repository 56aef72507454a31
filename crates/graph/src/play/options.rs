//! The moves of a state, and what comes of them.

use std::sync::Arc;

use game::{Fault, MoveId};

use super::places::{ARGUMENTS, Place};
use super::{GraphGame, texts};
use crate::control::{Cont, Kind};
use crate::engine::{Action, Config, Records};
use crate::rule::Event;
use crate::value::Item;

/// One way to move.
pub(super) struct Choice {
    pub(super) mv: MoveId,
    way: Way,
}

enum Way {
    /// A match of a trial at a location inside the state.
    Match { place: Arc<Place>, trial: usize, event: Event, records: Arc<Records> },
    /// The state it leads to.
    Reached(Config),
}

/// The moves of a state, and the ways `filter` applies.
#[derive(Default)]
pub(super) struct Choices {
    pub(super) list: Vec<Choice>,
    pub(super) filters: Vec<Choice>,
}

impl GraphGame {
    /// The moves of a state.
    pub(super) fn options(&self, config: &Config) -> Result<Choices, Fault> {
        let mut choices = Choices::default();
        let mut term = config.term;
        let mut records = Arc::new(config.records.clone());
        loop {
            let place = self.place(term)?;
            if place.derived.kind != Kind::Trial {
                return Ok(choices);
            }
            if place.slow {
                return self.slow_options(config);
            }
            let mut success = false;
            for trial in 0..place.leads.len() {
                success |= self.try_out(config, &place, trial, &records, &mut choices)?;
            }
            let cont = if success { &place.derived.success } else { &place.derived.failure };
            if *cont != (Cont { enters: Vec::new(), exits: Vec::new(), term: cont.term }) {
                let mut own = (*records).clone();
                self.grammar.proceed(&mut own, cont)?;
                records = Arc::new(own);
            }
            term = cont.term;
        }
    }

    /// Adds what comes of one trial; whether it counts as done.
    pub(super) fn try_out(
        &self,
        config: &Config,
        place: &Arc<Place>,
        number: usize,
        records: &Arc<Records>,
        choices: &mut Choices,
    ) -> Result<bool, Fault> {
        let trial = &place.derived.trials[number];
        let mut success = false;
        for event in self.grammar.events(&config.graph, records, trial)? {
            success |= self.try_event(config, place, number, records, event, choices)?;
        }
        Ok(success)
    }

    /// Adds what comes of one event of a trial; whether it counts as done.
    pub(super) fn try_event(
        &self,
        config: &Config,
        place: &Arc<Place>,
        number: usize,
        records: &Arc<Records>,
        event: Event,
        choices: &mut Choices,
    ) -> Result<bool, Fault> {
        let (trial, lead) = (&place.derived.trials[number], &place.leads[number]);
        let Some(sources) = &lead.sources else {
            let mut reached = Vec::new();
            let success = self.grammar.follow(config, records, &place.derived, trial, event, &mut reached)?;
            for transition in reached.into_iter().filter(|transition| !transition.property) {
                let mv = self.move_of(transition.action, &transition.args);
                let choice = Choice { mv, way: Way::Reached(transition.target) };
                self.sort_in(choices, lead.filter, choice);
            }
            return Ok(success);
        };
        if lead.silent {
            return Ok(true);
        }
        let mut args = [Item::NONE; ARGUMENTS];
        for (arg, &slot) in args.iter_mut().zip(sources) {
            *arg = event.proof.slots[slot];
        }
        let mv = self.move_of(lead.action, &args[..sources.len()]);
        let (place, records) = (Arc::clone(place), Arc::clone(records));
        let way = Way::Match { place, trial: number, event, records };
        self.sort_in(choices, lead.filter, Choice { mv, way });
        Ok(true)
    }

    fn sort_in(&self, choices: &mut Choices, filter: bool, choice: Choice) {
        if filter { choices.filters.push(choice) } else { choices.list.push(choice) }
    }

    fn slow_options(&self, config: &Config) -> Result<Choices, Fault> {
        let mut choices = Choices::default();
        for transition in self.grammar.expand(config)?.transitions {
            if transition.property {
                continue;
            }
            let mv = self.move_of(transition.action, &transition.args);
            let filter = self.filter && self.grammar.action_name(transition.action) == "filter";
            self.sort_in(&mut choices, filter, Choice { mv, way: Way::Reached(transition.target) });
        }
        Ok(choices)
    }

    /// The move of an action with arguments.
    pub(super) fn move_of(&self, action: Action, args: &[Item]) -> MoveId {
        match self.moves.get(action, args) {
            Some(mv) => mv,
            None => self.moves.add(action, args, texts::move_text(&self.grammar, action, args)),
        }
    }

    /// The state that a move leads to. Several matches of the same name must lead to the same state.
    pub(super) fn make(
        &self,
        config: &Config,
        choices: &Choices,
        turn: usize,
        mv: MoveId,
    ) -> Result<Config, Fault> {
        let mut found: Option<Config> = None;
        for choice in choices.list.iter().filter(|choice| choice.mv == mv) {
            let next = self.take(config, choice)?;
            if found.as_ref().is_some_and(|known| *known != next) {
                let text = format!(
                    "Two different moves are both called `{}`; give the action a parameter that tells them apart.",
                    self.moves.text(mv)
                );
                return Err(Fault::BadState(text));
            }
            found = Some(next);
        }
        let missing = || Fault::NoSuchMove { role: self.roles[turn].to_string(), text: self.moves.text(mv) };
        found.ok_or_else(missing)
    }

    /// The state that a choice leads to.
    pub(super) fn take(&self, config: &Config, choice: &Choice) -> Result<Config, Fault> {
        match &choice.way {
            Way::Reached(target) => self.settled(target.clone()),
            Way::Match { place, trial, event, records } => {
                let trial = &place.derived.trials[*trial];
                let depth = place.derived.depth;
                let targets = self.grammar.results(&config.graph, records, depth, trial, event)?;
                self.agreed(targets, choice.mv)
            }
        }
    }

    /// The one state that a move leads to.
    pub(super) fn agreed(&self, targets: Vec<Config>, mv: MoveId) -> Result<Config, Fault> {
        let mut found: Option<Config> = None;
        for target in targets {
            let target = self.settled(target)?;
            if found.as_ref().is_some_and(|known| *known != target) {
                let text = format!("The move `{}` can lead to different states.", self.moves.text(mv));
                return Err(Fault::BadState(text));
            }
            found = Some(target);
        }
        found
            .ok_or_else(|| Fault::BadState(format!("The move `{}` cannot be finished.", self.moves.text(mv))))
    }

    /// Whether a role is chance.
    pub(super) fn is_chance(&self, role: usize) -> bool {
        self.roles[role].is_chance()
    }
}

impl Choices {
    /// Adds a move by the state it leads to.
    pub(super) fn add(&mut self, game: &GraphGame, action: Action, args: &[Item], target: Config) {
        self.list.push(Choice { mv: game.move_of(action, args), way: Way::Reached(target) });
    }

    /// The state that a choice leads to, where it is known already.
    pub(super) fn reached(&self, at: usize) -> Option<&Config> {
        match &self.list[at].way {
            Way::Reached(config) => Some(config),
            Way::Match { .. } => None,
        }
    }
}
