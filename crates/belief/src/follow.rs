//! What a simple player needs: following a match and knowing its legal moves.
//!
//! If every joint move is shown, the state is known exactly. If something is hidden, a player knows only its
//! own moves and percepts, and [`Follow`] keeps one history that agrees with them: a [`Bag`] of one model. In
//! well-formed rules the legal moves of a role are the same in all histories that agree with what it saw, so
//! one is enough.

use std::sync::Arc;

use game::{Deadline, Fault, Game, MatchContext, MoveId, Observation, RoleId, Seed};

use crate::{Bag, Seen, catch_up, place};

/// A match from the point of view of one role.
pub struct Follow<G: Game> {
    game: Arc<G>,
    scratch: G::Scratch,
    role: RoleId,
    seed: Seed,
    /// The state of the match when a joint move was last shown.
    told: G::State,
    /// What was seen since then, and a history that agrees with it.
    bag: Option<Bag<G::State>>,
}

impl<G: Game> Follow<G> {
    /// Begins a match.
    pub fn new(game: &Arc<G>, context: &MatchContext) -> Follow<G> {
        let seed = context.seed.derive_name("follow");
        Follow {
            game: Arc::clone(game),
            scratch: game.scratch(),
            role: context.role,
            seed,
            told: game.initial(),
            bag: None,
        }
    }

    /// Records a step. Hidden moves are guessed when legal moves are requested.
    pub fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        match (&mut self.bag, &observation.joint) {
            (None, Some(joint)) => self.told = self.game.next(&mut self.scratch, &self.told, joint)?,
            (Some(bag), _) => bag.see(Seen::from(observation)),
            (None, None) => {
                let first = place(&*self.game, &mut self.scratch, self.told.clone())?;
                let mut bag = Bag::new(self.role, &first, 1, self.seed);
                bag.see(Seen::from(observation));
                self.bag = Some(bag);
            }
        }
        Ok(())
    }

    /// Returns the legal moves, in canonical order, in the current state or a possible one. If the deadline
    /// passes before a history is found that agrees with everything that was seen, they are those of one that
    /// agrees with most of it.
    pub fn legal(&mut self, deadline: &Deadline) -> Result<Vec<MoveId>, Fault> {
        let mut moves = Vec::new();
        match &mut self.bag {
            None => self.game.legal(&mut self.scratch, &self.told, self.role, &mut moves)?,
            Some(bag) => {
                let found = catch_up(&*self.game, &mut self.scratch, &mut [bag], true, deadline);
                let model = bag.furthest().expect("there is one model");
                moves.clone_from(&model.place().legal[self.role.index()]);
                if moves.is_empty() {
                    found?;
                }
            }
        }
        if moves.is_empty() {
            return Err(Fault::BadState("there is no legal move to choose from".to_string()));
        }
        Ok(moves)
    }
}
