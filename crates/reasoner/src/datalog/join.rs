//! Execution of one plan over the tables, as a nested-loop join.

use super::plan::{Match, Operand, Output, Plan, Step};
use super::table::Table;
use crate::meter::{Blown, Meter};
use crate::{TermId, TermPool};

/// The rows that a run derives. They are merged into the tables when the run is over.
#[derive(Default)]
pub(crate) struct Sink {
    pub table: Table,
    pub whole: Option<Table>,
    pub filed: Vec<TermId>,
    /// The number of solutions that yielded bindings.
    pub solutions: usize,
    /// The maximum number of solutions, if it is limited.
    pub most: Option<usize>,
    /// The number of new rows, not counting those still to be filed.
    pub rows: usize,
}

/// One run of a plan.
pub(crate) struct Join<'a> {
    pub plan: &'a Plan,
    pub tables: &'a [Table],
    pub pool: &'a mut TermPool,
    pub meter: &'a mut Meter,
    /// The rows that the last round added.
    pub delta: std::ops::Range<usize>,
    pub registers: &'a mut Vec<TermId>,
    pub stack: &'a mut Vec<TermId>,
    pub sink: &'a mut Sink,
}

impl Join<'_> {
    /// Derives everything that the plan derives.
    pub fn run(&mut self) -> Result<(), Blown> {
        self.registers.clear();
        self.registers.resize(self.plan.registers, TermId(0));
        self.stack.clear();
        self.step(0).map(|_| ())
    }

    /// Runs the steps from `number` on. Returns `true` if they had a solution.
    fn step(&mut self, number: usize) -> Result<bool, Blown> {
        let plan = self.plan;
        let Some(step) = plan.steps.get(number) else {
            self.emit()?;
            return Ok(true);
        };
        let enough = number >= plan.head_bound;
        match step {
            Step::Distinct(a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                if a == b { Ok(false) } else { self.step(number + 1) }
            }
            Step::Test { table, key, present } => {
                let base = self.push(key)?;
                let there = self.tables[table.index()].contains(&self.stack[base..]);
                self.stack.truncate(base);
                if there == *present { self.step(number + 1) } else { Ok(false) }
            }
            Step::Look { table, index, columns, key, rest } => {
                let base = self.push(key)?;
                let tables = self.tables;
                let table = &tables[table.index()];
                let mut cursor = table.first(*index, self.stack[base..].iter().copied());
                let mut found = false;
                while let Some(row) = table.advance(*index, &mut cursor) {
                    self.meter.tick()?;
                    let row = table.row(row);
                    if columns.iter().zip(&self.stack[base..]).any(|(&c, v)| row[c] != *v) {
                        continue;
                    }
                    if rest.iter().all(|(c, m)| self.matches(m, row[*c])) && self.step(number + 1)? {
                        found = true;
                        if enough {
                            break;
                        }
                    }
                }
                self.stack.truncate(base);
                Ok(found)
            }
            Step::Delta { table, columns } => {
                let tables = self.tables;
                let table = &tables[table.index()];
                let mut found = false;
                for row in self.delta.clone() {
                    self.meter.tick()?;
                    let row = table.row(row);
                    if columns.iter().all(|(c, m)| self.matches(m, row[*c])) && self.step(number + 1)? {
                        found = true;
                        if enough {
                            break;
                        }
                    }
                }
                Ok(found)
            }
        }
    }

    fn push(&mut self, key: &[Operand]) -> Result<usize, Blown> {
        let base = self.stack.len();
        for operand in key {
            let value = self.value(operand)?;
            self.stack.push(value);
        }
        Ok(base)
    }

    fn value(&mut self, operand: &Operand) -> Result<TermId, Blown> {
        match operand {
            Operand::Constant(term) => Ok(*term),
            Operand::Register(register) => Ok(self.registers[*register]),
            Operand::Build(functor, parts) => {
                let base = self.push(parts)?;
                let term = self.pool.intern(*functor, &self.stack[base..]);
                self.stack.truncate(base);
                if self.pool.depth(term) > self.meter.limits().depth {
                    return Err(Blown::Depth);
                }
                self.meter.terms(self.pool.words())?;
                Ok(term)
            }
        }
    }

    fn matches(&mut self, pattern: &Match, term: TermId) -> bool {
        match pattern {
            Match::Constant(constant) => *constant == term,
            Match::Bind(register) => {
                self.registers[*register] = term;
                true
            }
            Match::Same(register) => self.registers[*register] == term,
            Match::Apart(functor, parts) => {
                if self.pool.functor(term) != *functor || self.pool.arguments(term).len() != parts.len() {
                    return false;
                }
                for (place, part) in parts.iter().enumerate() {
                    let argument = self.pool.arguments(term)[place];
                    if !self.matches(part, argument) {
                        return false;
                    }
                }
                true
            }
        }
    }

    fn emit(&mut self) -> Result<(), Blown> {
        self.meter.atom()?;
        match &self.plan.output {
            Output::Row { row, whole, .. } => {
                let base = self.push(row)?;
                let added = self.sink.table.insert(&self.stack[base..]);
                self.stack.truncate(base);
                if added {
                    self.meter.store(self.sink.table.row_words())?;
                }
                if added
                    && let Some((_, row)) = whole
                    && let Some(table) = &mut self.sink.whole
                {
                    let mut values = Vec::with_capacity(row.len());
                    for operand in row {
                        values.push(value_of(operand, self.registers, self.pool));
                    }
                    table.insert(&values);
                }
            }
            Output::Filed { row } => {
                let base = self.push(row)?;
                self.meter.store(self.stack.len() - base)?;
                self.sink.filed.extend_from_slice(&self.stack[base..]);
                self.stack.truncate(base);
            }
            Output::Bindings => {
                self.sink.filed.extend_from_slice(self.registers);
                self.sink.solutions += 1;
                if self.sink.most.is_some_and(|most| self.sink.solutions > most) {
                    return Err(Blown::Instances);
                }
            }
        }
        Ok(())
    }
}

/// Returns the value of an operand, outside the hot path.
pub(crate) fn value_of(operand: &Operand, registers: &[TermId], pool: &mut TermPool) -> TermId {
    match operand {
        Operand::Constant(term) => *term,
        Operand::Register(register) => registers[*register],
        Operand::Build(functor, parts) => {
            let parts: Vec<TermId> = parts.iter().map(|p| value_of(p, registers, pool)).collect();
            pool.intern(*functor, &parts)
        }
    }
}
