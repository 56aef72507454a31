//! Counting move sequences: the standard check of a game's rules.

use rustc_hash::FxHashMap;

use crate::{Deadline, Fault, Game, MoveId, RoleId};

/// Counts at one depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Depth {
    /// Sequences of joint moves of exactly this length.
    pub sequences: u64,
    /// How many of them end in a terminal state.
    pub terminal: u64,
    /// How many of them end in a state that is not terminal where some role has no move.
    pub dead_ends: u64,
}

/// Counts from depth 0 to `depth`. Sequences that lead to the same state at the
/// same depth are counted together, so the work is bounded by distinct states.
pub fn perft<G: Game>(game: &G, from: &G::State, depth: u32, deadline: &Deadline) -> Result<Vec<Depth>, Fault> {
    let mut level: FxHashMap<G::State, u64> = FxHashMap::default();
    level.insert(from.clone(), 1);
    let mut counts = Vec::new();
    for ply in 0..=depth {
        let mut count = Depth::default();
        let mut next: FxHashMap<G::State, u64> = FxHashMap::default();
        for (state, ways) in &level {
            if deadline.is_over() {
                return Err(Fault::Stopped);
            }
            count.sequences = count.sequences.saturating_add(*ways);
            if game.is_terminal(state)? {
                count.terminal = count.terminal.saturating_add(*ways);
                continue;
            }
            let joints = joint_moves(game, state)?;
            if joints.is_empty() {
                count.dead_ends = count.dead_ends.saturating_add(*ways);
            }
            if ply == depth {
                continue;
            }
            for joint in joints {
                let ways_there = next.entry(game.next(state, &joint)?).or_default();
                *ways_there = ways_there.saturating_add(*ways);
            }
        }
        counts.push(count);
        level = next;
    }
    Ok(counts)
}

/// All joint moves that are legal in a state, in canonical order; none in a dead end.
pub fn joint_moves<G: Game + ?Sized>(game: &G, state: &G::State) -> Result<Vec<Vec<MoveId>>, Fault> {
    let mut joints: Vec<Vec<MoveId>> = vec![Vec::new()];
    let mut moves = Vec::new();
    for role in RoleId::all(game.roles().len()) {
        game.legal(state, role, &mut moves)?;
        let longer = joints.iter().flat_map(|joint| {
            moves.iter().map(|m| {
                let mut longer = joint.clone();
                longer.push(*m);
                longer
            })
        });
        joints = longer.collect();
    }
    Ok(joints)
}
