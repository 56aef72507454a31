//! The fixpoint of the relaxed rules, by semi-naive evaluation.

use game::Fault;
use rules::{Literal, Rule, Rules};

use super::GroundLimits;
use super::decompose::Program;
use crate::datalog::machine::Machine;
use crate::datalog::plan::{MOST_DRIVERS, Plan, Step};
use crate::datalog::table::Table;

/// Returns the rule without the negated literals that depend on the state.
pub(crate) fn relaxed(rule: &Rule, dynamic: &[bool]) -> Rule {
    let keep = |l: &&Literal| !matches!(l, Literal::Negative(a) if dynamic[a.relation.index()]);
    Rule { body: rule.body.iter().filter(keep).cloned().collect(), ..rule.clone() }
}

/// Returns the number of rows of each table.
pub(crate) fn sizes(machine: &Machine) -> Vec<usize> {
    machine.layout.tables.iter().map(Table::len).collect()
}

/// Fills the tables of all dynamic relations with every atom that can hold. The tables must already contain
/// everything that follows from the first `old` rows of each table.
pub(crate) fn relax(
    machine: &mut Machine,
    rules: &Rules,
    program: &Program,
    limits: GroundLimits,
    mut old: Vec<usize>,
) -> Result<(), Fault> {
    for rule in &program.fixed {
        let plan = machine.planner().plan(0, rule, None);
        run(machine, rules, rule, &plan, 0..0)?;
    }
    let relaxed: Vec<Rule> = program.rules.iter().map(|r| relaxed(r, &program.dynamic)).collect();
    relaxed.iter().for_each(|r| machine.planner().touch(r));
    let is_dynamic = |l: &Literal| matches!(l, Literal::Positive(a) if program.dynamic[a.relation.index()]);
    for (number, rule) in relaxed.iter().enumerate() {
        if !rule.body.iter().any(is_dynamic) {
            let plan = machine.planner().plan(number, rule, None);
            run(machine, rules, rule, &plan, 0..0)?;
        }
    }
    let mut plans: Vec<Plan> = Vec::new();
    let mut planned_at = 0;
    loop {
        let new = sizes(machine);
        let total: usize = new.iter().sum();
        if total > limits.atoms {
            let (most, largest) = (limits.atoms, largest(machine, rules, &relaxed));
            return Err(Fault::Budget(format!(
                "Grounding produced more than {most} atoms, most of them {largest}."
            )));
        }
        if plans.is_empty() || total > planned_at * 2 {
            planned_at = total;
            machine.observe();
            plans.clear();
            for (number, rule) in relaxed.iter().enumerate() {
                if rule.body.iter().filter(|l| is_dynamic(l)).count() > MOST_DRIVERS {
                    plans.push(machine.planner().plan(number, rule, None));
                    continue;
                }
                for (place, _) in rule.body.iter().enumerate().filter(|(_, l)| is_dynamic(l)) {
                    plans.push(machine.planner().plan(number, rule, Some(place)));
                }
            }
        }
        old.resize(new.len(), 0);
        let changed = old != new;
        let mut grown = false;
        for plan in &plans {
            let Some(Step::Delta { table, .. }) = plan.steps.first() else {
                if changed {
                    grown = true;
                    run(machine, rules, &relaxed[plan.rule], plan, 0..0)?;
                }
                continue;
            };
            let upper = new.get(table.index()).copied().unwrap_or(0);
            let range = old.get(table.index()).copied().unwrap_or(0)..upper;
            if !range.is_empty() {
                grown = true;
                run(machine, rules, &relaxed[plan.rule], plan, range)?;
            }
        }
        if !grown {
            return Ok(());
        }
        old = new;
    }
}

fn run(
    machine: &mut Machine,
    rules: &Rules,
    rule: &Rule,
    plan: &Plan,
    delta: std::ops::Range<usize>,
) -> Result<(), Fault> {
    machine.meter.at(rules.relation_of_clause(rule.clause), rule.clause);
    machine.run(plan, rule.head.relation, delta).map_err(|blown| machine.meter.fault(rules, blown))
}

/// Names the rule whose relation has the most atoms.
fn largest(machine: &mut Machine, rules: &Rules, relaxed: &[Rule]) -> String {
    let size = |machine: &mut Machine, rule: &Rule| {
        let (table, _) = machine.planner().resolve(&rule.head);
        machine.layout.tables[table.index()].len()
    };
    let rule = relaxed.iter().max_by_key(|r| size(machine, r));
    rule.map_or("initially".to_string(), |r| {
        let name = &rules.relation(rules.relation_of_clause(r.clause)).name;
        format!("from the rule for `{name}` (clause {})", r.clause + 1)
    })
}
