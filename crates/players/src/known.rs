//! A match whose state is known, because the rules hide nothing.

use std::sync::Arc;

use game::{Fault, Game, MatchContext, MoveId, Observation, RoleId};

/// The current position of a match, from the point of view of one role.
pub(crate) struct Known<G: Game> {
    pub game: Arc<G>,
    /// The memory that questions about the game write to.
    pub scratch: G::Scratch,
    pub role: RoleId,
    pub state: G::State,
    /// The number of steps made so far.
    pub step: u64,
}

impl<G: Game> Known<G> {
    /// Begins a match. Fails if the rules hide something.
    pub fn new(player: &str, game: &Arc<G>, context: &MatchContext) -> Result<Known<G>, Fault> {
        hides_nothing(player, &**game)?;
        let (scratch, state) = (game.scratch(), game.initial());
        Ok(Known { game: Arc::clone(game), scratch, role: context.role, state, step: 0 })
    }

    /// Advances by one step.
    pub fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        let missing = || Fault::BadState("the joint move of the last step is missing".to_string());
        let joint = observation.joint.as_ref().ok_or_else(missing)?;
        self.state = self.game.next(&mut self.scratch, &self.state, joint)?;
        self.step += 1;
        Ok(())
    }

    /// Returns the legal moves, which are never empty.
    pub fn legal(&mut self) -> Result<Vec<MoveId>, Fault> {
        let mut moves = Vec::new();
        self.game.legal(&mut self.scratch, &self.state, self.role, &mut moves)?;
        if moves.is_empty() {
            return Err(Fault::BadState("there is no legal move to choose from".to_string()));
        }
        Ok(moves)
    }
}

/// Rejects games that hide something, for a player of this name.
pub(crate) fn hides_nothing<G: Game>(player: &str, game: &G) -> Result<(), Fault> {
    if game.has_percepts() { Err(refusal(player)) } else { Ok(()) }
}

/// Returns the fault with which a player for known states rejects a game that hides something.
pub(crate) fn refusal(player: &str) -> Fault {
    Fault::Unsupported(format!(
        "`{player}` plays only games that hide nothing; for games with hidden information use `auto`, `ismcts`, `oos`, `pomcp`, `hyperplay` or `hyperplay2`"
    ))
}
