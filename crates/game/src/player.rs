//! The trait of all players.

use std::sync::Arc;
use std::time::Duration;

use crate::{Deadline, Fault, Game, Goal, Mix, MoveId, PerceptId, RoleId, Seed, Thought};

/// What a player is told before a match.
#[derive(Debug, Clone)]
pub struct MatchContext {
    /// The name of the match.
    pub match_id: String,
    /// The role to play.
    pub role: RoleId,
    /// The text of the rule sheet; `None` for games without one.
    pub rules: Option<Arc<str>>,
    /// The time before the first move.
    pub start_clock: Duration,
    /// The time for each move.
    pub play_clock: Duration,
    /// The seed of the player's random choices.
    pub seed: Seed,
}

/// What a player learns after each step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The move it made, or that was made for it.
    pub own: MoveId,
    /// Its percepts, in canonical order.
    pub percepts: Vec<PerceptId>,
    /// The joint move, if the rules hide nothing.
    pub joint: Option<Vec<MoveId>>,
}

/// A player: four functions over a game, three that describe it in advance, and two about its last choice.
pub trait Player<G: Game>: Send {
    /// Returns `true` if its thinking is counted, so that the same seed yields the same moves with any clock
    /// that is long enough. Otherwise it thinks until the deadline.
    fn is_counted(&self) -> bool {
        false
    }

    /// Returns `true` if the player looks at more states than the current one, so that it profits from a fast
    /// game. The others play the same with any reasoner.
    fn searches(&self) -> bool {
        true
    }

    /// Checks whether the player plays this game at all, as far as can be determined before the deadline.
    /// Fails with the reason if it does not.
    fn suits(&self, game: &G, deadline: &Deadline) -> Result<(), Fault> {
        let _ = (game, deadline);
        Ok(())
    }

    /// Prepares for a match; returns when the deadline passes.
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault>;

    /// Processes what happened.
    fn update(&mut self, observation: &Observation) -> Result<(), Fault>;

    /// Chooses a legal move before the deadline passes.
    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault>;

    /// Tells the player how the match ended: the last step, and goals by role (`None` if it was aborted).
    fn stop(&mut self, last: Option<&Observation>, goals: Option<&[Option<Goal>]>) {
        let _ = (last, goals);
    }

    /// Returns the probabilities with which the last move was chosen, as far as the player can tell them. A
    /// player claims [`Mix::Known`] only if it is certain; then what best responses gain can be computed
    /// exactly.
    fn mix(&self) -> Mix {
        Mix::Untold
    }

    /// Returns the basis of the last choice.
    fn thought(&self) -> Thought {
        Thought::default()
    }
}

impl<G: Game, P: Player<G> + ?Sized> Player<G> for Box<P> {
    fn is_counted(&self) -> bool {
        (**self).is_counted()
    }

    fn searches(&self) -> bool {
        (**self).searches()
    }

    fn suits(&self, game: &G, deadline: &Deadline) -> Result<(), Fault> {
        (**self).suits(game, deadline)
    }

    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        (**self).start(game, context, deadline)
    }

    fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        (**self).update(observation)
    }

    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault> {
        (**self).select(deadline)
    }

    fn stop(&mut self, last: Option<&Observation>, goals: Option<&[Option<Goal>]>) {
        (**self).stop(last, goals);
    }

    fn mix(&self) -> Mix {
        (**self).mix()
    }

    fn thought(&self) -> Thought {
        (**self).thought()
    }
}
