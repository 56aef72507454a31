//! The probabilities behind a player's move.

use crate::MoveId;

/// What a player tells about the probabilities with which it chose its last move.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Mix {
    /// Nothing: all that is known is the move itself.
    #[default]
    Untold,
    /// The move was drawn with these probabilities. They depend on the seed, because the player thinks at
    /// random, or on the clock.
    Drawn(Vec<(MoveId, f64)>),
    /// The player makes each move with this probability in every match in which it has made the same moves
    /// and seen the same, with any seed and any clock that is long enough. Moves that are not listed have
    /// probability zero.
    Known(Vec<(MoveId, f64)>),
}

impl Mix {
    /// Returns the mix of a player that always makes this move.
    pub fn sure(mv: MoveId) -> Mix {
        Mix::Known(vec![(mv, 1.0)])
    }

    /// Returns the mix of a player that always draws from these moves, all equally likely.
    pub fn even(moves: &[MoveId]) -> Mix {
        Mix::Known(moves.iter().map(|mv| (*mv, 1.0 / moves.len() as f64)).collect())
    }

    /// Returns the same probabilities without the claim that they do not depend on seed and clock.
    pub fn of_this_match(self) -> Mix {
        match self {
            Mix::Known(shares) => Mix::Drawn(shares),
            other => other,
        }
    }

    /// Returns the same if `holds`, and otherwise nothing.
    pub fn only_if(self, holds: bool) -> Mix {
        if holds { self } else { Mix::Untold }
    }
}
