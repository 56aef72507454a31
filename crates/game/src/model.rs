//! What any rules define.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{
    Fault, FluentId, Goal, MoveId, Outcomes, PerceptId, Playouts, RoleId, SharedPlayouts, Structure, Tally,
    Totals, scalar_playouts,
};

/// A game: roles, states, moves and what follows from them.
///
/// A joint move is one move per role, in the order of [`Game::roles`]. Lists of
/// moves and percepts are in the order of their canonical text, so that two
/// implementations of the same rules give the same lists. Every function may
/// fail with a [`Fault`], because rules can run away; none changes anything.
pub trait Game: Send + Sync {
    /// A position. Equal states have equal futures.
    type State: Clone + Debug + Eq + Hash + Send + Sync + 'static;

    /// The names of the roles, in the order of joint moves.
    fn roles(&self) -> &[String];

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

    /// All values the rules give a role here, ascending: one in a proper sheet,
    /// none or several where [`Game::goal`] is none.
    fn goal_values(&self, state: &Self::State, role: RoleId) -> Result<Vec<Goal>, Fault> {
        Ok(self.goal(state, role)?.into_iter().collect())
    }

    /// Fills `percepts` with what a role sees when the joint move is made.
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

    /// The state in which just these facts hold.
    fn state(&self, facts: &[String]) -> Result<Self::State, Fault>;

    /// How many fluents there are; none where they are not numbered beforehand.
    fn fluent_count(&self) -> usize {
        0
    }

    /// Fills `fluents` with the numbers of those that hold, in order.
    fn fluents(&self, state: &Self::State, fluents: &mut Vec<FluentId>) -> Result<(), Fault> {
        let _ = (state, fluents);
        Err(Fault::Unsupported("the fluents of this game have no numbers".to_string()))
    }

    /// The state in which just these fluents hold.
    fn with_fluents(&self, fluents: &[FluentId]) -> Result<Self::State, Fault> {
        let _ = fluents;
        Err(Fault::Unsupported("the fluents of this game have no numbers".to_string()))
    }

    /// The canonical text of a fluent.
    fn fluent_text(&self, fluent: FluentId) -> String {
        format!("#{}", fluent.0)
    }

    /// What is proven of the game by its rules; may take a while when it is first asked for.
    fn structure(&self) -> Structure {
        Structure::default()
    }

    /// Plays many random games; see [`Playouts`] for the contract.
    fn playouts(&self, request: &Playouts<'_, Self::State>) -> Result<Outcomes, Fault> {
        scalar_playouts(self, request)
    }

    /// Lets playouts that are asked for at the same time be played together, by so many threads,
    /// for as long as what is given back is kept. None where it makes no difference. Results
    /// do not depend on it.
    fn share_playouts(&self, _threads: usize) -> Option<SharedPlayouts> {
        None
    }

    /// The same as [`Game::playouts`], summed up.
    fn tally(&self, request: &Playouts<'_, Self::State>) -> Result<Tally, Fault> {
        Ok(self.playouts(request)?.tally())
    }

    /// The same, summed up start by start.
    fn totals(&self, request: &Playouts<'_, Self::State>) -> Result<Totals, Fault> {
        Ok(Totals::of(&self.playouts(request)?, request.starts))
    }

    /// Many steps at once: for each state and joint move everything about the state that follows.
    fn steps(
        &self,
        states: &[Self::State],
        joints: &[Vec<MoveId>],
    ) -> Result<Vec<Stepped<Self::State>>, Fault> {
        states.iter().zip(joints).map(|(state, joint)| Stepped::of(self, state, joint)).collect()
    }
}

/// Everything about one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stepped<S> {
    /// The state after the joint move.
    pub state: S,
    /// Whether the match is over there.
    pub terminal: bool,
    /// The legal moves there, by role.
    pub legal: Vec<Vec<MoveId>>,
    /// What each role saw on the way.
    pub percepts: Vec<Vec<PerceptId>>,
}

impl<S: Clone + Debug + Eq + Hash + Send + Sync + 'static> Stepped<S> {
    /// One step, asked of a game question by question.
    pub fn of<G: Game<State = S> + ?Sized>(
        game: &G,
        state: &S,
        joint: &[MoveId],
    ) -> Result<Stepped<S>, Fault> {
        let roles = game.roles().len();
        let (mut legal, mut percepts) = (vec![Vec::new(); roles], vec![Vec::new(); roles]);
        // First everything about the one state, then everything about the other.
        for role in RoleId::all(roles) {
            game.percepts(state, joint, role, &mut percepts[role.index()])?;
        }
        let next = game.next(state, joint)?;
        for role in RoleId::all(roles) {
            game.legal(&next, role, &mut legal[role.index()])?;
        }
        Ok(Stepped { terminal: game.is_terminal(&next)?, state: next, legal, percepts })
    }
}
