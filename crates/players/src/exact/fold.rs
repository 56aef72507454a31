//! Positions that differ only in a step counter, or by a symmetry, treated as one.
//!
//! As long as the counter affects only itself, whatever can be reached from a later position within some
//! steps can be reached from an earlier one that is otherwise equal. In a breadth-first search the earlier
//! one comes first, so the later one can be left out, provided that matches end before the counter matters.

use game::{Clock, Fault, FluentId, Game, Structure, numbered};
use rustc_hash::FxHashMap;

use super::Alike;

/// Removes a counter from positions, and identifies symmetric positions.
#[derive(Debug, Clone)]
pub struct Fold {
    places: FxHashMap<FluentId, usize>,
    free: usize,
    alike: Option<Alike>,
}

impl Fold {
    /// Creates a fold for a counter. Returns `None` if the counter always matters.
    pub fn of(clock: &Clock) -> Option<Fold> {
        let places = clock.fluents.iter().copied().zip(0..).collect();
        (clock.free > 1).then_some(Fold { places, free: clock.free, alike: None })
    }

    /// Creates a fold for a counter and for symmetries. Returns `None` if there are neither.
    pub fn all(structure: &Structure) -> Option<Fold> {
        let alike = Alike::of(structure);
        let counter = structure.clock.as_ref().and_then(Fold::of);
        let bare = || alike.as_ref().map(|_| Fold { places: FxHashMap::default(), free: 0, alike: None });
        Some(Fold { alike: alike.clone(), ..counter.or_else(bare)? })
    }

    /// Returns `true` if a counter is left out.
    pub fn has_counter(&self) -> bool {
        !self.places.is_empty()
    }

    /// Returns the number of steps from a position before the counter matters, or `None` if the position does
    /// not show exactly one value of it.
    pub fn steps<G: Game>(&self, game: &G, state: &G::State) -> Result<Option<usize>, Fault> {
        let mut fluents = Vec::new();
        numbered(game)?.fluents(state, &mut fluents)?;
        let shown: Vec<usize> =
            fluents.iter().filter_map(|fluent| self.places.get(fluent).copied()).collect();
        Ok(if let [place] = shown[..] { Some(self.free.saturating_sub(place)) } else { None })
    }

    /// Returns the representative of a position.
    pub fn key<G: Game>(&self, game: &G, state: &G::State) -> Result<G::State, Fault> {
        let mut fluents = Vec::new();
        numbered(game)?.fluents(state, &mut fluents)?;
        let shown = if self.places.is_empty() {
            None
        } else {
            fluents.iter().position(|fluent| self.places.contains_key(fluent))
        };
        let left_out = match shown {
            Some(place) if self.places[&fluents[place]] < self.free => {
                fluents.remove(place);
                true
            }
            _ => false,
        };
        let changed = self.alike.as_ref().is_some_and(|alike| alike.settle(&mut fluents));
        // A position whose counter cannot be left out represents itself.
        let folded = (left_out || changed)
            .then(|| numbered(game).and_then(|own| own.with_fluents(&fluents)).ok())
            .flatten();
        Ok(folded.unwrap_or_else(|| state.clone()))
    }
}
