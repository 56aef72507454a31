//! One state at a time, by propagating changes.
//!
//! The wires that depend on the state alone keep their values from the previous state; for another state only
//! the fluents that differ are propagated through the gates. The next state is computed only where the moves
//! made can change it. If much changes with every move, the programs of lanes are faster even for one state.
//! Short walks at the start decide which way is used. Answers do not depend on it.

mod evaluator;
mod layout;
mod net;
mod reach;
mod sketch;
#[cfg(test)]
mod tests;
mod values;
mod zeros;

use std::sync::Arc;
use std::time::Duration;

use game::{Goal, MoveId, PerceptId, PlayoutStream, Seed};

use crate::circuit::{Circuits, Phases};
use crate::ground::Ground;
use crate::lanes::{LaneState, Lanes, Single};
use crate::making::{Making, Progress, Stopped};
use crate::stopwatch::Stopwatch;
pub(crate) use evaluator::Evaluator;
use evaluator::Owner;
use net::{Kind, Net};
use reach::Reach;
use sketch::Sketch;
use values::{Values, distance, same};

/// The way in which single states are evaluated.
pub(crate) struct Scalar {
    /// One net for each phase, followed by the general one; `None` if the programs of lanes are faster, or if
    /// circuits have regions.
    nets: Option<Vec<Arc<Net>>>,
    /// For each net, the index of its values. Nets that share their gates share them.
    slots: Vec<usize>,
    phases: Phases,
    /// The phases, if one word of the state determines them.
    clock: Option<(usize, u64, Vec<u64>)>,
    fluents: usize,
    roles: usize,
    owner: Owner,
    way: &'static str,
    /// Which states a net handles, and which are left to the programs of lanes.
    reach: Reach,
}

/// A state being queried.
pub(crate) enum About<'a> {
    /// By propagating changes through a net.
    Net(&'a Net, &'a mut Values),
    /// By the programs of lanes.
    Dense(&'a mut Option<Single>, &'a LaneState),
}

/// The maximum number of steps of a walk, and its approximate time.
const STEPS: u32 = 300;
const TIME: Duration = Duration::from_millis(5);
/// How often each way is timed. Its best time counts.
const WALKS: usize = 3;

impl Scalar {
    /// Finds the fastest way.
    pub fn new(
        circuits: &Circuits,
        ground: &Ground,
        lanes: &Lanes,
        initial: &LaneState,
        making: &Making,
    ) -> Result<Scalar, Stopped> {
        let nodes = circuits.general.aig.len();
        making.look(Progress::Programs(nodes))?;
        let mut ways = Scalar::ways(circuits, ground);
        if ways.len() == 1 {
            return Ok(ways.swap_remove(0));
        }
        let mut times = vec![Duration::MAX; ways.len()];
        let mut evaluators: Vec<Evaluator> = ways.iter().map(|_| Evaluator::default()).collect();
        for _ in 0..WALKS {
            for ((time, way), evaluator) in times.iter_mut().zip(&ways).zip(&mut evaluators) {
                making.look(Progress::Programs(nodes))?;
                *time = way.walk(evaluator, lanes, initial).min(*time);
            }
        }
        let best = (0..ways.len()).min_by_key(|&i| times[i]).unwrap_or(0);
        let mut way = ways.swap_remove(best);
        way.reach = Reach::of(&evaluators[best], times[0], times[best]);
        Ok(way)
    }

    /// Returns all possible ways, the programs of lanes first. No state is considered far.
    fn ways(circuits: &Circuits, ground: &Ground) -> Vec<Scalar> {
        let move_counts: Vec<usize> = ground.moves.iter().map(Vec::len).collect();
        let phased = !circuits.special.is_empty();
        let special = circuits.special.iter().map(|c| Sketch::new(c, true));
        // Few states belong to no phase; their net has no plans.
        let general = [&circuits.general].into_iter();
        let general = general.map(|c| Sketch::new(c, !phased));
        let sketches: Option<Vec<Sketch>> = special.chain(general).collect();
        let make = |way: &'static str, nets: Option<Vec<Arc<Net>>>| Scalar {
            way,
            slots: slots(nets.as_deref().unwrap_or(&[])),
            nets,
            reach: Reach::everywhere(),
            phases: circuits.phases.clone(),
            clock: Scalar::clock(&circuits.phases),
            fluents: circuits.store.fluents.len(),
            roles: move_counts.len(),
            owner: Owner::new(),
        };
        let mut ways = vec![make("programs", None)];
        if let Some(sketches) = sketches {
            let lay = |kind: Kind| -> Vec<Arc<Net>> {
                sketches.iter().map(|s| Arc::new(Net::new(s, kind, &move_counts))).collect()
            };
            if let Some(together) = Sketch::together(&sketches[..sketches.len() - 1]) {
                let lay = |kind: Kind| -> Vec<Arc<Net>> {
                    let mut nets = Net::lay(&together, kind, &move_counts);
                    nets.push(Net::new(&sketches[sketches.len() - 1], Kind::Reactive, &move_counts));
                    nets.into_iter().map(Arc::new).collect()
                };
                ways.push(make("eager net of all phases", Some(lay(Kind::Eager))));
                ways.push(make("net of all phases", Some(lay(Kind::Lazy))));
            }
            if sketches.iter().all(|s| s.still.is_some()) {
                let lazy = lay(Kind::Lazy);
                if lazy.iter().any(|net| net.is_lazy()) && !sketches.iter().any(Sketch::is_heavy) {
                    ways.push(make("eager net", Some(lay(Kind::Eager))));
                }
                ways.push(make("net", Some(lazy)));
            }
            let reactive = lay(Kind::Reactive);
            // With a net per phase, the values of each are as many steps old as there are phases. A single
            // net for all phases is always one step behind.
            if phased && let Some(general) = reactive.last() {
                ways.push(make("reactive net of all phases", Some(vec![Arc::clone(general)])));
            }
            ways.push(make("reactive net", Some(reactive)));
        }
        ways
    }

    /// Returns the name of the fastest way.
    pub fn way(&self) -> &'static str {
        self.way
    }

    /// Returns the time of a step in random play.
    fn walk(&self, evaluator: &mut Evaluator, lanes: &Lanes, initial: &LaneState) -> Duration {
        let stream = PlayoutStream::new(Seed(0), 0);
        let (mut state, mut moves) = (initial.clone(), Vec::new());
        let mut joint = Vec::with_capacity(self.roles);
        // The first query allocates the memory of the evaluator.
        self.ask(evaluator, &state, &[], |about| about.terminal(lanes));
        evaluator.count_anew();
        let started = Stopwatch::start();
        let mut step = 0;
        while step < STEPS && (step % 16 != 0 || started.elapsed() < TIME) {
            let over = self.ask(evaluator, &state, &[], |about| about.terminal(lanes));
            joint.clear();
            for role in 0..self.roles {
                self.ask(evaluator, &state, &[], |about| about.legal(lanes, role, &mut moves));
                if let Some(count) = u32::try_from(moves.len()).ok().filter(|&count| count > 0) {
                    joint.push(moves[stream.below(step, role as u32, count) as usize]);
                }
            }
            if over || joint.len() < self.roles {
                state = initial.clone();
            } else {
                state = self.ask(evaluator, &state, &joint, |about| about.next(lanes, &joint));
            }
            step += 1;
        }
        started.elapsed() / step.max(1)
    }

    /// Returns the index of the net for a state.
    #[inline]
    fn place(&self, nets: &[Arc<Net>], state: &LaneState) -> usize {
        let general = nets.len() - 1;
        if general == 0 {
            return general;
        }
        let Some((word, mask, values)) = &self.clock else {
            return self.phases.of(|f| state.holds(f as usize)).unwrap_or(general);
        };
        let shown = state.0[*word] & mask;
        values.iter().position(|value| *value == shown).unwrap_or(general)
    }

    /// Returns the fluents of the phases if they are in one word of the state: the word, a mask, and the
    /// masked value in each phase.
    fn clock(phases: &Phases) -> Option<(usize, u64, Vec<u64>)> {
        let word = *phases.fluents.first()? as usize / 64;
        if phases.fluents.iter().any(|&f| f as usize / 64 != word) {
            return None;
        }
        let bits = |holds: &dyn Fn(usize) -> bool| {
            let own = phases.fluents.iter().enumerate().filter(|(place, _)| holds(*place));
            own.fold(0, |bits, (_, f)| bits | 1u64 << (f % 64))
        };
        let values = phases.values.iter().map(|values| bits(&|place| values[place])).collect();
        Some((word, bits(&|_| true), values))
    }

    /// Queries a state and, optionally, the moves made there.
    ///
    /// A net suits states near the previous one. A state far from all known ones is left to the programs,
    /// until another state near it shows that play continues there.
    #[inline]
    pub fn ask<T>(
        &self,
        evaluator: &mut Evaluator,
        state: &LaneState,
        joint: &[MoveId],
        question: impl FnOnce(About<'_>) -> T,
    ) -> T {
        self.owner.claim(evaluator);
        let Some(nets) = &self.nets else {
            return question(About::Dense(&mut evaluator.single, state));
        };
        let values = evaluator.values.get(evaluator.slot).and_then(|v| v.as_ref());
        let known = values.is_some_and(|v| v.is_about(state));
        let ready = known && nets[evaluator.last].allows(joint);
        if !ready && !self.reach_for(evaluator, nets, known, state, joint) {
            return question(About::Dense(&mut evaluator.single, state));
        }
        let values = evaluator.values[evaluator.slot].as_mut().expect("the state was entered");
        question(About::Net(&nets[evaluator.last], values))
    }

    /// Updates the values of a net that knows these moves to a state. Returns `false` if the programs should
    /// be used instead. The net queried last may know the state, but not the moves.
    fn reach_for(
        &self,
        evaluator: &mut Evaluator,
        nets: &[Arc<Net>],
        known: bool,
        state: &LaneState,
        joint: &[MoveId],
    ) -> bool {
        if !known && evaluator.ran.as_ref().is_some_and(|ran| same(ran, state)) {
            return false;
        }
        let place = if known { evaluator.last } else { self.place(nets, state) };
        // The net of a phase does not know moves that cannot be legal in it.
        let place = if nets[place].allows(joint) { place } else { nets.len() - 1 };
        self.enter(evaluator, nets, place, state)
    }

    /// Updates the values of a net to a state, unless it is far from all known ones.
    #[inline]
    fn enter(&self, evaluator: &mut Evaluator, nets: &[Arc<Net>], place: usize, state: &LaneState) -> bool {
        if evaluator.values.is_empty() {
            evaluator.values.resize_with(nets.len(), || None);
        }
        let values = &mut evaluator.values[self.slots[place]];
        let values = values.get_or_insert_with(|| Values::new(&nets[place], self.fluents));
        let away = values.away(state);
        let nearest = values.distance(state, away);
        if nearest > self.reach.far {
            let goes_on = evaluator.ran.as_ref().is_some_and(|ran| distance(ran, state) <= self.reach.near);
            if !goes_on {
                evaluator.ran.get_or_insert_with(|| state.clone()).0.copy_from_slice(&state.0);
                return false;
            }
        }
        evaluator.last = place;
        evaluator.slot = self.slots[place];
        evaluator.differed.0 += u64::from(nearest);
        evaluator.differed.1 += 1;
        values.enter(&nets[place], state, away);
        true
    }
}

/// Returns for each net the first one with the same gates.
fn slots(nets: &[Arc<Net>]) -> Vec<usize> {
    let first = |net: &Arc<Net>| nets.iter().position(|other| Arc::ptr_eq(&other.core, &net.core));
    nets.iter().map(|net| first(net).unwrap_or(0)).collect()
}

impl About<'_> {
    #[inline]
    pub fn terminal(self, lanes: &Lanes) -> bool {
        match self {
            About::Net(net, values) => values.terminal(net),
            About::Dense(single, state) => {
                lanes.terminal(single.get_or_insert_with(|| lanes.single()), state)
            }
        }
    }

    #[inline]
    pub fn legal(self, lanes: &Lanes, role: usize, moves: &mut Vec<MoveId>) {
        match self {
            About::Net(net, values) => values.legal(net, role, moves),
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

    #[inline]
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
