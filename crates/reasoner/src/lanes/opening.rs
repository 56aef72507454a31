//! Steps before the first draw, made once for all playouts that share them.
//!
//! Until a move is drawn, playouts of one start are identical. If sums are requested and the first moves of
//! all roles are given, that step is made in one lane for each start, and so are the following steps in which
//! nobody has a choice. A game that ends there counts once for each of its playouts. The others continue from
//! the state in which a move is drawn.

use game::{MoveId, Playouts};

use super::LaneState;
use super::block::{Batch, Block, first_lanes};
use super::collect::{ByStart, Collect, Ended};
use super::phase_code::{PhaseCode, TERMINAL};
use super::plane::{any, count, each_lane, join, meet, without};
use super::portable::Plane;
use super::transpose::{to_planes, to_rows};

/// The number of playouts of a start from which this is worthwhile.
const ALIKE: usize = 4;
/// The maximum number of steps made here.
const STEPS: u32 = 8;

/// The states of games that continue after a number of steps, with the indices of their batches.
pub(super) type Opened = Vec<(u32, Vec<(usize, LaneState)>)>;

/// Returns `true` if the first moves of these playouts are made here.
pub(super) fn is_given(batch: &Batch<'_>, roles: usize) -> bool {
    let whole = |first: &[MoveId]| first.len() == roles && !first.contains(&MoveId::DRAWN);
    batch.numbers.len() >= ALIKE && batch.first.is_some_and(whole)
}

/// Makes the first moves of batches that begin in one phase. All of these moves must be given. `code`
/// contains the phases in order, beginning with that one.
#[inline(always)]
pub(super) fn open<const W: usize>(
    block: &mut Block<W>,
    code: &[(usize, &PhaseCode)],
    batches: &[Batch<'_>],
    request: &Playouts<'_, LaneState>,
    sums: &mut ByStart,
) -> Opened {
    let mut opened: Opened = (1..=STEPS).map(|steps| (steps, Vec::new())).collect();
    for (chunk, batches) in batches.chunks(64 * W).enumerate() {
        (block.state_asleep, block.next_asleep) = Default::default();
        let words = batches.len().div_ceil(64);
        for word in 0..words {
            to_planes(&mut block.state, word, |bit| batches.get(word * 64 + bit).map(|b| &*b.state.0));
        }
        for (lane, batch) in batches.iter().enumerate() {
            block.from[lane / 64][lane % 64] = batch.start;
        }
        let (place, phase) = code[0];
        phase.make(&mut block.work[place], batches.iter().map(|batch| batch.first.unwrap_or_default()));
        let mut lanes: Plane<W> = first_lanes(&[!0; W], batches.len() as u32);
        for (steps, opened) in &mut opened {
            let (place, phase) = code[(*steps as usize - 1) % code.len()];
            let (after, next_phase) = code[*steps as usize % code.len()];
            phase.next.run(&block.state, &mut block.next, &mut block.work[place]);
            // Other programs expect these planes to be empty.
            block.work[place][phase.set_planes.clone()].fill([0; W]);
            block.go_on();
            each_lane(&lanes, |lane| sums.stepped(batches[lane].numbers.len() as u32));
            next_phase.look.run(&block.state, &mut block.next, &mut block.work[after]);
            let over = meet(&block.work[after][TERMINAL], &lanes);
            lanes = without(&lanes, &over);
            if any(&over) {
                next_phase.goals.run(&block.state, &mut block.next, &mut block.work[after]);
                let end = Ended::Terminal(next_phase, &block.work[after]);
                sums.add(block, &over, &end, |start| i64::from(request.starts[start].count));
            }
            let goes_on = *steps < request.max_steps.min(STEPS);
            let forced =
                if goes_on { make_forced(&mut block.work[after], next_phase, &lanes) } else { [0; W] };
            let free = without(&lanes, &forced);
            take(&block.state, &free, |lane, state| opened.push((chunk * W * 64 + lane, state)));
            lanes = forced;
            if !any(&lanes) {
                break;
            }
        }
    }
    opened.retain(|(_, opened)| !opened.is_empty());
    opened
}

/// Makes the moves of games in which no role has a choice, after legal moves were computed. Returns these
/// games. If they are few, they are treated like the others instead, and none is returned.
#[inline(always)]
fn make_forced<const W: usize>(work: &mut [Plane<W>], phase: &PhaseCode, lanes: &Plane<W>) -> Plane<W> {
    let mut forced = *lanes;
    for (role, candidates) in phase.candidates.iter().enumerate() {
        let (mut once, mut twice) = ([0; W], [0; W]);
        for legal in &work[phase.legal[role]..phase.legal[role] + candidates.len()] {
            twice = join(&twice, &meet(&once, legal));
            once = join(&once, legal);
        }
        forced = meet(&forced, &without(&once, &twice));
    }
    if count(&forced) * 2 < count(lanes) {
        return [0; W];
    }
    for (role, candidates) in phase.candidates.iter().enumerate() {
        for candidate in 0..candidates.len() {
            let made = meet(&work[phase.legal[role] + candidate], &forced);
            if !phase.is_grouped(role) {
                work[phase.made[role] + candidate] = made;
            } else if any(&made) {
                for &plane in phase.sets_of(role, candidate) {
                    work[plane as usize] = join(&work[plane as usize], &made);
                }
            }
        }
    }
    forced
}

/// Passes the states of lanes to `to`.
fn take<const W: usize>(planes: &[Plane<W>], lanes: &Plane<W>, mut to: impl FnMut(usize, LaneState)) {
    let (length, mut rows) = (planes.len().div_ceil(64), Vec::new());
    for (word, &bits) in lanes.iter().enumerate().filter(|(_, bits)| **bits != 0) {
        to_rows(planes, word, &mut rows);
        for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
            to(word * 64 + bit, LaneState(rows[bit * length..(bit + 1) * length].into()));
        }
    }
}
