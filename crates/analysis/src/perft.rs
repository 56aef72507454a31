//! Counting lines of play.

use game::perft::{Depth, Progress, watched};
use game::{AnyGame, AnyState, Deadline, Fault};

/// Counts the lines of play from a state, as [`game::perft`] does, at the speed of circuits.
pub fn perft(
    game: &AnyGame,
    from: &AnyState,
    depth: u32,
    deadline: &Deadline,
    watch: &mut dyn FnMut(Progress),
) -> Result<Vec<Depth>, Fault> {
    reasoner::fastest!(game, game, from => watched(&**game, from, depth, deadline, watch))
}
