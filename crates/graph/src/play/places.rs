//! What is known about a control location before any state is examined.
//!
//! In most grammars the matches of a recipe's first rule are the moves. If the rest of the
//! recipe cannot fail and its arguments are known from the first match, moves are listed
//! without applying anything.

use std::sync::{Arc, RwLock};

use game::Fault;
use rustc_hash::{FxHashMap, FxHashSet};

use super::GraphGame;
use crate::control::{Binding, Derived, Kind, TermId, Trial};
use crate::engine::Action;
use crate::rule::ActionRole;

/// A control location.
#[derive(Clone)]
pub(super) struct Place {
    pub(super) derived: Arc<Derived>,
    /// What is known about each trial.
    pub(super) leads: Vec<Lead>,
    /// Whether the grammar has forbidden or invariant rules. These can rule out states, so
    /// every match must be followed.
    pub(super) slow: bool,
    /// Whether nothing else is tried in the same state once something could be done.
    pub(super) ends_by_success: bool,
    /// Whether nothing else is tried in the same state once nothing could be done.
    pub(super) ends_by_failure: bool,
    /// If nothing else can be done in the same state after a success: the number of atomic
    /// blocks and recipes in progress there.
    pub(super) dead_by_success: Option<usize>,
}

/// What is known about a trial.
#[derive(Clone)]
pub(super) struct Lead {
    /// The action of the move.
    pub(super) action: Action,
    /// The slots of the rule that contain the arguments of the move; `None` if a match must be
    /// followed to determine whether it is a move.
    pub(super) sources: Option<Box<[usize]>>,
    /// Whether it is the `filter` that shows a player what it may see.
    pub(super) filter: bool,
    /// Whether the action has parameters.
    pub(super) parameters: bool,
    /// Whether it is a step inside a recipe, or a condition.
    pub(super) silent: bool,
    /// Whether its matches can be applied in place.
    pub(super) simple: bool,
    /// Whether a single match with quantified parts of one level can be applied in place.
    pub(super) broad: bool,
    /// Whether the caller supplies values for it.
    pub(super) given: bool,
    /// The number of atomic blocks and recipes in progress after it.
    pub(super) depth: usize,
}

/// The maximum number of arguments of a move that is listed without being followed.
pub(super) const ARGUMENTS: usize = 3;

/// The known control locations.
#[derive(Default)]
pub(super) struct Places {
    known: RwLock<FxHashMap<TermId, Arc<Place>>>,
}

impl GraphGame {
    /// Returns what is known about a location.
    pub(super) fn place(&self, term: TermId) -> Result<Arc<Place>, Fault> {
        if let Some(place) = self.places.known.read().expect("no panic while it is held").get(&term) {
            return Ok(Arc::clone(place));
        }
        let grammar = &self.grammar;
        let derived = grammar.derived(term)?;
        let mut leads = Vec::new();
        for trial in &derived.trials {
            let rule = &grammar.rules[trial.rule];
            let action = match trial.launch {
                Some(launch) => Action::Recipe(launch.call),
                None => Action::Rule(trial.rule as u32),
            };
            leads.push(Lead {
                action,
                sources: self.sources(&derived, trial)?.map(Into::into),
                filter: self.filter && !derived.hidden && grammar.action_name(action) == "filter",
                parameters: match trial.launch {
                    None => !rule.parameters.is_empty(),
                    Some(launch) => {
                        grammar.control.procedure(launch.call).is_some_and(|(_, _, list)| !list.is_empty())
                    }
                },
                silent: derived.hidden || rule.is_property(),
                simple: rule.is_simple(),
                broad: rule.is_broad(),
                given: grammar.control.arguments(trial.call).any(|given| matches!(given, Binding::In(_))),
                depth: grammar.derived(trial.next.term)?.depth,
            });
        }
        let ends = |term: TermId| Ok::<bool, Fault>(grammar.derived(term)?.kind != Kind::Trial);
        let breaks = |role: ActionRole| matches!(role, ActionRole::Forbidden | ActionRole::Invariant);
        let success = grammar.derived(derived.success.term)?;
        let dead = success.kind == Kind::Dead && derived.success.exits.is_empty();
        let place = Arc::new(Place {
            leads,
            dead_by_success: dead.then_some(success.depth),
            slow: grammar.rules.iter().any(|rule| breaks(rule.role)),
            ends_by_success: ends(derived.success.term)?,
            ends_by_failure: ends(derived.failure.term)?,
            derived,
        });
        self.places.known.write().expect("no panic while it is held").insert(term, Arc::clone(&place));
        Ok(place)
    }

    /// Returns the slots that contain the arguments of a trial's move, or `None` if the match
    /// does not determine them.
    fn sources(&self, derived: &Derived, trial: &Trial) -> Result<Option<Vec<usize>>, Fault> {
        let grammar = &self.grammar;
        let rule = &grammar.rules[trial.rule];
        let created =
            |slot: usize| rule.levels.iter().any(|level| level.new_nodes.iter().any(|(new, _)| *new == slot));
        let depth = grammar.derived(trial.next.term)?.depth;
        if derived.hidden {
            return Ok((depth <= derived.depth).then(Vec::new));
        }
        let certain = self.certain(trial.next.term, derived.depth, &mut FxHashSet::default())?;
        if depth > derived.depth && !certain {
            return Ok(None);
        }
        let Some(launch) = trial.launch else {
            let slots: Vec<usize> = rule.parameters.iter().map(|parameter| parameter.slot).collect();
            return Ok((depth == 0 && slots.len() <= ARGUMENTS && !slots.iter().any(|&slot| created(slot)))
                .then_some(slots));
        };
        let count = grammar.control.procedure(launch.call).map_or(0, |(_, _, parameters)| parameters.len());
        let outputs = grammar.control.outputs(launch.call);
        let mut slots = Vec::new();
        for parameter in 0..count.min(ARGUMENTS + 1) {
            let bound = rule.parameters.iter().zip(grammar.control.arguments(trial.call));
            let mut here =
                bound.filter(|(_, binding)| *binding == Binding::Out(parameter)).map(|(p, _)| p.slot);
            let once = outputs.iter().filter(|&&variable| variable == parameter).count() == 1;
            match here.next() {
                Some(slot) if trial.level == launch.level && once && !created(slot) => slots.push(slot),
                _ => return Ok(None),
            }
        }
        Ok((slots.len() == count && count <= ARGUMENTS).then_some(slots))
    }

    /// Returns `true` if the recipe or block in progress at a location can always be completed.
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
}
