//! Moves to make before the state of interest.
//!
//! Moves are read as people and programs write them: in any case, with any spacing, with or without the
//! outer parentheses. A step may be the list of one joint move, as the protocol writes it.

mod spelling;

use game::{Fault, Game, MoveId, PlayoutStream, RoleId, Seed, did_you_mean};

pub use spelling::canonical;
use spelling::{position, terms};

/// Steps from a state: the given ones, then random ones.
#[derive(Debug, Clone)]
pub struct After {
    /// The given steps, separated by `;`. Each step holds the moves of the roles that have a choice, or of
    /// all roles, in role order, separated by `,`; or it is the list of a joint move: `((drop 1) noop)`.
    pub moves: String,
    /// The number of random steps that follow.
    pub random_steps: u32,
    /// The seed of the random steps.
    pub seed: Seed,
}

impl Default for After {
    fn default() -> After {
        After { moves: String::new(), random_steps: 0, seed: Seed(0) }
    }
}

/// Why the given moves cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum AfterError {
    /// The game ends before the last of them.
    #[error("The game is over after {made} of the given steps.")]
    Over {
        /// The number of steps made.
        made: usize,
    },
    /// A role has no legal move.
    #[error("{role} has no legal move before `{step}`.")]
    NoMove {
        /// The role.
        role: String,
        /// The step.
        step: String,
    },
    /// A role has a choice, but no move is given for it.
    #[error("`{step}` has no move for {role}.")]
    Missing {
        /// The step.
        step: String,
        /// The role.
        role: String,
    },
    /// A move is not legal.
    #[error("`{text}` is not a legal move of {role} there.{hint}")]
    Illegal {
        /// The move.
        text: String,
        /// The role.
        role: String,
        /// A suggestion.
        hint: String,
    },
    /// More moves are given than there are choices.
    #[error("{}: nobody else has a choice there.", surplus(.texts))]
    TooMany {
        /// The extra moves.
        texts: Vec<String>,
    },
    /// The game failed.
    #[error(transparent)]
    Fault(#[from] Fault),
}

impl After {
    /// Returns the joint moves.
    pub fn joints<G: Game>(
        &self,
        game: &G,
        scratch: &mut G::Scratch,
        state: G::State,
    ) -> Result<Vec<Vec<MoveId>>, AfterError> {
        let mut joints = Vec::new();
        self.walk(game, scratch, state, |_, joint| joints.push(joint.to_vec()))?;
        Ok(joints)
    }

    /// Makes the moves and returns the last state. `visit` is called before each step with the state and
    /// the joint move.
    pub fn walk<G: Game>(
        &self,
        game: &G,
        scratch: &mut G::Scratch,
        mut state: G::State,
        mut visit: impl FnMut(&G::State, &[MoveId]),
    ) -> Result<G::State, AfterError> {
        let steps = self.moves.split(';').map(str::trim);
        for (made, step) in steps.filter(|step| !step.is_empty()).enumerate() {
            if game.is_terminal(scratch, &state)? {
                return Err(AfterError::Over { made });
            }
            let joint = joint(game, scratch, &state, step)?;
            visit(&state, &joint);
            state = game.next(scratch, &state, &joint)?;
        }
        let stream = PlayoutStream::new(self.seed, 0);
        for step in 0..self.random_steps {
            if game.is_terminal(scratch, &state)? {
                break;
            }
            let (mut joint, mut moves) = (Vec::new(), Vec::new());
            for role in RoleId::all(game.roles().len()) {
                game.legal(scratch, &state, role, &mut moves)?;
                if moves.is_empty() {
                    return Ok(state);
                }
                joint.push(moves[stream.below(step, role.0, moves.len() as u32) as usize]);
            }
            visit(&state, &joint);
            state = game.next(scratch, &state, &joint)?;
        }
        Ok(state)
    }
}

/// Returns the joint move of one step.
fn joint<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
    step: &str,
) -> Result<Vec<MoveId>, AfterError> {
    let mut legal = Vec::new();
    for role in RoleId::all(game.roles().len()) {
        let mut moves = Vec::new();
        game.legal(scratch, state, role, &mut moves)?;
        if moves.is_empty() {
            let role = game.roles()[role.index()].to_string();
            return Err(AfterError::NoMove { role, step: step.to_string() });
        }
        let texts = moves.iter().map(|&mv| game.move_text(role, mv)).collect();
        legal.push(Legal { name: game.roles()[role.index()].to_string(), moves, texts });
    }
    let given: Vec<&str> = step.split(',').map(str::trim).collect();
    let found = chosen(&legal, step, &given);
    if found.is_ok() {
        return found;
    }
    // One move for each role, as the protocol lists them.
    let listed = match given[..] {
        [list] => terms(list),
        _ => Some(given.iter().map(ToString::to_string).collect()),
    };
    match listed.filter(|all| all.len() == legal.len()) {
        Some(all) => {
            let every = legal.iter().zip(&all).map(|(legal, text)| legal.find(text)).collect();
            // A list within the list is certainly a joint move, so that is what the complaint is about.
            let is_sure = given.len() == 1 && all.iter().any(|text| text.starts_with('('));
            if is_sure { every } else { every.or(found) }
        }
        None => found,
    }
}

/// The legal moves of a role.
struct Legal {
    name: String,
    moves: Vec<MoveId>,
    texts: Vec<String>,
}

impl Legal {
    fn find(&self, text: &str) -> Result<MoveId, AfterError> {
        let illegal = || AfterError::Illegal {
            text: text.to_string(),
            role: self.name.clone(),
            hint: did_you_mean(text, self.texts.iter().map(String::as_str)),
        };
        position(text, &self.texts).map(|at| self.moves[at]).ok_or_else(illegal)
    }
}

/// Returns the given moves for roles with a choice, and the only move for the others.
fn chosen(legal: &[Legal], step: &str, given: &[&str]) -> Result<Vec<MoveId>, AfterError> {
    let mut given = given.iter();
    let mut joint = Vec::new();
    for role in legal {
        joint.push(match role.moves[..] {
            [only] => only,
            _ => match given.next() {
                Some(text) => role.find(text)?,
                None => {
                    return Err(AfterError::Missing { step: step.to_string(), role: role.name.clone() });
                }
            },
        });
    }
    // The move of a role without a choice may be given too.
    let is_forced = |text: &str| legal.iter().any(|role| role.moves.len() == 1 && role.find(text).is_ok());
    let texts: Vec<String> = given.filter(|text| !is_forced(text)).map(ToString::to_string).collect();
    if texts.is_empty() { Ok(joint) } else { Err(AfterError::TooMany { texts }) }
}

fn surplus(texts: &[String]) -> String {
    match texts {
        [one] => format!("`{one}` is one move too many"),
        _ => format!("`{}` are {} moves too many", texts.join("`, `"), texts.len()),
    }
}
