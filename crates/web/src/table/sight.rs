//! Who may see what.
//!
//! If the rules hide nothing, everyone sees everything. Otherwise, a role is shown its own moves, its
//! percepts, and what follows from these with certainty; during the match, only whoever holds the seat
//! is shown that. Spectators may take a player's point of view if all players are programs of this
//! service, and see everything when the match is over.

use super::Table;
use crate::problem::Problem;

/// A view that has been granted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sight {
    /// Everything.
    Whole,
    /// What this role can know.
    Role(usize),
}

impl Table {
    /// Grants a view: the name of a role, `all`, or by default the widest one that is allowed.
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
            let text = "While this match is being played, only the player of a seat can see its view. \
                        Everything is shown when it is over.";
            Problem::forbidden("hidden-information", text)
        })
    }

    /// Returns the names of the views that are allowed.
    pub(crate) fn views(&self, own: Option<usize>) -> Vec<&str> {
        let name = |sight: Sight| match sight {
            Sight::Whole => "all",
            Sight::Role(role) => self.roles()[role].as_str(),
        };
        self.allowed(own).into_iter().map(name).collect()
    }

    /// Returns all views that are allowed, the widest first.
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
