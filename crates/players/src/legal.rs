//! The first legal move.

use std::sync::Arc;

use belief::Follow;
use game::{Deadline, Fault, Game, MatchContext, MoveId, Observation, Player, Thought};

/// Always makes the first legal move in canonical order.
pub struct Legal<G: Game>(Option<Follow<G>>);

impl<G: Game> Default for Legal<G> {
    fn default() -> Self {
        Legal(None)
    }
}

impl<G: Game> Player<G> for Legal<G> {
    fn is_counted(&self) -> bool {
        true
    }

    fn searches(&self) -> bool {
        false
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        self.0 = Some(Follow::new(game, context));
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.0.as_mut().expect("a match starts before its first step").update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        Ok(self.0.as_mut().expect("a match starts before its first move").legal(deadline)?[0])
    }

    fn thought(&self) -> Thought {
        Thought::because("the first legal move in canonical order")
    }
}
