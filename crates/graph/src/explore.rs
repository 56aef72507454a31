//! Exploration of the state space of a grammar, up to isomorphism.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use game::{Fault, StopToken};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::canon::canonical;
use crate::engine::{Action, Config};
use crate::grammar::Grammar;
use crate::value::Item;

/// Options of an exploration.
#[derive(Debug, Clone)]
pub struct Options {
    /// The maximum number of states.
    pub limit: usize,
    /// The approximate maximum size of states and transitions in bytes.
    pub memory: usize,
    /// Whether the most recently found states are explored first.
    pub depth_first: bool,
    /// Whether the graphs of explored states are kept.
    pub keep: bool,
    /// A token that stops the exploration.
    pub stop: StopToken,
}

impl Default for Options {
    fn default() -> Options {
        let (limit, memory) = (1_000_000, 2 << 30);
        Options { limit, memory, depth_first: false, keep: true, stop: StopToken::default() }
    }
}

/// A state that was found.
#[derive(Debug, Clone)]
pub struct State {
    /// The graph and control location, unless they were dropped.
    pub config: Option<Config>,
    /// Whether its transitions have been computed.
    pub explored: bool,
    /// Whether it is final.
    pub is_final: bool,
    /// Whether it violates a property of the grammar.
    pub is_error: bool,
}

/// A transition that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrow {
    /// The number of the source state.
    pub source: usize,
    /// The number of the target state.
    pub target: usize,
    /// The action.
    pub action: Action,
    /// The arguments, in the numbering of the source.
    pub args: Vec<Item>,
    /// The label.
    pub label: Arc<str>,
    /// The anchors of the match that begins it, in the numbering of the source.
    pub anchors: Vec<Item>,
    /// Whether it only reports that a condition holds.
    pub property: bool,
}

/// What identifies a transition of a state: the match, the action, the target of a recipe, and the arguments.
type Identity = (u32, Box<[u32]>, Action, usize, Vec<Item>, bool);

/// The explored part of the state space.
pub struct Explorer<'a> {
    grammar: &'a Grammar,
    options: Options,
    /// The states in the order in which they were found, beginning with the initial state.
    pub states: Vec<State>,
    /// The transitions.
    pub arrows: Vec<Arrow>,
    index: FxHashMap<Box<[u32]>, u32>,
    open: VecDeque<usize>,
    /// Whether a limit was reached.
    pub limited: bool,
    /// Whether the memory limit was reached.
    pub full: bool,
    /// The labels that have occurred, shared between transitions.
    labels: FxHashMap<String, Arc<str>>,
    /// The approximate number of bytes in use.
    bytes: usize,
}

impl<'a> Explorer<'a> {
    /// Starts with the initial state.
    pub fn new(grammar: &'a Grammar, options: Options) -> Result<Explorer<'a>, Fault> {
        let mut explorer = Explorer {
            grammar,
            options,
            states: Vec::new(),
            arrows: Vec::new(),
            index: FxHashMap::default(),
            open: VecDeque::new(),
            limited: false,
            full: false,
            labels: FxHashMap::default(),
            bytes: 0,
        };
        explorer.find(grammar.initial())?;
        Ok(explorer)
    }

    /// Returns the number of a state, which is added if it is new, or `None` if the grammar
    /// removes the state.
    fn find(&mut self, config: Config) -> Result<Option<usize>, Fault> {
        let key = self.key(&config)?;
        if let Some(&known) = self.index.get(&key) {
            return Ok(Some(known as usize).filter(|known| *known != u32::MAX as usize));
        }
        let mut checked = crate::engine::Expansion::default();
        self.grammar.check(&config, &mut checked)?;
        if checked.is_removed {
            self.index.insert(key, u32::MAX);
            return Ok(None);
        }
        let number = self.states.len();
        self.bytes += 4 * key.len() + size_of::<State>() + 48 + config.graph.bytes();
        self.index.insert(key, number as u32);
        self.states.push(State {
            config: Some(config),
            explored: false,
            is_final: false,
            is_error: checked.is_error,
        });
        self.open.push_back(number);
        Ok(Some(number))
    }

    fn key(&self, config: &Config) -> Result<Box<[u32]>, Fault> {
        let marks: Vec<Item> = config.records.iter().flat_map(|record| record.iter().copied()).collect();
        if self.grammar.properties.by_identity {
            let types = config.graph.types().iter().map(|kind| u32::from(*kind));
            let edges = config.graph.changing().iter().flat_map(|edge| [edge.label, edge.a.0, edge.b.0]);
            let rest = marks.iter().map(|mark| mark.0).chain([config.term]);
            return Ok(std::iter::once(types.len() as u32).chain(types).chain(edges).chain(rest).collect());
        }
        let canonical = canonical(&config.graph, &marks, 0).map_err(|_| {
            Fault::Budget("A state has too many symmetries to be compared with others.".to_string())
        })?;
        let mut key = canonical.key;
        key.push(config.term);
        Ok(key.into())
    }

    /// Explores one state. Returns `false` if none is left or a limit is reached.
    pub fn advance(&mut self) -> Result<bool, Fault> {
        if self.options.stop.is_stopped() {
            return Ok(false);
        }
        if self.states.len() >= self.options.limit && !self.open.is_empty() {
            self.limited = true;
            return Ok(false);
        }
        if self.bytes > self.options.memory && !self.open.is_empty() {
            (self.limited, self.full) = (true, true);
            return Ok(false);
        }
        let next = if self.options.depth_first { self.open.pop_back() } else { self.open.pop_front() };
        let Some(number) = next else { return Ok(false) };
        self.explore(number)?;
        Ok(true)
    }

    /// Computes the transitions of one state, unless that has been done.
    pub fn explore(&mut self, number: usize) -> Result<(), Fault> {
        if self.states[number].explored {
            return Ok(());
        }
        self.states[number].explored = true;
        let Some(config) = self.states[number].config.clone() else { return Ok(()) };
        let expansion = self.grammar.expand(&config)?;
        self.states[number].is_final = expansion.is_final;
        self.states[number].is_error |= expansion.is_error;
        let mut seen: FxHashSet<Identity> = FxHashSet::default();
        for transition in expansion.transitions {
            let label = self.grammar.label(&transition);
            let label = match self.labels.get(&label) {
                Some(known) => Arc::clone(known),
                None => Arc::clone(self.labels.entry(label.clone()).or_insert_with(|| label.into())),
            };
            let (action, args, property) = (transition.action, transition.args, transition.property);
            let target = if property && transition.target == config {
                number
            } else {
                let Some(target) = self.find(transition.target)? else { continue };
                target
            };
            let (rule, event) = transition.event;
            let recipe = match action {
                Action::Recipe(_) => target,
                Action::Rule(_) => 0,
            };
            let anchors = if self.options.keep { self.grammar.anchors(rule, &event) } else { Vec::new() };
            if seen.insert((rule, event, action, recipe, args.clone(), property)) {
                self.bytes += size_of::<Arrow>() + 4 * (args.len() + anchors.len());
                self.arrows.push(Arrow { source: number, target, action, args, label, anchors, property });
            }
        }
        if !self.options.keep {
            self.states[number].config = None;
            self.bytes -= config.graph.bytes();
        }
        Ok(())
    }

    /// Explores everything within the limits.
    pub fn run(&mut self) -> Result<(), Fault> {
        while self.advance()? {}
        Ok(())
    }

    /// Returns the number of states that have yet to be explored.
    pub fn waiting(&self) -> usize {
        self.open.len()
    }

    /// Returns the number of final states that are not errors.
    pub fn finals(&self) -> usize {
        self.states.iter().filter(|state| state.is_final && !state.is_error).count()
    }

    /// Returns how often each label occurs.
    pub fn labels(&self) -> BTreeMap<&str, usize> {
        let mut labels = BTreeMap::new();
        self.arrows.iter().for_each(|arrow| *labels.entry(&*arrow.label).or_default() += 1);
        labels
    }
}
