//! One state at a time, by what changed.
//!
//! The wires that depend on the state alone keep their values from the last
//! state asked about; for another state only the fluents that differ are
//! followed through the gates, in topological order. The next state is computed
//! only where the moves made can change it: a fluent that keeps its value unless
//! one of certain moves is made is looked at only when one of them is. Where
//! much changes with every move, the programs of lanes are faster even for one
//! state; a short walk at the start tells.

mod net;
mod values;

use std::sync::Mutex;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::time::{Duration, Instant};

use game::{Goal, MoveId, PerceptId, PlayoutStream, Seed};

use crate::circuit::{Circuits, Phases};
use crate::ground::Ground;
use crate::lanes::{LaneState, Lanes, Single};
use net::Net;
use values::Values;

/// Evaluators for single states, handed out one per question.
pub(crate) struct Scalar {
    /// One net for each phase, then the general one; none where circuits have regions.
    nets: Option<Vec<Net>>,
    /// Whether the programs of lanes were found to be faster.
    dense: bool,
    phases: Phases,
    fluents: usize,
    move_counts: Vec<usize>,
    /// The evaluator used last, which is mostly the only one.
    last: AtomicPtr<Evaluator>,
    #[expect(clippy::vec_box, reason = "the boxes are handed out as they are")]
    idle: Mutex<Vec<Box<Evaluator>>>,
}

/// Scratch memory of one thread.
#[derive(Default)]
struct Evaluator {
    /// Values for each net, made when first needed.
    values: Vec<Option<Values>>,
    single: Option<Single>,
}

/// A state being asked about.
pub(crate) enum About<'a> {
    /// By what changed.
    Net(&'a Net, &'a mut Values),
    /// By the programs of lanes.
    Dense(&'a mut Option<Single>, &'a LaneState),
}

impl Scalar {
    pub fn new(circuits: &Circuits, ground: &Ground, lanes: &Lanes, initial: &LaneState) -> Scalar {
        let fluents = ground.fluents.len();
        let move_counts: Vec<usize> = ground.moves.iter().map(Vec::len).collect();
        let all = circuits.special.iter().chain([&circuits.general]);
        let nets: Option<Vec<Net>> = all.map(|c| Net::new(c, fluents, &move_counts)).collect();
        let mut scalar = Scalar {
            nets,
            dense: false,
            phases: circuits.phases.clone(),
            fluents,
            move_counts,
            last: AtomicPtr::new(std::ptr::null_mut()),
            idle: Mutex::new(Vec::new()),
        };
        if scalar.nets.is_some() {
            // The first walk makes the memory of either way, the second is timed.
            let mut times = [false, true].map(|dense| {
                scalar.dense = dense;
                scalar.walk(lanes, initial);
                (scalar.walk(lanes, initial), dense)
            });
            times.sort();
            scalar.dense = times[0].1;
        }
        scalar
    }

    /// The time of some steps of random play.
    fn walk(&self, lanes: &Lanes, initial: &LaneState) -> Duration {
        const STEPS: u32 = 60;
        let started = Instant::now();
        let stream = PlayoutStream::new(Seed(0), 0);
        let (mut state, mut moves) = (initial.clone(), Vec::new());
        for step in 0..STEPS {
            let mut joint = Vec::with_capacity(self.move_counts.len());
            for role in 0..self.move_counts.len() {
                self.ask(&state, |about| about.legal(lanes, role, &mut moves));
                if let Some(count) = u32::try_from(moves.len()).ok().filter(|&count| count > 0) {
                    joint.push(moves[stream.below(step, role as u32, count) as usize]);
                }
            }
            let over = self.ask(&state, |about| about.terminal(lanes));
            if over || joint.len() < self.move_counts.len() {
                state = initial.clone();
            } else {
                state = self.ask(&state, |about| about.next(lanes, &joint));
            }
        }
        started.elapsed()
    }

    fn take(&self) -> Box<Evaluator> {
        let last = self.last.swap(std::ptr::null_mut(), Ordering::Acquire);
        if !last.is_null() {
            // SAFETY: the pointer came from `Box::into_raw` in `give` and was taken out by the swap.
            return unsafe { Box::from_raw(last) };
        }
        let idle = self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner).pop();
        idle.unwrap_or_default()
    }

    fn give(&self, evaluator: Box<Evaluator>) {
        let other = self.last.swap(Box::into_raw(evaluator), Ordering::Release);
        if !other.is_null() {
            // SAFETY: as in `take`.
            let other = unsafe { Box::from_raw(other) };
            self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(other);
        }
    }

    /// Asks about a state.
    pub fn ask<T>(&self, state: &LaneState, question: impl FnOnce(About<'_>) -> T) -> T {
        let mut evaluator = self.take();
        let answer = match self.nets.as_ref().filter(|_| !self.dense) {
            None => question(About::Dense(&mut evaluator.single, state)),
            Some(nets) => {
                let general = nets.len() - 1;
                let phase = if general == 0 { None } else { self.phases.of(|f| state.holds(f as usize)) };
                let place = phase.unwrap_or(general);
                evaluator.values.resize_with(nets.len(), || None);
                let net = &nets[place];
                let values = evaluator.values[place]
                    .get_or_insert_with(|| Values::new(net, self.fluents, &self.move_counts));
                if !values.is_about(state) {
                    values.enter(net, state);
                }
                question(About::Net(net, values))
            }
        };
        self.give(evaluator);
        answer
    }
}

impl Drop for Scalar {
    fn drop(&mut self) {
        drop(self.take());
    }
}

impl About<'_> {
    pub fn terminal(self, lanes: &Lanes) -> bool {
        match self {
            About::Net(net, values) => values.terminal(net),
            About::Dense(single, state) => {
                lanes.terminal(single.get_or_insert_with(|| lanes.single()), state)
            }
        }
    }

    pub fn legal(self, lanes: &Lanes, role: usize, moves: &mut Vec<MoveId>) {
        match self {
            About::Net(_, values) => values.legal(role, moves),
            About::Dense(single, state) => {
                lanes.legal(single.get_or_insert_with(|| lanes.single()), state, role, moves);
            }
        }
    }

    pub fn goal(self, lanes: &Lanes, role: usize) -> Option<Goal> {
        match self {
            About::Net(net, values) => values.goal(net, role),
            About::Dense(single, state) => {
                lanes.goal(single.get_or_insert_with(|| lanes.single()), state, role)
            }
        }
    }

    pub fn goal_values(self, lanes: &Lanes, role: usize) -> Vec<Goal> {
        match self {
            About::Net(net, values) => values.goal_values(net, role),
            About::Dense(single, state) => {
                lanes.goal_values(single.get_or_insert_with(|| lanes.single()), state, role)
            }
        }
    }

    pub fn next(self, lanes: &Lanes, joint: &[MoveId]) -> LaneState {
        match self {
            About::Net(net, values) => values.next(net, joint),
            About::Dense(single, state) => {
                lanes.next(single.get_or_insert_with(|| lanes.single()), state, joint)
            }
        }
    }

    pub fn percepts(self, lanes: &Lanes, joint: &[MoveId], role: usize, percepts: &mut Vec<PerceptId>) {
        match self {
            About::Net(net, values) => values.percepts(net, joint, role, percepts),
            About::Dense(single, state) => {
                let single = single.get_or_insert_with(|| lanes.single());
                lanes.percepts(single, state, joint, role, percepts);
            }
        }
    }
}
