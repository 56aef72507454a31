//! What a simple player can do: follow a match and know its legal moves.
//!
//! Where the rules hide nothing the state is known exactly. Where they hide
//! something a player knows only its own moves and what it saw, so [`Follow`]
//! keeps one state that agrees with them, found by replaying the match with
//! moves drawn for the others; its legal moves are the best guess there is
//! without a search over all possible histories.

use std::sync::Arc;

use game::{Fault, Game, MatchContext, MoveId, Observation, PerceptId, Rng, RoleId, Seed};

/// How many histories are tried before the guess is given up.
const ATTEMPTS: usize = 500;

/// A match as seen from one role.
pub struct Follow<G: Game> {
    game: Arc<G>,
    role: RoleId,
    state: G::State,
    seen: Vec<(MoveId, Vec<PerceptId>)>,
    chance: Rng,
}

impl<G: Game> Follow<G> {
    /// At the beginning of a match.
    pub fn new(game: &Arc<G>, context: &MatchContext) -> Follow<G> {
        let chance = Seed::derive_name(context.seed, "follow").rng();
        Follow { game: Arc::clone(game), role: context.role, state: game.initial(), seen: Vec::new(), chance }
    }

    /// After a step.
    pub fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        if let Some(joint) = &observation.joint {
            self.state = self.game.next(&self.state, joint)?;
            return Ok(());
        }
        self.seen.push((observation.own, observation.percepts.clone()));
        if let Some(next) = self.step(&self.state.clone(), self.seen.len() - 1)? {
            self.state = next;
            return Ok(());
        }
        for _ in 0..ATTEMPTS {
            if let Some(state) = self.replay()? {
                self.state = state;
                return Ok(());
            }
        }
        Ok(())
    }

    /// The legal moves, in canonical order, in the state the match is in or may be in.
    pub fn legal(&self) -> Result<Vec<MoveId>, Fault> {
        let mut moves = Vec::new();
        self.game.legal(&self.state, self.role, &mut moves)?;
        if moves.is_empty() {
            return Err(Fault::BadState("there is no legal move to choose from".to_string()));
        }
        Ok(moves)
    }

    fn replay(&mut self) -> Result<Option<G::State>, Fault> {
        let mut state = self.game.initial();
        for step in 0..self.seen.len() {
            match self.step(&state, step)? {
                Some(next) => state = next,
                None => return Ok(None),
            }
        }
        Ok(Some(state))
    }

    /// One step with drawn moves of the others that shows what was seen; a few draws are tried.
    fn step(&mut self, state: &G::State, step: usize) -> Result<Option<G::State>, Fault> {
        let (own, seen) = self.seen[step].clone();
        let (mut moves, mut percepts) = (Vec::new(), Vec::new());
        for _ in 0..8 {
            let mut joint = Vec::new();
            for role in RoleId::all(self.game.roles().len()) {
                self.game.legal(state, role, &mut moves)?;
                joint.push(match moves.len() {
                    _ if role == self.role => own,
                    0 => return Ok(None),
                    count => moves[self.chance.below(count)],
                });
                if role == self.role && !moves.contains(&own) {
                    return Ok(None);
                }
            }
            self.game.percepts(state, &joint, self.role, &mut percepts)?;
            if percepts == seen {
                return Ok(Some(self.game.next(state, &joint)?));
            }
        }
        Ok(None)
    }
}
