//! Any legal move.

use std::sync::Arc;

use game::{Deadline, Fault, Game, MatchContext, MoveId, Observation, Player, Rng};

use crate::Follow;

/// Makes any of its legal moves, each with the same chance, from its own seed.
pub struct Random<G: Game>(Option<(Follow<G>, Rng)>);

impl<G: Game> Default for Random<G> {
    fn default() -> Self {
        Random(None)
    }
}

impl<G: Game> Player<G> for Random<G> {
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        self.0 = Some((Follow::new(game, context), context.seed.rng()));
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.0.as_mut().expect("a match starts before its first step").0.update(observation)
    }

    fn select(&mut self, _: &Deadline) -> Result<MoveId, Fault> {
        let (follow, chance) = self.0.as_mut().expect("a match starts before its first move");
        let moves = follow.legal()?;
        Ok(moves[chance.below(moves.len())])
    }
}
