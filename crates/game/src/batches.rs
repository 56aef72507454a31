//! Games that answer for many states at once.

use std::fmt::Debug;
use std::hash::Hash;

use crate::{Fault, Game, MoveId, Outcomes, PerceptId, Playouts, RoleId, SharedPlayouts, Tally, Totals};

/// A game's own way to play and step many states `S` at once, with scratch memory `W`. The results are those
/// of single steps.
pub trait Batches<S, W> {
    /// Plays many random games; see [`Playouts`] for the contract.
    fn playouts(&self, scratch: &mut W, request: &Playouts<'_, S>) -> Result<Outcomes, Fault>;

    /// Plays many random games and sums them up.
    fn tally(&self, scratch: &mut W, request: &Playouts<'_, S>) -> Result<Tally, Fault> {
        Ok(self.playouts(scratch, request)?.tally())
    }

    /// Plays many random games and sums them up for each start.
    fn totals(&self, scratch: &mut W, request: &Playouts<'_, S>) -> Result<Totals, Fault> {
        Ok(Totals::of(&self.playouts(scratch, request)?, request.starts))
    }

    /// Makes many steps at once; see [`Game::steps`].
    fn steps(&self, scratch: &mut W, states: &[S], joints: &[Vec<MoveId>]) -> Result<Vec<Stepped<S>>, Fault>;

    /// Lets playouts that are requested at the same time be played together, by this many threads, for as
    /// long as the returned value is kept. Returns `None` if it makes no difference. Results do not depend on
    /// it.
    fn share(&self, threads: usize) -> Option<SharedPlayouts> {
        let _ = threads;
        None
    }
}

/// The complete result of one step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stepped<S> {
    /// The state after the joint move.
    pub state: S,
    /// Whether that state is terminal.
    pub terminal: bool,
    /// The legal moves in that state, by role.
    pub legal: Vec<Vec<MoveId>>,
    /// The percepts of each role.
    pub percepts: Vec<Vec<PerceptId>>,
}

impl<S> Stepped<S> {
    /// Converts the state of the step.
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
    /// Makes one step of a game, query by query.
    pub fn of<G: Game<State = S> + ?Sized>(
        game: &G,
        scratch: &mut G::Scratch,
        state: &S,
        joint: &[MoveId],
    ) -> Result<Stepped<S>, Fault> {
        let roles = game.roles().len();
        let (mut legal, mut percepts) = (vec![Vec::new(); roles], vec![Vec::new(); roles]);
        // First everything about the one state, then everything about the other.
        for role in RoleId::all(roles) {
            game.percepts(scratch, state, joint, role, &mut percepts[role.index()])?;
        }
        let next = game.next(scratch, state, joint)?;
        for role in RoleId::all(roles) {
            game.legal(scratch, &next, role, &mut legal[role.index()])?;
        }
        Ok(Stepped { terminal: game.is_terminal(scratch, &next)?, state: next, legal, percepts })
    }
}
