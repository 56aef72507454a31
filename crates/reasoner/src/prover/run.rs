//! Execution of the rule in the top frame: depth-first search through its steps, with cursors instead of
//! recursion.

use super::answers::{Call, Status};
use super::bind::{build, gather, matches, value};
use super::extension::NONE;
use super::frame::{Event, Frame, Reader, Target, Task};
use super::machine::Machine;
use super::plan::{Match, QueryId, Step};
use super::wider;
use crate::meter::Blown;
use crate::{TermId, TermPool};

impl Machine {
    /// Runs the rule of the top frame until it ends or needs another call.
    pub(super) fn run(&mut self) -> Result<Event, Blown> {
        let frame = self.frames.last().expect("there is a rule to run");
        let query = self.program.query(frame.target.query);
        let plan = &query.plans.as_ref().expect("plans are made before they run")[frame.plan as usize];
        let (base, cursor_base, floor) = (frame.registers, frame.cursors, frame.floor as usize);
        let (target, reader) = (frame.target, frame.reader);
        let (mut at, mut forward) = (frame.step as usize, frame.forward);
        self.meter.at(plan.relation, plan.clause);
        let registers = &mut self.registers[base..base + plan.registers];
        let cursors = &mut self.cursors[cursor_base..cursor_base + plan.steps.len()];
        loop {
            // One step forward, or back into the last step that may have another solution.
            let goes_on = if forward && at == plan.steps.len() {
                for output in &plan.outputs {
                    let term = build(output, registers, &mut self.pool, &self.meter, &mut self.stack)?;
                    self.stack.push(term);
                }
                let answers = &mut self.answers[target.query.index()];
                let is_new = answers.insert(target.call, &self.stack);
                self.stack.clear();
                if is_new {
                    self.meter.atom()?;
                    let call = answers.call_mut(target.call);
                    if call.readers != NONE && !call.is_awake {
                        call.is_awake = true;
                        wake(call.readers, &mut self.readers, &mut self.agenda);
                    }
                }
                if plan.outputs.is_empty() {
                    return Ok(Event::Proven);
                }
                if plan.decided <= floor {
                    if reader != NONE {
                        self.readers[reader as usize].is_done = true;
                    }
                    return Ok(Event::Done);
                }
                at = plan.decided;
                false
            } else {
                match &plan.steps[at] {
                    Step::Build { register, operand } if forward => {
                        let term = build(operand, registers, &mut self.pool, &self.meter, &mut self.stack)?;
                        registers[*register as usize] = term;
                        true
                    }
                    Step::Distinct(a, b) => forward && value(*a, registers) != value(*b, registers),
                    Step::Test { extension, index, key, present } if forward => {
                        gather(key, registers, &mut self.key);
                        let row = self.extensions.get_mut(*extension).first(*index, &self.key);
                        self.meter.tick()?;
                        self.work += 1;
                        (row != NONE) == *present
                    }
                    Step::Scan { extension, index, key, rest } => {
                        let mut row = cursors[at];
                        if forward {
                            let extension = self.extensions.get_mut(*extension);
                            row = match index {
                                Some(index) => {
                                    gather(key, registers, &mut self.key);
                                    extension.first(*index, &self.key)
                                }
                                None if extension.len() > 0 => 0,
                                None => NONE,
                            };
                        }
                        let extension = self.extensions.get(*extension);
                        let mut found = false;
                        while row != NONE && !found {
                            self.meter.tick()?;
                            self.work += 1;
                            if self.work > self.allowance {
                                return Err(Blown::Work);
                            }
                            let values = extension.row(row);
                            found = rest.iter().all(|(c, m)| matches(m, values[*c], registers, &self.pool));
                            row = match index {
                                Some(index) => extension.next(*index, row),
                                None if (row as usize) + 1 < extension.len() => row + 1,
                                None => NONE,
                            };
                        }
                        cursors[at] = row;
                        found
                    }
                    Step::Call { query, key, outputs, inside } => {
                        if forward {
                            gather(key, registers, &mut self.key);
                            let call = wider::reach(
                                &self.program,
                                &mut self.answers,
                                &mut self.projected,
                                &mut self.meter,
                                *query,
                                &self.key,
                            )?;
                            let about = self.answers[query.index()].call(call);
                            if about.status == Status::Complete {
                                cursors[at] = about.first;
                            } else if *inside {
                                cursors[at] = NONE;
                                let kept = self.kept.len();
                                self.kept.extend_from_slice(registers);
                                let frame = self.frames.last().expect("the frame at work");
                                let source = Target { query: *query, call };
                                self.readers.push(Reader::new(frame, at, source, kept, about.readers));
                                self.meter.atom()?;
                                let call = self.answers[query.index()].call_mut(call);
                                subscribe(call, source, &mut self.readers, &mut self.agenda, &mut self.open);
                            } else {
                                let frame = self.frames.last_mut().expect("the frame at work");
                                return Ok(suspend(frame, at, *query, call));
                            }
                        }
                        let answers = &self.answers[query.index()];
                        let mut found = false;
                        if at == floor && reader != NONE {
                            // A reader follows the chain as it grows.
                            let reader = &mut self.readers[reader as usize];
                            while !found {
                                let row = match reader.last {
                                    NONE => answers.call(reader.source.call).first,
                                    last => answers.next(last),
                                };
                                if row == NONE {
                                    break;
                                }
                                reader.last = row;
                                self.meter.tick()?;
                                self.work += 1;
                                found = accept(outputs, answers.row(row), registers, &self.pool);
                            }
                        } else {
                            let mut row = cursors[at];
                            while row != NONE && !found {
                                self.meter.tick()?;
                                self.work += 1;
                                found = accept(outputs, answers.row(row), registers, &self.pool);
                                row = answers.next(row);
                            }
                            cursors[at] = row;
                        }
                        found
                    }
                    Step::Absent { query, key } if forward => {
                        gather(key, registers, &mut self.key);
                        let call = wider::reach(
                            &self.program,
                            &mut self.answers,
                            &mut self.projected,
                            &mut self.meter,
                            *query,
                            &self.key,
                        )?;
                        let about = self.answers[query.index()].call(call);
                        if about.status != Status::Complete {
                            let frame = self.frames.last_mut().expect("the frame at work");
                            return Ok(suspend(frame, at, *query, call));
                        }
                        self.meter.tick()?;
                        self.work += 1;
                        about.count == 0
                    }
                    Step::Build { .. } | Step::Test { .. } | Step::Absent { .. } => false,
                }
            };
            forward = goes_on;
            if goes_on {
                at += 1;
            } else if at == floor {
                return Ok(Event::Done);
            } else {
                at -= 1;
            }
        }
    }
}

/// Suspends a rule at a step that needs a call to be answered first.
fn suspend(frame: &mut Frame, at: usize, query: QueryId, call: u32) -> Event {
    frame.step = at as u32;
    frame.forward = true;
    Event::Need(Target { query, call })
}

/// Makes the last reader wait for the answers of a call, and schedules the call if it has not been started.
fn subscribe(
    call: &mut Call,
    source: Target,
    readers: &mut [Reader],
    agenda: &mut Vec<Task>,
    open: &mut Vec<Target>,
) {
    let number = readers.len() as u32 - 1;
    call.readers = number;
    if call.status == Status::Fresh {
        call.status = Status::Open;
        open.push(source);
        agenda.push(Task::Start(source));
    }
    if call.count > 0 {
        readers[number as usize].is_due = true;
        agenda.push(Task::Resume(number));
    }
}

/// Schedules all readers of a call.
fn wake(last: u32, readers: &mut [Reader], agenda: &mut Vec<Task>) {
    let mut at = last;
    while at != NONE {
        let reader = &mut readers[at as usize];
        if !reader.is_due && !reader.is_done {
            reader.is_due = true;
            agenda.push(Task::Resume(at));
        }
        at = reader.before;
    }
}

/// Returns `true` if an answer matches. Binds registers to it.
#[inline]
fn accept(outputs: &[Match], row: &[TermId], registers: &mut [TermId], pool: &TermPool) -> bool {
    outputs.iter().zip(row).all(|(wanted, &term)| matches(wanted, term, registers, pool))
}
