//! Tables, with everything needed to run plans over them.

use rules::RelationId;

use super::join::{Join, Sink};
use super::layout::{Layout, TableId, is_split};
use super::plan::{Output, Plan, Planner, Statistics, Step};
use super::table::Table;
use crate::cost::Costs;
use crate::meter::{Blown, Meter};
use crate::stopwatch::Stopwatch;
use crate::{Limits, TermId, TermPool};

/// Terms, tables, their statistics, and scratch memory.
#[derive(Clone)]
pub(crate) struct Machine {
    pub pool: TermPool,
    pub layout: Layout,
    pub meter: Meter,
    /// The cost of each clause, if it is measured.
    pub costs: Option<Costs>,
    statistics: Vec<Statistics>,
    registers: Vec<TermId>,
    stack: Vec<TermId>,
}

impl Machine {
    pub fn new(limits: Limits) -> Machine {
        Machine {
            pool: TermPool::default(),
            layout: Layout::default(),
            meter: Meter::new(limits),
            costs: None,
            statistics: Vec::new(),
            registers: Vec::new(),
            stack: Vec::new(),
        }
    }

    /// Returns a planner over these tables.
    pub fn planner(&mut self) -> Planner<'_> {
        Planner { layout: &mut self.layout, pool: &mut self.pool, statistics: &self.statistics }
    }

    /// Updates the statistics with the current sizes of the tables.
    pub fn observe(&mut self) {
        self.statistics.resize(self.layout.tables.len(), Statistics::default());
        for (seen, table) in self.statistics.iter_mut().zip(&self.layout.tables) {
            if table.len() as f64 > seen.rows {
                seen.rows = table.len() as f64;
                seen.distinct = table.distinct().into_iter().map(|d| d as f64).collect();
            }
        }
    }

    /// Adds a row to a split relation, filed by the functor of its last argument. Returns `true` if the row
    /// is new.
    pub fn file(&mut self, relation: RelationId, row: &[TermId]) -> bool {
        let last = row[row.len() - 1];
        let arguments = self.pool.arguments(last);
        let lead = row.len() - 1;
        let table = self.layout.split(relation, self.pool.functor(last), arguments.len(), lead);
        self.stack.clear();
        self.stack.extend_from_slice(&row[..lead]);
        self.stack.extend_from_slice(arguments);
        let added = self.layout.tables[table.index()].insert(&self.stack);
        if added && let Some(whole) = self.layout.whole(relation) {
            self.layout.tables[whole.index()].insert(row);
        }
        added
    }

    /// Runs a plan and merges what it derives. `relation` is the relation of its head.
    pub fn run(
        &mut self,
        plan: &Plan,
        relation: RelationId,
        delta: std::ops::Range<usize>,
    ) -> Result<(), Blown> {
        let began = self.costs.is_some().then(Stopwatch::start);
        let before = self.meter.derived();
        let mut sink = Sink::default();
        let result = self.run_into(plan, &mut sink, delta);
        let mut rows = sink.rows;
        if let Output::Filed { row } = &plan.output {
            let words = self.meter.stored();
            for row in sink.filed.chunks(row.len()) {
                if self.file(relation, row) {
                    rows += 1;
                }
            }
            self.meter.set_stored(words - sink.filed.len() + rows * (row.len() + 3));
        }
        if let (Some(began), Some(costs)) = (began, &mut self.costs) {
            costs.book(self.meter.clause(), began.elapsed(), self.meter.derived() - before, rows);
        }
        result
    }

    /// Runs a plan. Rows go to their tables; bindings and rows to be filed go to the sink.
    pub fn run_into(
        &mut self,
        plan: &Plan,
        sink: &mut Sink,
        delta: std::ops::Range<usize>,
    ) -> Result<(), Blown> {
        for step in &plan.steps {
            match step {
                Step::Look { table, index, .. } => self.layout.tables[table.index()].prepare(*index),
                Step::Test { table, .. } => self.layout.tables[table.index()].prepare(0),
                Step::Delta { .. } | Step::Distinct(..) => {}
            }
        }
        let stored = self.meter.stored();
        let before = match &plan.output {
            Output::Row { table, .. } => self.layout.tables[table.index()].len(),
            _ => 0,
        };
        let reads = |id: TableId| {
            plan.steps.iter().any(|s| match s {
                Step::Look { table, .. } | Step::Test { table, .. } | Step::Delta { table, .. } => {
                    *table == id
                }
                Step::Distinct(..) => false,
            })
        };
        // A table that the plan does not read is written in place. For one that it reads, the rows are
        // collected in a separate table and merged afterwards.
        let mut take = |id: TableId| {
            let table = &mut self.layout.tables[id.index()];
            if reads(id) { (Table::new(table.arity()), false) } else { (std::mem::take(table), true) }
        };
        let mut in_place = (false, false);
        if let Output::Row { table, whole, .. } = &plan.output {
            (sink.table, in_place.0) = take(*table);
            if let Some((whole, _)) = whole {
                let (table, placed) = take(*whole);
                sink.whole = Some(table);
                in_place.1 = placed;
            }
        }
        let result = Join {
            plan,
            tables: &self.layout.tables,
            pool: &mut self.pool,
            meter: &mut self.meter,
            delta,
            registers: &mut self.registers,
            stack: &mut self.stack,
            sink,
        }
        .run();
        let mut put = |id: TableId, table: Table, placed: bool| {
            let slot = &mut self.layout.tables[id.index()];
            if placed {
                *slot = table;
            } else {
                for row in table.rows() {
                    slot.insert(row);
                }
            }
        };
        if let Output::Row { table, whole, .. } = &plan.output {
            put(*table, std::mem::take(&mut sink.table), in_place.0);
            if let (Some((id, _)), Some(table)) = (whole, sink.whole.take()) {
                put(*id, table, in_place.1);
            }
            let table = &self.layout.tables[table.index()];
            sink.rows = table.len() - before;
            self.meter.set_stored(stored + sink.rows * table.row_words());
        }
        result
    }

    /// Lists the terms of a split relation (`next`, `init`), or those of one role (`legal`, `sees`).
    pub fn terms(
        &mut self,
        relation: RelationId,
        role: Option<TermId>,
        out: &mut Vec<TermId>,
    ) -> Result<(), Blown> {
        debug_assert!(is_split(relation));
        out.clear();
        let lead = usize::from(role.is_some());
        let parts = self.layout.parts(relation);
        self.meter.answers(parts.iter().map(|id| self.layout.tables[id.index()].len()).sum())?;
        for &id in parts {
            let functor = self.layout.functors[id.index()].expect("parts are filed by functor");
            for row in self.layout.tables[id.index()].rows() {
                if role.is_none_or(|r| row[0] == r) {
                    out.push(self.pool.intern(functor, &row[lead..]));
                }
            }
        }
        self.meter.terms(self.pool.words())
    }

    /// Returns all rows of a split relation with the terms they represent. `lead` columns precede the
    /// functor's arguments.
    pub fn filed(&mut self, relation: RelationId, lead: usize) -> Vec<(TableId, usize, TermId)> {
        let mut all = Vec::new();
        for &id in self.layout.parts(relation) {
            let functor = self.layout.functors[id.index()].expect("parts are filed by functor");
            for (number, row) in self.layout.tables[id.index()].rows().enumerate() {
                all.push((id, number, self.pool.intern(functor, &row[lead..])));
            }
        }
        all
    }

    /// Returns the table and position of a row of a split relation.
    pub fn find_filed(&mut self, relation: RelationId, row: &[TermId]) -> (TableId, Option<usize>) {
        let last = row[row.len() - 1];
        let arguments = self.pool.arguments(last);
        let lead = row.len() - 1;
        let table = self.layout.split(relation, self.pool.functor(last), arguments.len(), lead);
        let filed = [&row[..lead], arguments].concat();
        (table, self.layout.tables[table.index()].position(&filed))
    }
}
