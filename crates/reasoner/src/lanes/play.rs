//! The loop that plays blocks.
//!
//! All games are in the same phase. When a game ends, its lane is free for the next playout once the phase of
//! that playout's start comes round. Several blocks advance in step: a program that does not fit into the
//! first-level cache is run in parts, each on all blocks before the next, so that its code is fetched once
//! for all of them.

use game::Playouts;

use super::block::{Block, Queue};
use super::collect::{Collect, Ended};
use super::gate::Gate;
use super::phase_code::{PhaseCode, TERMINAL};
use super::plane::{any, count, meet, without};
use super::portable::Plane;
use super::{LaneState, Lanes, Run};

/// The number of rounds between two checks of the deadline.
const LOOK: u32 = 16;
/// If playouts begin in several states, one in this many lanes must be free before more start.
const REFILL: usize = 8;

/// Plays the batches of a run.
#[inline(always)]
pub(crate) fn play<const W: usize>(
    lanes: &Lanes,
    blocks: &mut [Block<W>],
    run: &Run<'_>,
    request: &Playouts<'_, LaneState>,
    collect: &mut impl Collect,
) {
    let Run { code, turns, states, made: made_before } = run;
    let made_before = *made_before;
    let mut queues: Vec<Queue<'_>> = turns.iter().map(|batches| Queue::new(batches, states)).collect();
    let alike = turns.iter().map(Vec::len).sum::<usize>() == 1;
    let mut gate = Gate::default();
    let mut round = 0u32;
    let mut oldest = 0u32;
    for block in blocks.iter_mut() {
        block.alive = [0; W];
        (block.round, block.made_before) = (0, made_before);
    }
    loop {
        let turn = round as usize % code.len();
        let (place, phase) = code[turn];
        if round.is_multiple_of(LOOK) && request.deadline.is_over() {
            queues.iter_mut().for_each(|queue| queue.drop_rest(made_before, collect));
            if request.stop.is_over() {
                cut_all(blocks, collect);
            }
        }
        if let Some(queue) = queues.get_mut(turn).filter(|queue| !queue.is_empty())
            && gate.is_open(lanes, blocks, if alike { usize::MAX } else { REFILL })
        {
            begin(blocks, place, phase, queue, request, collect);
        }
        if blocks.iter().all(|b| !any(&b.alive)) {
            if queues.iter().all(Queue::is_empty) {
                return;
            }
            round += 1;
            blocks.iter_mut().for_each(|b| b.round = round);
            continue;
        }
        let given = blocks.iter().all(Block::is_given);
        if !given {
            phase.view.run_all(blocks, place);
        }
        if round - oldest + made_before >= request.max_steps {
            oldest = cut(blocks, round, request.max_steps, collect);
        }
        round += 1;
        let after = code[round as usize % code.len()];
        step(blocks, (place, phase), after, round, (given, request.trace), collect);
    }
}

/// Cuts off playouts that have reached the step limit. Returns the round in which the oldest of the others
/// began.
#[inline(always)]
fn cut<const W: usize>(
    blocks: &mut [Block<W>],
    round: u32,
    max_steps: u32,
    collect: &mut impl Collect,
) -> u32 {
    let mut oldest = round;
    for block in blocks.iter_mut() {
        let cut = block.cut(max_steps, &mut oldest);
        if any(&cut) {
            collect.ended(block, &cut, Ended::CutOff);
            block.alive = without(&block.alive, &cut);
        }
    }
    oldest
}

/// Cuts off everything in progress.
#[inline(always)]
fn cut_all<const W: usize>(blocks: &mut [Block<W>], collect: &mut impl Collect) {
    for block in blocks.iter_mut().filter(|block| any(&block.alive)) {
        let alive = block.alive;
        collect.ended(block, &alive, Ended::CutOff);
        block.alive = [0; W];
    }
}

/// Makes a step in every game, after its legal moves were computed or if all moves are `given`, and ends the
/// games that are over.
#[inline(always)]
pub(crate) fn step<const W: usize>(
    blocks: &mut [Block<W>],
    (place, phase): (usize, &PhaseCode),
    (after, next_phase): (usize, &PhaseCode),
    round: u32,
    (given, trace): (bool, bool),
    collect: &mut impl Collect,
) {
    if !given {
        for block in blocks.iter_mut() {
            block.draw(place, phase, collect);
        }
        phase.choose.run_all(blocks, place);
    }
    for block in blocks.iter_mut() {
        if !given {
            block.pick(place, phase);
        }
        block.force(place, phase);
        if trace {
            block.trace(place, phase);
        }
        collect.stepped(count(&block.alive));
        block.mark(place, phase);
    }
    phase.next.run_all(blocks, place);
    for block in blocks.iter_mut() {
        block.unmark(place, phase);
        block.go_on();
        block.round = round;
    }
    next_phase.terminal.run_all(blocks, after);
    for block in blocks.iter_mut() {
        let alive = block.alive;
        end(block, after, next_phase, &alive, collect);
    }
}

/// Starts playouts. Some may begin in a terminal state.
#[inline(always)]
fn begin<const W: usize, C: Collect>(
    blocks: &mut [Block<W>],
    place: usize,
    phase: &PhaseCode,
    queue: &mut Queue<'_>,
    request: &Playouts<'_, LaneState>,
    collect: &mut C,
) {
    let mut ended = false;
    for block in blocks.iter_mut() {
        let fresh = block.refill::<C>(queue, request);
        let asked = without(&fresh, &block.forced);
        // Playouts that made a step before were checked after it.
        if block.made_before == 0 && !queue.is_open && any(&asked) {
            phase.terminal.run(&block.state, &mut block.next, &mut block.work[place]);
            end(block, place, phase, &asked, collect);
            ended |= any(&without(&asked, &block.alive));
        }
    }
    queue.is_open = queue.batches.len() == 1 && !ended;
}

/// Ends those of the given games that are in terminal states.
#[inline(always)]
pub(crate) fn end<const W: usize>(
    block: &mut Block<W>,
    place: usize,
    phase: &PhaseCode,
    asked: &Plane<W>,
    collect: &mut impl Collect,
) {
    let over = meet(&block.work[place][TERMINAL], asked);
    if any(&over) {
        phase.goals.run(&block.state, &mut block.next, &mut block.work[place]);
        collect.ended(block, &over, Ended::Terminal(phase, &block.work[place]));
        block.alive = without(&block.alive, &over);
    }
}
