//! The first legal move.

use std::sync::Arc;

use belief::Follow;
use game::{Deadline, Fault, Game, MatchContext, Mix, MoveId, Observation, Player, Thought};

/// Always makes the first legal move in canonical order.
pub struct Legal<G: Game> {
    follow: Option<Follow<G>>,
    mix: Mix,
}

impl<G: Game> Default for Legal<G> {
    fn default() -> Self {
        Legal { follow: None, mix: Mix::Untold }
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
        self.follow = Some(Follow::new(game, context));
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.follow.as_mut().expect("a match starts before its first step").update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let follow = self.follow.as_mut().expect("a match starts before its first move");
        let first = follow.legal(deadline)?[0];
        // If time runs out before a history is found, this may not be the first legal move.
        self.mix = Mix::sure(first).only_if(!deadline.is_over());
        Ok(first)
    }

    fn mix(&self) -> Mix {
        self.mix.clone()
    }

    fn thought(&self) -> Thought {
        Thought::because("the first legal move in canonical order")
    }
}
