//! A state of a match and the step that led to it.

use std::sync::{Arc, OnceLock};

use arena::Reason;
use lab::Look;

/// A state and how it came about.
pub(crate) struct Moment {
    /// 0 at the beginning.
    pub(crate) number: usize,
    /// The joint move that led here.
    pub(crate) moves: Option<Vec<String>>,
    /// What each role saw.
    pub(crate) percepts: Vec<Vec<String>>,
    /// Why players moved so.
    pub(crate) reasons: Vec<Reason>,
    pub(crate) look: Look,
    /// As it is shown: the whole, then by role; each without and with reasons.
    drawn: Vec<[OnceLock<Arc<str>>; 2]>,
}

impl Moment {
    pub(crate) fn first(look: Look) -> Moment {
        let percepts = vec![Vec::new(); look.legal.len()];
        Moment { moves: None, ..Moment::after(0, Vec::new(), percepts, Vec::new(), look) }
    }

    pub(crate) fn after(
        number: usize,
        moves: Vec<String>,
        percepts: Vec<Vec<String>>,
        reasons: Vec<Reason>,
        look: Look,
    ) -> Moment {
        let drawn = (0..=look.legal.len()).map(|_| Default::default()).collect();
        Moment { number, moves: Some(moves), percepts, reasons, look, drawn }
    }

    /// The place for what is shown to a role, or of the whole.
    pub(super) fn drawn(&self, role: Option<usize>, reasons: bool) -> &OnceLock<Arc<str>> {
        &self.drawn[role.map_or(0, |role| role + 1)][usize::from(reasons)]
    }
}
