//! Perft: counting move sequences, the standard check of a game's rules.

use rustc_hash::FxHashMap;

use crate::{Deadline, Fault, Game, MoveId, RoleId};

/// The counts at one depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Depth {
    /// The number of sequences of joint moves of exactly this length.
    pub sequences: u64,
    /// How many of them end in a terminal state.
    pub terminal: u64,
    /// How many of them end in a dead end: a state that is not terminal in which some role has no legal move.
    pub dead_ends: u64,
}

/// The progress of a count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// The depth that is being counted.
    pub depth: u32,
    /// The number of distinct states at this depth that are done.
    pub done: usize,
    /// The number of distinct states at this depth.
    pub states: usize,
    /// The counts of this depth, once all its states are done.
    pub finished: Option<Depth>,
}

/// Counts from depth 0 to `depth`. Sequences that lead to the same state at the same depth are counted
/// together, so the work is bounded by the number of distinct states.
pub fn perft<G: Game>(
    game: &G,
    from: &G::State,
    depth: u32,
    deadline: &Deadline,
) -> Result<Vec<Depth>, Fault> {
    watched(game, from, depth, deadline, |_| ())
}

/// Does the same, and calls `watch` before every state and after every depth with the progress.
pub fn watched<G: Game>(
    game: &G,
    from: &G::State,
    depth: u32,
    deadline: &Deadline,
    mut watch: impl FnMut(Progress),
) -> Result<Vec<Depth>, Fault> {
    let mut level: FxHashMap<G::State, u64> = FxHashMap::default();
    level.insert(from.clone(), 1);
    let mut scratch = game.scratch();
    let mut counts = Vec::new();
    for ply in 0..=depth {
        let mut count = Depth::default();
        let mut next: FxHashMap<G::State, u64> = FxHashMap::default();
        let states = level.len();
        for (done, (state, ways)) in level.iter().enumerate() {
            watch(Progress { depth: ply, done, states, finished: None });
            if deadline.is_over() {
                return Err(Fault::Stopped);
            }
            count.sequences = count.sequences.saturating_add(*ways);
            if game.is_terminal(&mut scratch, state)? {
                count.terminal = count.terminal.saturating_add(*ways);
                continue;
            }
            let mut joints = JointMoves::of(game, &mut scratch, state)?;
            if joints.is_dead_end() {
                count.dead_ends = count.dead_ends.saturating_add(*ways);
            }
            if ply == depth {
                continue;
            }
            while let Some(joint) = joints.next() {
                let ways_there = next.entry(game.next(&mut scratch, state, joint)?).or_default();
                *ways_there = ways_there.saturating_add(*ways);
            }
        }
        watch(Progress { depth: ply, done: states, states, finished: Some(count) });
        counts.push(count);
        level = next;
    }
    Ok(counts)
}

/// The legal joint moves of a state, one after the other in canonical order. Only the moves of each role are
/// kept in memory, never their product.
#[derive(Debug, Clone)]
pub struct JointMoves {
    legal: Vec<Vec<MoveId>>,
    places: Vec<usize>,
    joint: Vec<MoveId>,
    begun: bool,
}

impl JointMoves {
    /// Returns the joint moves of this state.
    pub fn of<G: Game + ?Sized>(
        game: &G,
        scratch: &mut G::Scratch,
        state: &G::State,
    ) -> Result<JointMoves, Fault> {
        let mut legal = vec![Vec::new(); game.roles().len()];
        for (role, moves) in RoleId::all(legal.len()).zip(&mut legal) {
            game.legal(scratch, state, role, moves)?;
        }
        let joint = legal.iter().filter_map(|moves| moves.first().copied()).collect();
        Ok(JointMoves { places: vec![0; legal.len()], joint, legal, begun: false })
    }

    /// Returns `true` if some role has no legal move, so that there are none.
    pub fn is_dead_end(&self) -> bool {
        self.legal.iter().any(Vec::is_empty)
    }

    /// Returns the number of legal moves of each role.
    pub fn counts(&self) -> impl Iterator<Item = usize> + '_ {
        self.legal.iter().map(Vec::len)
    }

    /// Returns the next one, or `None` after the last.
    #[expect(clippy::should_implement_trait, reason = "it lends its own memory, which an iterator cannot")]
    pub fn next(&mut self) -> Option<&[MoveId]> {
        if !self.begun {
            self.begun = true;
            return (!self.is_dead_end()).then_some(&self.joint[..]);
        }
        for role in (0..self.legal.len()).rev() {
            self.places[role] = (self.places[role] + 1) % self.legal[role].len().max(1);
            let place = self.places[role];
            *self.joint.get_mut(role)? = *self.legal[role].get(place)?;
            if place != 0 {
                return Some(&self.joint);
            }
        }
        None
    }
}

/// Returns all legal joint moves of a state, in canonical order; none in a dead end.
pub fn joint_moves<G: Game + ?Sized>(
    game: &G,
    scratch: &mut G::Scratch,
    state: &G::State,
) -> Result<Vec<Vec<MoveId>>, Fault> {
    let mut joints = JointMoves::of(game, scratch, state)?;
    let mut all = Vec::new();
    while let Some(joint) = joints.next() {
        all.push(joint.to_vec());
    }
    Ok(all)
}
