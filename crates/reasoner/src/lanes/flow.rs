//! Playouts that start and end while others are in progress.
//!
//! A run in `play.rs` has one request and ends with its last playout, so a small request leaves most lanes
//! empty, and so does the end of every request. Here orders are accepted at any time: a playout starts in a
//! free lane when the phase of its start comes round, and an order is answered when its last playout is over.
//! The result of a playout depends only on its start, its seed and its number, not on the other playouts in
//! progress.

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::mpsc::Sender;

use game::{Deadline, Outcomes, Playouts, Seed, Start};

use super::block::{Block, FEW_STARTS, first_lanes};
use super::collect::{Collect, Each, Ended};
use super::gate::{Gate, at_hand};
use super::phase_code::PhaseCode;
use super::plane::{any, count, each_lane, join, without};
use super::play::{end, step};
use super::portable::Plane;
use super::{LaneState, Lanes};

/// New playouts start when one in this many lanes is free, because starting costs more than an idle lane.
const REFILL: usize = 32;

/// A request that is carried out by another thread.
pub(crate) struct Order {
    starts: Vec<Start<LaneState>>,
    seed: Seed,
    first_index: u64,
    max_steps: u32,
    trace: bool,
    deadline: Deadline,
    stop: Deadline,
    answer: Sender<Outcomes>,
}

impl Order {
    /// Creates an order that owns a copy of the request.
    pub fn new(request: &Playouts<'_, LaneState>, answer: Sender<Outcomes>) -> Order {
        Order {
            starts: request.starts.to_vec(),
            seed: request.seed,
            first_index: request.first_index,
            max_steps: request.max_steps,
            trace: request.trace,
            deadline: request.deadline.clone(),
            stop: request.stop.clone(),
            answer,
        }
    }

    /// Returns the number of playouts that it requests.
    pub fn total(&self) -> usize {
        self.starts.iter().map(|start| start.count as usize).sum()
    }
}

/// Blocks that play the playouts of many orders.
pub(crate) struct Flow<const W: usize> {
    blocks: Vec<Block<W>>,
    books: Books,
    /// Playouts that have not started, by the phase of their start.
    queues: Vec<VecDeque<Waiting>>,
    gate: Gate,
    phase: usize,
    round: u64,
    /// The first round in which a playout may have reached its limit.
    cut_at: u64,
}

/// Playouts of one start that have not started.
struct Waiting {
    order: u32,
    start: usize,
    numbers: Range<u32>,
}

/// The orders in progress, with their results so far.
struct Books {
    orders: Vec<Option<UnderWay>>,
    free: Vec<u32>,
    roles: usize,
    /// The number of playouts that have not ended.
    playouts: usize,
    /// The number of orders answered since the last query.
    answered: usize,
    /// The number of orders that request traces.
    traced: usize,
    /// The number of steps made.
    steps: u64,
}

struct UnderWay {
    order: Order,
    each: Each,
    left: usize,
    /// For each start, the end of its range of numbers.
    ends: Vec<u32>,
}

impl UnderWay {
    fn start(&self, number: u32) -> &Start<LaneState> {
        &self.order.starts[self.ends.partition_point(|&end| end <= number)]
    }
}

impl<const W: usize> Flow<W> {
    /// Creates a flow without playouts.
    pub fn new(lanes: &Lanes, blocks: usize) -> Flow<W> {
        Flow {
            blocks: (0..blocks).map(|_| Block::new(lanes)).collect(),
            books: Books {
                orders: Vec::new(),
                free: Vec::new(),
                roles: lanes.roles,
                playouts: 0,
                answered: 0,
                traced: 0,
                steps: 0,
            },
            queues: (0..lanes.flow_phases()).map(|_| VecDeque::new()).collect(),
            gate: Gate::default(),
            phase: 0,
            round: 0,
            cut_at: u64::MAX,
        }
    }

    /// Returns the number of games that are played side by side.
    pub fn room(&self) -> usize {
        self.blocks.len() * W * 64
    }

    /// Returns the number of playouts that should be in progress or waiting.
    pub fn wanted(&self, lanes: &Lanes) -> usize {
        at_hand(lanes, self.room())
    }

    /// Returns the number of playouts that have not ended.
    pub fn playouts(&self) -> usize {
        self.books.playouts
    }

    /// Returns the number of orders answered since the last call.
    pub fn answered(&mut self) -> usize {
        std::mem::take(&mut self.books.answered)
    }

    /// Returns the number of steps made so far.
    pub fn steps(&self) -> u64 {
        self.books.steps
    }

    /// Accepts an order. Its starts must have phases.
    pub fn take(&mut self, lanes: &Lanes, order: Order) {
        let total = order.total();
        let each = Each::new(total, self.books.roles, order.trace);
        let mut ends = Vec::with_capacity(order.starts.len());
        let number = self.books.free.pop().unwrap_or(self.books.orders.len() as u32);
        let mut end = 0;
        for (start, place) in order.starts.iter().zip(0..) {
            let first = end;
            end += start.count;
            ends.push(end);
            if start.count > 0 {
                let phase = lanes.flow_phase(&start.state).unwrap_or(0);
                self.queues[phase].push_back(Waiting { order: number, start: place, numbers: first..end });
            }
        }
        let under_way = UnderWay { each, left: total, ends, order };
        self.books.open(number, under_way);
    }

    /// Makes up to `count` steps in all games, or until nothing is left.
    #[inline(always)]
    pub fn rounds(&mut self, lanes: &Lanes, count: usize) {
        if self.books.is_any_told_to_stop() {
            self.stop();
        }
        for _ in 0..count {
            if self.books.playouts == 0 {
                return;
            }
            self.round(lanes);
        }
    }

    #[inline(always)]
    fn round(&mut self, lanes: &Lanes) {
        let place = self.phase;
        let code = &lanes.code[place];
        self.phase = (place + 1) % self.queues.len();
        if !self.queues[place].is_empty() && self.gate.is_open(lanes, &self.blocks, REFILL) {
            self.begin(place, code);
        }
        if self.blocks.iter().all(|block| !any(&block.alive)) {
            return;
        }
        if self.round >= self.cut_at {
            self.cut();
        }
        let given = self.blocks.iter().all(Block::is_given);
        if !given {
            code.view.run_all(&mut self.blocks, place);
        }
        self.round += 1;
        let after = (self.phase, &lanes.code[self.phase]);
        let trace = self.books.traced > 0;
        step(&mut self.blocks, (place, code), after, self.round as u32, (given, trace), &mut self.books);
    }

    /// Starts playouts in free lanes. Some may begin in a terminal state.
    #[inline(always)]
    fn begin(&mut self, place: usize, code: &PhaseCode) {
        let Flow { blocks, books, queues, round, cut_at, .. } = self;
        let queue = &mut queues[place];
        for block in blocks {
            block.round = *round as u32;
            let mut free: Plane<W> = block.alive.map(|word| !word);
            let (mut fresh, mut later, mut starts) = ([0; W], [0; W], 0);
            while any(&free)
                && let Some(waiting) = queue.front_mut()
            {
                let number = waiting.order;
                let order = &books.get(number).order;
                if order.deadline.is_over() {
                    let left_out = waiting.numbers.len();
                    queue.pop_front();
                    books.over(number, left_out);
                    continue;
                }
                let filled = first_lanes(&free, waiting.numbers.len() as u32);
                block.begin::<Books>(&filled, waiting.numbers.start, order.seed, order.first_index);
                each_lane(&filled, |lane| {
                    block.from[lane / 64][lane % 64] = number;
                    block.traces[lane].clear();
                });
                *cut_at = (*cut_at).min(*round + u64::from(order.max_steps));
                let start = &order.starts[waiting.start];
                if let Some(first) = &start.first {
                    block.give(&filled, first);
                }
                starts += 1;
                if starts <= FEW_STARTS {
                    block.fill(&start.state, &filled);
                } else {
                    later = join(&later, &filled);
                }
                fresh = join(&fresh, &filled);
                free = without(&free, &filled);
                waiting.numbers.start += count(&filled);
                if waiting.numbers.is_empty() {
                    queue.pop_front();
                }
            }
            if any(&later) {
                block.fill_each(&later, |from, number| &books.get(from).start(number).state);
            }
            block.alive = join(&block.alive, &fresh);
            let asked = without(&fresh, &block.forced);
            if any(&asked) {
                code.terminal.run(&block.state, &mut block.next, &mut block.work[place]);
                end(block, place, code, &asked, books);
            }
        }
    }

    /// Ends playouts that have reached their limits.
    fn cut(&mut self) {
        let round = self.round;
        let mut cut_at = u64::MAX;
        self.cut_where(|order, steps| {
            let limit = order.max_steps;
            if steps < limit {
                cut_at = cut_at.min(round + u64::from(limit - steps));
            }
            steps >= limit
        });
        self.cut_at = cut_at;
    }

    /// Ends playouts of orders whose stop token is set, and drops those that have not started.
    fn stop(&mut self) {
        let Flow { queues, books, .. } = self;
        for queue in queues {
            queue.retain(|waiting| {
                let stops = books.get(waiting.order).order.stop.is_over();
                if stops {
                    books.over(waiting.order, waiting.numbers.len());
                }
                !stops
            });
        }
        self.cut_where(|order, _| order.stop.is_over());
    }

    /// Cuts off the playouts for which `is_over`, given the order and the number of steps made, returns
    /// `true`.
    fn cut_where(&mut self, mut is_over: impl FnMut(&Order, u32) -> bool) {
        for block in &mut self.blocks {
            let mut cut = [0; W];
            each_lane(&block.alive, |lane| {
                let order = &self.books.get(block.from[lane / 64][lane % 64]).order;
                if is_over(order, block.steps(lane)) {
                    cut[lane / 64] |= 1 << (lane % 64);
                }
            });
            if any(&cut) {
                self.books.ended(block, &cut, Ended::CutOff);
                block.alive = without(&block.alive, &cut);
                block.forced = without(&block.forced, &cut);
            }
        }
    }
}

impl Books {
    fn get(&self, order: u32) -> &UnderWay {
        self.orders[order as usize].as_ref().expect("an order stays until its playouts are over")
    }

    fn is_any_told_to_stop(&self) -> bool {
        self.orders.iter().flatten().any(|under_way| under_way.order.stop.is_over())
    }

    fn open(&mut self, number: u32, under_way: UnderWay) {
        self.playouts += under_way.left;
        self.traced += usize::from(under_way.order.trace);
        match self.orders.get_mut(number as usize) {
            Some(place) => *place = Some(under_way),
            None => self.orders.push(Some(under_way)),
        }
        self.over(number, 0);
    }

    /// Records that this many playouts of an order are over. After the last one the order is answered.
    fn over(&mut self, number: u32, playouts: usize) {
        let place = &mut self.orders[number as usize];
        let Some(under_way) = place else { return };
        self.playouts -= playouts;
        under_way.left -= playouts;
        if under_way.left > 0 {
            return;
        }
        let Some(done) = place.take() else { return };
        self.free.push(number);
        self.answered += 1;
        self.traced -= usize::from(done.order.trace);
        // The receiver may no longer exist; then no answer is needed.
        let _ = done.order.answer.send(done.each.finish());
    }
}

impl Collect for Books {
    const EACH: bool = true;
    const FROM: bool = true;

    fn ended<const W: usize>(&mut self, block: &Block<W>, which: &Plane<W>, end: Ended<'_, W>) {
        each_lane(which, |lane| {
            let (order, number) = (block.from[lane / 64][lane % 64], block.playout[lane / 64][lane % 64]);
            if let Some(under_way) = &mut self.orders[order as usize] {
                under_way.each.end(number as usize, block, lane, &end);
            }
            self.over(order, 1);
        });
    }

    fn stepped(&mut self, games: u32) {
        self.steps += u64::from(games);
    }
}
