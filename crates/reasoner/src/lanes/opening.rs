//! Given first moves, made once for all playouts that begin with them.
//!
//! Until somebody draws, playouts of one start are alike. Where sums are asked
//! for, and all roles' first moves are given, that step is made in one lane for
//! each start: what it ends counts as often as there are playouts, and the others
//! go on from the state after it.

use game::{MoveId, Playouts};

use super::LaneState;
use super::block::{Batch, Block, first_lanes};
use super::collect::{ByStart, Collect, Ended};
use super::phase_code::{PhaseCode, TERMINAL};
use super::plane::{any, meet, without};
use super::portable::Plane;
use super::transpose::{to_planes, to_rows};

/// Playouts of a start from which on it is worth it.
const ALIKE: usize = 4;

/// Where games stand that go on after their first moves, with the places of their batches.
pub(super) type Opened = Vec<(usize, LaneState)>;

/// Whether the first moves of these playouts are made here.
pub(super) fn is_given(batch: &Batch<'_>, roles: usize) -> bool {
    let whole = |first: &[MoveId]| first.len() == roles && !first.contains(&MoveId::DRAWN);
    batch.numbers.len() >= ALIKE && batch.first.is_some_and(whole)
}

/// Makes the first moves of batches that begin in one phase, all of them given.
#[inline(always)]
pub(super) fn open<const W: usize>(
    block: &mut Block<W>,
    (place, code): (usize, &PhaseCode),
    (after, next_code): (usize, &PhaseCode),
    batches: &[Batch<'_>],
    request: &Playouts<'_, LaneState>,
    sums: &mut ByStart,
) -> Opened {
    let mut opened = Opened::new();
    let mut rows = Vec::new();
    for (chunk, batches) in batches.chunks(64 * W).enumerate() {
        let words = batches.len().div_ceil(64);
        for word in 0..words {
            to_planes(&mut block.state, word, |bit| batches.get(word * 64 + bit).map(|b| &*b.state.0));
        }
        code.make(&mut block.work[place], batches.iter().map(|batch| batch.first.unwrap_or_default()));
        code.next.run(&block.state, &mut block.next, &mut block.work[place]);
        // Elsewhere these are found as they are left here.
        block.work[place][code.set_planes.clone()].fill([0; W]);
        std::mem::swap(&mut block.state, &mut block.next);
        next_code.terminal.run(&block.state, &mut block.next, &mut block.work[after]);
        for (lane, batch) in batches.iter().enumerate() {
            block.from[lane / 64][lane % 64] = batch.start;
            sums.stepped(batch.numbers.len() as u32);
        }
        let lanes: Plane<W> = first_lanes(&[!0; W], batches.len() as u32);
        let over = meet(&block.work[after][TERMINAL], &lanes);
        if any(&over) {
            next_code.goals.run(&block.state, &mut block.next, &mut block.work[after]);
            let end = Ended::Terminal(next_code, &block.work[after]);
            sums.add(block, &over, &end, |start| i64::from(request.starts[start].count));
        }
        let length = block.state.len().div_ceil(64);
        for (word, bits) in without(&lanes, &over).into_iter().enumerate().filter(|(_, bits)| *bits != 0) {
            to_rows(&block.state, word, &mut rows);
            for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
                let state = LaneState(rows[bit * length..(bit + 1) * length].into());
                opened.push(((chunk * W + word) * 64 + bit, state));
            }
        }
    }
    opened
}
