//! The moves of a state, and what comes of them.
//!
//! For most grammars the matches of the first rule of a recipe are the moves:
//! where the rest of the recipe cannot fail and its arguments are known from
//! the first match, nothing needs to be applied to list them.

use std::sync::{Arc, RwLock};

use game::{End, Fault, MoveId, Outcomes, PlayoutStream, Playouts};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{CHANCE, GraphGame, GraphState, texts};
use crate::control::{Binding, Cont, Derived, Kind, TermId, Trial};
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
    Match { derived: Arc<Derived>, trial: usize, event: Event, records: Arc<Records> },
    /// The state it leads to.
    Reached(Config),
}

/// The moves of a state, and the ways `filter` applies.
#[derive(Default)]
pub(super) struct Choices {
    pub(super) list: Vec<Choice>,
    pub(super) filters: Vec<Choice>,
}

/// How the moves at a control location are listed without applying anything.
enum Plan {
    /// Where each argument of each trial's move comes from: slots of the rule.
    Quick(Vec<Vec<usize>>),
    /// Not at all.
    Slow,
}

/// Plans by control location.
#[derive(Default)]
pub(super) struct Quick {
    plans: RwLock<FxHashMap<TermId, Arc<Plan>>>,
}

impl GraphGame {
    /// The moves of a state.
    pub(super) fn options(&self, config: &Config) -> Result<Choices, Fault> {
        let mut choices = Choices::default();
        let mut term = config.term;
        let mut records = Arc::new(config.records.clone());
        loop {
            let derived = self.grammar.derived(term)?;
            if derived.kind != Kind::Trial {
                return Ok(choices);
            }
            let plan = self.plan(term, &derived)?;
            let Plan::Quick(sources) = &*plan else { return self.slow_options(config) };
            let mut success = false;
            for (number, trial) in derived.trials.iter().enumerate() {
                for event in self.grammar.events(&config.graph, &records, trial)? {
                    success = true;
                    if derived.hidden || self.grammar.rules[trial.rule].is_property() {
                        continue;
                    }
                    let mut args = [Item::NONE; 8];
                    let source = &sources[number];
                    for (arg, &slot) in args.iter_mut().zip(source) {
                        *arg = event.proof.slots[slot];
                    }
                    let action = match trial.launch {
                        Some(launch) => Action::Recipe(launch.call),
                        None => Action::Rule(trial.rule as u32),
                    };
                    let mv = self.move_of(action, &args[..source.len()]);
                    let way = Way::Match {
                        derived: Arc::clone(&derived),
                        trial: number,
                        event,
                        records: Arc::clone(&records),
                    };
                    self.sort_in(&mut choices, action, Choice { mv, way });
                }
            }
            let cont = if success { &derived.success } else { &derived.failure };
            if *cont != (Cont { enters: Vec::new(), exits: Vec::new(), term: cont.term }) {
                let mut own = (*records).clone();
                self.grammar.proceed(&mut own, cont)?;
                records = Arc::new(own);
            }
            term = cont.term;
        }
    }

    fn sort_in(&self, choices: &mut Choices, action: Action, choice: Choice) {
        if self.filter && self.grammar.action_name(action) == "filter" {
            choices.filters.push(choice);
        } else {
            choices.list.push(choice);
        }
    }

    fn slow_options(&self, config: &Config) -> Result<Choices, Fault> {
        let mut choices = Choices::default();
        for transition in self.grammar.expand(config)?.transitions {
            if transition.property {
                continue;
            }
            let mv = self.move_of(transition.action, &transition.args);
            self.sort_in(
                &mut choices,
                transition.action,
                Choice { mv, way: Way::Reached(transition.target) },
            );
        }
        Ok(choices)
    }

    /// The move of an action with arguments.
    pub(super) fn move_of(&self, action: Action, args: &[Item]) -> MoveId {
        let number = match action {
            Action::Rule(rule) => rule << 1,
            Action::Recipe(call) => call << 1 | 1,
        };
        match self.moves.get(number, args) {
            Some(mv) => mv,
            None => self.moves.add(number, args, texts::move_text(&self.grammar, action, args)),
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
        let missing = || Fault::NoSuchMove { role: self.roles[turn].clone(), text: self.moves.text(mv) };
        found.ok_or_else(missing)
    }

    /// The state that a choice leads to.
    pub(super) fn take(&self, config: &Config, choice: &Choice) -> Result<Config, Fault> {
        match &choice.way {
            Way::Reached(target) => self.settled(target.clone()),
            Way::Match { derived, trial, event, records } => {
                let trial = &derived.trials[*trial];
                let targets = self.grammar.results(&config.graph, records, derived.depth, trial, event)?;
                let mut found: Option<Config> = None;
                for target in targets {
                    let target = self.settled(target)?;
                    if found.as_ref().is_some_and(|known| *known != target) {
                        let text = format!(
                            "The move `{}` can lead to different states.",
                            self.moves.text(choice.mv)
                        );
                        return Err(Fault::BadState(text));
                    }
                    found = Some(target);
                }
                found.ok_or_else(|| {
                    Fault::BadState(format!("The move `{}` cannot be finished.", self.moves.text(choice.mv)))
                })
            }
        }
    }

    fn plan(&self, term: TermId, derived: &Arc<Derived>) -> Result<Arc<Plan>, Fault> {
        if let Some(plan) = self.quick.plans.read().expect("no panic while it is held").get(&term) {
            return Ok(Arc::clone(plan));
        }
        let mut sources = Some(Vec::new());
        for trial in &derived.trials {
            match self.sources(derived, trial)? {
                Some(found) => {
                    sources.iter_mut().for_each(|list: &mut Vec<Vec<usize>>| list.push(found.clone()))
                }
                None => sources = None,
            }
        }
        let plan = Arc::new(sources.map_or(Plan::Slow, Plan::Quick));
        self.quick.plans.write().expect("no panic while it is held").insert(term, Arc::clone(&plan));
        Ok(plan)
    }

    /// The slots from which a trial's move takes its arguments; none where they are not known from the match.
    fn sources(&self, derived: &Derived, trial: &Trial) -> Result<Option<Vec<usize>>, Fault> {
        let grammar = &self.grammar;
        let rule = &grammar.rules[trial.rule];
        let created =
            |slot: usize| rule.levels.iter().any(|level| level.new_nodes.iter().any(|(new, _)| *new == slot));
        let depth = grammar.derived(trial.next.term)?.depth;
        if grammar
            .rules
            .iter()
            .any(|rule| rule.is_property() && rule.role != crate::rule::ActionRole::Condition)
        {
            return Ok(None);
        }
        if derived.hidden {
            return Ok((depth <= derived.depth).then(Vec::new));
        }
        let certain = self.certain(trial.next.term, derived.depth, &mut FxHashSet::default())?;
        if depth > derived.depth && !certain {
            return Ok(None);
        }
        let Some(launch) = trial.launch else {
            let slots: Vec<usize> = rule.parameters.iter().map(|parameter| parameter.slot).collect();
            return Ok(
                (depth == 0 && slots.len() <= 8 && !slots.iter().any(|&slot| created(slot))).then_some(slots)
            );
        };
        let count = grammar.control.procedure(launch.call).map_or(0, |(_, _, parameters)| parameters.len());
        let outputs = grammar.control.outputs(launch.call);
        let mut slots = Vec::new();
        for parameter in 0..count.min(9) {
            let bound = rule.parameters.iter().zip(grammar.control.arguments(trial.call));
            let mut here =
                bound.filter(|(_, binding)| *binding == Binding::Out(parameter)).map(|(p, _)| p.slot);
            let once = outputs.iter().filter(|&&variable| variable == parameter).count() == 1;
            match here.next() {
                Some(slot) if trial.level == launch.level && once && !created(slot) => slots.push(slot),
                _ => return Ok(None),
            }
        }
        Ok((slots.len() == count && count <= 8).then_some(slots))
    }

    /// Whether what is under way at a location always comes to its end.
    fn certain(&self, term: TermId, base: usize, seen: &mut FxHashSet<TermId>) -> Result<bool, Fault> {
        let derived = self.grammar.derived(term)?;
        if derived.depth <= base || !seen.insert(term) {
            return Ok(true);
        }
        if derived.kind != Kind::Trial || seen.len() > 10_000 {
            return Ok(false);
        }
        for trial in &derived.trials {
            if !self.certain(trial.next.term, base, seen)? {
                return Ok(false);
            }
        }
        self.certain(derived.failure.term, base, seen)
    }

    /// Random games one after another. The states are the same as those of [`game::playout`].
    pub(super) fn play_many(&self, request: &Playouts<'_, GraphState>) -> Result<Outcomes, Fault> {
        let roles = self.roles.len();
        let mut outcomes = Outcomes { roles, ..Outcomes::default() };
        let mut index = request.first_index;
        let mut moves = Vec::new();
        'starts: for start in request.starts {
            for _ in 0..start.count {
                if request.deadline.is_over() {
                    break 'starts;
                }
                let stream = PlayoutStream::new(request.seed, index);
                index += 1;
                let mut config = start.state.0.config.clone();
                let mut trace = Vec::new();
                let mut step = 0;
                let end = loop {
                    let choices = self.options(&config)?;
                    let forced = start.first.as_deref().filter(|_| step == 0);
                    if choices.list.is_empty() && forced.is_none() {
                        break End::Goals;
                    }
                    if step >= request.max_steps {
                        break End::CutOff;
                    }
                    let turn = self.turn_of(&config)?;
                    let mv = match forced {
                        Some(joint) => joint[turn],
                        None => {
                            moves.clear();
                            moves.extend(choices.list.iter().map(|choice| choice.mv));
                            self.moves.sort(&mut moves);
                            moves.dedup();
                            match moves.len() {
                                1 => moves[0],
                                count => moves[stream.below(step, turn as u32, count as u32) as usize],
                            }
                        }
                    };
                    if request.trace {
                        let noop = super::Moves::NOOP;
                        trace.extend((0..roles).map(|role| if role == turn { mv } else { noop }));
                    }
                    config = self.make(&config, &choices, turn, mv)?;
                    step += 1;
                };
                let goals = self.goals(&config);
                let open = end == End::CutOff;
                outcomes
                    .goals
                    .extend(goals.into_iter().map(|goal| if open { Outcomes::NO_GOAL } else { goal }));
                outcomes.ends.push(end);
                outcomes.lengths.push(step);
                if request.trace {
                    outcomes.traces.push(trace);
                }
            }
        }
        Ok(outcomes)
    }

    /// Whether a role is chance.
    pub(super) fn is_chance(&self, role: usize) -> bool {
        self.roles[role] == CHANCE
    }
}
