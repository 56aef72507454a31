//! A state of a match and the step that led to it.

use std::sync::{Arc, Mutex, PoisonError};

use arena::StepThought;
use game::Position;

/// A state and the step that led to it.
pub(crate) struct Moment {
    /// The number of the step; 0 at the start.
    pub(crate) number: usize,
    /// The joint move that led here.
    pub(crate) moves: Option<Vec<String>>,
    /// What each role saw in that step.
    pub(crate) percepts: Vec<Vec<String>>,
    /// The thoughts behind the players' moves.
    pub(crate) thoughts: Vec<StepThought>,
    pub(crate) position: Position,
    /// The cached JSON: for the whole view, then by role; each without and with thoughts.
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

    /// Returns the JSON for a role, or for the whole view. Created on first use and shared.
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

    /// Returns the JSON if it is already cached.
    pub(super) fn drawn_before(&self, role: Option<usize>, thoughts: bool) -> Option<Arc<str>> {
        let drawn = self.drawn.try_lock().ok()?;
        drawn[role.map_or(0, |role| role + 1)][usize::from(thoughts)].clone()
    }

    /// Frees the memory of the cached JSON; it is created again when needed.
    pub(super) fn forget(&self) {
        let mut drawn = self.drawn.lock().unwrap_or_else(PoisonError::into_inner);
        drawn.iter_mut().for_each(|place| *place = Default::default());
    }
}
