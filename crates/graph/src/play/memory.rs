//! A bounded cache of recent states and steps.
//!
//! Players query the same states repeatedly: a search passes through the states that the match
//! reaches next, other matches begin in the same way, and many paths lead to the same state. So
//! equal states share one allocation together with what has been computed about them, and a
//! step is computed only once. The cache affects nothing but speed.
//!
//! There are two generations. When the young one is full, the old one is dropped and the young
//! one takes its place. Entries that are used move into the young generation.

use std::sync::{Mutex, MutexGuard};

use game::MoveId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::GraphState;

/// The approximate total size in bytes.
const KEPT: usize = 192 << 20;
/// The number of shards, each with its own lock.
const SHARDS: usize = 32;
/// The approximate size of one step in bytes.
const STEP: usize = 48;

/// One generation of a shard.
#[derive(Default)]
struct Half {
    states: FxHashSet<GraphState>,
    steps: FxHashMap<(u64, MoveId), GraphState>,
    bytes: usize,
}

#[derive(Default)]
struct Shard {
    young: Half,
    old: Half,
}

impl Shard {
    fn grow(&mut self, bytes: usize) {
        self.young.bytes += bytes;
        if self.young.bytes > KEPT / SHARDS / 2 {
            self.old = std::mem::take(&mut self.young);
        }
    }
}

/// The cache.
pub(super) struct Memory {
    shards: Box<[Mutex<Shard>]>,
}

#[allow(clippy::mutable_key_type, reason = "what a state keeps for later does not change what it equals")]
impl Memory {
    pub(super) fn new() -> Memory {
        Memory { shards: (0..SHARDS).map(|_| Mutex::default()).collect() }
    }

    fn shard(&self, number: u64) -> MutexGuard<'_, Shard> {
        let at = (number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % SHARDS;
        self.shards[at].lock().expect("no panic while it is held")
    }

    /// Interns a state: returns the cached state equal to it, or else caches the given one.
    pub(super) fn one(&self, state: GraphState) -> GraphState {
        let mut shard = self.shard(state.0.hash);
        if let Some(known) = shard.young.states.get(&state) {
            return known.clone();
        }
        let state = shard.old.states.take(&state).unwrap_or(state);
        shard.young.states.insert(state.clone());
        shard.grow(state.bytes());
        state
    }

    /// Returns the state that a step leads to, if the step is cached.
    pub(super) fn step(&self, from: &GraphState, mv: MoveId) -> Option<GraphState> {
        let key = (from.0.id, mv);
        let mut shard = self.shard(from.0.id);
        if let Some(next) = shard.young.steps.get(&key) {
            return Some(next.clone());
        }
        let next = shard.old.steps.remove(&key)?;
        shard.young.steps.insert(key, next.clone());
        shard.grow(STEP);
        Some(next)
    }

    /// Caches the state that a step leads to.
    pub(super) fn put(&self, from: &GraphState, mv: MoveId, next: &GraphState) {
        let mut shard = self.shard(from.0.id);
        if shard.young.steps.insert((from.0.id, mv), next.clone()).is_none() {
            shard.grow(STEP);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut shard = Shard::default();
        for _ in 0..1000 {
            shard.grow(KEPT / SHARDS / 10);
            assert!(shard.young.bytes + shard.old.bytes <= KEPT / SHARDS * 11 / 10);
        }
    }
}
