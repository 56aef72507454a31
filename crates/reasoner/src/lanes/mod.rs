//! Hundreds of games at once, one bit each.

mod bits;
mod block;
mod calibrate;
mod chooser;
mod collect;
mod exec;
mod flow;
mod gate;
mod liveness;
#[cfg(target_arch = "x86_64")]
mod native;
mod opening;
mod phase_code;
mod plane;
mod play;
mod pool;
mod portable;
mod random;
mod schedule;
mod sections;
mod single;
mod spare;
mod steps;
mod transpose;
mod wiring;
#[cfg(target_arch = "x86_64")]
mod x86;

use game::{Outcomes, Playouts, Tally, Totals};

use crate::circuit::{Circuits, Phases};
use crate::making::{Making, Progress, Stopped};
use crate::words::Words;
use block::Batch;
use collect::{AnyCollect, ByStart, Collect, Each, OfRequest, Sum};
use exec::NATIVE;
use flow::Flow;
use phase_code::PhaseCode;

pub use pool::{Member, Pool};
pub(crate) use single::Single;
use spare::Spare;
pub(crate) use steps::Stepping;

/// A state as one bit per fluent.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct LaneState(pub Words);

impl LaneState {
    /// Creates a state in which nothing holds.
    pub fn empty(fluents: usize) -> LaneState {
        LaneState(Words::empty(fluents.div_ceil(64)))
    }

    /// Creates the state in which these fluents hold.
    pub fn of(holds: &[bool]) -> LaneState {
        let mut state = LaneState::empty(holds.len());
        holds.iter().enumerate().for_each(|(fluent, &holds)| state.set(fluent, holds));
        state
    }

    /// Returns `true` if a fluent holds.
    #[inline]
    pub fn holds(&self, fluent: usize) -> bool {
        self.0[fluent / 64] >> (fluent % 64) & 1 == 1
    }

    /// Sets the value of a fluent.
    #[inline]
    pub fn set(&mut self, fluent: usize, value: bool) {
        let bit = 1u64 << (fluent % 64);
        if value { self.0[fluent / 64] |= bit } else { self.0[fluent / 64] &= !bit }
    }
}

/// The programs of all phases, and the number of games that are played side by side.
pub struct Lanes {
    fluents: usize,
    roles: usize,
    phases: Phases,
    /// One program for each phase, followed by the general one.
    code: Vec<PhaseCode>,
    width: Width,
    spare: Spare,
}

/// The numbers of words of a plane without machine code. Loops over blocks are compiled for these two and for
/// [`NATIVE`] words, because each width costs seconds of compilation.
const NARROW: usize = 2;
const WIDE: usize = 8;

/// The number of games that are played side by side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width {
    /// The number of words of a plane: 2, 4 (for machine code) or 8.
    pub words: usize,
    /// The number of blocks that advance in step.
    pub blocks: usize,
}

impl Width {
    /// Returns the number of games that are played side by side.
    pub fn games(self) -> usize {
        self.words * 64 * self.blocks
    }
}

impl Lanes {
    /// Compiles circuits, for blocks of this width.
    pub fn new(circuits: &Circuits, fluents: usize, roles: usize, width: Width) -> Lanes {
        Lanes::compile(circuits, fluents, roles, width, &Making::default()).expect("there is no deadline")
    }

    fn compile(
        circuits: &Circuits,
        fluents: usize,
        roles: usize,
        width: Width,
        making: &Making,
    ) -> Result<Lanes, Stopped> {
        let all = || circuits.special.iter().chain([&circuits.general]);
        let nodes = all().map(|circuit| circuit.aig.len()).sum::<usize>();
        let look = || making.look(Progress::Programs(nodes));
        let mut code = all().map(|circuit| PhaseCode::new(circuit, &look)).collect::<Result<Vec<_>, _>>()?;
        // Phases whose sections write the same planes share which of these planes are known to be empty.
        for phase in 0..code.len() {
            let like = (0..phase).find(|&other| code[other].next.is_like(&code[phase].next));
            let kind = like.unwrap_or(phase) as u32;
            code[phase].next.kind = code[phase].next.kind.map(|_| kind);
        }
        let phases = circuits.phases.clone();
        Ok(Lanes { fluents, roles, phases, code, width, spare: Spare::default() })
    }

    /// Compiles circuits, and finds the width that suits the game and this machine.
    pub fn best(circuits: &Circuits, roles: usize, initial: &LaneState, fluents: usize) -> Lanes {
        Lanes::prepare(circuits, roles, initial, fluents, &Making::default()).expect("there is no deadline")
    }

    /// Does the same as part of making a game.
    pub(crate) fn prepare(
        circuits: &Circuits,
        roles: usize,
        initial: &LaneState,
        fluents: usize,
        making: &Making,
    ) -> Result<Lanes, Stopped> {
        let mut lanes = Lanes::compile(circuits, fluents, roles, Width { words: WIDE, blocks: 1 }, making)?;
        lanes.width = calibrate::width(&lanes, initial);
        Ok(lanes)
    }

    /// Returns the number of games that are played side by side.
    pub fn games(&self) -> usize {
        self.width.games()
    }

    /// Returns the number of operations of a step, averaged over the phases.
    pub fn operations(&self) -> usize {
        let special = self.code.len() - 1;
        if special == 0 {
            return self.code[0].operations();
        }
        self.code[..special].iter().map(PhaseCode::operations).sum::<usize>() / special
    }

    /// Returns the numbers of operations of the parts of a step, for each phase: terminal, view, choose,
    /// next.
    pub fn parts(&self) -> Vec<[usize; 4]> {
        self.code.iter().map(PhaseCode::parts).collect()
    }

    /// Plays a request and returns one outcome per playout.
    pub fn playouts(&self, request: &Playouts<'_, LaneState>) -> Outcomes {
        let mut each = Each::new(request.total(), self.roles, request.trace);
        self.run(request, self.width, &mut each);
        each.finish()
    }

    /// Plays a request and returns a tally.
    pub fn tally(&self, request: &Playouts<'_, LaneState>) -> Tally {
        self.tally_at(request, self.width)
    }

    /// Plays a request and returns the sums for each start.
    pub fn totals(&self, request: &Playouts<'_, LaneState>) -> Totals {
        let mut sums = ByStart::new(request, self.roles);
        self.run(request, self.width, &mut sums);
        sums.0
    }

    fn tally_at(&self, request: &Playouts<'_, LaneState>, width: Width) -> Tally {
        // All phases have the same goal values, in the same order.
        let planes = &self.code[0].goal_planes;
        let mut sum = Sum::new(planes.iter().map(|l| l.iter().map(|&(value, _)| value).collect()).collect());
        self.run(request, width, &mut sum);
        sum.finish()
    }

    fn run(&self, request: &Playouts<'_, LaneState>, width: Width, collect: &mut impl OfRequest) {
        match width.words {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `is_fast` has checked that the machine has all of these features.
            NATIVE if is_fast() => unsafe { self.run_fast(request, width.blocks, collect) },
            ..=NARROW => self.run_portable::<NARROW>(request, width.blocks, collect.any()),
            _ => self.run_portable::<WIDE>(request, width.blocks, collect.any()),
        }
    }

    /// Returns the number of phases in which playouts may start while others are in progress.
    fn flow_phases(&self) -> usize {
        (self.code.len() - 1).max(1)
    }

    /// Returns the phase of a state, or `None` if there are phases but the state belongs to none.
    fn flow_phase(&self, state: &LaneState) -> Option<usize> {
        if self.code.len() == 1 { Some(0) } else { self.phases.of(|f| state.holds(f as usize)) }
    }

    /// Makes steps in a flow, with everything inlined and compiled for these features.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn flow_rounds_fast(&self, flow: &mut Flow<NATIVE>, count: usize) {
        flow.rounds(self, count);
    }

    /// Runs [`Lanes::run_groups`] with everything inlined and compiled for these features.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    fn run_fast(&self, request: &Playouts<'_, LaneState>, blocks: usize, collect: &mut impl Collect) {
        self.run_groups::<NATIVE>(request, blocks, collect);
    }

    /// [`Lanes::run_groups`] compiled for any machine, once for all kinds of results.
    #[inline(never)]
    fn run_portable<const W: usize>(
        &self,
        request: &Playouts<'_, LaneState>,
        blocks: usize,
        mut collect: AnyCollect<'_>,
    ) {
        self.run_groups::<W>(request, blocks, &mut collect);
    }

    #[inline(always)]
    fn run_groups<const W: usize>(
        &self,
        request: &Playouts<'_, LaneState>,
        blocks: usize,
        collect: &mut impl Collect,
    ) {
        // No more blocks than the playouts fill.
        let wanted = request.total().div_ceil(64 * W).clamp(1, blocks);
        let mut blocks = self.spare.take::<W>(self, wanted);
        let special = self.code.len() - 1;
        // The batches by the phase of their start. The last group is for states without a phase.
        let mut groups: Vec<Vec<Batch<'_>>> = self.code.iter().map(|_| Vec::new()).collect();
        let mut number = 0;
        for (place, start) in (0..).zip(request.starts) {
            let phase = if special == 0 { None } else { self.phases.of(|f| start.state.holds(f as usize)) };
            let numbers = number..number + start.count;
            number += start.count;
            let batch = Batch { state: &start.state, first: start.first.as_deref(), start: place, numbers };
            groups[phase.unwrap_or(special)].push(batch);
        }
        let states: Vec<&LaneState> = request.starts.iter().map(|start| &start.state).collect();
        let place = |i: usize| (i, &self.code[i]);
        let code: Vec<(usize, &PhaseCode)> = (0..special).map(place).collect();
        let general = [place(special)];
        // The phases in order, beginning with this one.
        let from = |phase: usize, steps: u32| {
            let mut code = if phase == special { general.to_vec() } else { code.clone() };
            let phases = code.len();
            code.rotate_left((phase + steps as usize) % phases);
            code
        };
        let mut opened = Vec::new();
        for (phase, batches) in groups.iter_mut().enumerate() {
            let Some(sums) = collect.by_start().filter(|_| request.max_steps > 0) else { break };
            if request.deadline.is_over() {
                break;
            }
            let given: Vec<_> =
                batches.extract_if(.., |batch| opening::is_given(batch, self.roles)).collect();
            if !given.is_empty() {
                let states = opening::open(&mut blocks[0], &from(phase, 0), &given, request, sums);
                opened.push((phase, given, states));
            }
        }
        let mut runs = Vec::new();
        for (phase, given, opened) in &opened {
            for (steps, opened) in opened {
                let batches: Vec<Batch<'_>> =
                    opened.iter().map(|(i, state)| given[*i].after(state)).collect();
                let mut states = states.clone();
                batches.iter().for_each(|batch| states[batch.start as usize] = batch.state);
                runs.push(Run { code: from(*phase, *steps), turns: vec![batches], states, made: *steps });
            }
        }
        let rest = groups.split_off(special);
        for (code, turns) in [(code, groups), (general.to_vec(), rest)] {
            if turns.iter().any(|batches| !batches.is_empty()) {
                runs.push(Run { code, turns, states: states.clone(), made: 0 });
            }
        }
        // The only call of the loop, because it is inlined into its caller.
        for run in &runs {
            play::play(self, &mut blocks[..wanted], run, request, collect);
        }
        self.spare.put(blocks);
    }
}

/// Playouts that are played together in the same blocks.
struct Run<'a> {
    /// The phases in order, with their places.
    code: Vec<(usize, &'a PhaseCode)>,
    /// The batches that begin in each phase.
    turns: Vec<Vec<Batch<'a>>>,
    /// The states of all starts.
    states: Vec<&'a LaneState>,
    /// The number of steps made before.
    made: u32,
}

/// Returns `true` if the machine has the features that the loops are compiled for.
#[cfg(target_arch = "x86_64")]
fn is_fast() -> bool {
    is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("popcnt")
        && is_x86_feature_detected!("lzcnt")
}
