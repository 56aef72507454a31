//! Who may see what.
//!
//! Where the rules hide nothing, everyone sees everything. Where they do, a role
//! is shown its own moves, its percepts, and what follows from these for sure;
//! while the match is played only whoever holds the seat is shown that. Those
//! who just watch may look over a player's shoulder if all players are programs
//! of this service, and see the truth when the match is over.

use super::Table;
use crate::problem::Problem;

/// A view that was granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Everything.
    Whole,
    /// What this role may know.
    Role(usize),
}

impl Table {
    /// Grants a view: a role's name, `all`, or the widest that is allowed.
    pub(crate) fn sight(&self, view: Option<&str>, key: Option<&str>) -> Result<Sight, Problem> {
        let wanted = match view {
            None => None,
            Some("all") => Some(Sight::Whole),
            Some(role) => Some(Sight::Role(self.role(role)?)),
        };
        let own = key.and_then(|key| self.keyed(key));
        if !self.shown.hides() {
            return Ok(Sight::Whole);
        }
        let allowed = self.allowed(own);
        let granted = wanted.or_else(|| allowed.first().copied());
        granted.filter(|sight| allowed.contains(sight)).ok_or_else(|| {
            let text = "While this match is played, nobody but its player sees what a seat sees. \
                        The truth is shown when it is over.";
            Problem::forbidden("hidden-information", text)
        })
    }

    /// The names of the views that are allowed.
    pub(crate) fn views(&self, own: Option<usize>) -> Vec<&str> {
        let name = |sight: Sight| match sight {
            Sight::Whole => "all",
            Sight::Role(role) => self.roles()[role].as_str(),
        };
        self.allowed(own).into_iter().map(name).collect()
    }

    /// All views that are allowed, the widest first.
    fn allowed(&self, own: Option<usize>) -> Vec<Sight> {
        let course = self.course();
        let roles =
            (0..self.roles().len()).filter(|&role| course.kept.seats[role].is_some()).map(Sight::Role);
        if !self.shown.hides() || course.standing.is_over() {
            return std::iter::once(Sight::Whole).chain(roles).collect();
        }
        if course.kept.seats.iter().flatten().any(|seat| seat.is_strange()) {
            return own.map(Sight::Role).into_iter().collect();
        }
        roles.collect()
    }
}
