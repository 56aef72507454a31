//! The roles of a game.

use std::borrow::Borrow;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Deref;

/// The name of chance in rules. No other code compares names with it.
const CHANCE: &str = "random";

/// What decides a role's moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoleKind {
    /// A player.
    Player,
    /// Chance: each legal move is equally likely.
    Chance,
}

/// A role: its name in the rules, and what decides its moves.
///
/// A role can be used as its name wherever text is needed.
#[derive(Clone)]
pub struct Role {
    name: Box<str>,
    kind: RoleKind,
}

impl Role {
    /// Creates the role with this name in the rules. The supported languages reserve one name for chance.
    pub fn named(name: impl Into<Box<str>>) -> Role {
        let name = name.into();
        let kind = if *name == *CHANCE { RoleKind::Chance } else { RoleKind::Player };
        Role { name, kind }
    }

    /// Creates the role of chance.
    pub fn chance() -> Role {
        Role::named(CHANCE)
    }

    /// Returns the names of several roles.
    pub fn names(roles: &[Role]) -> Vec<String> {
        roles.iter().map(String::from).collect()
    }

    /// Returns its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns what decides its moves.
    pub fn kind(&self) -> RoleKind {
        self.kind
    }

    /// Returns `true` if chance decides its moves.
    pub fn is_chance(&self) -> bool {
        self.kind == RoleKind::Chance
    }
}

impl Deref for Role {
    type Target = str;

    fn deref(&self) -> &str {
        &self.name
    }
}

impl Borrow<str> for Role {
    fn borrow(&self) -> &str {
        &self.name
    }
}

impl fmt::Display for Role {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.pad(&self.name)
    }
}

impl fmt::Debug for Role {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.name, out)
    }
}

impl PartialEq for Role {
    fn eq(&self, other: &Role) -> bool {
        self.name == other.name
    }
}

impl Eq for Role {}

impl Hash for Role {
    // The same hash as the name, because a role can be looked up by it.
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

impl PartialEq<str> for Role {
    fn eq(&self, other: &str) -> bool {
        *self.name == *other
    }
}

impl PartialEq<&str> for Role {
    fn eq(&self, other: &&str) -> bool {
        *self.name == **other
    }
}

impl PartialEq<String> for Role {
    fn eq(&self, other: &String) -> bool {
        *self.name == **other
    }
}

impl From<&Role> for String {
    fn from(role: &Role) -> String {
        role.name.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_name_is_reserved_for_chance() {
        assert!(Role::named("random").is_chance());
        assert_eq!(Role::named("white").kind(), RoleKind::Player);
        assert_eq!([Role::named("white"), Role::chance()].join(", "), "white, random");
    }
}
