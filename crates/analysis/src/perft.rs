//! Perft: counting sequences of joint moves.

use game::perft::{Depth, Progress, watched};
use game::{AnyGame, AnyState, Deadline, Fault};

/// Counts the sequences of joint moves from a state, like [`game::perft`], but directly on the circuit if
/// there is one.
pub fn perft(
    game: &AnyGame,
    from: &AnyState,
    depth: u32,
    deadline: &Deadline,
    watch: &mut dyn FnMut(Progress),
) -> Result<Vec<Depth>, Fault> {
    reasoner::fastest!(game, game, from => watched(&**game, from, depth, deadline, watch))
}
