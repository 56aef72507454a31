//! What a simple player can do: follow a match and know its legal moves.
//!
//! Where the rules hide nothing the state is known exactly. Where they hide
//! something a player knows only its own moves and what it saw, so [`Follow`]
//! keeps one history of states that agrees with them: moves of the others are
//! drawn, and where no draw shows what was seen it goes back and draws again.
//! In well-formed rules a role's legal moves are the same in all histories that
//! agree with what it saw, so one is enough to know them.

use std::sync::Arc;

use game::{Fault, Game, MatchContext, MoveId, Observation, PerceptId, Rng, RoleId};

/// Draws from one state before going back.
const DRAWS: u32 = 12;
/// Draws before beginning again from the first state.
const RESTART: u32 = 400;
/// Draws for one step of the match before giving up.
const BUDGET: u32 = 4000;

/// A match as seen from one role.
pub struct Follow<G: Game> {
    game: Arc<G>,
    role: RoleId,
    /// States that may have been, the last of them the one that may be.
    path: Vec<G::State>,
    /// Own moves and percepts, where the rules hide something.
    seen: Vec<(MoveId, Vec<PerceptId>)>,
    chance: Rng,
}

impl<G: Game> Follow<G> {
    /// At the beginning of a match.
    pub fn new(game: &Arc<G>, context: &MatchContext) -> Follow<G> {
        let chance = context.seed.derive_name("follow").rng();
        let path = vec![game.initial()];
        Follow { game: Arc::clone(game), role: context.role, path, seen: Vec::new(), chance }
    }

    /// After a step.
    pub fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        if let Some(joint) = &observation.joint {
            self.path = vec![self.game.next(self.now(), joint)?];
            return Ok(());
        }
        self.seen.push((observation.own, observation.percepts.clone()));
        self.extend()
    }

    /// The legal moves, in canonical order, in the state the match is in or may be in.
    pub fn legal(&self) -> Result<Vec<MoveId>, Fault> {
        let mut moves = Vec::new();
        self.game.legal(self.now(), self.role, &mut moves)?;
        if moves.is_empty() {
            return Err(Fault::BadState("there is no legal move to choose from".to_string()));
        }
        Ok(moves)
    }

    fn now(&self) -> &G::State {
        self.path.last().expect("a path has a first state")
    }

    /// Makes the path as long as the match; where that fails it stays as it can be.
    fn extend(&mut self) -> Result<(), Fault> {
        let mut draws = vec![0; self.path.len()];
        for count in 1..=BUDGET {
            let at = self.path.len() - 1;
            if at == self.seen.len() {
                return Ok(());
            }
            if draws[at] < DRAWS {
                draws[at] += 1;
                if let Some(next) = self.draw(at)? {
                    self.path.push(next);
                    draws.push(0);
                }
            } else {
                self.path.truncate(at.max(1));
                draws.truncate(at.max(1));
            }
            if count % RESTART == 0 || (at == 0 && draws[0] >= DRAWS) {
                self.path.truncate(1);
                draws = vec![0];
            }
        }
        Ok(())
    }

    /// The state after step `at` with moves drawn for the others, if that shows what was seen.
    fn draw(&mut self, at: usize) -> Result<Option<G::State>, Fault> {
        let (own, seen) = &self.seen[at];
        let state = &self.path[at];
        let (mut joint, mut moves) = (Vec::new(), Vec::new());
        for role in RoleId::all(self.game.roles().len()) {
            self.game.legal(state, role, &mut moves)?;
            let possible = if role == self.role { moves.contains(own) } else { !moves.is_empty() };
            if !possible {
                return Ok(None);
            }
            joint.push(if role == self.role { *own } else { moves[self.chance.below(moves.len())] });
        }
        let mut percepts = Vec::new();
        self.game.percepts(state, &joint, self.role, &mut percepts)?;
        if percepts != *seen {
            return Ok(None);
        }
        let next = self.game.next(state, &joint)?;
        Ok(if self.game.is_terminal(&next)? { None } else { Some(next) })
    }
}
