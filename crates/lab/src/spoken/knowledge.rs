//! What a role knows of the state.
//!
//! A role is told the rules, its own moves and its percepts. What holds in every
//! state that agrees with these it knows; of everything else it only knows that
//! it may be. The states are kept exactly and each once, within limits: a role
//! whose states become too many is said to know nothing, which is always true.

use std::sync::Arc;
use std::time::{Duration, Instant};

use game::{Fault, Game, MoveId, RoleId};
use rustc_hash::FxHashSet;

/// What keeping track of possible states may cost.
#[derive(Debug, Clone, Copy)]
pub struct KnowledgeLimits {
    /// States kept.
    pub states: usize,
    /// Joint moves tried in one step.
    pub steps: usize,
    /// Time for one step.
    pub time: Duration,
}

/// One role's knowledge in the course of a match.
pub trait Knowledge: Send {
    /// After a step: the role's own move, what it saw, and whether the match goes on.
    fn update(&mut self, own: &str, percepts: &[String], going_on: bool) -> Result<(), Fault>;

    /// The facts that hold for sure, in canonical order; none where the role lost track.
    fn facts(&self) -> Option<Vec<String>>;
}

/// Joint moves computed at once.
const BATCH: usize = 512;

pub(super) struct Possible<G: Game> {
    game: Arc<G>,
    role: RoleId,
    limits: KnowledgeLimits,
    /// The states that may be; none where there were too many.
    states: Option<Vec<G::State>>,
}

impl<G: Game> Possible<G> {
    pub(super) fn new(game: &Arc<G>, role: RoleId, limits: KnowledgeLimits) -> Possible<G> {
        Possible { game: Arc::clone(game), role, limits, states: Some(vec![game.initial()]) }
    }

    fn forward(
        &self,
        states: &[G::State],
        own: &str,
        percepts: &[String],
        going_on: bool,
    ) -> Result<Vec<G::State>, Fault> {
        let begun = Instant::now();
        let missing = |text: &str| Fault::BadState(format!("`{text}` is not a percept of this game"));
        let own = self.game.find_move(self.role, own).ok_or_else(|| Fault::NoSuchMove {
            role: self.game.roles()[self.role.index()].clone(),
            text: own.to_string(),
        })?;
        let seen =
            percepts.iter().map(|text| self.game.find_percept(self.role, text).ok_or_else(|| missing(text)));
        let seen = seen.collect::<Result<Vec<_>, _>>()?;
        let mut tried = 0;
        let (mut found, mut known) = (Vec::new(), FxHashSet::default());
        let (mut befores, mut joints) = (Vec::new(), Vec::new());
        for (number, state) in states.iter().enumerate() {
            let Some(legal) = self.choices(state, own)? else { continue };
            let mut places = vec![0; legal.len()];
            loop {
                tried += 1;
                if tried > self.limits.steps || begun.elapsed() > self.limits.time {
                    return Err(Fault::Budget("too many moves of the others are possible".to_string()));
                }
                befores.push(state.clone());
                joints.push(places.iter().zip(&legal).map(|(&at, moves)| moves[at]).collect::<Vec<MoveId>>());
                let more = advance(&mut places, &legal);
                let last = !more && number + 1 == states.len();
                if joints.len() == BATCH || last {
                    self.keep(&befores, &joints, &seen, going_on, &mut found, &mut known)?;
                    befores.clear();
                    joints.clear();
                }
                if !more {
                    break;
                }
            }
        }
        self.keep(&befores, &joints, &seen, going_on, &mut found, &mut known)?;
        Ok(found)
    }

    /// What everyone may do in a state where the role makes this move; none where it cannot.
    fn choices(&self, state: &G::State, own: MoveId) -> Result<Option<Vec<Vec<MoveId>>>, Fault> {
        let mut legal = vec![Vec::new(); self.game.roles().len()];
        for role in RoleId::all(legal.len()) {
            self.game.legal(state, role, &mut legal[role.index()])?;
        }
        if !legal[self.role.index()].contains(&own) || legal.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        legal[self.role.index()] = vec![own];
        Ok(Some(legal))
    }

    fn keep(
        &self,
        befores: &[G::State],
        joints: &[Vec<MoveId>],
        seen: &[game::PerceptId],
        going_on: bool,
        found: &mut Vec<G::State>,
        known: &mut FxHashSet<G::State>,
    ) -> Result<(), Fault> {
        for step in self.game.steps(befores, joints)? {
            if step.percepts[self.role.index()] != seen || step.terminal == going_on {
                continue;
            }
            if known.insert(step.state.clone()) {
                if found.len() == self.limits.states {
                    return Err(Fault::Budget("too many states are possible".to_string()));
                }
                found.push(step.state);
            }
        }
        Ok(())
    }
}

/// The next choice of one move for each role; whether there is one.
fn advance(places: &mut [usize], legal: &[Vec<MoveId>]) -> bool {
    for (place, moves) in places.iter_mut().zip(legal) {
        *place += 1;
        if *place < moves.len() {
            return true;
        }
        *place = 0;
    }
    false
}

impl<G: Game + 'static> Knowledge for Possible<G> {
    fn update(&mut self, own: &str, percepts: &[String], going_on: bool) -> Result<(), Fault> {
        let Some(states) = self.states.take() else { return Ok(()) };
        let next = self.forward(&states, own, percepts, going_on)?;
        // Where nothing agrees the rules do not do what they say; nothing is known then.
        self.states = (!next.is_empty()).then_some(next);
        Ok(())
    }

    fn facts(&self) -> Option<Vec<String>> {
        let mut states = self.states.as_ref()?.iter();
        let mut sure = self.game.facts(states.next()?);
        for state in states {
            let facts = self.game.facts(state);
            sure.retain(|fact| facts.binary_search(fact).is_ok());
            if sure.is_empty() {
                break;
            }
        }
        Some(sure)
    }
}
