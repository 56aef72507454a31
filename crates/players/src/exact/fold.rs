//! Positions that differ in a step counter only, as one.
//!
//! As long as the counter changes nothing but itself, whatever can be reached
//! from a later position in some steps can be reached from an earlier one that
//! is otherwise the same. Breadth first the earlier one comes first, so the
//! later one can be left out, as far as matches end before the counter matters.

use game::{Clock, Fault, FluentId, Game};
use rustc_hash::FxHashMap;

/// Leaves a counter out of positions.
#[derive(Debug, Clone)]
pub struct Fold {
    places: FxHashMap<FluentId, usize>,
    free: usize,
}

impl Fold {
    /// For a counter; none where it always matters.
    pub fn of(clock: &Clock) -> Option<Fold> {
        let places = clock.fluents.iter().copied().zip(0..).collect();
        (clock.free > 1).then_some(Fold { places, free: clock.free })
    }

    /// How many steps from a position on end before the counter matters; none
    /// where the position does not show one value of it.
    pub fn steps<G: Game>(&self, game: &G, state: &G::State) -> Result<Option<usize>, Fault> {
        let mut fluents = Vec::new();
        game.fluents(state, &mut fluents)?;
        let shown: Vec<usize> =
            fluents.iter().filter_map(|fluent| self.places.get(fluent).copied()).collect();
        Ok(if let [place] = shown[..] { Some(self.free.saturating_sub(place)) } else { None })
    }

    /// What stands for a position.
    pub fn key<G: Game>(&self, game: &G, state: &G::State) -> Result<G::State, Fault> {
        let mut fluents = Vec::new();
        game.fluents(state, &mut fluents)?;
        let shown = fluents.iter().position(|fluent| self.places.contains_key(fluent));
        match shown {
            Some(place) if self.places[&fluents[place]] < self.free => {
                fluents.remove(place);
                game.with_fluents(&fluents)
            }
            _ => Ok(state.clone()),
        }
    }
}
