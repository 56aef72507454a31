//! What a role knows about a step, and the cost of knowing.

use game::{MoveId, Observation, PerceptId};

/// A step as a role saw it: its own move and a set of percepts.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Seen {
    /// The move it made, or that was made for it.
    pub own: MoveId,
    /// Its percepts, each once, in the order of ids, so that equal sets are equal lists.
    pub percepts: Vec<PerceptId>,
    /// The joint move, if it was shown.
    pub joint: Option<Vec<MoveId>>,
}

impl Seen {
    /// Creates a step whose joint move was not shown.
    pub fn hidden(own: MoveId, percepts: &[PerceptId]) -> Seen {
        Seen { own, percepts: set(percepts), joint: None }
    }

    /// Returns `true` if these percepts are the ones that were seen.
    pub fn agrees(&self, percepts: &[PerceptId]) -> bool {
        self.percepts == percepts || self.percepts == set(percepts)
    }
}

impl From<&Observation> for Seen {
    fn from(observation: &Observation) -> Seen {
        Seen { joint: observation.joint.clone(), ..Seen::hidden(observation.own, &observation.percepts) }
    }
}

fn set(percepts: &[PerceptId]) -> Vec<PerceptId> {
    let mut percepts = percepts.to_vec();
    percepts.sort_unstable();
    percepts.dedup();
    percepts
}

/// The number of states visited, counted as in the papers: one for every step of a playout, and one for every
/// joint move tried for a model, whether it was kept or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Visited {
    /// In playouts.
    pub playouts: u64,
    /// While creating and repairing models, and in the steps of simulated games.
    pub sampling: u64,
}

impl Visited {
    /// Adds the cost of something else.
    pub fn add(&mut self, other: Visited) {
        self.playouts += other.playouts;
        self.sampling += other.sampling;
    }
}
