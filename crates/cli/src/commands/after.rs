//! Moves that are made before a state is shown.

use clap::Args;
use tafl::analysis::{After, AfterError};
use tafl::game::{Game, Seed};

use crate::numbers::number_in;

/// The steps from the given state to the one that is shown.
#[derive(Debug, Args)]
pub(crate) struct AfterArguments {
    /// Make these moves first: separate steps by `;`, and the moves of one step by
    /// `,`, for the roles that have a choice, or for all, in order. A step may also be
    /// a list, '((drop 1) noop)'; case and spacing do not matter
    #[arg(long, value_name = "MOVES")]
    after: Option<String>,
    /// Then make this many random steps
    #[arg(long, value_name = "N", default_value_t = After::default().random_steps)]
    #[arg(value_parser = number_in::<u32>(0..=u32::MAX, 9))]
    random_steps: u32,
    /// The seed for random steps
    #[arg(long, value_name = "SEED", default_value_t = After::default().seed.0, requires = "random_steps")]
    #[arg(value_parser = number_in::<u64>(0..=u64::MAX, 1))]
    seed: u64,
}

impl AfterArguments {
    /// Returns the steps.
    pub(crate) fn after(&self) -> After {
        After {
            moves: self.after.clone().unwrap_or_default(),
            random_steps: self.random_steps,
            seed: Seed(self.seed),
        }
    }

    /// Returns the state after the moves, and the one before the last of them.
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
