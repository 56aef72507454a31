//! The opponent of the experiments: HyperPlay with the true history.
//!
//! It chooses by playouts like [`HyperPlay`], and knows the state, because it is shown the joint moves that
//! the rules hide. Only the referee can do that, so it does not play without such a referee.

use std::sync::Arc;

use game::{Deadline, Fault, Game, MatchContext, MoveId, Observation, Player, Thought};

use super::hyperplay::HyperPlay;
use super::settings::Settings;

/// Plays from models of the true history.
pub struct Cheat<G: Game>(HyperPlay<G>);

impl<G: Game> Cheat<G> {
    /// With these settings.
    pub fn new(settings: Settings) -> Cheat<G> {
        Cheat(HyperPlay::new(settings))
    }
}

impl<G: Game> Player<G> for Cheat<G> {
    fn is_counted(&self) -> bool {
        self.0.is_counted()
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.0.start(game, context, deadline)
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        if observation.joint.is_none() {
            let text = "`cheat` needs a referee that reveals all moves; use `hyperplay` without one";
            return Err(Fault::Unsupported(text.to_string()));
        }
        self.0.update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        self.0.select(deadline)
    }

    fn thought(&self) -> Thought {
        self.0.thought()
    }
}
