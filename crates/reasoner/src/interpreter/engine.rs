//! Evaluates relations for one state and joint move, as far as they are asked for.

use std::sync::Arc;

use game::Fault;
use rules::{Keyword, Literal, RelationId, Rules};

use super::join::{Join, Sink};
use super::layout::{Layout, TableId, is_split};
use super::plan::{Output, Plan, Planner, Statistics, Step};
use super::table::Table;
use crate::meter::{Blown, Meter};
use crate::{Limits, TermId, TermPool};

/// Tables, plans and what is evaluated so far.
pub(crate) struct Engine {
    pub rules: Arc<Rules>,
    pub pool: TermPool,
    pub layout: Layout,
    plans: Vec<Planned>,
    /// For each relation that is asked for, the components it needs, in order.
    needs: Vec<(RelationId, Vec<usize>)>,
    done: Vec<bool>,
    statistics: Vec<Statistics>,
    state: Option<Arc<[TermId]>>,
    joint: Option<Vec<TermId>>,
    roles: Vec<TermId>,
    meter: Meter,
    registers: Vec<TermId>,
    stack: Vec<TermId>,
}

/// The plans of one component.
#[derive(Default)]
struct Planned {
    /// Every rule once, reading whole tables.
    once: Vec<Plan>,
    /// Every rule once per recursive literal, driven by that literal's last rows.
    again: Vec<Plan>,
}

impl Engine {
    pub fn new(rules: Arc<Rules>, limits: Limits) -> Result<Engine, Fault> {
        let mut pool = TermPool::default();
        let roles = rules.roles.iter().map(|&r| pool.intern(r, &[])).collect();
        let asked = [
            Keyword::Init,
            Keyword::Terminal,
            Keyword::Legal,
            Keyword::Goal,
            Keyword::Next,
            Keyword::Sees,
        ];
        let needs = asked.iter().map(|k| (k.id(), needed(&rules, k.id()))).collect();
        let components = rules.components.len();
        let mut engine = Engine {
            rules,
            pool,
            layout: Layout::default(),
            plans: Vec::new(),
            needs,
            done: vec![false; components],
            statistics: Vec::new(),
            state: None,
            joint: None,
            roles,
            meter: Meter::new(limits),
            registers: Vec::new(),
            stack: Vec::new(),
        };
        for keyword in [Keyword::Goal, Keyword::Terminal] {
            engine.layout.plain(keyword.id(), keyword.arity());
        }
        engine.plan();
        Ok(engine)
    }

    /// Plans every rule by the statistics gathered so far.
    pub fn plan(&mut self) {
        let rules = self.rules.clone();
        let mut planner =
            Planner { layout: &mut self.layout, pool: &mut self.pool, statistics: &self.statistics };
        rules.rules.iter().for_each(|r| planner.touch(r));
        self.plans.clear();
        for component in &rules.components {
            let mut planned = Planned::default();
            for relation in &component.relations {
                for &number in &rules.relation(*relation).rules {
                    let rule = &rules.rules[number];
                    planned.once.push(planner.plan(number, rule, None));
                    for (place, literal) in rule.body.iter().enumerate() {
                        if let Literal::Positive(atom) = literal
                            && component.recursive
                            && component.relations.contains(&atom.relation)
                        {
                            planned.again.push(planner.plan(number, rule, Some(place)));
                        }
                    }
                }
            }
            self.plans.push(planned);
        }
    }

    /// Takes sizes of the tables as they are into the statistics.
    pub fn observe(&mut self) {
        self.statistics.resize(self.layout.tables.len(), Statistics::default());
        for (seen, table) in self.statistics.iter_mut().zip(&self.layout.tables) {
            if table.len() as f64 > seen.rows {
                seen.rows = table.len() as f64;
                seen.distinct = table.distinct().into_iter().map(|d| d as f64).collect();
            }
        }
    }

    /// Makes `state` the one that questions are about.
    pub fn enter(&mut self, state: &Arc<[TermId]>) {
        if self.state.as_ref().is_some_and(|s| Arc::ptr_eq(s, state) || s == state) {
            return;
        }
        self.forget(|relation| relation.depends_on_true || relation.depends_on_does);
        self.joint = None;
        self.layout.clear(Keyword::Does.id());
        self.layout.clear(Keyword::True.id());
        for &fact in state.iter() {
            self.file(Keyword::True.id(), &[fact]);
        }
        self.state = Some(state.clone());
    }

    /// Makes `joint` the joint move that questions are about.
    pub fn make(&mut self, joint: &[TermId]) {
        if self.joint.as_deref() == Some(joint) {
            return;
        }
        self.forget(|relation| relation.depends_on_does);
        self.layout.clear(Keyword::Does.id());
        for (place, &mv) in joint.iter().enumerate() {
            let role = self.roles[place];
            self.file(Keyword::Does.id(), &[role, mv]);
        }
        self.joint = Some(joint.to_vec());
    }

    fn forget(&mut self, which: impl Fn(&rules::Relation) -> bool) {
        for (number, component) in self.rules.components.iter().enumerate() {
            let first = component.relations[0];
            if self.done[number] && which(self.rules.relation(first)) {
                self.done[number] = false;
                component.relations.iter().for_each(|&r| self.layout.clear(r));
            }
        }
    }

    /// Adds a row to a split relation, filed by the functor of its last argument.
    fn file(&mut self, relation: RelationId, row: &[TermId]) -> bool {
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

    /// Evaluates a relation and all it needs.
    pub fn ask(&mut self, relation: RelationId) -> Result<(), Fault> {
        let Some(place) = self.needs.iter().position(|(r, _)| *r == relation) else { return Ok(()) };
        self.meter.restart();
        for position in 0..self.needs[place].1.len() {
            let component = self.needs[place].1[position];
            if !self.done[component] {
                if let Err(blown) = self.evaluate(component) {
                    let rules = self.rules.clone();
                    rules.components[component].relations.iter().for_each(|&r| self.layout.clear(r));
                    return Err(self.meter.fault(&rules, blown));
                }
                self.done[component] = true;
            }
        }
        Ok(())
    }

    fn evaluate(&mut self, component: usize) -> Result<(), Blown> {
        let planned = std::mem::take(&mut self.plans[component]);
        let result = self.evaluate_planned(component, &planned);
        self.plans[component] = planned;
        result
    }

    fn evaluate_planned(&mut self, component: usize, planned: &Planned) -> Result<(), Blown> {
        for plan in &planned.once {
            self.run(plan, 0..0)?;
        }
        if !self.rules.components[component].recursive {
            return Ok(());
        }
        let mut old: Vec<usize> = vec![0; self.layout.tables.len()];
        loop {
            let new: Vec<usize> = self.layout.tables.iter().map(Table::len).collect();
            let mut grown = false;
            for plan in &planned.again {
                let Some(Step::Delta { table, .. }) = plan.steps.first() else { continue };
                let range = old[table.index()]..new[table.index()];
                if !range.is_empty() {
                    grown = true;
                    self.run(plan, range)?;
                }
            }
            if !grown {
                return Ok(());
            }
            old = new;
            old.resize(self.layout.tables.len(), 0);
        }
    }

    fn run(&mut self, plan: &Plan, delta: std::ops::Range<usize>) -> Result<(), Blown> {
        let rule = &self.rules.rules[plan.rule];
        self.meter.at(rule.head.relation, rule.clause);
        for step in &plan.steps {
            match step {
                Step::Look { table, index, .. } => self.layout.tables[table.index()].prepare(*index),
                Step::Test { table, .. } => self.layout.tables[table.index()].prepare(0),
                Step::Delta { .. } | Step::Distinct(..) => {}
            }
        }
        let reads = |id: TableId| {
            plan.steps.iter().any(|s| match s {
                Step::Look { table, .. } | Step::Test { table, .. } | Step::Delta { table, .. } => *table == id,
                Step::Distinct(..) => false,
            })
        };
        // A table that the plan does not read is written in place; one that it
        // reads is written to a table of its own and merged afterwards.
        let mut take = |id: TableId| {
            let table = &mut self.layout.tables[id.index()];
            if reads(id) {
                (Table::new(table.arity()), false)
            } else {
                (std::mem::take(table), true)
            }
        };
        let mut sink = Sink { table: Table::default(), whole: None, filed: Vec::new() };
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
            sink: &mut sink,
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
            put(*table, sink.table, in_place.0);
            if let (Some((id, _)), Some(table)) = (whole, sink.whole) {
                put(*id, table, in_place.1);
            }
        }
        if let Output::Filed { row } = &plan.output {
            let head = self.rules.rules[plan.rule].head.relation;
            for row in sink.filed.chunks(row.len()) {
                self.file(head, row);
            }
        }
        result
    }

    /// The terms of a split relation (`next`, `init`), or those of one role (`legal`, `sees`).
    pub fn terms(&mut self, relation: RelationId, role: Option<TermId>, out: &mut Vec<TermId>) {
        debug_assert!(is_split(relation));
        out.clear();
        let lead = usize::from(role.is_some());
        for &id in self.layout.parts(relation) {
            let functor = self.layout.about[id.index()].functor.expect("parts are filed by functor");
            for row in self.layout.tables[id.index()].rows() {
                if role.is_none_or(|r| row[0] == r) {
                    out.push(self.pool.intern(functor, &row[lead..]));
                }
            }
        }
    }

    pub fn role(&self, place: usize) -> TermId {
        self.roles[place]
    }
}

/// The components a relation needs, each after all it depends on.
fn needed(rules: &Rules, relation: RelationId) -> Vec<usize> {
    let mut wanted = vec![false; rules.relations.len()];
    let mut work = vec![relation];
    while let Some(relation) = work.pop() {
        if std::mem::replace(&mut wanted[relation.index()], true) {
            continue;
        }
        for &number in &rules.relation(relation).rules {
            work.extend(rules.rules[number].body.iter().filter_map(Literal::atom).map(|a| a.relation));
        }
    }
    let is_wanted = |component: &rules::Component| component.relations.iter().any(|r| wanted[r.index()]);
    (0..rules.components.len()).filter(|&c| is_wanted(&rules.components[c])).collect()
}
