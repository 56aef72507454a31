//! A state of a match and the step that led to it.

use std::sync::{Arc, Mutex, PoisonError};

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
    drawn: Mutex<Vec<[Option<Arc<str>>; 2]>>,
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
        let drawn = Mutex::new(vec![Default::default(); look.legal.len() + 1]);
        Moment { number, moves: Some(moves), percepts, reasons, look, drawn }
    }

    /// What is shown to a role, or of the whole; made when it is first wanted, once for all who want it.
    pub(super) fn drawn(
        &self,
        role: Option<usize>,
        reasons: bool,
        draw: impl FnOnce() -> Arc<str>,
    ) -> Arc<str> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let place = &mut drawn[role.map_or(0, |role| role + 1)][usize::from(reasons)];
        Arc::clone(place.get_or_insert_with(draw))
    }

    /// The same, if it is at hand.
    pub(super) fn drawn_before(&self, role: Option<usize>, reasons: bool) -> Option<Arc<str>> {
        let drawn = self.drawn.try_lock().ok()?;
        drawn[role.map_or(0, |role| role + 1)][usize::from(reasons)].clone()
    }

    /// Frees the memory that drawings take; whoever wants them has them made again.
    pub(super) fn forget(&self) {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.iter_mut().for_each(|place| *place = Default::default());
    }
}
