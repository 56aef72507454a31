//! What is proven of a game by looking at its rules.
//!
//! A reasoner that sees more than single states can offer a [`Structure`].
//! Everything in it holds for certain; what is missing may hold all the same.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use crate::{Goal, MoveId, RoleId};

/// Numbers written down while a group is made of its symmetries, at most.
const WORK: usize = 50_000_000;

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
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
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

    fn changes_nothing(&self) -> bool {
        self.keeps_roles()
            && self.fluents.iter().enumerate().all(|(place, fluent)| fluent.0 as usize == place)
    }

    /// How many numbers it is written down with.
    fn size(&self) -> usize {
        self.roles.len() + self.fluents.len() + self.moves.iter().map(Vec::len).sum::<usize>()
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
    /// nothing; none where there are more than `most`, or where they are so large
    /// that it would take long to write them all down.
    pub fn group(&self, most: usize) -> Vec<Symmetry> {
        let mut all: Vec<Rc<Symmetry>> = Vec::new();
        let mut known: FxHashSet<Rc<Symmetry>> = FxHashSet::default();
        let mut work: Vec<Rc<Symmetry>> = Vec::new();
        let mut found: Vec<Symmetry> = self.symmetries.clone();
        let mut left = WORK;
        loop {
            for one in found.drain(..) {
                let Some(rest) = left.checked_sub(one.size()) else { return Vec::new() };
                left = rest;
                if one.changes_nothing() || known.contains(&one) {
                    continue;
                }
                if all.len() >= most {
                    return Vec::new();
                }
                let one = Rc::new(one);
                known.insert(Rc::clone(&one));
                work.push(Rc::clone(&one));
                all.push(one);
            }
            let Some(one) = work.pop() else { break };
            found.extend(self.symmetries.iter().map(|generator| one.then(generator)));
        }
        drop(known);
        let mut all: Vec<Symmetry> = all.into_iter().map(Rc::unwrap_or_clone).collect();
        all.sort_by(|a, b| (&a.roles, &a.fluents, &a.moves).cmp(&(&b.roles, &b.fluents, &b.moves)));
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
    /// Swaps of neighbours among so many fluents make every order of them.
    fn swaps_of_neighbours(fluents: u32) -> Structure {
        let swap = |first: u32| {
            let image =
                |at: u32| FluentId(if at == first { at + 1 } else { at - u32::from(at == first + 1) });
            let fluents = (0..fluents).map(image).collect();
            Symmetry { roles: vec![RoleId(0)], fluents, moves: vec![vec![MoveId(0)]] }
        };
        Structure { symmetries: (0..fluents - 1).map(swap).collect(), ..Structure::default() }
    }

    #[test]
    fn all_orders_of_eight_fluents_are_counted_in_no_time() {
        assert_eq!(swaps_of_neighbours(8).group(100_000).len(), 40_319);
    }

    #[test]
    fn a_group_that_would_take_long_to_write_down_is_not() {
        assert!(swaps_of_neighbours(1000).group(usize::MAX).is_empty());
    }
}
