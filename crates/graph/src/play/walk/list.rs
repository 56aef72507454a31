//! Listing of the moves of a state, either all or those with one name.

use std::sync::Arc;

use game::{Fault, MoveId};

use super::super::places::{ARGUMENTS, Lead, Place};
use super::super::tables::Named;
use super::super::{GraphGame, texts};
use super::straight::{Passed, matches};
use super::{Walk, Way};
use crate::control::{Kind, TermId, Trial};
use crate::engine::{Config, tidy};
use crate::rule::{Event, Proof};
use crate::value::Item;

impl Walk {
    fn clear(&mut self) {
        self.found.clear();
        self.flat.clear();
        self.choices.list.clear();
    }

    /// Lists the moves in the order of their texts. Returns the number of distinct moves.
    pub(in super::super) fn list(&mut self, game: &GraphGame) -> Result<usize, Fault> {
        self.clear();
        let mut term = self.run.config.term;
        loop {
            let place = self.run.place(game, term)?;
            if place.derived.kind != Kind::Trial {
                break;
            }
            if place.slow {
                return self.list_elsewhere(game);
            }
            let Some(success) = self.list_at(game, term, &place)? else { return self.list_settled(game) };
            let (cont, ends) = match success {
                true => (&place.derived.success, place.ends_by_success),
                false => (&place.derived.failure, place.ends_by_failure),
            };
            if ends {
                break;
            }
            if !cont.enters.is_empty() || !cont.exits.is_empty() {
                let mut here = self.run.config.records.clone();
                game.grammar.go_on(&mut here, cont, None);
                tidy(&self.run.place(game, cont.term)?.derived, &mut here);
                if here != self.run.config.records {
                    return self.list_elsewhere(game);
                }
            }
            term = cont.term;
        }
        while !game.moves.look_up(self.found.iter_mut().map(|(named, _)| named)) {
            for (named, _) in self.found.iter().filter(|(named, _)| !named.is_known()) {
                let text = texts::move_text(&game.grammar, named.action, named.args());
                game.moves.add(named.action, named.args(), text);
            }
        }
        Ok(self.order())
    }

    /// Finds the matches of one move. Returns `false` if all moves must be listed for that.
    pub(super) fn find(&mut self, game: &GraphGame, mv: MoveId) -> Result<bool, Fault> {
        self.clear();
        let Some(wanted) = game.moves.named(mv) else { return Ok(false) };
        let term = self.run.config.term;
        let place = self.run.place(game, term)?;
        if place.derived.kind != Kind::Trial || place.slow || !place.ends_by_success {
            return Ok(false);
        }
        for (number, lead) in place.leads.iter().enumerate() {
            if lead.filter || lead.silent || lead.action.number() != wanted.action.number() {
                continue;
            }
            let trial = &place.derived.trials[number];
            let Some(sources) = lead.sources.as_deref().filter(|_| lead.simple) else {
                if !lead.simple || self.matches(game, trial, lead, &[])? > 0 {
                    self.follow(game, &place, number)?;
                }
                continue;
            };
            if sources.len() != wanted.args().len() {
                return Ok(false);
            }
            let mut given = [(0, Item::NONE); ARGUMENTS];
            for (place, (&slot, &arg)) in given.iter_mut().zip(sources.iter().zip(wanted.args())) {
                *place = (slot, arg);
            }
            let count = self.matches(game, trial, lead, &given[..sources.len()])?;
            let width = game.grammar.rules[trial.rule].slots.len();
            for at in 0..count {
                self.found.push((wanted, Way::Match(term, number, self.flat.first() + at * width)));
            }
        }
        self.found.retain(|(named, _)| named.mv == mv);
        Ok(!self.found.is_empty())
    }

    /// Adds the moves at one location and returns whether something can be done there. Returns
    /// `None` if the moves refer to created nodes that are not numbered canonically.
    fn list_at(&mut self, game: &GraphGame, term: TermId, place: &Arc<Place>) -> Result<Option<bool>, Fault> {
        let created = !self.settled && self.run.config.graph.capacity() > game.grammar.names.len();
        let mut success = false;
        for (number, lead) in place.leads.iter().enumerate().filter(|(_, lead)| !lead.filter) {
            let trial = &place.derived.trials[number];
            if lead.simple && self.matches(game, trial, lead, &[])? == 0 {
                continue;
            }
            match &lead.sources {
                Some(sources) if lead.simple => {
                    success = true;
                    let silent = lead.silent;
                    if !silent && self.add(game, (term, number), lead, sources, trial.rule) && created {
                        return Ok(None);
                    }
                }
                _ => {
                    if lead.parameters && created {
                        return Ok(None);
                    }
                    success |= self.follow(game, place, number)?;
                }
            }
        }
        // Whether `filter` matches is relevant only if nothing else does.
        let matters = !place.ends_by_success || !place.ends_by_failure;
        if !success && matters {
            for number in (0..place.leads.len()).filter(|&number| place.leads[number].filter) {
                success = success || self.try_out(game, place, number)?;
            }
        }
        Ok(Some(success))
    }

    fn matches(
        &mut self,
        game: &GraphGame,
        trial: &Trial,
        lead: &Lead,
        given: &[(usize, Item)],
    ) -> Result<usize, Fault> {
        let Config { graph, records, .. } = &self.run.config;
        matches(&game.grammar, graph, records, (trial, lead), given, &mut self.slots, &mut self.flat)
    }

    /// Follows a trial, whose matches are already listed if its rule is simple, and adds the
    /// resulting moves. Returns `true` if it counts as done.
    fn follow(&mut self, game: &GraphGame, place: &Arc<Place>, number: usize) -> Result<bool, Fault> {
        let (trial, lead) = (&place.derived.trials[number], &place.leads[number]);
        let (Some(launch), true, false, None) = (trial.launch, lead.simple, lead.silent, &lead.sources)
        else {
            return self.try_out(game, place, number);
        };
        let before = self.choices.list.len();
        let mut success = false;
        let width = game.grammar.rules[trial.rule].slots.len();
        for at in (0..self.flat.count()).map(|at| self.flat.first() + at * width) {
            let slots = self.flat.get(at, width);
            self.aside.start(&self.run.config);
            let passed = match self.aside.apply_match(game, trial, slots, Some(launch))? {
                Some(args) => Passed::Left(Some(args)),
                None => self.aside.finish(game, place.derived.depth, Some(launch))?,
            };
            match passed {
                Passed::Left(args) => {
                    success = true;
                    let config = self.aside.config.clone();
                    self.choices.add(game, lead.action, &args.unwrap_or_default(), config);
                }
                Passed::Stuck => {}
                Passed::Open => {
                    let proof = Proof { level: 0, slots: slots.into(), children: Vec::new() };
                    let event = Event { key: Box::default(), proof };
                    let config = &self.run.config;
                    let records = Arc::new(config.records.clone());
                    success |= game.try_event(config, place, number, &records, event, &mut self.choices)?;
                }
            }
        }
        self.add_choices(before);
        Ok(success)
    }

    /// Tries a trial with the general method, which copies states.
    fn try_out(&mut self, game: &GraphGame, place: &Arc<Place>, number: usize) -> Result<bool, Fault> {
        let before = self.choices.list.len();
        let records = Arc::new(self.run.config.records.clone());
        let success = game.try_out(&self.run.config, place, number, &records, &mut self.choices)?;
        self.choices.filters.clear();
        self.add_choices(before);
        Ok(success)
    }

    fn add_choices(&mut self, before: usize) {
        for at in before..self.choices.list.len() {
            self.found.push((Named::known(self.choices.list[at].mv), Way::Choice(at)));
        }
    }

    /// Sorts the moves by their texts. Returns the number of distinct moves.
    fn order(&mut self) -> usize {
        self.found.sort_unstable_by_key(|(named, _)| named.rank);
        let different = self.found.windows(2).filter(|pair| pair[0].0.rank != pair[1].0.rank).count();
        different + usize::from(!self.found.is_empty())
    }

    /// Adds the matches of a trial. Returns `true` if a move refers to a created node.
    fn add(
        &mut self,
        game: &GraphGame,
        place: (TermId, usize),
        lead: &Lead,
        sources: &[usize],
        rule: usize,
    ) -> bool {
        let width = game.grammar.rules[rule].slots.len();
        let fixed = game.grammar.names.len();
        let mut came = false;
        for count in 0..self.flat.count() {
            let at = self.flat.first() + count * width;
            let slots = self.flat.get(at, width);
            let mut args = [Item::NONE; ARGUMENTS];
            for (arg, &slot) in args.iter_mut().zip(sources) {
                *arg = slots[slot];
                came |= arg.is_node() && arg.index() >= fixed;
            }
            let named = Named::new(lead.action, args, sources.len());
            self.found.push((named, Way::Match(place.0, place.1, at)));
        }
        came
    }

    /// Lists the moves after numbering nodes canonically.
    fn list_settled(&mut self, game: &GraphGame) -> Result<usize, Fault> {
        self.run.config = game.settled(self.run.config.clone())?;
        self.settled = true;
        self.list(game)
    }

    /// Lists the moves with the general method, which copies states.
    fn list_elsewhere(&mut self, game: &GraphGame) -> Result<usize, Fault> {
        if !self.settled {
            self.run.config = game.settled(self.run.config.clone())?;
            self.settled = true;
        }
        self.found.clear();
        self.choices = game.options(&self.run.config)?;
        let moves = self.choices.list.iter().enumerate();
        self.found.extend(moves.map(|(at, choice)| (Named::known(choice.mv), Way::Choice(at))));
        game.moves.look_up(self.found.iter_mut().map(|(named, _)| named));
        Ok(self.order())
    }
}
