//! The information sets of one role, as a tree.
//!
//! A role knows its own moves and percepts, and forgets nothing. Its information sets therefore form a tree:
//! in a set it makes a move, which yields a *sequence* (all its moves and percepts up to and including that
//! move), and after a sequence it sees something, which yields the next set. Sets and sequences are numbered
//! in the order in which they are found, parents first.

use game::{Fault, MoveId, PerceptId};
use rustc_hash::FxHashMap;

/// The sequence of a role that has not moved.
pub const NOTHING: u32 = 0;

/// An information set.
#[derive(Debug, Clone)]
pub struct View {
    /// The sequence before it.
    pub before: u32,
    /// The number of the percepts after that sequence.
    seen: u32,
    /// The sequence of its first move; those of the others follow.
    pub first: u32,
    /// The legal moves.
    pub moves: Vec<MoveId>,
}

impl View {
    /// Returns the sequences of its moves.
    pub fn sequences(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + self.moves.len()
    }
}

/// The information sets of one role.
#[derive(Debug, Clone)]
pub struct Views {
    sets: Vec<View>,
    sequences: u32,
    /// The numbers of sets of percepts.
    percepts: FxHashMap<Vec<PerceptId>, u32>,
    /// The sets of percepts by number.
    seen: Vec<Vec<PerceptId>>,
    /// The sets by the sequence before them and the percepts after it.
    next: FxHashMap<(u32, u32), u32>,
    /// Sets that look the same as another but have these different legal moves.
    apart: FxHashMap<(u32, Vec<MoveId>), u32>,
}

impl Default for Views {
    fn default() -> Views {
        let (percepts, next, apart) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Views { sets: Vec::new(), sequences: 1, percepts, seen: Vec::new(), next, apart }
    }
}

impl Views {
    /// Returns the sets, parents first.
    pub fn sets(&self) -> &[View] {
        &self.sets
    }

    /// Returns a set.
    pub fn set(&self, set: u32) -> &View {
        &self.sets[set as usize]
    }

    /// Returns the number of sequences, including the empty one.
    pub fn sequences(&self) -> usize {
        self.sequences as usize
    }

    /// Returns the set after a sequence and percepts, if it exists. Before the first move nothing is seen.
    pub fn find(&self, before: u32, percepts: &[PerceptId]) -> Option<u32> {
        let seen = match is_set(percepts) {
            true => self.percepts.get(percepts),
            false => self.percepts.get(&sorted(percepts)),
        };
        self.next.get(&(before, *seen?)).copied()
    }

    /// Returns the set after a sequence and percepts, and whether it is new; then these are its legal moves.
    /// Fails if a role has different legal moves in states that look the same to it.
    pub fn enter(
        &mut self,
        before: u32,
        percepts: &[PerceptId],
        moves: &[MoveId],
    ) -> Result<(u32, bool), Fault> {
        if let Some(set) = self.find(before, percepts) {
            if self.set(set).moves != moves {
                let text = "a role has different legal moves in states that look the same to it";
                return Err(Fault::Unsupported(text.to_string()));
            }
            return Ok((set, false));
        }
        Ok((self.add(before, percepts, moves), true))
    }

    /// Returns the set after a sequence and percepts in which these are the legal moves, if it exists.
    pub fn find_apart(&self, before: u32, percepts: &[PerceptId], moves: &[MoveId]) -> Option<u32> {
        let set = self.find(before, percepts)?;
        if self.set(set).moves == moves { Some(set) } else { self.apart.get(&(set, moves.to_vec())).copied() }
    }

    /// Returns the same, and whether it is new. If a role has different legal moves in states that look the
    /// same to it, they are different sets, as if it saw its legal moves.
    pub fn enter_apart(&mut self, before: u32, percepts: &[PerceptId], moves: &[MoveId]) -> (u32, bool) {
        match self.find(before, percepts) {
            None => (self.add(before, percepts, moves), true),
            Some(set) if self.set(set).moves == moves => (set, false),
            Some(set) => match self.apart.get(&(set, moves.to_vec())) {
                Some(known) => (*known, false),
                None => {
                    let fresh = self.push(before, self.set(set).seen, moves);
                    self.apart.insert((set, moves.to_vec()), fresh);
                    (fresh, true)
                }
            },
        }
    }

    fn add(&mut self, before: u32, percepts: &[PerceptId], moves: &[MoveId]) -> u32 {
        let fresh = self.seen.len() as u32;
        let seen = *self.percepts.entry(sorted(percepts)).or_insert(fresh);
        if seen == fresh {
            self.seen.push(sorted(percepts));
        }
        let set = self.push(before, seen, moves);
        self.next.insert((before, seen), set);
        set
    }

    fn push(&mut self, before: u32, seen: u32, moves: &[MoveId]) -> u32 {
        let set = self.sets.len() as u32;
        self.sets.push(View { before, seen, first: self.sequences, moves: moves.to_vec() });
        self.sequences += moves.len() as u32;
        set
    }

    /// Returns the sequence of a move in a set.
    pub fn sequence(&self, set: u32, mv: MoveId) -> Option<u32> {
        let view = self.set(set);
        Some(view.first + view.moves.iter().position(|other| *other == mv)? as u32)
    }

    /// Returns the set in which the last move of a sequence is made, or `None` for the empty sequence.
    pub fn owner(&self, sequence: u32) -> Option<u32> {
        let after = self.sets.partition_point(|view| view.first <= sequence);
        (sequence != NOTHING && after > 0).then(|| after as u32 - 1)
    }

    /// Returns what was seen right before a set.
    pub fn percepts(&self, set: u32) -> &[PerceptId] {
        &self.seen[self.set(set).seen as usize]
    }

    /// Returns the steps that lead to a set: the sets before it, with the move made there and what was seen
    /// then.
    pub fn path(&self, set: u32) -> Vec<(u32, MoveId, &[PerceptId])> {
        let mut path = Vec::new();
        let mut at = set;
        while let Some(owner) = self.owner(self.set(at).before) {
            let view = self.set(owner);
            let mv = view.moves[(self.set(at).before - view.first) as usize];
            path.push((owner, mv, self.percepts(at)));
            at = owner;
        }
        path.reverse();
        path
    }

    /// Converts the probabilities of moves in their sets to the probability that the role makes all moves of
    /// each sequence.
    pub fn plan(&self, mix: &[f64]) -> Vec<f64> {
        let mut plan = vec![1.0; self.sequences()];
        for view in &self.sets {
            let before = plan[view.before as usize];
            view.sequences().for_each(|sequence| plan[sequence] = before * mix[sequence]);
        }
        plan
    }

    /// Converts sums of plans to the probabilities of moves in their sets; uniform if a set is never reached.
    pub fn mix(&self, plans: &[f64]) -> Vec<f64> {
        let mut mix = vec![1.0; self.sequences()];
        for view in &self.sets {
            let total: f64 = plans[view.sequences()].iter().sum();
            for sequence in view.sequences() {
                mix[sequence] =
                    if total > 0.0 { plans[sequence] / total } else { 1.0 / view.moves.len() as f64 };
            }
        }
        mix
    }
}

fn is_set(percepts: &[PerceptId]) -> bool {
    percepts.windows(2).all(|pair| pair[0] < pair[1])
}

fn sorted(percepts: &[PerceptId]) -> Vec<PerceptId> {
    let mut percepts = percepts.to_vec();
    percepts.sort_unstable();
    percepts.dedup();
    percepts
}
