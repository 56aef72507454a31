//! What a role can know: the states that a match may be in, step by step.
//!
//! A role knows its own moves, what it saw, and whether the match goes on. The states that agree with this
//! are counted, and so are the histories that lead to them. For comparison, the states that are possible
//! for someone who saw nothing are counted too.

use std::hash::Hash;

use game::perft::JointMoves;
use game::{AnyGame, Fault, Game, MoveId, Role, RoleId};
use library::{Library, did_you_mean};
use rustc_hash::FxHashMap;
use serde::Serialize;

use crate::load::{LoadError, REASONER, StateError, load, state_of};
use library::{After, AfterError};

/// A request to follow a match from the point of view of one role.
#[derive(Debug, Clone)]
pub struct PossibleRequest {
    /// The game: a library name, a path, or `FOLDER:KEY`.
    pub game: String,
    /// The reasoner.
    pub reasoner: String,
    /// The state to start from, as text; the initial state if `None`.
    pub state: Option<String>,
    /// The role.
    pub role: String,
    /// The moves of the match.
    pub after: After,
    /// The maximum number of possible states.
    pub max_states: usize,
}

impl Default for PossibleRequest {
    fn default() -> PossibleRequest {
        PossibleRequest {
            game: String::new(),
            reasoner: REASONER.to_string(),
            state: None,
            role: String::new(),
            after: After::default(),
            max_states: 1_000_000,
        }
    }
}

/// What a role can know during a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PossibleSteps {
    /// The version of this format.
    pub version: u32,
    /// The title of the game.
    pub game: String,
    /// The role.
    pub role: String,
    /// The result for each step.
    pub steps: Vec<PossibleStep>,
}

/// What is possible after one step of a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PossibleStep {
    /// The moves that were made.
    pub moves: Vec<String>,
    /// The number of states possible for someone who saw nothing; `None` if there are too many to count.
    pub all: Option<usize>,
    /// The number of states possible given what the role knew before this step, and its own move.
    pub expected: usize,
    /// The number of states possible given also what the role saw in this step.
    pub states: usize,
    /// The number of histories possible before what the role saw in this step is considered.
    pub expected_histories: u64,
    /// The number of histories possible given also what the role saw in this step.
    pub histories: u64,
}

/// Why a match cannot be followed.
#[derive(Debug, thiserror::Error)]
pub enum PossibleError {
    /// The game could not be loaded.
    #[error(transparent)]
    Load(#[from] LoadError),
    /// The game has no such role.
    #[error("There is no role `{name}`; the roles are {roles}.{hint}")]
    Role {
        /// The name that was asked for.
        name: String,
        /// The roles of the game.
        roles: String,
        /// A suggestion.
        hint: String,
    },
    /// The text is not a state of the game.
    #[error(transparent)]
    State(#[from] StateError),
    /// The moves cannot be made.
    #[error(transparent)]
    After(#[from] AfterError),
    /// The game failed, or there are too many states.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl PossibleRequest {
    /// Loads the game and follows the match.
    pub fn run(&self, library: &Library) -> Result<PossibleSteps, PossibleError> {
        let (loaded, chosen) = load(library, &self.game, &self.reasoner)?;
        let steps = self.steps(&chosen.game)?;
        let (game, role) = (loaded.title().to_string(), self.role.clone());
        Ok(PossibleSteps { version: 1, game, role, steps })
    }

    fn steps(&self, game: &AnyGame) -> Result<Vec<PossibleStep>, PossibleError> {
        let Some(role) = game.roles().iter().position(|name| *name == self.role) else {
            let hint = did_you_mean(&self.role, game.roles().iter().map(Role::name));
            let roles = game.roles().join(", ");
            return Err(PossibleError::Role { name: self.role.clone(), roles, hint });
        };
        let from = state_of(game, self.state.as_deref())?;
        let mut scratch = game.scratch();
        let joints = self.after.joints(game, &mut scratch, from.clone())?;
        Ok(possible(game, &mut scratch, RoleId(role as u32), &from, &joints, self.max_states)?)
    }
}

/// The maximum number of states counted for someone who saw nothing.
const COUNTED: usize = 100_000;

/// States, with the number of histories that lead to each.
type Counted<S> = FxHashMap<S, u64>;

/// Follows a match from one role's point of view. More than `limit` possible states are a fault.
pub fn possible<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    role: RoleId,
    from: &G::State,
    joints: &[Vec<MoveId>],
    limit: usize,
) -> Result<Vec<PossibleStep>, Fault> {
    let mut known: Counted<G::State> = std::iter::once((from.clone(), 1)).collect();
    let mut all = Some(known.clone());
    let mut state = from.clone();
    let mut steps = Vec::new();
    let (mut seen, mut sight) = (Vec::new(), Vec::new());
    for joint in joints {
        game.percepts(scratch, &state, joint, role, &mut seen)?;
        state = game.next(scratch, &state, joint)?;
        let goes_on = !game.is_terminal(scratch, &state)?;
        all = match all {
            Some(all) => everything(game, scratch, &all, goes_on)?,
            None => None,
        };
        let (mut expected, mut left) = (Counted::default(), Counted::default());
        for (before, ways) in &known {
            each_joint(game, scratch, before, |scratch, other| {
                if other[role.index()] != joint[role.index()] {
                    return Ok(());
                }
                let next = game.next(scratch, before, other)?;
                game.percepts(scratch, before, other, role, &mut sight)?;
                if sight == seen {
                    add(game, scratch, &mut left, next.clone(), *ways, goes_on, limit)?;
                }
                add(game, scratch, &mut expected, next, *ways, goes_on, limit)
            })?;
        }
        let texts = RoleId::all(joint.len()).zip(joint).map(|(role, &mv)| game.move_text(role, mv));
        steps.push(PossibleStep {
            moves: texts.collect(),
            all: all.as_ref().map(FxHashMap::len),
            expected: expected.len(),
            states: left.len(),
            expected_histories: expected.values().fold(0, |sum: u64, ways| sum.saturating_add(*ways)),
            histories: left.values().fold(0, |sum: u64, ways| sum.saturating_add(*ways)),
        });
        known = left;
    }
    Ok(steps)
}

/// Returns all states that can follow, or `None` if there are too many.
fn everything<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    all: &Counted<G::State>,
    goes_on: bool,
) -> Result<Option<Counted<G::State>>, Fault> {
    let mut after = Counted::default();
    for (before, ways) in all {
        each_joint(game, scratch, before, |scratch, other| {
            let next = game.next(scratch, before, other)?;
            add(game, scratch, &mut after, next, *ways, goes_on, usize::MAX)
        })?;
        if after.len() > COUNTED {
            return Ok(None);
        }
    }
    Ok(Some(after))
}

fn each_joint<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
    mut visit: impl FnMut(&mut G::Scratch, &[MoveId]) -> Result<(), Fault>,
) -> Result<(), Fault> {
    if game.is_terminal(scratch, state)? {
        return Ok(());
    }
    let mut joints = JointMoves::of(game, scratch, state)?;
    while let Some(joint) = joints.next() {
        visit(scratch, joint)?;
    }
    Ok(())
}

/// Adds a state, unless it is known not to be the current one because it is over and the match goes on, or
/// the other way round.
fn add<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    counted: &mut Counted<G::State>,
    state: G::State,
    ways: u64,
    goes_on: bool,
    limit: usize,
) -> Result<(), Fault>
where
    G::State: Hash + Eq,
{
    if game.is_terminal(scratch, &state)? == goes_on {
        return Ok(());
    }
    let known = counted.entry(state).or_default();
    *known = known.saturating_add(ways);
    if counted.len() > limit {
        return Err(Fault::Budget(format!("there are more than {limit} possible states")));
    }
    Ok(())
}
