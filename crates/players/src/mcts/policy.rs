//! Playouts that prefer moves which were good before.
//!
//! The values of moves over all playouts (MAST, Finnsson and Björnsson 2008), or of pairs of a role's
//! successive moves (N-grams, Tak, Winands and Björnsson 2012), determine the best legal move, which is
//! chosen most of the time, and a random one otherwise (epsilon-greedy). Such playouts go state by state, so
//! they are many times slower than lanes.

use std::time::Instant;

use game::{End, Fault, Game, MoveId, Outcomes, Rng, RoleId, Seed, all_legal};
use rustc_hash::FxHashMap;

use super::crew::{Batch, Played};

/// The probability of a random move.
const ANY: f64 = 0.2;
/// The number of times a pair of moves must have been seen to count.
const ENOUGH: f32 = 7.0;
/// The number of steps between two checks of the deadline.
const LOOK: u32 = 8;

/// What is remembered about moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    /// The values of single moves.
    Mast,
    /// The values of pairs of successive moves of one role.
    Ngram,
}

type Values = FxHashMap<(RoleId, MoveId), (f32, f32)>;

pub(super) struct Policy {
    memory: Memory,
    single: Values,
    pairs: FxHashMap<(RoleId, MoveId, MoveId), (f32, f32)>,
}

impl Policy {
    pub fn new(memory: Memory) -> Policy {
        Policy { memory, single: Values::default(), pairs: FxHashMap::default() }
    }

    /// Plays out all leaves of a batch.
    pub fn play<G: Game>(
        &self,
        batch: Batch<G::State>,
        game: &G,
        scratch: &mut G::Scratch,
        seed: Seed,
    ) -> Played<G::State> {
        let began = Instant::now();
        let mut outcomes = Outcomes { roles: game.roles().len(), ..Outcomes::default() };
        let mut index = batch.first_index;
        let mut failed = None;
        'starts: for start in &batch.starts {
            for _ in 0..start.count {
                if batch.deadline.is_over() {
                    break 'starts;
                }
                let chance = seed.derive(index).rng();
                index += 1;
                let one = self.one(game, scratch, &start.state, &batch, chance, &mut outcomes);
                if let Err(fault) = one {
                    failed = Some(fault);
                    break 'starts;
                }
            }
        }
        let outcomes = failed.map_or(Ok(outcomes), Err);
        let stopped = batch.stop.is_over();
        Played { batch, outcomes, took: began.elapsed(), stopped }
    }

    fn one<G: Game>(
        &self,
        game: &G,
        scratch: &mut G::Scratch,
        start: &G::State,
        batch: &Batch<G::State>,
        mut chance: Rng,
        outcomes: &mut Outcomes,
    ) -> Result<(), Fault> {
        let mut state = start.clone();
        let mut trace: Vec<MoveId> = Vec::new();
        let mut before: Option<Vec<MoveId>> = None;
        let mut length = 0;
        let end = loop {
            if game.is_terminal(scratch, &state)? {
                break End::Goals;
            }
            let looks = length % LOOK == LOOK - 1;
            if length >= batch.max_steps || looks && batch.stop.is_over() {
                break End::CutOff;
            }
            let Some(legal) = all_legal(game, scratch, &state)? else { break End::DeadEnd };
            let mut joint = Vec::with_capacity(legal.len());
            for (role, moves) in RoleId::all(legal.len()).zip(&legal) {
                let last = before.as_ref().map(|joint| joint[role.index()]);
                joint.push(self.choose(role, last, moves, &mut chance));
            }
            state = game.next(scratch, &state, &joint)?;
            trace.extend_from_slice(&joint);
            before = Some(joint);
            length += 1;
        };
        let mut ends = end;
        for role in RoleId::all(outcomes.roles) {
            let goal = if end == End::Goals { game.goal(scratch, &state, role)? } else { None };
            if goal.is_none() && end == End::Goals {
                ends = End::NoGoal;
            }
            outcomes.goals.push(goal.unwrap_or(Outcomes::NO_GOAL));
        }
        outcomes.ends.push(ends);
        outcomes.lengths.push(length);
        outcomes.traces.push(trace);
        Ok(())
    }

    fn choose(&self, role: RoleId, last: Option<MoveId>, moves: &[MoveId], chance: &mut Rng) -> MoveId {
        if moves.len() == 1 || chance.unit() < ANY {
            return moves[chance.below(moves.len())];
        }
        // A random start avoids always choosing the first of equally good moves.
        let turn = chance.below(moves.len());
        let mut best = (f32::NEG_INFINITY, moves[turn]);
        for &mv in moves[turn..].iter().chain(&moves[..turn]) {
            let value = self.value(role, last, mv);
            if value > best.0 {
                best = (value, mv);
            }
        }
        best.1
    }

    /// Returns the value of a move; the highest value if it was never made.
    fn value(&self, role: RoleId, last: Option<MoveId>, mv: MoveId) -> f32 {
        let pair = last.and_then(|last| self.pairs.get(&(role, last, mv)));
        let single = self.single.get(&(role, mv)).map_or(1.0, |(count, sum)| sum / count);
        match pair {
            Some((count, sum)) if *count >= ENOUGH => (sum / count + single) / 2.0,
            _ => single,
        }
    }

    /// Learns from playouts.
    pub fn learn(&mut self, outcomes: &Outcomes) {
        for playout in (0..outcomes.len()).filter(|&playout| outcomes.ends[playout] == End::Goals) {
            let goals = outcomes.goals_of(playout);
            let trace = &outcomes.traces[playout];
            let roles = outcomes.roles;
            for (place, &mv) in trace.iter().enumerate() {
                let role = RoleId((place % roles) as u32);
                let value = goals[role.index()].clamp(0, 100) as f32 / 100.0;
                let entry = self.single.entry((role, mv)).or_default();
                (entry.0, entry.1) = (entry.0 + 1.0, entry.1 + value);
                if self.memory == Memory::Ngram && place >= roles {
                    let entry = self.pairs.entry((role, trace[place - roles], mv)).or_default();
                    (entry.0, entry.1) = (entry.0 + 1.0, entry.1 + value);
                }
            }
        }
    }
}
