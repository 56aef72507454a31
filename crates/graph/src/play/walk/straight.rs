//! A state that is modified in place.
//!
//! Inside a recipe there is usually only one way to continue: one match of one rule, or none.
//! As long as that is the case, matches are applied without copying the graph. Where a recipe
//! branches, the slower method that copies states takes over.

use std::sync::Arc;

use game::Fault;

use super::super::GraphGame;
use super::super::places::{Lead, Place};
use super::super::settle::Sums;
use crate::control::{Enter, Kind, TermId, Trial};
use crate::engine::{Config, Records, tidy};
use crate::grammar::Grammar;
use crate::graph::Graph;
use crate::rule::{Broad, Event, Flat, Level, Matcher, apply, apply_broad, apply_simple};
use crate::value::Item;

/// The maximum number of steps inside one move before the general method, which detects cycles, takes over.
const STRAIGHT: usize = 64;

/// The result of following a recipe or block.
pub(super) enum Passed {
    /// It was left, with the arguments of the recipe if they are known.
    Left(Option<Vec<Item>>),
    /// It cannot be left from here.
    Stuck,
    /// There is more than one way to continue.
    Open,
}

/// The only possible step inside a recipe.
enum Only {
    /// The match at this position.
    Match(usize),
    /// The match with quantified parts that was found.
    Broad,
    /// The event that was found.
    Event,
}

/// A state that is modified in place.
pub(super) struct Straight {
    pub(super) config: Config,
    /// Whether something has changed at a created node.
    pub(super) touched: bool,
    /// Private copies, so that threads do not contend for reference counts.
    places: Vec<Option<Arc<Place>>>,
    flat: Flat,
    /// The only event of a rule with quantified parts: with one level in `broad`, with more in `event`.
    broad: Broad,
    event: Option<Event>,
    /// The variables at the location within the state that is being examined.
    here: Records,
    slots: Vec<Item>,
    sums: Sums,
}

impl Straight {
    pub(super) fn new(game: &GraphGame) -> Straight {
        Straight {
            config: game.initial.0.config.clone(),
            touched: false,
            places: Vec::new(),
            flat: Flat::default(),
            broad: Broad::default(),
            event: None,
            here: Vec::new(),
            slots: Vec::new(),
            sums: Sums::default(),
        }
    }

    /// Starts from a state.
    pub(super) fn start(&mut self, config: &Config) {
        self.config.clone_from(config);
        self.touched = false;
    }

    pub(super) fn place(&mut self, game: &GraphGame, term: TermId) -> Result<Arc<Place>, Fault> {
        let at = term as usize;
        if let Some(Some(place)) = self.places.get(at) {
            return Ok(Arc::clone(place));
        }
        let place = Arc::new((*game.place(term)?).clone());
        if self.places.len() <= at {
            self.places.resize(at + 1, None);
        }
        self.places[at] = Some(Arc::clone(&place));
        Ok(place)
    }

    /// Continues inside a recipe or block until it is left.
    pub(super) fn finish(
        &mut self,
        game: &GraphGame,
        base: usize,
        launch: Option<Enter>,
    ) -> Result<Passed, Fault> {
        for _ in 0..STRAIGHT {
            self.here.clone_from(&self.config.records);
            let mut term = self.config.term;
            let (place, number, only) = loop {
                let place = self.place(game, term)?;
                if place.derived.depth <= base {
                    return Ok(Passed::Left(None));
                }
                if place.derived.kind != Kind::Trial {
                    return Ok(Passed::Stuck);
                }
                let (count, found) = self.tries(game, &place)?;
                if let Some((number, only)) = found {
                    // It must be the only match of any rule, and nothing else may be possible in this state.
                    let sure = place.dead_by_success.is_some_and(|depth| depth > base);
                    if count > 1 || !sure || place.leads[number].depth > place.derived.depth {
                        return Ok(Passed::Open);
                    }
                    break (place, number, only);
                }
                let cont = &place.derived.failure;
                let left = game.grammar.go_on(&mut self.here, cont, launch);
                term = cont.term;
                tidy(&self.place(game, term)?.derived, &mut self.here);
                if left.is_some() {
                    return Ok(Passed::Left(left));
                }
            };
            std::mem::swap(&mut self.config.records, &mut self.here);
            let trial = &place.derived.trials[number];
            let left = match only {
                Only::Match(at) => {
                    let width = game.grammar.rules[trial.rule].slots.len();
                    self.slots.clear();
                    self.slots.extend_from_slice(self.flat.get(at, width));
                    self.apply_slots(game, trial, launch)?
                }
                Only::Broad => self.apply_broad(game, trial, launch)?,
                Only::Event => {
                    let event = self.event.take().expect("an event was found");
                    self.apply_event(game, trial, &event, launch)?
                }
            };
            if left.is_some() {
                return Ok(Passed::Left(left));
            }
        }
        Ok(Passed::Open)
    }

    /// Looks for the steps that are possible at a location. A count of two stands for two or more.
    fn tries(&mut self, game: &GraphGame, place: &Place) -> Result<(usize, Option<(usize, Only)>), Fault> {
        let mut count = 0;
        let mut found = None;
        self.flat.clear();
        for (number, lead) in place.leads.iter().enumerate() {
            let trial = &place.derived.trials[number];
            let (matches, only) = if lead.simple {
                let graph = &self.config.graph;
                let list = &mut self.flat;
                let matches =
                    matches(&game.grammar, graph, &self.here, (trial, lead), &[], &mut self.slots, list)?;
                (matches, Only::Match(self.flat.first()))
            } else if lead.broad {
                (self.find_broad(game, (trial, lead), true)?, Only::Broad)
            } else {
                let mut events = game.grammar.events(&self.config.graph, &self.here, trial)?;
                self.event = events.pop();
                (events.len() + usize::from(self.event.is_some()), Only::Event)
            };
            if matches > 0 {
                count += matches;
                found = Some((number, only));
            }
            if count > 1 {
                break;
            }
        }
        Ok((count, found))
    }

    /// Applies a match of a simple rule. Returns the arguments of `launch` if it is left.
    pub(super) fn apply_match(
        &mut self,
        game: &GraphGame,
        trial: &Trial,
        slots: &[Item],
        launch: Option<Enter>,
    ) -> Result<Option<Vec<Item>>, Fault> {
        self.slots.clear();
        self.slots.extend_from_slice(slots);
        self.apply_slots(game, trial, launch)
    }

    fn apply_slots(
        &mut self,
        game: &GraphGame,
        trial: &Trial,
        launch: Option<Enter>,
    ) -> Result<Option<Vec<Item>>, Fault> {
        let grammar = &game.grammar;
        let rule = &grammar.rules[trial.rule];
        apply_simple(rule, &mut self.config.graph, &mut self.slots);
        self.touched = self.touched || touches(&rule.levels[0], &self.slots, grammar.names.len());
        let left = arrive(grammar, &mut self.config, trial, (&self.slots, &[]), launch)?;
        self.tidied(game, left)
    }

    /// Finds a match of a rule with quantified parts of one level. A result of two means that
    /// there may be more.
    pub(super) fn find_broad(
        &mut self,
        game: &GraphGame,
        (trial, lead): (&Trial, &Lead),
        here: bool,
    ) -> Result<usize, Fault> {
        let grammar = &game.grammar;
        let rule = &grammar.rules[trial.rule];
        let records = if here { &self.here } else { &self.config.records };
        let mut matcher = Matcher::new(rule, &self.config.graph, &grammar.values, grammar.limits.search);
        if !fill(grammar, records, (trial, lead), &[], &matcher, &mut self.slots) {
            return Ok(0);
        }
        let count = matcher.broad(&mut self.slots, &mut self.broad);
        if matcher.exhausted() { Err(grammar.search_fault(rule)) } else { Ok(count) }
    }

    /// Applies the match that [`Straight::find_broad`] found. Returns the arguments of `launch`
    /// if it is left.
    pub(super) fn apply_broad(
        &mut self,
        game: &GraphGame,
        trial: &Trial,
        launch: Option<Enter>,
    ) -> Result<Option<Vec<Item>>, Fault> {
        let rule = &game.grammar.rules[trial.rule];
        apply_broad(rule, &mut self.config.graph, &self.broad);
        self.touched = true;
        let root = self.broad.root(rule.slots.len());
        let left = arrive(&game.grammar, &mut self.config, trial, (root, &[]), launch)?;
        self.tidied(game, left)
    }

    /// Applies an event. Returns the arguments of `launch` if it is left.
    pub(super) fn apply_event(
        &mut self,
        game: &GraphGame,
        trial: &Trial,
        event: &Event,
        launch: Option<Enter>,
    ) -> Result<Option<Vec<Item>>, Fault> {
        let grammar = &game.grammar;
        let rule = &grammar.rules[trial.rule];
        let applied = apply(rule, &mut self.config.graph, &event.proof, &grammar.vocabulary);
        self.touched = true;
        let left = arrive(grammar, &mut self.config, trial, (&applied.slots, &applied.merged), launch)?;
        self.tidied(game, left)
    }

    /// Clears the variables that are not read at the new location.
    fn tidied(&mut self, game: &GraphGame, left: Option<Vec<Item>>) -> Result<Option<Vec<Item>>, Fault> {
        let place = self.place(game, self.config.term)?;
        tidy(&place.derived, &mut self.config.records);
        Ok(left)
    }

    /// Numbers the created nodes canonically. `distinct` says whether their sums distinguished
    /// them before the last changes. Returns whether they do now.
    pub(super) fn settle(&mut self, game: &GraphGame, distinct: bool) -> Result<bool, Fault> {
        let place = self.place(game, self.config.term)?;
        if place.derived.kind == Kind::Trial && place.derived.depth > 0 && !place.slow {
            self.config = game.at_rest(self.config.clone())?;
        }
        let fixed = game.grammar.names.len();
        let came = |item: &Item| item.is_node() && item.index() >= fixed;
        if distinct && !self.touched && !self.config.records.iter().any(|record| record.iter().any(came)) {
            return Ok(true);
        }
        self.touched = true;
        self.sums.settle(&mut self.config, fixed)
    }
}

/// Advances to the location that follows an applied rule, or fails if the graph has become too large.
fn arrive(
    grammar: &Grammar,
    config: &mut Config,
    trial: &Trial,
    (slots, merged): (&[Item], &[(Item, Item)]),
    launch: Option<Enter>,
) -> Result<Option<Vec<Item>>, Fault> {
    let Config { graph, term, records } = config;
    grammar.small_enough(graph, &grammar.rules[trial.rule])?;
    let left = grammar.arrive(graph, records, trial, slots, merged, launch);
    *term = trial.next.term;
    Ok(left)
}

/// Returns `true` if a match changes something at a created node.
fn touches(level: &Level, slots: &[Item], fixed: usize) -> bool {
    let came = |slot: usize| slots[slot].is_node() && slots[slot].index() >= fixed;
    !level.new_nodes.is_empty()
        || level.erase_nodes.iter().any(|&slot| came(slot))
        || level.erase_edges.iter().chain(&level.new_edges).any(|&(_, a, b)| came(a) || came(b))
}

/// Lists the matches of a trial of a simple rule, with the slots in `given` fixed. Returns their number.
pub(super) fn matches(
    grammar: &Grammar,
    graph: &Graph,
    records: &Records,
    (trial, lead): (&Trial, &Lead),
    given: &[(usize, Item)],
    slots: &mut Vec<Item>,
    list: &mut Flat,
) -> Result<usize, Fault> {
    let rule = &grammar.rules[trial.rule];
    let mut matcher = Matcher::new(rule, graph, &grammar.values, grammar.limits.search);
    list.begin();
    if !fill(grammar, records, (trial, lead), given, &matcher, slots) {
        return Ok(0);
    }
    matcher.flat(slots, list);
    if matcher.exhausted() { Err(grammar.search_fault(rule)) } else { Ok(list.count()) }
}

/// Fills in the slots known before the search. Returns `false` if a value does not fit.
fn fill(
    grammar: &Grammar,
    records: &Records,
    (trial, lead): (&Trial, &Lead),
    given: &[(usize, Item)],
    matcher: &Matcher<'_>,
    slots: &mut Vec<Item>,
) -> bool {
    let rule = &grammar.rules[trial.rule];
    slots.clear();
    slots.extend_from_slice(&rule.template);
    if lead.given {
        let Some(known) = grammar.given(records, trial, rule) else { return false };
        if !matcher.put(slots, &known) {
            return false;
        }
    }
    matcher.put(slots, given)
}
