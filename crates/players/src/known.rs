//! A match whose state is known, because the rules hide nothing.

use std::sync::Arc;

use game::{Fault, Game, MatchContext, MoveId, Observation, Role, RoleId};

/// Where a match is, seen from one role.
pub(crate) struct Known<G: Game> {
    pub game: Arc<G>,
    pub role: RoleId,
    pub state: G::State,
    /// Steps made so far.
    pub step: u64,
}

impl<G: Game> Known<G> {
    /// At the beginning of a match; refused where the rules hide something.
    pub fn new(player: &str, game: &Arc<G>, context: &MatchContext) -> Result<Known<G>, Fault> {
        hides_nothing(player, &**game)?;
        Ok(Known { game: Arc::clone(game), role: context.role, state: game.initial(), step: 0 })
    }

    /// After a step.
    pub fn update(&mut self, observation: &Observation) -> Result<(), Fault> {
        let missing = || Fault::BadState("the joint move of the last step is missing".to_string());
        let joint = observation.joint.as_ref().ok_or_else(missing)?;
        self.state = self.game.next(&self.state, joint)?;
        self.step += 1;
        Ok(())
    }

    /// The legal moves; never empty.
    pub fn legal(&self) -> Result<Vec<MoveId>, Fault> {
        let mut moves = Vec::new();
        self.game.legal(&self.state, self.role, &mut moves)?;
        if moves.is_empty() {
            return Err(Fault::BadState("there is no legal move to choose from".to_string()));
        }
        Ok(moves)
    }
}

/// Refuses games that hide something, for a player of this name.
pub(crate) fn hides_nothing<G: Game>(player: &str, game: &G) -> Result<(), Fault> {
    if game.has_percepts() { Err(refusal(player)) } else { Ok(()) }
}

/// What a player for known states says to a game that hides something.
pub(crate) fn refusal(player: &str) -> Fault {
    Fault::Unsupported(format!(
        "`{player}` plays only games that hide nothing; where the rules hide something take `auto`, or `ismcts`, `oos`, `pomcp`, `hyperplay` or `hyperplay2` by name"
    ))
}

/// Which roles are played by chance.
pub(crate) fn chance_roles<G: Game>(game: &G) -> Vec<bool> {
    game.roles().iter().map(Role::is_chance).collect()
}

/// The legal moves of all roles; none in a dead end, where some role has none.
pub(crate) fn all_legal<G: Game>(game: &G, state: &G::State) -> Result<Option<Vec<Vec<MoveId>>>, Fault> {
    let mut all = Vec::with_capacity(game.roles().len());
    for role in RoleId::all(game.roles().len()) {
        let mut moves = Vec::new();
        game.legal(state, role, &mut moves)?;
        if moves.is_empty() {
            return Ok(None);
        }
        all.push(moves);
    }
    Ok(Some(all))
}

/// Calls `visit` with every joint move until it answers that it has seen enough.
pub(crate) fn for_each_joint<E>(
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
