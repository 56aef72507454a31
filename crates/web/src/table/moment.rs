//! A state of a match and the step that led to it.

use std::sync::{Arc, Mutex, PoisonError};

use arena::{Fault, MatchRecord, StepRecord, StepThought};
use game::Position;

/// A state and the step that led to it.
pub(crate) struct Moment {
    /// The number of the step; 0 at the start.
    pub(crate) number: usize,
    /// The joint move that led here.
    pub(crate) moves: Option<Vec<String>>,
    /// What each role saw in that step.
    pub(crate) percepts: Vec<Vec<String>>,
    pub(crate) notes: Notes,
    pub(crate) position: Position,
    /// The cached JSON: for the whole view, then by role; each without and with thoughts.
    drawn: Mutex<Vec<[Option<Arc<str>>; 2]>>,
}

/// What the referee noted about a step.
#[derive(Default)]
pub(crate) struct Notes {
    /// The thoughts behind the players' moves.
    pub(crate) thoughts: Vec<StepThought>,
    /// Why moves were made by the referee in place of players.
    pub(crate) faults: Vec<Fault>,
}

impl Notes {
    pub(crate) fn of(step: &StepRecord) -> Notes {
        Notes { thoughts: step.thoughts.clone(), faults: step.faults.clone() }
    }

    /// Returns the notes about a step of a record.
    pub(crate) fn in_record(record: &MatchRecord, number: usize) -> Notes {
        Notes {
            thoughts: record.thoughts.iter().filter(|of| of.step == number).cloned().collect(),
            faults: record.faults.iter().filter(|fault| fault.step == number).cloned().collect(),
        }
    }
}

impl Moment {
    pub(crate) fn first(position: Position) -> Moment {
        let percepts = vec![Vec::new(); position.legal.len()];
        Moment { moves: None, ..Moment::after(0, Vec::new(), percepts, Notes::default(), position) }
    }

    pub(crate) fn after(
        number: usize,
        moves: Vec<String>,
        percepts: Vec<Vec<String>>,
        notes: Notes,
        position: Position,
    ) -> Moment {
        let drawn = Mutex::new(vec![Default::default(); position.legal.len() + 1]);
        Moment { number, moves: Some(moves), percepts, notes, position, drawn }
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
