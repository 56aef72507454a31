//! One step of many independent games.
//!
//! The states and the moves made go into lanes. Programs then compute the following states, the percepts,
//! whether the matches are over, and the legal moves. Whether this is faster than one state at a time depends
//! on the game and on the number of games: [`Stepping`] measures both with the first larger batch and
//! remembers the result. Results do not depend on it.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use game::{MoveId, PerceptId, Stepped};

use super::phase_code::{PhaseCode, TERMINAL};
use super::portable::Plane;
use super::transpose::{to_planes, to_rows};
use super::{LaneState, Lanes};
use crate::stopwatch::Stopwatch;

/// The width of the planes in words: that of the fastest programs.
const W: usize = 4;
const GAMES: usize = 64 * W;

/// Memory for steps of one block.
struct Memory {
    state: Vec<Plane<W>>,
    next: Vec<Plane<W>>,
    work: Vec<Plane<W>>,
    rows: Vec<u64>,
}

impl Lanes {
    /// Makes one step in each of many games. Percepts are left empty unless the rules define them.
    pub(crate) fn steps(&self, states: &[LaneState], joints: &[Vec<MoveId>]) -> Vec<Stepped<LaneState>> {
        let code = &self.code;
        let general = code.len() - 1;
        // Games in the same phase are stepped together.
        let mut groups: Vec<Vec<usize>> = vec![Vec::new(); code.len()];
        for (game, (state, joint)) in states.iter().zip(joints).enumerate() {
            let phase = if general == 0 { None } else { self.phases.of(|f| state.holds(f as usize)) };
            let possible = |code: &PhaseCode| {
                joint.iter().zip(&code.candidates).all(|(m, list)| list.binary_search(&m.0).is_ok())
            };
            groups[phase.filter(|&p| possible(&code[p])).unwrap_or(general)].push(game);
        }
        let mut memory = Memory {
            state: vec![[0; W]; self.fluents],
            next: vec![[0; W]; self.fluents],
            work: vec![[0; W]; code.iter().map(|c| c.work).max().unwrap_or(0)],
            rows: Vec::new(),
        };
        let mut out: Vec<Option<Stepped<LaneState>>> = states.iter().map(|_| None).collect();
        for (place, group) in groups.iter().enumerate() {
            // The phase advances by one, whatever moves are made.
            let after = if place == general { general } else { (place + 1) % general };
            for block in group.chunks(GAMES) {
                let fill = |game: usize, stepped| out[game] = Some(stepped);
                self.step_block(&code[place], &code[after], block, states, joints, &mut memory, fill);
            }
        }
        out.into_iter().map(|s| s.expect("every game is in one group")).collect()
    }

    #[expect(clippy::too_many_arguments, reason = "one block of one call, split off for reading")]
    fn step_block(
        &self,
        code: &PhaseCode,
        after: &PhaseCode,
        block: &[usize],
        states: &[LaneState],
        joints: &[Vec<MoveId>],
        memory: &mut Memory,
        mut fill: impl FnMut(usize, Stepped<LaneState>),
    ) {
        let Memory { state, next, work, rows } = memory;
        let words = block.len().div_ceil(64);
        for word in 0..words {
            to_planes(state, word, |bit| block.get(word * 64 + bit).map(|&game| &*states[game].0));
        }
        code.make(work, block.iter().map(|&game| joints[game].as_slice()));
        let mut seen: Vec<Vec<Vec<PerceptId>>> = vec![vec![Vec::new(); self.roles]; block.len()];
        if code.percept_counts.iter().any(|&count| count > 0) {
            code.percepts.run(state, next, work);
            for role in 0..self.roles {
                let first = code.percept_planes[role];
                let planes = &work[first..first + code.percept_counts[role]];
                each_row(planes, block.len(), rows, |lane, row| {
                    seen[lane][role] = ones(row, |place| PerceptId(place as u32));
                });
            }
        }
        code.next.run(state, next, work);
        // The following state is now where programs read states.
        std::mem::swap(state, next);
        after.look.run(state, next, work);
        let mut legal: Vec<Vec<Vec<MoveId>>> = vec![Vec::with_capacity(self.roles); block.len()];
        for role in 0..self.roles {
            let candidates = &after.candidates[role];
            let planes = &work[after.legal[role]..after.legal[role] + candidates.len()];
            each_row(planes, block.len(), rows, |lane, row| {
                legal[lane].push(ones(row, |place| MoveId(candidates[place])));
            });
        }
        let (mut legal, mut seen) = (legal.into_iter(), seen.into_iter());
        let over = work[TERMINAL];
        each_row(state, block.len(), rows, |lane, row| {
            let stepped = Stepped {
                state: LaneState(row.into()),
                terminal: over[lane / 64] >> (lane % 64) & 1 == 1,
                legal: legal.next().unwrap_or_default(),
                percepts: seen.next().unwrap_or_default(),
            };
            fill(block[lane], stepped);
        });
    }
}

/// Calls `call` for the row of each of the first lanes, in order.
fn each_row(planes: &[Plane<W>], lanes: usize, rows: &mut Vec<u64>, mut call: impl FnMut(usize, &[u64])) {
    let length = planes.len().div_ceil(64);
    for word in 0..lanes.div_ceil(64) {
        to_rows(planes, word, rows);
        for bit in 0..64.min(lanes - word * 64) {
            call(word * 64 + bit, &rows[bit * length..(bit + 1) * length]);
        }
    }
}

/// Returns the positions of the set bits.
fn ones<T>(row: &[u64], make: impl Fn(usize) -> T) -> Vec<T> {
    let mut list = Vec::with_capacity(row.iter().map(|w| w.count_ones() as usize).sum());
    for (part, &word) in row.iter().enumerate() {
        let mut rest = word;
        while rest != 0 {
            list.push(make(part * 64 + rest.trailing_zeros() as usize));
            rest &= rest - 1;
        }
    }
    list
}

/// The number of games from which a batch of steps is made in lanes.
#[derive(Debug, Default)]
pub(crate) struct Stepping {
    /// Zero until it is known.
    from: AtomicU32,
}

/// The number of steps that are made one by one to measure the time of one.
const SAMPLE: usize = 8;
/// Batches up to this size are too small to measure lanes.
const TELLING: usize = 4 * SAMPLE;

impl Stepping {
    /// Makes steps in the faster way: `single` makes them one by one, `lanes` side by side.
    pub fn steps<S, E>(
        &self,
        count: usize,
        mut single: impl FnMut(std::ops::Range<usize>) -> Result<Vec<S>, E>,
        lanes: impl Fn(std::ops::Range<usize>) -> Result<Vec<S>, E>,
    ) -> Result<Vec<S>, E> {
        match self.from.load(Ordering::Relaxed) {
            0 if count > TELLING => {
                let began = Stopwatch::start();
                let mut all = single(0..SAMPLE)?;
                let one = began.elapsed() / SAMPLE as u32;
                let rest = count.min(GAMES + SAMPLE);
                let began = Stopwatch::start();
                all.extend(lanes(SAMPLE..rest)?);
                self.settle(one, began.elapsed(), rest - SAMPLE);
                if rest < count {
                    all.extend(lanes(rest..count)?);
                }
                Ok(all)
            }
            from if from > 0 && count >= from as usize => lanes(0..count),
            _ => single(0..count),
        }
    }

    /// A block takes nearly the same time however many games are in it. Half of its time is assumed to grow
    /// with their number.
    fn settle(&self, one: Duration, block: Duration, games: usize) {
        let (one, block) = (one.as_nanos().max(1) as f64, block.as_nanos() as f64);
        let fixed = block / 2.0;
        let each = fixed / games as f64;
        let from = if one > each { (fixed / (one - each)).ceil() } else { f64::from(u32::MAX) };
        self.from.store((from as u32).clamp(2, u32::MAX), Ordering::Relaxed);
    }
}
