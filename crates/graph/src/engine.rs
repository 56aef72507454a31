//! The transitions of a state.
//!
//! A state is a graph and the control location on arrival. Within a state the location advances
//! by verdicts: first the calls of the location are tried, then control continues as the
//! program specifies for the case that one could be done, or none. A recipe is a single
//! transition: its inner states are passed through until the recipe is left, and if it cannot
//! be left there is no transition.

use std::sync::Arc;

use game::Fault;
use rustc_hash::FxHashSet;

use crate::control::{Binding, Cont, Derived, Enter, Kind, TermId, Trial};
use crate::expr::Expr;
use crate::grammar::Grammar;
use crate::graph::{GONE, Graph};
use crate::properties::Policy;
use crate::rule::{ActionRole, Event, Matcher, Rule, apply};
use crate::value::{Item, Value};

/// The variables of the main part and of the procedures in progress.
pub type Records = Vec<Box<[Item]>>;

/// A graph and the control location on arrival.
#[derive(Debug, PartialEq, Eq, Hash)]
pub struct Config {
    /// The graph.
    pub graph: Graph,
    /// The control location.
    pub term: TermId,
    /// The variables.
    pub records: Records,
}

impl Clone for Config {
    fn clone(&self) -> Config {
        Config { graph: self.graph.clone(), term: self.term, records: self.records.clone() }
    }

    fn clone_from(&mut self, other: &Config) {
        self.graph.clone_from(&other.graph);
        self.term = other.term;
        self.records.clone_from(&other.records);
    }
}

/// The action of a transition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// A rule, by number.
    Rule(u32),
    /// A recipe, identified by one of its calls.
    Recipe(u32),
}

impl Action {
    /// Returns a distinct number for each action.
    pub(crate) fn number(self) -> u32 {
        match self {
            Action::Rule(rule) => rule << 1,
            Action::Recipe(call) => call << 1 | 1,
        }
    }
}

/// A transition from one state to another.
#[derive(Debug, Clone)]
pub struct Transition {
    /// The action.
    pub action: Action,
    /// The arguments.
    pub args: Vec<Item>,
    /// The rule whose match begins it, and the key of its event.
    pub event: (u32, Box<[u32]>),
    /// The state it leads to.
    pub target: Config,
    /// Whether it only reports that a condition holds.
    pub property: bool,
}

/// The result of expanding a state.
#[derive(Debug, Clone, Default)]
pub struct Expansion {
    /// The transitions.
    pub transitions: Vec<Transition>,
    /// Whether the control program has ended here.
    pub is_final: bool,
    /// Whether the state violates a property of the grammar.
    pub is_error: bool,
    /// Whether the state is to be removed for that reason.
    pub is_removed: bool,
}

/// Limits on the work for one query.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Search steps for the matches of one rule.
    pub search: u64,
    /// Steps inside recipes and atomic blocks.
    pub inner_steps: usize,
    /// Total number of nodes and edges of all inner states of a recipe or block.
    pub held: usize,
    /// Nodes in one graph.
    pub nodes: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { search: 200_000_000, inner_steps: 1_000_000, held: 100_000_000, nodes: 2_000_000 }
    }
}

/// A state in which a recipe or block was left, with the arguments of the recipe.
struct Outcome {
    config: Config,
    args: Option<Vec<Item>>,
}

/// Clears the variables that are no longer read at a location, so that they do not make equal
/// states different.
pub(crate) fn tidy(derived: &Derived, records: &mut Records) {
    records.truncate(derived.records + 1);
    for (level, record) in records.iter_mut().enumerate() {
        for (variable, place) in record.iter_mut().enumerate() {
            if *place != Item::NONE && derived.live.binary_search(&(level, variable)).is_err() {
                *place = Item::NONE;
            }
        }
    }
}

impl Grammar {
    /// Returns the initial state.
    pub fn initial(&self) -> Config {
        let records = vec![vec![Item::NONE; self.control.main_variables].into()];
        Config { graph: self.start.clone(), term: self.control.main, records }
    }

    pub(crate) fn derived(&self, term: TermId) -> Result<Arc<Derived>, Fault> {
        self.control.derived(term).map_err(|error| Fault::Budget(error.to_string()))
    }

    /// Returns all transitions of a state.
    pub fn expand(&self, config: &Config) -> Result<Expansion, Fault> {
        let mut expansion = Expansion::default();
        self.check(config, &mut expansion)?;
        if expansion.is_error || expansion.is_removed {
            return Ok(expansion);
        }
        let (mut term, mut records) = (config.term, config.records.clone());
        loop {
            let derived = self.derived(term)?;
            match derived.kind {
                Kind::Final => {
                    expansion.is_final = true;
                    break;
                }
                Kind::Dead => break,
                Kind::Trial => {}
            }
            let mut success = false;
            for trial in &derived.trials {
                for event in self.events(&config.graph, &records, trial)? {
                    success |=
                        self.follow(config, &records, &derived, trial, event, &mut expansion.transitions)?;
                }
            }
            let cont = if success { &derived.success } else { &derived.failure };
            self.go_on(&mut records, cont, None);
            term = cont.term;
            self.tidy(term, &mut records)?;
        }
        if self.properties.deadlock_is_error && !expansion.is_final && expansion.transitions.is_empty() {
            expansion.is_error = true;
        }
        self.conditions(config, &mut expansion)?;
        Ok(expansion)
    }

    /// Follows one match to where it leads, and adds the resulting transitions. Returns `true`
    /// if the match counts as done, which decides the verdict.
    pub(crate) fn follow(
        &self,
        config: &Config,
        records: &Records,
        derived: &Derived,
        trial: &Trial,
        event: Event,
        transitions: &mut Vec<Transition>,
    ) -> Result<bool, Fault> {
        let (target, args, left) = self.step(&config.graph, records, trial, &event, trial.launch)?;
        if self.removes() {
            let mut checked = Expansion::default();
            self.check(&target, &mut checked)?;
            if checked.is_removed {
                return Ok(false);
            }
        }
        let depth = self.derived(target.term)?.depth;
        let key = (trial.rule as u32, event.key);
        // Steps inside a recipe are not transitions; only the verdict is of interest.
        if derived.hidden {
            return Ok(depth <= derived.depth || !self.complete(target, derived.depth, None)?.is_empty());
        }
        if let Some(launch) = trial.launch {
            let outcomes = match left {
                Some(args) => vec![Outcome { config: target, args: Some(args) }],
                None => self.complete(target, derived.depth, Some(launch))?,
            };
            let found = !outcomes.is_empty();
            for outcome in outcomes {
                transitions.push(Transition {
                    action: Action::Recipe(launch.call),
                    args: outcome.args.unwrap_or_default(),
                    event: key.clone(),
                    target: outcome.config,
                    property: false,
                });
            }
            return Ok(found);
        }
        // Inside an atomic block a match is a transition only if the block can be completed.
        let completes = depth == 0 || !self.complete(target.clone(), 0, None)?.is_empty();
        let present = depth <= derived.depth || completes;
        if present && completes {
            let action = Action::Rule(trial.rule as u32);
            let property = self.rules[trial.rule].is_property();
            transitions.push(Transition { action, args, event: key, target, property });
        }
        Ok(present)
    }

    /// Explores the inner states of a recipe or block, and returns the states in which it is left.
    fn complete(&self, start: Config, base: usize, launch: Option<Enter>) -> Result<Vec<Outcome>, Fault> {
        let mut outcomes = Vec::new();
        let mut seen: FxHashSet<Config> = FxHashSet::default();
        let mut work = vec![start];
        let (mut steps, mut held, mut branched) = (0, 0, false);
        let endless =
            || Fault::Budget("a recipe or block takes too many inner steps; it may never end.".to_string());
        while let Some(config) = work.pop() {
            steps += 1;
            if steps > self.limits.inner_steps {
                return Err(endless());
            }
            // Remembering states detects cycles and rejoining branches. Short straight runs,
            // the usual case, do without.
            if branched || steps > 64 {
                held += config.graph.size();
                if held > self.limits.held {
                    return Err(endless());
                }
                if !seen.insert(config.clone()) {
                    continue;
                }
            }
            let (mut term, mut records) = (config.term, config.records.clone());
            loop {
                let derived = self.derived(term)?;
                if derived.depth <= base {
                    // There are no arguments here: a recipe left by a verdict is handled below,
                    // where they are known.
                    outcomes.push(Outcome { config, args: None });
                    break;
                }
                if derived.kind != Kind::Trial {
                    break;
                }
                let mut success = false;
                let before = work.len();
                for trial in &derived.trials {
                    for event in self.events(&config.graph, &records, trial)? {
                        let (target, _, left) = self.step(&config.graph, &records, trial, &event, launch)?;
                        let depth = self.derived(target.term)?.depth;
                        success |= depth <= derived.depth
                            || !self.complete(target.clone(), derived.depth, None)?.is_empty();
                        if left.is_some() {
                            outcomes.push(Outcome { config: target, args: left });
                        } else {
                            work.push(target);
                        }
                    }
                }
                branched |= work.len() > before + 1;
                let cont = if success { &derived.success } else { &derived.failure };
                let args = self.go_on(&mut records, cont, launch);
                term = cont.term;
                self.tidy(term, &mut records)?;
                if args.is_some() {
                    outcomes.push(Outcome { config, args });
                    break;
                }
            }
        }
        Ok(outcomes)
    }

    /// Returns the states that a match leads to: one for a rule, or those in which a recipe or block is left.
    pub(crate) fn results(
        &self,
        graph: &Graph,
        records: &Records,
        depth: usize,
        trial: &Trial,
        event: &Event,
    ) -> Result<Vec<Config>, Fault> {
        let (target, _, _) = self.step(graph, records, trial, event, trial.launch)?;
        if self.derived(target.term)?.depth <= depth {
            return Ok(vec![target]);
        }
        self.left(target, depth, trial.launch)
    }

    /// Returns the states in which everything in progress above a depth has been left.
    pub(crate) fn left(
        &self,
        from: Config,
        depth: usize,
        launch: Option<Enter>,
    ) -> Result<Vec<Config>, Fault> {
        Ok(self.complete(from, depth, launch)?.into_iter().map(|outcome| outcome.config).collect())
    }

    /// Advances control within a state.
    pub(crate) fn proceed(&self, records: &mut Records, cont: &Cont) -> Result<(), Fault> {
        self.go_on(records, cont, None);
        self.tidy(cont.term, records)
    }

    /// Returns the events of a trial in a graph.
    pub(crate) fn events(
        &self,
        graph: &Graph,
        records: &Records,
        trial: &Trial,
    ) -> Result<Vec<Event>, Fault> {
        let rule = &self.rules[trial.rule];
        let mut matcher = Matcher::new(rule, graph, &self.values, self.limits.search);
        let Some(given) = self.given(records, trial, rule) else { return Ok(Vec::new()) };
        let Some(slots) = matcher.seed(&given) else { return Ok(Vec::new()) };
        let events = matcher.events(slots);
        if matcher.exhausted() { Err(self.search_fault(rule)) } else { Ok(events) }
    }

    pub(crate) fn search_fault(&self, rule: &Rule) -> Fault {
        let text = format!(
            "The search for matches of the rule `{}` ({}) exceeded its step limit.",
            rule.name, rule.file
        );
        Fault::Budget(text)
    }

    /// Returns the parameters that the caller supplies, or `None` if one of the variables has no value.
    pub(crate) fn given(&self, records: &Records, trial: &Trial, rule: &Rule) -> Option<Vec<(usize, Item)>> {
        if !self.control.arguments(trial.call).any(|binding| matches!(binding, Binding::In(_))) {
            return Some(Vec::new());
        }
        let mut given = Vec::new();
        let entered;
        let mut frame: &[Item] = records.get(trial.level).map_or(&[], |record| record);
        if !trial.enters.is_empty() {
            let mut own = records.clone();
            self.enter(&mut own, &trial.enters);
            entered = own;
            frame = entered.get(trial.level).map_or(&[], |record| record);
        }
        for (parameter, binding) in rule.parameters.iter().zip(self.control.arguments(trial.call)) {
            if let Binding::In(expr) = binding {
                let item = self.evaluate(expr, frame);
                if item == Item::NONE {
                    return None;
                }
                given.push((parameter.slot, item));
            }
        }
        Some(given)
    }

    fn evaluate(&self, expr: &Expr, frame: &[Item]) -> Item {
        let item = |slot: usize| frame.get(slot).copied().unwrap_or(Item::NONE);
        match expr {
            Expr::Slot(slot) => item(*slot),
            expr => self.values.item(&expr.eval(&|slot| match item(slot) {
                found if found.is_value() => self.values.value(found),
                _ => Value::Error,
            })),
        }
    }

    fn enter(&self, records: &mut Records, enters: &[Enter]) {
        for enter in enters {
            records.truncate(enter.level);
            let mut record = vec![Item::NONE; self.control.variables(enter.call)];
            let frame: &[Item] = records.last().map_or(&[], |record| record);
            for (place, binding) in record.iter_mut().zip(self.control.arguments(enter.call)) {
                if let Binding::In(expr) = binding {
                    *place = self.evaluate(expr, frame);
                }
            }
            records.push(record.into());
        }
    }

    /// Enters and leaves procedures. Returns the arguments of the recipe `launch` if it is left.
    pub(crate) fn go_on(
        &self,
        records: &mut Records,
        cont: &Cont,
        launch: Option<Enter>,
    ) -> Option<Vec<Item>> {
        self.enter(records, &cont.enters);
        let mut left = None;
        for exit in &cont.exits {
            if exit.level >= records.len() {
                continue;
            }
            let record = records.swap_remove(exit.level);
            records.truncate(exit.level);
            if launch == Some(*exit) {
                let count =
                    self.control.procedure(exit.call).map_or(0, |(_, _, parameters)| parameters.len());
                left = Some(record[..count.min(record.len())].to_vec());
            }
            if let Some(below) = records.last_mut() {
                for (item, binding) in record.iter().zip(self.control.arguments(exit.call)) {
                    if let Binding::Out(variable) = binding
                        && let Some(place) = below.get_mut(variable)
                    {
                        *place = *item;
                    }
                }
            }
        }
        left
    }

    /// Clears the variables that are no longer read.
    fn tidy(&self, term: TermId, records: &mut Records) -> Result<(), Fault> {
        tidy(&*self.derived(term)?, records);
        Ok(())
    }

    /// Applies an event. Returns the next state, the arguments of the rule, and those of
    /// `launch` if it is left.
    #[allow(clippy::type_complexity, reason = "three results that are taken apart at once")]
    pub(crate) fn step(
        &self,
        graph: &Graph,
        records: &Records,
        trial: &Trial,
        event: &Event,
        launch: Option<Enter>,
    ) -> Result<(Config, Vec<Item>, Option<Vec<Item>>), Fault> {
        let rule = &self.rules[trial.rule];
        let mut graph = graph.clone();
        let applied = apply(rule, &mut graph, &event.proof, &self.vocabulary);
        self.small_enough(&graph, rule)?;
        let args: Vec<Item> = rule.parameters.iter().map(|parameter| applied.slots[parameter.slot]).collect();
        let mut records = records.clone();
        let left = self.arrive(&graph, &mut records, trial, &applied.slots, &applied.merged, launch);
        self.tidy(trial.next.term, &mut records)?;
        Ok((Config { graph, term: trial.next.term, records }, args, left))
    }

    /// Fails if the graph has grown beyond the limit.
    pub(crate) fn small_enough(&self, graph: &Graph, rule: &Rule) -> Result<(), Fault> {
        if graph.capacity() <= self.limits.nodes {
            return Ok(());
        }
        let text = format!(
            "The rule `{}` ({}) makes graphs grow beyond {} nodes.",
            rule.name, rule.file, self.limits.nodes
        );
        Err(Fault::Budget(text))
    }

    /// Updates the variables after a match has been applied, except for [`tidy`]. Returns the
    /// arguments of `launch` if it is left.
    pub(crate) fn arrive(
        &self,
        graph: &Graph,
        records: &mut Records,
        trial: &Trial,
        slots: &[Item],
        merged: &[(Item, Item)],
        launch: Option<Enter>,
    ) -> Option<Vec<Item>> {
        self.enter(records, &trial.enters);
        if let Some(frame) = records.get_mut(trial.level) {
            let parameters = self.rules[trial.rule].parameters.iter();
            for (parameter, binding) in parameters.zip(self.control.arguments(trial.call)) {
                if let Binding::Out(variable) = binding
                    && let Some(place) = frame.get_mut(variable)
                {
                    *place = slots[parameter.slot];
                }
            }
        }
        for item in records.iter_mut().flat_map(|record| record.iter_mut()) {
            if item.is_node() {
                while let Some((_, to)) = merged.iter().find(|(from, _)| from == item) {
                    *item = *to;
                }
                if graph.type_of(*item) == GONE {
                    *item = Item::NONE;
                }
            }
        }
        self.go_on(records, &trial.next, launch)
    }

    /// Checks whether a state violates a property of the grammar.
    pub fn check(&self, config: &Config, expansion: &mut Expansion) -> Result<(), Fault> {
        expansion.is_error |= config.graph.changing().iter().any(|edge| edge.b == Item::ERROR);
        for rule in &self.rules {
            let broken = match rule.role {
                ActionRole::Forbidden => true,
                ActionRole::Invariant => false,
                _ => continue,
            };
            let mut matcher = Matcher::new(rule, &config.graph, &self.values, self.limits.search);
            let holds = matcher.any(rule.template.clone());
            if matcher.exhausted() {
                return Err(self.search_fault(rule));
            }
            if holds == broken {
                expansion.is_error |= rule.policy == Policy::Error;
                expansion.is_removed |= rule.policy == Policy::Remove;
            }
        }
        Ok(())
    }

    /// Returns `true` if some property rule removes states.
    fn removes(&self) -> bool {
        self.rules.iter().any(|rule| rule.is_property() && rule.policy == Policy::Remove)
    }

    /// Adds a transition for every condition that holds.
    fn conditions(&self, config: &Config, expansion: &mut Expansion) -> Result<(), Fault> {
        for (number, rule) in self.rules.iter().enumerate() {
            if rule.role != ActionRole::Condition || rule.policy == Policy::Silent {
                continue;
            }
            let mut matcher = Matcher::new(rule, &config.graph, &self.values, self.limits.search);
            let events = matcher.events(rule.template.clone());
            if matcher.exhausted() {
                return Err(self.search_fault(rule));
            }
            for event in events {
                let args =
                    rule.parameters.iter().map(|parameter| event.proof.slots[parameter.slot]).collect();
                expansion.transitions.push(Transition {
                    action: Action::Rule(number as u32),
                    args,
                    event: (number as u32, event.key),
                    target: config.clone(),
                    property: true,
                });
            }
        }
        Ok(())
    }

    /// Returns the nodes and values in the key of an event.
    pub(crate) fn anchors(&self, rule: u32, key: &[u32]) -> Vec<Item> {
        let levels = self.rules[rule as usize].levels.len() as u32;
        key.iter().map(|&item| Item(item)).filter(|item| item.0 < u32::MAX - 1 - levels).collect()
    }

    /// Returns the name of an action, without arguments.
    pub fn action_name(&self, action: Action) -> &str {
        match action {
            Action::Rule(rule) => &self.rules[rule as usize].name,
            Action::Recipe(call) => self.control.procedure(call).map_or("", |(name, _, _)| name),
        }
    }

    /// Returns the label of a transition: its name and, if they are shown, its arguments.
    pub fn label(&self, transition: &Transition) -> String {
        let name = self.action_name(transition.action);
        if let Action::Rule(rule) = transition.action
            && let Some(format) = &self.rules[rule as usize].format
        {
            return self.formatted(format, &transition.args);
        }
        let shown = self.properties.arguments.unwrap_or(!transition.args.is_empty());
        if !shown {
            return name.to_string();
        }
        let args: Vec<String> = transition.args.iter().map(|&item| self.item_text(item)).collect();
        format!("{name}({})", args.join(","))
    }

    /// Formats a label, in which each `%s` stands for the next argument.
    fn formatted(&self, format: &str, args: &[Item]) -> String {
        let mut args = args.iter();
        let mut parts = format.split("%s");
        let mut text = parts.next().unwrap_or_default().to_string();
        for part in parts {
            text.push_str(&args.next().map_or("_".to_string(), |&item| self.item_text(item)));
            text.push_str(part);
        }
        text
    }

    /// Returns the text of a node or value.
    pub fn item_text(&self, item: Item) -> String {
        if item == Item::NONE {
            "_".to_string()
        } else if item.is_node() {
            self.node_name(item)
        } else {
            self.values.value(item).to_string()
        }
    }
}
