//! Moves that are made before a state is shown.

use anyhow::bail;
use clap::Args;
use game::{Game, MoveId, PlayoutStream, RoleId, Seed};
use library::did_you_mean;

/// Steps from the state that was asked for to the one that is shown.
#[derive(Debug, Args)]
pub(crate) struct AfterArguments {
    /// Make these moves first: steps are separated by `;`, the moves of one
    /// step by `,` for the roles that have a choice, in order
    #[arg(long, value_name = "MOVES")]
    after: Option<String>,
    /// Then make this many random steps
    #[arg(long, value_name = "N", default_value_t = 0)]
    random_steps: u32,
    /// Where the chance of random steps comes from
    #[arg(long, value_name = "SEED", default_value_t = 0, requires = "random_steps")]
    seed: u64,
}

impl AfterArguments {
    /// The state after the moves, and the one before the last of them.
    pub(crate) fn of<G: Game>(
        &self,
        game: &G,
        state: G::State,
    ) -> anyhow::Result<(G::State, Option<G::State>)> {
        let mut before = None;
        let last = self.walk(game, state, |state, _| before = Some(state.clone()))?;
        Ok((last, before))
    }

    /// The joint moves.
    pub(crate) fn joints<G: Game>(&self, game: &G, state: G::State) -> anyhow::Result<Vec<Vec<MoveId>>> {
        let mut joints = Vec::new();
        self.walk(game, state, |_, joint| joints.push(joint.to_vec()))?;
        Ok(joints)
    }

    /// Makes the moves; `visit` is told the state before each and the joint move. Gives the last state.
    fn walk<G: Game>(
        &self,
        game: &G,
        mut state: G::State,
        mut visit: impl FnMut(&G::State, &[MoveId]),
    ) -> anyhow::Result<G::State> {
        let steps = self.after.as_deref().unwrap_or_default().split(';').map(str::trim);
        for (number, step) in steps.filter(|step| !step.is_empty()).enumerate() {
            if game.is_terminal(&state)? {
                bail!("The game is over after {number} of the moves of --after.");
            }
            let joint = joint(game, &state, step)?;
            visit(&state, &joint);
            state = game.next(&state, &joint)?;
        }
        let stream = PlayoutStream::new(Seed(self.seed), 0);
        for step in 0..self.random_steps {
            if game.is_terminal(&state)? {
                break;
            }
            let (mut joint, mut moves) = (Vec::new(), Vec::new());
            for role in RoleId::all(game.roles().len()) {
                game.legal(&state, role, &mut moves)?;
                if moves.is_empty() {
                    return Ok(state);
                }
                joint.push(moves[stream.below(step, role.0, moves.len() as u32) as usize]);
            }
            visit(&state, &joint);
            state = game.next(&state, &joint)?;
        }
        Ok(state)
    }
}

/// One step: the moves that are given for roles with a choice, and the only one of the others.
fn joint<G: Game>(game: &G, state: &G::State, step: &str) -> anyhow::Result<Vec<MoveId>> {
    let mut given = step.split(',').map(str::trim);
    let (mut joint, mut moves) = (Vec::new(), Vec::new());
    for role in RoleId::all(game.roles().len()) {
        game.legal(state, role, &mut moves)?;
        let name = &game.roles()[role.index()];
        joint.push(match moves[..] {
            [] => bail!("{name} has no legal move before `{step}`."),
            [only] => only,
            _ => {
                let Some(text) = given.next() else { bail!("`{step}` has no move for {name}.") };
                let texts: Vec<String> = moves.iter().map(|&mv| game.move_text(role, mv)).collect();
                let wanted = [text.to_string(), format!("({text})")];
                let Some(at) = texts.iter().position(|legal| wanted.contains(legal)) else {
                    let hint = did_you_mean(text, texts.iter().map(String::as_str));
                    bail!("`{text}` is not a legal move of {name} there.{hint}");
                };
                moves[at]
            }
        });
    }
    // Who has but one move may be named all the same.
    let mut made = RoleId::all(joint.len()).zip(&joint).map(|(role, &mv)| game.move_text(role, mv));
    if let Some(extra) = given.next()
        && !made.any(|text| text == extra || text == format!("({extra})"))
    {
        bail!("`{extra}` is one move too many: nobody else has a choice there.");
    }
    Ok(joint)
}
