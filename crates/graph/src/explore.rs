//! The states of a grammar up to isomorphism, and the transitions between them.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use game::{Fault, StopToken};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::canon::canonical;
use crate::engine::{Action, Config};
use crate::grammar::Grammar;
use crate::value::Item;

/// How to explore.
#[derive(Debug, Clone)]
pub struct Options {
    /// Most states.
    pub limit: usize,
    /// About how many bytes states and transitions may take.
    pub memory: usize,
    /// Deepest states first.
    pub depth_first: bool,
    /// Keep the graphs of states that were looked at.
    pub keep: bool,
    /// Raised to stop.
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
    /// The graph and control location, unless it was let go.
    pub config: Option<Config>,
    /// Whether transitions from it were looked for.
    pub explored: bool,
    /// Whether it is final.
    pub is_final: bool,
    /// Whether it breaks a rule of the grammar.
    pub is_error: bool,
}

/// A transition that was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrow {
    /// From.
    pub source: usize,
    /// To.
    pub target: usize,
    /// What is done.
    pub action: Action,
    /// With what, in the source's numbers.
    pub args: Vec<Item>,
    /// The label.
    pub label: Arc<str>,
    /// What tells the match that begins it from others, in the source's numbers.
    pub anchors: Vec<Item>,
    /// Whether it only says that a condition holds.
    pub property: bool,
}

/// What makes two transitions of a state the same: the match, the action, the target of a recipe, arguments.
type Identity = (u32, Box<[u32]>, Action, usize, Vec<Item>, bool);

/// The part of the state space that was explored.
pub struct Explorer<'a> {
    grammar: &'a Grammar,
    options: Options,
    /// The states, in the order they were found. The first is that at the start.
    pub states: Vec<State>,
    /// The transitions.
    pub arrows: Vec<Arrow>,
    index: FxHashMap<Box<[u32]>, u32>,
    open: VecDeque<usize>,
    /// Whether the limit was reached.
    pub limited: bool,
    /// Whether memory was used up.
    pub full: bool,
    /// Labels that came up, each once.
    labels: FxHashMap<String, Arc<str>>,
    /// About how many bytes are taken.
    bytes: usize,
}

impl<'a> Explorer<'a> {
    /// Begins with the state at the start.
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

    /// The number of a state, new or known; none if the grammar says it is to be left out.
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

    /// Explores one state; false when none is left or the limit is reached.
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

    /// Looks for the transitions of one state, if that was not done.
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

    /// Explores everything within the limit.
    pub fn run(&mut self) -> Result<(), Fault> {
        while self.advance()? {}
        Ok(())
    }

    /// States that wait to be explored.
    pub fn waiting(&self) -> usize {
        self.open.len()
    }

    /// How many states are final.
    pub fn finals(&self) -> usize {
        self.states.iter().filter(|state| state.is_final && !state.is_error).count()
    }

    /// How often each label occurs.
    pub fn labels(&self) -> BTreeMap<&str, usize> {
        let mut labels = BTreeMap::new();
        self.arrows.iter().for_each(|arrow| *labels.entry(&*arrow.label).or_default() += 1);
        labels
    }
}
