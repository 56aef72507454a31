//! The choices in a state, from the point of view of one role.

use game::{Fault, Game, MoveId, RoleId, all_legal, for_each_joint};

/// The number of joint moves of the others above which a state is too wide to be searched.
const WIDE: usize = 100_000;

/// The choices in one state: own moves, answers of the others, draws of chance.
pub(super) struct Turn {
    base: Vec<MoveId>,
    pub mine: Vec<MoveId>,
    /// The moves of the roles in `other_roles`, one list for each joint answer.
    pub others: Vec<Vec<MoveId>>,
    pub other_roles: Vec<RoleId>,
    draws: Vec<Vec<MoveId>>,
    draw_roles: Vec<RoleId>,
}

impl Turn {
    /// Returns the choices in a state, or `None` in a dead end.
    pub fn of<G: Game>(
        game: &G,
        scratch: &mut G::Scratch,
        state: &G::State,
        role: RoleId,
        chance: &[bool],
    ) -> Result<Option<Turn>, Fault> {
        let Some(legal) = all_legal(game, scratch, state)? else { return Ok(None) };
        let chooses = |r: &RoleId| *r != role && legal[r.index()].len() > 1;
        let all = || RoleId::all(legal.len());
        let other_roles: Vec<RoleId> = all().filter(chooses).filter(|r| !chance[r.index()]).collect();
        let draw_roles: Vec<RoleId> = all().filter(chooses).filter(|r| chance[r.index()]).collect();
        Ok(Some(Turn {
            base: legal.iter().map(|moves| moves[0]).collect(),
            others: together(&other_roles, &legal)?,
            draws: together(&draw_roles, &legal)?,
            mine: legal[role.index()].clone(),
            other_roles,
            draw_roles,
        }))
    }

    /// Returns the joint moves with these choices, one for each draw of chance.
    pub fn joints(&self, role: RoleId, mine: MoveId, others: &[MoveId]) -> impl Iterator<Item = Vec<MoveId>> {
        let mut joint = self.base.clone();
        joint[role.index()] = mine;
        for (role, &mv) in self.other_roles.iter().zip(others) {
            joint[role.index()] = mv;
        }
        self.draws.iter().map(move |draw| {
            let mut joint = joint.clone();
            for (role, &mv) in self.draw_roles.iter().zip(draw) {
                joint[role.index()] = mv;
            }
            joint
        })
    }

    /// Returns the number of draws of chance.
    pub fn draws(&self) -> usize {
        self.draws.len()
    }
}

/// Returns all combinations of moves of some roles; one empty combination for no roles.
fn together(roles: &[RoleId], legal: &[Vec<MoveId>]) -> Result<Vec<Vec<MoveId>>, Fault> {
    let lists: Vec<Vec<MoveId>> = roles.iter().map(|role| legal[role.index()].clone()).collect();
    let mut ways = Vec::new();
    for_each_joint(&lists, |joint| {
        ways.push(joint.to_vec());
        if ways.len() > WIDE {
            return Err(Fault::Unsupported(
                "too many joint moves for `minimax`; use `mcts` instead".to_string(),
            ));
        }
        Ok(true)
    })?;
    Ok(ways)
}
