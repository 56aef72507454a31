//! Ids of roles, moves and percepts.
//!
//! They are local to one game instance. Between instances, in records and on the wire, moves and percepts are
//! exchanged as canonical text.

use serde::{Deserialize, Serialize};

/// A role, by its index in [`crate::Game::roles`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RoleId(pub u32);

impl RoleId {
    /// Returns the id as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the first `count` roles.
    pub fn all(count: usize) -> impl Iterator<Item = RoleId> + Clone {
        (0..count as u32).map(RoleId)
    }
}

/// A move of one role.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct MoveId(pub u32);

impl MoveId {
    /// A placeholder in the first joint move of playouts for a move that is drawn. It is not a move of any
    /// game.
    pub const DRAWN: MoveId = MoveId(u32::MAX);
}

/// Something that a role sees.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PerceptId(pub u32);

/// The score of a role, 0 to 100 in well-formed sheets.
pub type Goal = i32;
