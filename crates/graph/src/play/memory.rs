//! States and steps that came up lately.
//!
//! Players ask for the same states again and again: a look ahead passes through
//! what the next step of a match leads to, other matches begin alike, and many
//! ways lead to one state. So equal states are one in memory, with what was
//! found out about them, and a step that was made is not made again. Nothing
//! depends on what is remembered but the time it takes.
//!
//! Memory is bounded: when the younger half is full the older half is
//! forgotten, and what is used goes into the younger half.

use std::sync::{Mutex, MutexGuard};

use game::MoveId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::GraphState;

/// About how many bytes are kept in all.
const KEPT: usize = 192 << 20;
/// Parts with a lock each.
const SHARDS: usize = 32;
/// About how many bytes one step takes.
const STEP: usize = 48;

/// One half of a part.
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

/// What is remembered.
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

    /// The state that equals this one and came first.
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

    /// Where a step leads that was made before.
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

    /// Remembers where a step leads.
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
