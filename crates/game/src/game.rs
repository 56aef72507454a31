//! What any rules define.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{
    Batches, Fault, Goal, Grounded, MoveId, Outcomes, PerceptId, Playouts, Role, RoleId, Stepped, Tally,
    Totals, scalar_playouts,
};

/// A game: roles, states, moves and what follows from them.
///
/// A joint move is one move per role, in the order of [`Game::roles`]. Lists of
/// moves and percepts are in the order of their canonical text, so that two
/// implementations of the same rules return the same lists. Every function may
/// fail with a [`Fault`], because rules can run away; none changes anything.
///
/// What only some games can do is a trait of its own, which a game offers or
/// does not: [`Game::grounded`] and [`Game::batches`].
pub trait Game: Send + Sync {
    /// A position. Equal states have equal futures.
    type State: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// The roles, in the order of joint moves.
    fn roles(&self) -> &[Role];

    /// The state in which every match begins.
    fn initial(&self) -> Self::State;

    /// Whether the match is over.
    fn is_terminal(&self, state: &Self::State) -> Result<bool, Fault>;

    /// Fills `moves` with the legal moves of a role. Empty in a dead end.
    fn legal(&self, state: &Self::State, role: RoleId, moves: &mut Vec<MoveId>) -> Result<(), Fault>;

    /// The state after a joint move. The moves must be legal; what follows from others is undefined.
    fn next(&self, state: &Self::State, joint: &[MoveId]) -> Result<Self::State, Fault>;

    /// What a role scores here; none where the rules give no value or several.
    fn goal(&self, state: &Self::State, role: RoleId) -> Result<Option<Goal>, Fault>;

    /// Fills `percepts` with what a role sees when the joint move is made. Where the rules do not
    /// say what players see, this depends on the joint move alone.
    fn percepts(
        &self,
        state: &Self::State,
        joint: &[MoveId],
        role: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault>;

    /// Whether the rules say what players see. Where they do not, everyone sees
    /// the joint move, as percepts `(does role move)`.
    fn has_percepts(&self) -> bool;

    /// The canonical text of a move.
    fn move_text(&self, role: RoleId, mv: MoveId) -> String;

    /// The move with this canonical text, if the role can ever make it.
    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId>;

    /// The canonical text of a percept.
    fn percept_text(&self, role: RoleId, percept: PerceptId) -> String;

    /// The percept with this canonical text, if the role can ever see it.
    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId>;

    /// What holds in a state, as sorted canonical text.
    fn facts(&self, state: &Self::State) -> Vec<String>;

    /// The state in which exactly these facts hold.
    fn state(&self, facts: &[String]) -> Result<Self::State, Fault>;

    /// All values the rules give a role here, ascending: one in a proper sheet,
    /// none or several where [`Game::goal`] is none.
    fn goal_values(&self, state: &Self::State, role: RoleId) -> Result<Vec<Goal>, Fault> {
        Ok(self.goal(state, role)?.into_iter().collect())
    }

    /// The numbers of its fluents and what its rules prove, where fluents are numbered.
    fn grounded(&self) -> Option<&dyn Grounded<Self::State>> {
        None
    }

    /// Its own way to play and step many states at once, where it has one.
    fn batches(&self) -> Option<&dyn Batches<Self::State>> {
        None
    }

    /// Plays many random games; see [`Playouts`] for the contract.
    fn playouts(&self, request: &Playouts<'_, Self::State>) -> Result<Outcomes, Fault> {
        match self.batches() {
            Some(batches) => batches.playouts(request),
            None => scalar_playouts(self, request),
        }
    }

    /// The same, summed up.
    fn tally(&self, request: &Playouts<'_, Self::State>) -> Result<Tally, Fault> {
        match self.batches() {
            Some(batches) => batches.tally(request),
            None => Ok(self.playouts(request)?.tally()),
        }
    }

    /// The same, summed up start by start.
    fn totals(&self, request: &Playouts<'_, Self::State>) -> Result<Totals, Fault> {
        match self.batches() {
            Some(batches) => batches.totals(request),
            None => Ok(Totals::of(&self.playouts(request)?, request.starts)),
        }
    }

    /// Many steps at once: for each state and joint move everything about the state that follows.
    fn steps(
        &self,
        states: &[Self::State],
        joints: &[Vec<MoveId>],
    ) -> Result<Vec<Stepped<Self::State>>, Fault> {
        match self.batches() {
            Some(batches) => batches.steps(states, joints),
            None => states.iter().zip(joints).map(|(state, joint)| Stepped::of(self, state, joint)).collect(),
        }
    }
}
