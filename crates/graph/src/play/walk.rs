//! Random games in place.
//!
//! One graph is changed from the first state of a game to the last. Matches are
//! kept in one list and applied without a copy of the graph for as long as what
//! follows is certain: one match of one rule, or none. Where a recipe branches,
//! the slower way of single states is taken from there. Nodes that came are
//! numbered canonically only where a move speaks of one.

use std::sync::Arc;

use game::{Fault, MoveId};

use super::options::Choices;
use super::places::{ARGUMENTS, Lead, Place};
use super::tables::Named;
use super::{GraphGame, texts};
use crate::control::{Enter, Kind, TermId, Trial};
use crate::engine::{Config, Records, tidy};
use crate::rule::{Event, Flat, Matcher, apply, apply_simple};
use crate::value::Item;

/// Steps inside one move before it is looked for circles.
const STRAIGHT: usize = 64;

/// Where a move that was listed comes from.
#[derive(Clone, Copy)]
enum Way {
    /// A match in the list: the location, the trial and where it begins.
    Match(TermId, usize, usize),
    /// A choice that had to be followed.
    Choice(usize),
    /// The only event of a trial whose rule has quantified parts.
    Event(usize),
}

/// A game that is played in place.
pub(super) struct Walk<'g> {
    game: &'g GraphGame,
    places: Vec<Option<Arc<Place>>>,
    pub(super) config: Config,
    /// Whether the nodes that came are numbered canonically.
    settled: bool,
    flat: Flat,
    found: Vec<(Named, Way)>,
    choices: Choices,
    /// The only event of a rule with quantified parts.
    event: Option<Event>,
    /// The variables at the location inside the state that is looked at.
    here: Records,
    slots: Vec<Item>,
}

impl<'g> Walk<'g> {
    pub(super) fn new(game: &'g GraphGame) -> Walk<'g> {
        Walk {
            game,
            places: Vec::new(),
            config: game.initial.0.config.clone(),
            settled: true,
            flat: Flat::default(),
            found: Vec::new(),
            choices: Choices::default(),
            event: None,
            here: Vec::new(),
            slots: Vec::new(),
        }
    }

    /// Begins at a state.
    pub(super) fn start(&mut self, config: &Config) {
        self.config.clone_from(config);
        self.settled = true;
    }

    fn place(&mut self, term: TermId) -> Result<Arc<Place>, Fault> {
        let at = term as usize;
        if let Some(Some(place)) = self.places.get(at) {
            return Ok(Arc::clone(place));
        }
        let place = self.game.place(term)?;
        if self.places.len() <= at {
            self.places.resize(at + 1, None);
        }
        self.places[at] = Some(Arc::clone(&place));
        Ok(place)
    }

    /// Lists the moves in the order of their texts; how many different ones there are.
    pub(super) fn list(&mut self) -> Result<usize, Fault> {
        self.found.clear();
        self.flat.clear();
        self.choices.list.clear();
        let game = self.game;
        let mut term = self.config.term;
        loop {
            let place = self.place(term)?;
            if place.derived.kind != Kind::Trial {
                break;
            }
            if place.slow {
                return self.list_elsewhere();
            }
            let Some(success) = self.list_at(term, &place)? else { return self.list_settled() };
            let (cont, ends) = match success {
                true => (&place.derived.success, place.ends_by_success),
                false => (&place.derived.failure, place.ends_by_failure),
            };
            if ends {
                break;
            }
            if !cont.enters.is_empty() || !cont.exits.is_empty() {
                self.here.clone_from(&self.config.records);
                game.grammar.go_on(&mut self.here, cont, None);
                tidy(&self.place(cont.term)?.derived, &mut self.here);
                if self.here != self.config.records {
                    return self.list_elsewhere();
                }
            }
            term = cont.term;
        }
        while !game.moves.look_up(self.found.iter_mut().map(|(named, _)| named)) {
            for (named, _) in self.found.iter().filter(|(named, _)| !named.is_known()) {
                let text = texts::move_text(&game.grammar, named.action, named.args());
                game.moves.add(named.action.number(), named.args(), text);
            }
        }
        Ok(self.order())
    }

    /// Adds the moves at one location, and says whether something can be done there; none if they speak of
    /// nodes that came and are not numbered canonically.
    fn list_at(&mut self, term: TermId, place: &Arc<Place>) -> Result<Option<bool>, Fault> {
        let created = !self.settled && self.config.graph.capacity() > self.game.grammar.names.len();
        let mut success = false;
        for (number, lead) in place.leads.iter().enumerate().filter(|(_, lead)| !lead.filter) {
            let trial = &place.derived.trials[number];
            if lead.simple && self.matches(trial, lead, false)? == 0 {
                continue;
            }
            match &lead.sources {
                Some(sources) if lead.simple => {
                    success = true;
                    if !lead.silent && self.add((term, number), lead, sources, trial.rule) && created {
                        return Ok(None);
                    }
                }
                _ => {
                    if lead.parameters && created {
                        return Ok(None);
                    }
                    success |= self.follow(place, number)?;
                }
            }
        }
        // Whether `filter` applies only matters where nothing else does.
        let matters = !place.ends_by_success || !place.ends_by_failure;
        if !success && matters {
            for number in (0..place.leads.len()).filter(|&number| place.leads[number].filter) {
                success = success || self.follow(place, number)?;
            }
        }
        Ok(Some(success))
    }

    /// Tries a trial out and adds what comes of it; whether it counts as done.
    fn follow(&mut self, place: &Arc<Place>, number: usize) -> Result<bool, Fault> {
        let before = self.choices.list.len();
        let records = Arc::new(self.config.records.clone());
        let success = self.game.try_out(&self.config, place, number, &records, &mut self.choices)?;
        self.choices.filters.clear();
        for at in before..self.choices.list.len() {
            self.found.push((Named::known(self.choices.list[at].mv), Way::Choice(at)));
        }
        Ok(success)
    }

    /// Puts what was found in the order of texts; how many different moves there are.
    fn order(&mut self) -> usize {
        self.found.sort_unstable_by_key(|(named, _)| named.rank);
        let different = self.found.windows(2).filter(|pair| pair[0].0.rank != pair[1].0.rank).count();
        different + usize::from(!self.found.is_empty())
    }

    /// Adds the matches of a trial to what was found; whether a move speaks of a node that came.
    fn add(&mut self, place: (TermId, usize), lead: &Lead, sources: &[usize], rule: usize) -> bool {
        let width = self.game.grammar.rules[rule].slots.len();
        let fixed = self.game.grammar.names.len();
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

    /// The same with nodes numbered canonically.
    fn list_settled(&mut self) -> Result<usize, Fault> {
        self.config = self.game.settled(self.config.clone())?;
        self.settled = true;
        self.list()
    }

    /// The same by the way of single states.
    fn list_elsewhere(&mut self) -> Result<usize, Fault> {
        if !self.settled {
            self.config = self.game.settled(self.config.clone())?;
            self.settled = true;
        }
        self.found.clear();
        self.choices = self.game.options(&self.config)?;
        let moves = self.choices.list.iter().enumerate();
        self.found.extend(moves.map(|(at, choice)| (Named::known(choice.mv), Way::Choice(at))));
        self.game.moves.look_up(self.found.iter_mut().map(|(named, _)| named));
        Ok(self.order())
    }

    /// The different move with this number among those listed.
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

    /// Makes a move that was listed, or is said to be possible.
    pub(super) fn make(&mut self, turn: usize, mv: MoveId) -> Result<(), Fault> {
        let mut ways = self.found.iter().filter(|(named, _)| named.mv == mv);
        let only = match (ways.next(), ways.next()) {
            (Some((_, way)), None) => Some(*way),
            _ => None,
        };
        let was_settled = std::mem::replace(&mut self.settled, false);
        match only {
            Some(Way::Match(term, number, at)) => self.apply_listed(term, number, at, mv),
            Some(Way::Choice(at) | Way::Event(at)) => {
                self.config = match self.choices.reached(at) {
                    Some(config) => config,
                    None => self.game.take(&self.config, &self.choices.list[at])?,
                };
                Ok(())
            }
            None => {
                if !was_settled {
                    self.config = self.game.settled(self.config.clone())?;
                }
                let choices = self.game.options(&self.config)?;
                self.config = self.game.make(&self.config, &choices, turn, mv)?;
                self.settled = true;
                Ok(())
            }
        }
    }

    fn apply_listed(&mut self, term: TermId, number: usize, at: usize, mv: MoveId) -> Result<(), Fault> {
        let place = self.place(term)?;
        let trial = &place.derived.trials[number];
        let launch = trial.launch;
        self.apply_match(trial, at, launch)?;
        if place.leads[number].depth <= place.derived.depth {
            return Ok(());
        }
        self.finish(place.derived.depth, launch, mv)
    }

    /// Goes on inside a recipe or block until it is left.
    fn finish(&mut self, base: usize, launch: Option<Enter>, mv: MoveId) -> Result<(), Fault> {
        for _ in 0..STRAIGHT {
            self.here.clone_from(&self.config.records);
            let mut term = self.config.term;
            let place = loop {
                let place = self.place(term)?;
                if place.derived.depth <= base {
                    return Ok(());
                }
                if place.derived.kind != Kind::Trial {
                    self.config = self.game.agreed(Vec::new(), mv)?;
                    return Ok(());
                }
                if self.tries(&place)? {
                    break place;
                }
                let cont = &place.derived.failure;
                let left = self.game.grammar.go_on(&mut self.here, cont, launch);
                term = cont.term;
                tidy(&self.place(term)?.derived, &mut self.here);
                if left.is_some() {
                    return Ok(());
                }
            };
            // Just one match of one rule, and nothing else to do in this state.
            let sure = place.dead_by_success.is_some_and(|depth| depth > base);
            let (number, way) = match &self.found[..] {
                [(_, way @ (Way::Match(_, number, _) | Way::Event(number)))] if sure => (*number, *way),
                _ => return self.finish_elsewhere(base, launch, mv),
            };
            if place.leads[number].depth > place.derived.depth {
                return self.finish_elsewhere(base, launch, mv);
            }
            std::mem::swap(&mut self.config.records, &mut self.here);
            let trial = &place.derived.trials[number];
            let left = match way {
                Way::Match(_, _, at) => self.apply_match(trial, at, launch)?,
                _ => self.apply_event(trial, launch)?,
            };
            if left {
                return Ok(());
            }
        }
        self.finish_elsewhere(base, launch, mv)
    }

    /// The same by the way of single states.
    fn finish_elsewhere(&mut self, base: usize, launch: Option<Enter>, mv: MoveId) -> Result<(), Fault> {
        let mut targets = self.game.grammar.left(self.config.clone(), base, launch)?;
        self.config = match targets.len() {
            1 => targets.swap_remove(0),
            _ => self.game.agreed(targets, mv)?,
        };
        Ok(())
    }

    /// Finds the matches of all trials at a location, up to two; whether there are any.
    fn tries(&mut self, place: &Place) -> Result<bool, Fault> {
        self.found.clear();
        self.flat.clear();
        for (number, lead) in place.leads.iter().enumerate() {
            let trial = &place.derived.trials[number];
            let named = Named::known(super::Moves::NOOP);
            if lead.simple {
                // Two stand for any number of them.
                let width = self.game.grammar.rules[trial.rule].slots.len();
                for at in 0..self.matches(trial, lead, true)?.min(2) {
                    self.found.push((named, Way::Match(0, number, self.flat.first() + at * width)));
                }
            } else {
                let mut events = self.game.grammar.events(&self.config.graph, &self.here, trial)?;
                self.found.extend(events.iter().take(2).map(|_| (named, Way::Event(number))));
                self.event = events.pop();
            }
            if self.found.len() > 1 {
                break;
            }
        }
        Ok(!self.found.is_empty())
    }

    /// Adds the matches of a trial of a simple rule to the list; how many there are.
    fn matches(&mut self, trial: &Trial, lead: &Lead, here: bool) -> Result<usize, Fault> {
        let grammar = &self.game.grammar;
        let rule = &grammar.rules[trial.rule];
        let mut matcher = Matcher::new(rule, &self.config.graph, &grammar.values, grammar.limits.search);
        self.flat.begin();
        self.slots.clear();
        if lead.given {
            let records = if here { &self.here } else { &self.config.records };
            let given = grammar.given(records, trial, rule);
            let Some(slots) = given.and_then(|given| matcher.seed(&given)) else { return Ok(0) };
            self.slots.extend(slots);
        } else {
            self.slots.extend_from_slice(&rule.template);
        }
        matcher.flat(&mut self.slots, &mut self.flat);
        if matcher.exhausted() { Err(grammar.search_fault(rule)) } else { Ok(self.flat.count()) }
    }

    /// Applies the event of a rule with quantified parts; whether that leaves `launch`.
    fn apply_event(&mut self, trial: &Trial, launch: Option<Enter>) -> Result<bool, Fault> {
        let grammar = &self.game.grammar;
        let rule = &grammar.rules[trial.rule];
        let Config { graph, term, records } = &mut self.config;
        let event = self.event.take().expect("an event was found");
        let applied = apply(rule, graph, &event.proof, &grammar.vocabulary);
        grammar.small_enough(graph, rule)?;
        let left = grammar.arrive(graph, records, trial, &applied.slots, &applied.merged, launch);
        *term = trial.next.term;
        let place = self.place(trial.next.term)?;
        tidy(&place.derived, &mut self.config.records);
        Ok(left.is_some())
    }

    /// Applies a match in the list; whether that leaves `launch`.
    fn apply_match(&mut self, trial: &Trial, at: usize, launch: Option<Enter>) -> Result<bool, Fault> {
        let grammar = &self.game.grammar;
        let rule = &grammar.rules[trial.rule];
        let Config { graph, term, records } = &mut self.config;
        self.slots.clear();
        self.slots.extend_from_slice(self.flat.get(at, rule.slots.len()));
        apply_simple(rule, graph, &mut self.slots);
        grammar.small_enough(graph, rule)?;
        let left = grammar.arrive(graph, records, trial, &self.slots, &[], launch);
        *term = trial.next.term;
        let place = self.place(trial.next.term)?;
        tidy(&place.derived, &mut self.config.records);
        Ok(left.is_some())
    }
}
