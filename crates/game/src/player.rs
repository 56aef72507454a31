//! What anyone who plays does.

use std::sync::Arc;
use std::time::Duration;

use crate::{Deadline, Fault, Game, Goal, MoveId, PerceptId, RoleId, Seed, Thought};

/// What a player is told before a match.
#[derive(Debug, Clone)]
pub struct MatchContext {
    /// The match's name.
    pub match_id: String,
    /// The role to play.
    pub role: RoleId,
    /// The rule sheet's text; none for games that have no such form.
    pub rules: Option<Arc<str>>,
    /// Time before the first move.
    pub start_clock: Duration,
    /// Time for each move.
    pub play_clock: Duration,
    /// Where the player's own chance comes from.
    pub seed: Seed,
}

/// What a player learns after each step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observation {
    /// The move it made, or that was made for it.
    pub own: MoveId,
    /// What it sees, in canonical order.
    pub percepts: Vec<PerceptId>,
    /// The joint move, where the rules hide nothing.
    pub joint: Option<Vec<MoveId>>,
}

/// A player: four functions over a game, and what can be said of it beforehand.
pub trait Player<G: Game>: Send {
    /// Whether its thinking is counted, so that the same seed gives the same moves with any
    /// clock that is long enough. Who does not count thinks until the deadline is over.
    fn is_counted(&self) -> bool {
        false
    }

    /// Whether it plays this game at all, as far as can be told until the deadline; if not, why.
    fn suits(&self, game: &G, deadline: &Deadline) -> Result<(), Fault> {
        let _ = (game, deadline);
        Ok(())
    }

    /// Prepares for a match; ends when the deadline is over.
    fn start(&mut self, game: &Arc<G>, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault>;

    /// Takes in what happened.
    fn update(&mut self, observation: &Observation) -> Result<(), Fault>;

    /// Chooses a legal move before the deadline is over.
    fn select(&mut self, deadline: &Deadline) -> Result<MoveId, Fault>;

    /// Learns how the match ended: the last step, and goals by role (none where it was aborted).
    fn stop(&mut self, last: Option<&Observation>, goals: Option<&[Option<Goal>]>) {
        let _ = (last, goals);
    }

    /// With which probabilities the last move was drawn, where the player mixes its moves.
    fn mix(&self) -> Vec<(MoveId, f64)> {
        Vec::new()
    }

    /// What the last move was chosen from.
    fn thought(&self) -> Thought {
        Thought::default()
    }
}

impl<G: Game, P: Player<G> + ?Sized> Player<G> for Box<P> {
    fn is_counted(&self) -> bool {
        (**self).is_counted()
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

    fn mix(&self) -> Vec<(MoveId, f64)> {
        (**self).mix()
    }

    fn thought(&self) -> Thought {
        (**self).thought()
    }
}
