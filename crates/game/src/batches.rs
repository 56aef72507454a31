//! Games that answer for many states at once.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Fault, Game, MoveId, Outcomes, PerceptId, Playouts, RoleId, SharedPlayouts, Tally, Totals};

/// A game's own way to play and step many states at once. Results are those of single steps.
pub trait Batches<S> {
    /// Plays many random games; see [`Playouts`] for the contract.
    fn playouts(&self, request: &Playouts<'_, S>) -> Result<Outcomes, Fault>;

    /// The same, summed up.
    fn tally(&self, request: &Playouts<'_, S>) -> Result<Tally, Fault> {
        Ok(self.playouts(request)?.tally())
    }

    /// The same, summed up start by start.
    fn totals(&self, request: &Playouts<'_, S>) -> Result<Totals, Fault> {
        Ok(Totals::of(&self.playouts(request)?, request.starts))
    }

    /// Many steps at once; see [`Game::steps`].
    fn steps(&self, states: &[S], joints: &[Vec<MoveId>]) -> Result<Vec<Stepped<S>>, Fault>;

    /// Lets playouts that are requested at the same time be played together, by this many threads,
    /// for as long as the returned value is kept. None where it makes no difference. Results
    /// do not depend on it.
    fn share(&self, threads: usize) -> Option<SharedPlayouts> {
        let _ = threads;
        None
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

impl<S> Stepped<S> {
    /// The same step with its state written in another way.
    pub fn map<T>(self, state: impl FnOnce(S) -> T) -> Stepped<T> {
        Stepped {
            state: state(self.state),
            terminal: self.terminal,
            legal: self.legal,
            percepts: self.percepts,
        }
    }
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
