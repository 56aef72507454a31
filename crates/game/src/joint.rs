//! Joint moves.

use crate::{Fault, Game, MoveId, Role, RoleId};

/// Returns for each role whether it is played by chance.
pub fn chance_roles<G: Game>(game: &G) -> Vec<bool> {
    game.roles().iter().map(Role::is_chance).collect()
}

/// Returns the legal moves of all roles, or `None` in a dead end, where some role has none.
pub fn all_legal<G: Game>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
) -> Result<Option<Vec<Vec<MoveId>>>, Fault> {
    let mut all = Vec::with_capacity(game.roles().len());
    for role in RoleId::all(game.roles().len()) {
        let mut moves = Vec::new();
        game.legal(scratch, state, role, &mut moves)?;
        if moves.is_empty() {
            return Ok(None);
        }
        all.push(moves);
    }
    Ok(Some(all))
}

/// Calls `visit` with every joint move until it returns `false`.
pub fn for_each_joint<E>(
    legal: &[Vec<MoveId>],
    mut visit: impl FnMut(&[MoveId]) -> Result<bool, E>,
) -> Result<(), E> {
    let mut places = vec![0; legal.len()];
    let mut joint: Vec<MoveId> = legal.iter().map(|moves| moves[0]).collect();
    loop {
        if !visit(&joint)? {
            return Ok(());
        }
        let mut role = legal.len();
        loop {
            if role == 0 {
                return Ok(());
            }
            role -= 1;
            places[role] += 1;
            if places[role] < legal[role].len() {
                joint[role] = legal[role][places[role]];
                break;
            }
            places[role] = 0;
            joint[role] = legal[role][0];
        }
    }
}
