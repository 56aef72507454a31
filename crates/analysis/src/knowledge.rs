//! What a role knows about the state.
//!
//! A role is told the rules, its own moves and its percepts. It knows what holds in every state that agrees
//! with these. The possible states are kept exactly, each once, within limits. A role with too many
//! possible states is said to know nothing, which is always a safe answer.

use std::time::{Duration, Instant};

use game::{AnyGame, AnyScratch, AnyState, Fault, Game, MoveId, RoleId};
use rustc_hash::FxHashSet;

/// Limits for tracking possible states.
#[derive(Debug, Clone, Copy)]
pub struct KnowledgeLimits {
    /// The maximum number of states.
    pub states: usize,
    /// The maximum number of joint moves tried in one step.
    pub steps: usize,
    /// The time limit for one step.
    pub time: Duration,
}

/// The number of joint moves computed in one batch.
const BATCH: usize = 512;

/// One role's knowledge in the course of a match.
pub struct Knowledge {
    game: AnyGame,
    scratch: AnyScratch,
    role: RoleId,
    limits: KnowledgeLimits,
    /// The possible states; `None` if there were too many.
    states: Option<Vec<AnyState>>,
}

impl Knowledge {
    /// Creates the knowledge of a role at the beginning: exactly the initial state is possible.
    pub fn new(game: &AnyGame, role: RoleId, limits: KnowledgeLimits) -> Knowledge {
        let (scratch, states) = (game.scratch(), Some(vec![game.initial()]));
        Knowledge { game: game.clone(), scratch, role, limits, states }
    }

    /// Takes in a step: the role's own move, what it saw, and whether the match goes on.
    pub fn update(&mut self, own: &str, percepts: &[String], going_on: bool) -> Result<(), Fault> {
        let Some(states) = self.states.take() else { return Ok(()) };
        let next = self.forward(&states, own, percepts, going_on)?;
        // If no state agrees, the percepts contradict the rules and nothing is known.
        self.states = (!next.is_empty()).then_some(next);
        Ok(())
    }

    /// Returns the facts that are certain to hold, in canonical order, or `None` if the role lost track.
    pub fn facts(&self) -> Option<Vec<String>> {
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

    fn forward(
        &mut self,
        states: &[AnyState],
        own: &str,
        percepts: &[String],
        going_on: bool,
    ) -> Result<Vec<AnyState>, Fault> {
        let begun = Instant::now();
        let missing = |text: &str| Fault::BadState(format!("`{text}` is not a percept of this game"));
        let own = self.game.find_move(self.role, own).ok_or_else(|| Fault::NoSuchMove {
            role: self.game.roles()[self.role.index()].to_string(),
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

    /// Returns the moves that each role can make in a state, given the role's own move. Returns `None` if
    /// that move is not legal there.
    fn choices(&mut self, state: &AnyState, own: MoveId) -> Result<Option<Vec<Vec<MoveId>>>, Fault> {
        let mut legal = vec![Vec::new(); self.game.roles().len()];
        for role in RoleId::all(legal.len()) {
            self.game.legal(&mut self.scratch, state, role, &mut legal[role.index()])?;
        }
        if !legal[self.role.index()].contains(&own) || legal.iter().any(Vec::is_empty) {
            return Ok(None);
        }
        legal[self.role.index()] = vec![own];
        Ok(Some(legal))
    }

    fn keep(
        &mut self,
        befores: &[AnyState],
        joints: &[Vec<MoveId>],
        seen: &[game::PerceptId],
        going_on: bool,
        found: &mut Vec<AnyState>,
        known: &mut FxHashSet<AnyState>,
    ) -> Result<(), Fault> {
        for step in self.game.steps(&mut self.scratch, befores, joints)? {
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

/// Advances to the next joint move. Returns `false` after the last one.
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

#[cfg(test)]
mod tests {
    use game::Walk;
    use library::{Library, Loaded};
    use rules::Strictness;

    use super::*;

    fn game(name: &str) -> AnyGame {
        let source = Library::embedded().find(name).unwrap();
        Loaded::new(source, Strictness::Lenient).play("auto").unwrap().game
    }

    fn limits() -> KnowledgeLimits {
        KnowledgeLimits { states: 500, steps: 100_000, time: Duration::from_secs(20) }
    }

    #[test]
    fn a_walk_tells_moves_facts_and_goals_as_text() {
        let game = game("tic_tac_toe");
        let mut walk = Walk::new(&game);
        let look = walk.position().unwrap();
        assert_eq!(look.legal[0].len(), 9);
        assert!(!look.terminal && look.legal[1] == ["noop"]);
        let seen = walk.step(&["(mark 2 2)".to_string(), "noop".to_string()]).unwrap();
        assert_eq!(seen.len(), 2);
        assert!(walk.position().unwrap().facts.contains(&"(cell 2 2 x)".to_string()));
        assert!(walk.step(&["(mark 2 2)".to_string(), "noop".to_string()]).is_err());
        assert!(walk.step(&["noop".to_string()]).is_err());
    }

    #[test]
    fn a_role_knows_what_holds_in_all_states_that_agree_with_what_it_saw() {
        let game = game("monty_hall_3");
        let candidate = game.roles().iter().position(|role| role == "candidate").unwrap();
        let mut knows = Knowledge::new(&game, RoleId(candidate as u32), limits());
        let mut walk = Walk::new(&game);
        let before = walk.position().unwrap();
        assert_eq!(knows.facts().unwrap(), before.facts);
        let joint: Vec<String> = before.legal.iter().map(|moves| moves[0].clone()).collect();
        let seen = walk.step(&joint).unwrap();
        let after = walk.position().unwrap();
        knows.update(&joint[candidate], &seen[candidate], !after.terminal).unwrap();
        let known = knows.facts().unwrap();
        assert!(known.iter().all(|fact| after.facts.contains(fact)));
        assert!(known.len() < after.facts.len(), "{known:?} is less than {:?}", after.facts);
    }

    #[test]
    fn knowledge_that_is_too_large_is_given_up() {
        let game = game("monty_hall_3");
        let mut knows = Knowledge::new(&game, RoleId(0), KnowledgeLimits { states: 1, ..limits() });
        let mut walk = Walk::new(&game);
        let joint: Vec<String> =
            walk.position().unwrap().legal.iter().map(|moves| moves[0].clone()).collect();
        let seen = walk.step(&joint).unwrap();
        // The roles of players cannot see where the car is, so several states are possible for them.
        let other = game.roles().iter().position(|role| !role.is_chance()).unwrap();
        let mut candidate =
            Knowledge::new(&game, RoleId(other as u32), KnowledgeLimits { states: 1, ..limits() });
        assert!(candidate.update(&joint[other], &seen[other], true).is_err());
        assert!(candidate.facts().is_none());
        assert!(knows.update(&joint[0], &seen[0], true).is_ok() || knows.facts().is_none());
    }
}
