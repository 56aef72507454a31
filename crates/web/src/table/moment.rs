//! A state of a match and the step that led to it.

use std::sync::{Arc, Mutex, PoisonError};

use arena::StepThought;
use game::Position;

/// A state and how it came about.
pub(crate) struct Moment {
    /// 0 at the beginning.
    pub(crate) number: usize,
    /// The joint move that led here.
    pub(crate) moves: Option<Vec<String>>,
    /// What each role saw.
    pub(crate) percepts: Vec<Vec<String>>,
    /// What the players' choices came from.
    pub(crate) thoughts: Vec<StepThought>,
    pub(crate) position: Position,
    /// As it is shown: the whole, then by role; each without and with thoughts.
    drawn: Mutex<Vec<[Option<Arc<str>>; 2]>>,
}

impl Moment {
    pub(crate) fn first(position: Position) -> Moment {
        let percepts = vec![Vec::new(); position.legal.len()];
        Moment { moves: None, ..Moment::after(0, Vec::new(), percepts, Vec::new(), position) }
    }

    pub(crate) fn after(
        number: usize,
        moves: Vec<String>,
        percepts: Vec<Vec<String>>,
        thoughts: Vec<StepThought>,
        position: Position,
    ) -> Moment {
        let drawn = Mutex::new(vec![Default::default(); position.legal.len() + 1]);
        Moment { number, moves: Some(moves), percepts, thoughts, position, drawn }
    }

    /// What is shown to a role, or of the whole; made when it is first wanted, once for all who want it.
    pub(super) fn drawn(
        &self,
        role: Option<usize>,
        thoughts: bool,
        draw: impl FnOnce() -> Arc<str>,
    ) -> Arc<str> {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        let place = &mut drawn[role.map_or(0, |role| role + 1)][usize::from(thoughts)];
        Arc::clone(place.get_or_insert_with(draw))
    }

    /// The same, if it is at hand.
    pub(super) fn drawn_before(&self, role: Option<usize>, thoughts: bool) -> Option<Arc<str>> {
        let drawn = self.drawn.try_lock().ok()?;
        drawn[role.map_or(0, |role| role + 1)][usize::from(thoughts)].clone()
    }

    /// Frees the memory that drawings take; whoever wants them has them made again.
    pub(super) fn forget(&self) {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.iter_mut().for_each(|place| *place = Default::default());
    }
}
