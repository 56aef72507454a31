//! Evaluation of relations for one state and joint move, on demand.

use std::sync::Arc;

use game::Fault;
use rules::{Keyword, Literal, RelationId, Rules};

use super::knowledge;
use crate::TermId;
use crate::datalog::machine::Machine;
use crate::datalog::plan::{MOST_DRIVERS, Plan, Step};
use crate::datalog::table::Table;
use crate::meter::Blown;

/// Tables, plans, and which components have been evaluated.
#[derive(Clone)]
pub(crate) struct Engine {
    pub rules: Arc<Rules>,
    pub machine: Machine,
    plans: Vec<Planned>,
    /// For each relation that has been requested, the components it needs, in order.
    needs: Vec<(RelationId, Vec<usize>)>,
    done: Vec<bool>,
    state: Option<Arc<[TermId]>>,
    joint: Option<Vec<TermId>>,
    roles: Vec<TermId>,
}

/// The plans of one component.
#[derive(Clone, Default)]
struct Planned {
    /// One plan per rule, reading whole tables.
    once: Vec<Plan>,
    /// One plan per recursive literal of each rule, driven by the rows that the last round added for that
    /// literal; for a rule with too many such literals, one plan that reads whole tables.
    again: Vec<Plan>,
}

impl Engine {
    pub fn new(rules: Arc<Rules>, mut machine: Machine) -> Engine {
        let roles = rules.roles.iter().map(|&r| machine.pool.intern(r, &[])).collect();
        let components = rules.components.len();
        let mut engine = Engine {
            rules,
            machine,
            plans: Vec::new(),
            needs: Vec::new(),
            done: vec![false; components],
            state: None,
            joint: None,
            roles,
        };
        for keyword in [Keyword::Goal, Keyword::Terminal] {
            engine.machine.layout.plain(keyword.id(), keyword.arity());
        }
        engine.plan();
        engine
    }

    /// Plans every rule using the statistics gathered so far.
    pub fn plan(&mut self) {
        let rules = self.rules.clone();
        let mut planner = self.machine.planner();
        rules.rules.iter().for_each(|r| planner.touch(r));
        self.plans.clear();
        for component in &rules.components {
            let mut planned = Planned::default();
            for relation in &component.relations {
                for &number in &rules.relation(*relation).rules {
                    let rule = &rules.rules[number];
                    planned.once.push(planner.plan(number, rule, None));
                    let grows = |l: &Literal| matches!(l, Literal::Positive(atom) if component.relations.contains(&atom.relation));
                    if !component.recursive {
                        continue;
                    }
                    let drivers: Vec<usize> =
                        (0..rule.body.len()).filter(|&i| grows(&rule.body[i])).collect();
                    if drivers.len() > MOST_DRIVERS {
                        planned.again.push(planner.plan(number, rule, None));
                        continue;
                    }
                    for place in drivers {
                        planned.again.push(planner.plan(number, rule, Some(place)));
                    }
                }
            }
            self.plans.push(planned);
        }
    }

    /// Makes `state` the current state.
    pub fn enter(&mut self, state: &Arc<[TermId]>) {
        if self.state.as_ref().is_some_and(|s| Arc::ptr_eq(s, state) || s == state) {
            return;
        }
        self.forget(|relation| relation.depends_on_true || relation.depends_on_does);
        self.joint = None;
        self.machine.layout.clear(Keyword::Does.id());
        for keyword in [Keyword::True, Keyword::Knows, Keyword::CommonKnowledge] {
            self.machine.layout.clear(keyword.id());
        }
        for &fact in state.iter() {
            if knowledge::is_written(&self.rules, self.machine.pool.functor(fact)) {
                self.machine.file(Keyword::True.id(), &[fact]);
            } else {
                knowledge::file(self, fact);
            }
        }
        self.state = Some(state.clone());
    }

    /// Makes `joint` the current joint move.
    pub fn make(&mut self, joint: &[TermId]) {
        if self.joint.as_deref() == Some(joint) {
            return;
        }
        self.forget(|relation| relation.depends_on_does);
        self.machine.layout.clear(Keyword::Does.id());
        for (place, &mv) in joint.iter().enumerate() {
            let role = self.roles[place];
            self.machine.file(Keyword::Does.id(), &[role, mv]);
        }
        self.joint = Some(joint.to_vec());
    }

    fn forget(&mut self, which: impl Fn(&rules::Relation) -> bool) {
        for (number, component) in self.rules.components.iter().enumerate() {
            let first = component.relations[0];
            if self.done[number] && which(self.rules.relation(first)) {
                self.done[number] = false;
                component.relations.iter().for_each(|&r| self.machine.layout.clear(r));
            }
        }
    }

    /// Evaluates a relation and everything it depends on.
    pub fn ask(&mut self, relation: RelationId) -> Result<(), Fault> {
        let place = match self.needs.iter().position(|(r, _)| *r == relation) {
            Some(place) => place,
            None => {
                self.needs.push((relation, needed(&self.rules, relation)));
                self.needs.len() - 1
            }
        };
        self.machine.meter.restart();
        self.machine.meter.set_stored(self.machine.layout.words());
        for position in 0..self.needs[place].1.len() {
            let component = self.needs[place].1[position];
            if !self.done[component] {
                if let Err(blown) = self.evaluate(component) {
                    let rules = self.rules.clone();
                    rules.components[component].relations.iter().for_each(|&r| self.machine.layout.clear(r));
                    return Err(self.machine.meter.fault(&rules, blown));
                }
                self.done[component] = true;
            }
        }
        Ok(())
    }

    /// Lists the terms that an evaluated relation contains, or those of one role.
    pub fn terms(
        &mut self,
        relation: RelationId,
        role: Option<usize>,
        out: &mut Vec<TermId>,
    ) -> Result<(), Fault> {
        let role = role.map(|place| self.roles[place]);
        self.machine.terms(relation, role, out).map_err(|blown| {
            let clause =
                self.rules.relation(relation).rules.first().map_or(0, |&r| self.rules.rules[r].clause);
            self.machine.meter.at(relation, clause);
            self.machine.meter.fault(&self.rules, blown)
        })
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
        let mut old: Vec<usize> = vec![0; self.machine.layout.tables.len()];
        loop {
            let new: Vec<usize> = self.machine.layout.tables.iter().map(Table::len).collect();
            let changed = old != new;
            let mut grown = false;
            for plan in &planned.again {
                let Some(Step::Delta { table, .. }) = plan.steps.first() else {
                    if changed {
                        grown = true;
                        self.run(plan, 0..0)?;
                    }
                    continue;
                };
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
            old.resize(self.machine.layout.tables.len(), 0);
        }
    }

    fn run(&mut self, plan: &Plan, delta: std::ops::Range<usize>) -> Result<(), Blown> {
        let rule = &self.rules.rules[plan.rule];
        self.machine.meter.at(rule.head.relation, rule.clause);
        self.machine.run(plan, rule.head.relation, delta)
    }

    /// Returns the tables.
    pub fn into_machine(self) -> Machine {
        self.machine
    }

    pub fn role(&self, place: usize) -> TermId {
        self.roles[place]
    }
}

/// Returns the components a relation needs, each after all those it depends on.
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
