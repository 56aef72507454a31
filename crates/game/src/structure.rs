//! What is proven of a game by looking at its rules.
//!
//! A reasoner that sees more than single states can offer a [`Structure`].
//! Everything in it holds for certain; what is missing may hold all the same.

use crate::{Goal, MoveId, RoleId};

/// A fluent: something that holds or does not hold in a state. Numbers are local to one game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FluentId(pub u32);

/// What is known of a game beforehand.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Structure {
    /// In every reachable state at most one role has a choice.
    pub turns: bool,
    /// The goals of the roles have this sum wherever a match can end.
    pub constant_sum: Option<Goal>,
    /// Fluents that count steps.
    pub clock: Option<Clock>,
    /// Symmetries of the rules that together make up all that were found.
    pub symmetries: Vec<Symmetry>,
    /// Fluents and moves that have nothing to do with each other until goals are
    /// counted; empty where the game is one whole.
    pub parts: Vec<Part>,
    /// What must hold at an end with the best goal, for roles of which something is known.
    pub aims: Vec<Aim>,
}

/// Fluents whose values depend on the number of steps alone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Clock {
    /// The fluents, in the order in which they hold.
    pub fluents: Vec<FluentId>,
    /// Legal moves, what they do, ends and goals are the same for the first so
    /// many of them; the ones after that may change something.
    pub free: usize,
}

/// A way to rename roles, fluents and moves that leaves the rules as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symmetry {
    /// What each role becomes.
    pub roles: Vec<RoleId>,
    /// What each fluent becomes.
    pub fluents: Vec<FluentId>,
    /// What each move becomes, a move of the role that its role becomes.
    pub moves: Vec<Vec<MoveId>>,
}

impl Symmetry {
    /// One after the other.
    #[must_use]
    pub fn then(&self, other: &Symmetry) -> Symmetry {
        let moves =
            self.roles.iter().zip(&self.moves).map(|(role, moves)| {
                moves.iter().map(|mv| other.moves[role.index()][mv.0 as usize]).collect()
            });
        Symmetry {
            roles: self.roles.iter().map(|role| other.roles[role.index()]).collect(),
            fluents: self.fluents.iter().map(|fluent| other.fluents[fluent.0 as usize]).collect(),
            moves: moves.collect(),
        }
    }

    /// Whether every role stays itself.
    pub fn keeps_roles(&self) -> bool {
        self.roles.iter().enumerate().all(|(place, role)| role.index() == place)
    }
}

/// A part of a game that moves on its own.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Part {
    /// Its fluents.
    pub fluents: Vec<FluentId>,
    /// The moves that concern it, by role.
    pub moves: Vec<(RoleId, MoveId)>,
    /// Whether all its fluents stay as they are while none of its moves is made.
    pub still: bool,
}

/// What must hold where a match ends with the best goal that the rules name for a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Aim {
    /// Whose.
    pub role: RoleId,
    /// The goal.
    pub goal: Goal,
    /// Fluents that must hold, and fluents that must not.
    pub fluents: Vec<(FluentId, bool)>,
    /// Whether nothing else matters: wherever they are so, the match is over with this goal.
    pub enough: bool,
    /// How many of them one step can change, at most; none where that is not known.
    pub by_step: Option<usize>,
}

impl Structure {
    /// All symmetries that come of those found, without the one that changes
    /// nothing; none where there are more than `most`.
    pub fn group(&self, most: usize) -> Vec<Symmetry> {
        let mut all: Vec<Symmetry> = Vec::new();
        let is_identity = |s: &Symmetry| {
            s.keeps_roles() && s.fluents.iter().enumerate().all(|(place, fluent)| fluent.0 as usize == place)
        };
        let mut work: Vec<Symmetry> = self.symmetries.clone();
        while let Some(one) = work.pop() {
            if is_identity(&one) || all.contains(&one) {
                continue;
            }
            if all.len() >= most {
                return Vec::new();
            }
            work.extend(self.symmetries.iter().map(|generator| one.then(generator)));
            all.push(one);
        }
        all.sort_by(|a, b| (&a.roles, &a.fluents).cmp(&(&b.roles, &b.fluents)));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_swaps_make_a_group_of_four() {
        let swap = |fluents: [u32; 4]| Symmetry {
            roles: vec![RoleId(0)],
            fluents: fluents.map(FluentId).to_vec(),
            moves: vec![vec![MoveId(0)]],
        };
        let structure =
            Structure { symmetries: vec![swap([1, 0, 2, 3]), swap([0, 1, 3, 2])], ..Structure::default() };
        assert_eq!(structure.group(10).len(), 3);
        assert!(structure.group(2).is_empty());
    }
}
