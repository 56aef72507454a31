//! Moves to make before the state of interest.

use game::{Fault, Game, MoveId, PlayoutStream, RoleId, Seed};

use crate::near::did_you_mean;

/// Steps from a state: the given ones, then random ones.
#[derive(Debug, Clone)]
pub struct After {
    /// The given steps, separated by `;`. Each step holds the moves of the roles that have a choice, in
    /// role order, separated by `,`.
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
    #[error("`{text}` is one move too many: nobody else has a choice there.")]
    TooMany {
        /// The first extra move.
        text: String,
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

/// Returns the joint move of one step: the given moves for roles with a choice, the only move for the
/// others.
fn joint<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
    step: &str,
) -> Result<Vec<MoveId>, AfterError> {
    let mut given = step.split(',').map(str::trim);
    let (mut joint, mut moves) = (Vec::new(), Vec::new());
    for role in RoleId::all(game.roles().len()) {
        game.legal(scratch, state, role, &mut moves)?;
        let name = || game.roles()[role.index()].to_string();
        joint.push(match moves[..] {
            [] => return Err(AfterError::NoMove { role: name(), step: step.to_string() }),
            [only] => only,
            _ => {
                let Some(text) = given.next() else {
                    return Err(AfterError::Missing { step: step.to_string(), role: name() });
                };
                let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(role, mv)).collect();
                let wanted = [text.to_string(), format!("({text})")];
                let Some(at) = texts.iter().position(|legal| wanted.contains(legal)) else {
                    let hint = did_you_mean(text, texts.iter().map(String::as_str));
                    return Err(AfterError::Illegal { text: text.to_string(), role: name(), hint });
                };
                moves[at]
            }
        });
    }
    // The move of a role without a choice may be given too.
    let mut made = RoleId::all(joint.len()).zip(&joint).map(|(role, &mv)| game.move_text(role, mv));
    match given.next() {
        Some(extra) if !made.any(|text| text == extra || text == format!("({extra})")) => {
            Err(AfterError::TooMany { text: extra.to_string() })
        }
        _ => Ok(joint),
    }
}
