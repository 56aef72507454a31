//! Moves that are made before a state is shown.

use analysis::{After, AfterError};
use clap::Args;
use game::{Game, Seed};

/// Steps from the state that was asked for to the one that is shown.
#[derive(Debug, Args)]
pub(crate) struct AfterArguments {
    /// Make these moves first: steps are separated by `;`, the moves of one
    /// step by `,` for the roles that have a choice, in order
    #[arg(long, value_name = "MOVES")]
    after: Option<String>,
    /// Then make this many random steps
    #[arg(long, value_name = "N", default_value_t = After::default().random_steps)]
    random_steps: u32,
    /// Where the chance of random steps comes from
    #[arg(long, value_name = "SEED", default_value_t = After::default().seed.0, requires = "random_steps")]
    seed: u64,
}

impl AfterArguments {
    /// The steps.
    pub(crate) fn after(&self) -> After {
        After {
            moves: self.after.clone().unwrap_or_default(),
            random_steps: self.random_steps,
            seed: Seed(self.seed),
        }
    }

    /// The state after the moves, and the one before the last of them.
    pub(crate) fn of<G: Game>(
        &self,
        game: &G,
        scratch: &mut G::Scratch,
        state: G::State,
    ) -> Result<(G::State, Option<G::State>), AfterError> {
        let mut before = None;
        let last = self.after().walk(game, scratch, state, |state, _| before = Some(state.clone()))?;
        Ok((last, before))
    }
}
