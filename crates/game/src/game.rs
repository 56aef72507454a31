//! The trait of all games.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{
    Batches, Fault, Goal, Grounded, MoveId, Outcomes, PerceptId, Playouts, Role, RoleId, Stepped, Tally,
    Totals, scalar_playouts,
};

/// A game: roles, states, moves and their consequences.
///
/// A joint move is one move per role, in the order of [`Game::roles`]. Lists of moves and percepts are in the
/// order of their canonical text, so that two implementations of the same rules return the same lists. Most
/// functions may fail with a [`Fault`], because rules can run away.
///
/// A game never changes, so threads share it. Whatever a question needs to write goes into a scratch
/// memory that the caller hands in: one per thread, made by [`Game::scratch`] and kept from question to
/// question, because much of the work for one state is reused for the next. Answers do not depend on it, and
/// the scratch memory of another game is as good as a new one.
///
/// Optional capabilities are separate traits, which a game offers or does not: [`Game::grounded`] and
/// [`Game::batches`].
pub trait Game: Send + Sync {
    /// A position. Equal states have equal futures.
    type State: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// The memory that questions write to.
    type Scratch: Send + 'static;

    /// Returns new scratch memory for this game.
    fn scratch(&self) -> Self::Scratch;

    /// Returns the roles, in the order of joint moves.
    fn roles(&self) -> &[Role];

    /// Returns the state in which every match begins.
    fn initial(&self) -> Self::State;

    /// Returns `true` if the match is over.
    fn is_terminal(&self, scratch: &mut Self::Scratch, state: &Self::State) -> Result<bool, Fault>;

    /// Fills `moves` with the legal moves of a role. Empty in a dead end.
    fn legal(
        &self,
        scratch: &mut Self::Scratch,
        state: &Self::State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), Fault>;

    /// Returns the state after a joint move. The moves must be legal; the result for others is undefined.
    fn next(
        &self,
        scratch: &mut Self::Scratch,
        state: &Self::State,
        joint: &[MoveId],
    ) -> Result<Self::State, Fault>;

    /// Returns the goal of a role, or `None` if the rules give no value or several.
    fn goal(
        &self,
        scratch: &mut Self::Scratch,
        state: &Self::State,
        role: RoleId,
    ) -> Result<Option<Goal>, Fault>;

    /// Fills `percepts` with what a role sees when the joint move is made. If the rules do not define
    /// percepts, the result depends only on the joint move.
    fn percepts(
        &self,
        scratch: &mut Self::Scratch,
        state: &Self::State,
        joint: &[MoveId],
        role: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault>;

    /// Returns `true` if the rules define percepts. If they do not, everyone sees the joint move, as percepts
    /// `(does role move)`.
    fn has_percepts(&self) -> bool;

    /// Returns the canonical text of a move.
    fn move_text(&self, role: RoleId, mv: MoveId) -> String;

    /// Returns the move with this canonical text, if the role can ever make it.
    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId>;

    /// Returns the canonical text of a percept.
    fn percept_text(&self, role: RoleId, percept: PerceptId) -> String;

    /// Returns the percept with this canonical text, if the role can ever see it.
    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId>;

    /// Returns the fluents that hold in a state, as sorted canonical text.
    fn facts(&self, state: &Self::State) -> Vec<String>;

    /// Returns the state in which exactly these facts hold.
    fn state(&self, facts: &[String]) -> Result<Self::State, Fault>;

    /// Returns all goal values of a role, ascending: one in a well-formed sheet, none or several if
    /// [`Game::goal`] returns `None`.
    fn goal_values(
        &self,
        scratch: &mut Self::Scratch,
        state: &Self::State,
        role: RoleId,
    ) -> Result<Vec<Goal>, Fault> {
        Ok(self.goal(scratch, state, role)?.into_iter().collect())
    }

    /// Returns the numbered fluents and the structure of the game, if its fluents are numbered.
    fn grounded(&self) -> Option<&dyn Grounded<Self::State>> {
        None
    }

    /// Returns the game's own way to play and step many states at once, if it has one.
    fn batches(&self) -> Option<&dyn Batches<Self::State, Self::Scratch>> {
        None
    }

    /// Plays many random games; see [`Playouts`] for the contract.
    fn playouts(
        &self,
        scratch: &mut Self::Scratch,
        request: &Playouts<'_, Self::State>,
    ) -> Result<Outcomes, Fault> {
        match self.batches() {
            Some(batches) => batches.playouts(scratch, request),
            None => scalar_playouts(self, scratch, request),
        }
    }

    /// Plays many random games and sums them up.
    fn tally(
        &self,
        scratch: &mut Self::Scratch,
        request: &Playouts<'_, Self::State>,
    ) -> Result<Tally, Fault> {
        match self.batches() {
            Some(batches) => batches.tally(scratch, request),
            None => Ok(self.playouts(scratch, request)?.tally()),
        }
    }

    /// Plays many random games and sums them up for each start.
    fn totals(
        &self,
        scratch: &mut Self::Scratch,
        request: &Playouts<'_, Self::State>,
    ) -> Result<Totals, Fault> {
        match self.batches() {
            Some(batches) => batches.totals(scratch, request),
            None => Ok(Totals::of(&self.playouts(scratch, request)?, request.starts)),
        }
    }

    /// Makes many steps at once: returns for each state and joint move everything about the following state.
    fn steps(
        &self,
        scratch: &mut Self::Scratch,
        states: &[Self::State],
        joints: &[Vec<MoveId>],
    ) -> Result<Vec<Stepped<Self::State>>, Fault> {
        match self.batches() {
            Some(batches) => batches.steps(scratch, states, joints),
            None => {
                let pairs = states.iter().zip(joints);
                pairs.map(|(state, joint)| Stepped::of(self, scratch, state, joint)).collect()
            }
        }
    }
}
