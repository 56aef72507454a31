//! A random legal move.

use std::sync::Arc;

use belief::Follow;
use game::{Deadline, Fault, Game, MatchContext, Mix, MoveId, Observation, Player, Rng, Thought};

/// Makes a uniformly random legal move, from its own seed.
pub struct Random<G: Game> {
    seat: Option<(Follow<G>, Rng)>,
    /// The number of legal moves it chose from.
    choices: usize,
    mix: Mix,
}

impl<G: Game> Default for Random<G> {
    fn default() -> Self {
        Random { seat: None, choices: 0, mix: Mix::Untold }
    }
}

impl<G: Game> Player<G> for Random<G> {
    fn is_counted(&self) -> bool {
        true
    }

    fn searches(&self) -> bool {
        false
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        self.seat = Some((Follow::new(game, context), context.seed.rng()));
        Ok(())
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        self.seat.as_mut().expect("a match starts before its first step").0.update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        let (follow, chance) = self.seat.as_mut().expect("a match starts before its first move");
        let moves = follow.legal(deadline)?;
        self.choices = moves.len();
        // If time runs out before a history is found, these may not be the legal moves.
        self.mix = Mix::even(&moves).only_if(!deadline.is_over());
        Ok(moves[chance.below(moves.len())])
    }

    fn mix(&self) -> Mix {
        self.mix.clone()
    }

    fn thought(&self) -> Thought {
        match self.choices {
            1 => Thought::only_move(),
            count => Thought::because(format!("drawn from {count} legal moves")),
        }
    }
}
