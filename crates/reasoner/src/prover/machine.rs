//! Evaluation of calls, without recursion on the native stack.
//!
//! A call that does not depend on itself is answered rule by rule on top of its caller, and its answers are
//! tabled. Calls of a recursive component are answered together: a rule that needs the answers of an
//! unfinished call becomes its reader, is suspended, and resumes for every answer as it is found. When no
//! rule and no reader has anything left to do, all those calls are complete. This is SLG resolution (Chen and
//! Warren, "Tabled evaluation with delaying for general logic programs", 1996) with the completion of whole
//! components and without delaying, which stratified rules never need.

use super::answers::{Answers, Status};
use super::bind::matches;
use super::extension::{Extensions, NONE};
use super::frame::{Bases, Event, Frame, NO_MORE, NOT_BEGUN, Reader, Target, Task};
use super::plan::QueryId;
use super::program::{Life, Program};
use super::wider::{self, Projected};
use crate::meter::{Blown, Meter};
use crate::{Limits, TermId, TermPool};

/// Making plans counts as much as visiting this many candidates.
const PLANNING: u32 = 256;

/// Calls, answers and the work in progress.
#[derive(Debug, Clone)]
pub(crate) struct Machine {
    pub program: Program,
    pub extensions: Extensions,
    pub pool: TermPool,
    pub answers: Vec<Answers>,
    pub meter: Meter,
    /// The total number of candidates visited.
    pub work: u64,
    /// The number of candidates after which calls fail, for trials.
    pub allowance: u64,
    pub(super) registers: Vec<TermId>,
    pub(super) cursors: Vec<u32>,
    pub(super) frames: Vec<Frame>,
    pub(super) agenda: Vec<Task>,
    pub(super) readers: Vec<Reader>,
    pub(super) kept: Vec<TermId>,
    pub(super) open: Vec<Target>,
    pub(super) projected: Projected,
    pub(super) key: Vec<TermId>,
    pub(super) stack: Vec<TermId>,
}

impl Machine {
    pub fn new(program: Program, extensions: Extensions, pool: TermPool, limits: Limits) -> Machine {
        Machine {
            program,
            extensions,
            pool,
            answers: Vec::new(),
            meter: Meter::new(limits),
            work: 0,
            allowance: u64::MAX,
            registers: Vec::new(),
            cursors: Vec::new(),
            frames: Vec::new(),
            agenda: Vec::new(),
            readers: Vec::new(),
            kept: Vec::new(),
            open: Vec::new(),
            projected: Projected::default(),
            key: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Replaces the plans, and forgets all answers.
    pub fn replan(&mut self, program: Program) {
        self.program = program;
        self.answers.clear();
        self.projected = Projected::default();
    }

    /// Forgets answers that are no longer valid. Returns the number of those kept.
    pub fn forget(&mut self, which: impl Fn(Life) -> bool) -> usize {
        let mut kept = 0;
        for (query, answers) in self.program.queries().zip(&mut self.answers) {
            if answers.call_count() > 0 && which(query.life) {
                answers.clear();
            }
            kept += answers.len();
        }
        for life in [Life::Always, Life::State, Life::Joint] {
            if which(life) {
                self.projected.clear(life);
            }
        }
        kept
    }

    /// Answers a call completely; a call without free variables only until it is proven.
    pub fn solve(&mut self, query: QueryId, key: &[TermId]) -> Result<u32, Blown> {
        self.grow();
        let Machine { program, answers, projected, meter, .. } = self;
        let call = wider::reach(program, answers, projected, meter, query, key)?;
        if self.answers[query.index()].call(call).status != Status::Complete {
            let result = self.work_off(Target { query, call });
            if result.is_err() {
                self.unwind();
            }
            result?;
        }
        Ok(call)
    }

    fn grow(&mut self) {
        let known = self.answers.len();
        self.answers.extend(
            self.program.queries().skip(known).map(|q| Answers::new(q.pattern.inputs, q.pattern.outputs)),
        );
    }

    fn work_off(&mut self, target: Target) -> Result<(), Blown> {
        self.push(target)?;
        while !self.frames.is_empty() {
            match self.run()? {
                Event::Need(target) => self.push(target)?,
                Event::Done => {
                    self.leave_reader();
                    self.advance()?;
                }
                Event::Proven => {
                    self.leave_reader();
                    let frame = self.frames.last_mut().expect("a rule was run");
                    if frame.leader == frame.target {
                        self.finish(true);
                        continue;
                    }
                    frame.plan = NO_MORE;
                    if frame.reader != NONE {
                        self.readers[frame.reader as usize].is_done = true;
                    }
                    self.advance()?;
                }
            }
        }
        Ok(())
    }

    /// Makes the plans of a query, if they do not exist.
    fn prepare(&mut self, query: QueryId) -> Result<(), Blown> {
        if self.program.query(query).plans.is_none() {
            for _ in 0..PLANNING {
                self.meter.tick()?;
            }
            self.program.prepare(query, &mut self.extensions, &mut self.pool);
            self.grow();
        }
        Ok(())
    }

    /// Begins to answer a call. If no rule applies, the call is complete at once.
    fn push(&mut self, target: Target) -> Result<(), Blown> {
        self.prepare(target.query)?;
        if self.work > self.allowance {
            return Err(Blown::Work);
        }
        let (mut registers, mut cursors) = (0, 0);
        if let Some(frame) = self.frames.last() {
            let plan =
                &self.program.query(frame.target.query).plans.as_ref().expect("at work")[frame.plan as usize];
            registers = frame.registers + plan.registers;
            cursors = frame.cursors + plan.steps.len();
        }
        let bases = Bases {
            agenda: self.agenda.len(),
            readers: self.readers.len(),
            kept: self.kept.len(),
            open: self.open.len(),
        };
        self.answers[target.query.index()].call_mut(target.call).status = Status::Open;
        self.open.push(target);
        self.frames.push(Frame {
            leader: target,
            target,
            plan: NOT_BEGUN,
            step: 0,
            floor: 0,
            forward: true,
            reader: NONE,
            registers,
            cursors,
            recursive: self.program.query(target.query).recursive,
            bases,
            work: self.work,
        });
        self.advance()
    }

    /// Finds the next rule to run, and finishes frames that have none.
    fn advance(&mut self) -> Result<(), Blown> {
        loop {
            let Some(frame) = self.frames.last() else { return Ok(()) };
            let (target, reader) = (frame.target, frame.reader);
            let plans = self.program.query(target.query).plans.as_ref().map_or(0, |p| p.len());
            let mut plan = frame.plan.wrapping_add(1);
            if reader == NONE {
                while (plan as usize) < plans && !self.begin(target, plan)? {
                    plan += 1;
                }
                if (plan as usize) < plans {
                    return Ok(());
                }
            }
            let frame = self.frames.last().expect("looked at before");
            if frame.recursive && self.agenda.len() > frame.bases.agenda {
                if self.take_task()? {
                    return Ok(());
                }
                continue;
            }
            self.finish(false);
            // The caller continues where it stopped.
            return Ok(());
        }
    }

    /// Executes the last task of the agenda. Returns `true` if a rule is ready to run.
    fn take_task(&mut self) -> Result<bool, Blown> {
        let task = self.agenda.pop().expect("there is a task");
        match task {
            Task::Start(target) => {
                self.prepare(target.query)?;
                let is_proven = self.is_proven(target);
                let frame = self.frames.last_mut().expect("the agenda belongs to a frame");
                frame.target = target;
                frame.reader = NONE;
                frame.plan = if is_proven { NO_MORE } else { NOT_BEGUN };
                Ok(false)
            }
            Task::Resume(number) => {
                let is_proven = self.is_proven(self.readers[number as usize].target);
                let reader = &mut self.readers[number as usize];
                let frame = self.frames.last_mut().expect("the agenda belongs to a frame");
                frame.target = reader.target;
                frame.reader = number;
                frame.plan = reader.plan;
                if reader.is_done || is_proven {
                    reader.is_done = true;
                    self.leave_reader();
                    return Ok(false);
                }
                frame.step = reader.step;
                frame.floor = reader.step;
                frame.forward = false;
                let plans = self.program.query(reader.target.query).plans.as_ref();
                let plan = &plans.expect("the reader ran before")[reader.plan as usize];
                let (from, to, count) = (reader.kept, frame.registers, plan.registers);
                let cursors = frame.cursors + plan.steps.len();
                room(&mut self.registers, to + count, TermId(0));
                room(&mut self.cursors, cursors, 0);
                self.registers[to..to + count].copy_from_slice(&self.kept[from..from + count]);
                Ok(true)
            }
        }
    }

    fn is_proven(&self, target: Target) -> bool {
        self.program.query(target.query).pattern.outputs == 0
            && self.answers[target.query.index()].call(target.call).count > 0
    }

    /// Prepares a rule to run in the top frame. Returns `true` if its head matches.
    fn begin(&mut self, target: Target, number: u32) -> Result<bool, Blown> {
        let frame = self.frames.last_mut().expect("rules run in frames");
        let plan = &self.program.query(target.query).plans.as_ref().expect("prepared")[number as usize];
        let (base, cursors) = (frame.registers, frame.cursors + plan.steps.len());
        room(&mut self.registers, base + plan.registers, TermId(0));
        room(&mut self.cursors, cursors, 0);
        let registers = &mut self.registers[base..base + plan.registers];
        let key = self.answers[target.query.index()].key(target.call);
        registers[..key.len()].copy_from_slice(key);
        self.meter.at(plan.relation, plan.clause);
        self.meter.tick()?;
        for (input, wanted) in &plan.entry {
            let term = registers[*input as usize];
            if !matches(wanted, term, registers, &self.pool) {
                return Ok(false);
            }
        }
        frame.plan = number;
        frame.step = 0;
        frame.floor = 0;
        frame.forward = true;
        frame.reader = NONE;
        Ok(true)
    }

    /// Records that a reader has read all answers found so far.
    fn leave_reader(&mut self) {
        let frame = self.frames.last().expect("a rule was run");
        if frame.reader != NONE {
            let reader = &mut self.readers[frame.reader as usize];
            reader.is_due = false;
            self.answers[reader.source.query.index()].call_mut(reader.source.call).is_awake = false;
        }
    }

    /// Closes the top frame. If `early` is `true`, its call is proven, and others of its component may be
    /// unfinished.
    fn finish(&mut self, early: bool) {
        let frame = self.frames.pop().expect("a frame to finish");
        let calls = self.open.len() - frame.bases.open;
        let work = (self.work - frame.work) / calls as u64;
        for number in frame.bases.open..self.open.len() {
            let target = self.open[number];
            let is_complete = !early || self.is_proven(target);
            let call = self.answers[target.query.index()].call_mut(target.call);
            call.status = if is_complete { Status::Complete } else { Status::Fresh };
            call.readers = NONE;
            call.is_awake = false;
            let count = u64::from(call.count);
            let observed = &mut self.program.query_mut(target.query).observed;
            observed.calls += 1;
            observed.answers += count;
            observed.work += work;
        }
        self.open.truncate(frame.bases.open);
        self.agenda.truncate(frame.bases.agenda);
        self.readers.truncate(frame.bases.readers);
        self.kept.truncate(frame.bases.kept);
    }

    /// Aborts: all unfinished calls are evaluated again when they are next requested.
    fn unwind(&mut self) {
        for target in self.open.drain(..) {
            let call = self.answers[target.query.index()].call_mut(target.call);
            call.status = Status::Fresh;
            call.readers = NONE;
            call.is_awake = false;
        }
        self.frames.clear();
        self.agenda.clear();
        self.readers.clear();
        self.kept.clear();
        self.stack.clear();
    }
}

fn room<T: Copy>(stack: &mut Vec<T>, size: usize, filler: T) {
    if stack.len() < size {
        stack.resize(size, filler);
    }
}
