//! Every rule instantiated over the atoms that can hold.

use std::sync::Arc;

use game::Fault;
use rules::{Atom, Keyword, Literal, RelationId, Rule, Rules, Term};
use rustc_hash::FxHashMap;

use super::decompose::Program;
use super::relax::relaxed;
use super::{AtomId, AtomKind, Declared, Ground, GroundLimits, GroundLiteral, Strays};
use crate::datalog::join::{Sink, value_of};
use crate::datalog::layout::{TableId, is_split};
use crate::datalog::machine::Machine;
use crate::datalog::plan::Operand;
use crate::meter::Blown;
use crate::stopwatch::Stopwatch;
use crate::{TermId, TermPool};

/// The maximum number of bindings of the instances of one rule, counting one for each of its variables.
const MOST_BINDINGS: usize = 1 << 27;
/// The maximum number of literals of all instances.
const MOST_LITERALS: usize = 1 << 28;

/// A literal of a rule, prepared for lookup with given bindings.
struct Place {
    table: TableId,
    columns: Vec<Operand>,
    /// Whether it is `next` or `legal`, whose rows are stored under `true` and `does`.
    derived_side: bool,
    negative: bool,
    /// The relation, if its last argument is a variable, so that the row is filed by functor.
    filed: Option<RelationId>,
}

/// Returns `true` if the bindings determine the functor under which an atom's row is filed.
fn is_filed(atom: &Atom) -> bool {
    is_split(atom.relation) && matches!(atom.arguments.last(), Some(Term::Variable(_)))
}

/// Numbers atoms in order of appearance. A row of `true` and `does` has two atoms: the input, and what is
/// derived for it.
#[derive(Default)]
struct Numbering {
    inputs: FxHashMap<(TableId, u32), AtomId>,
    derived: FxHashMap<(TableId, u32), AtomId>,
    count: u32,
}

impl Numbering {
    fn atom(&mut self, table: TableId, row: usize, derived_side: bool) -> AtomId {
        let map = if derived_side { &mut self.derived } else { &mut self.inputs };
        *map.entry((table, row as u32)).or_insert_with(|| {
            self.count += 1;
            AtomId(self.count - 1)
        })
    }
}

pub(crate) fn instantiate(
    machine: &mut Machine,
    rules: Arc<Rules>,
    program: &Program,
    initial: &[TermId],
    strays: Option<[RelationId; 2]>,
    limits: GroundLimits,
) -> Result<Ground, Fault> {
    machine.observe();
    machine.layout.tables.iter_mut().for_each(|t| t.prepare(0));
    let mut numbering = Numbering::default();
    let mut found: Vec<(AtomId, u32, u32, u32)> = Vec::new();
    let mut literals: Vec<GroundLiteral> = Vec::new();
    let mut row = Vec::new();
    for (number, rule) in program.rules.iter().enumerate() {
        let plan = machine.planner().enumerate(number, &relaxed(rule, &program.dynamic));
        machine.meter.at(rules.relation_of_clause(rule.clause), rule.clause);
        let began = Stopwatch::start();
        let width = rule.variables.len();
        let most = (limits.instances - found.len()).min(MOST_BINDINGS / width.max(1));
        let mut sink = Sink { most: Some(most), ..Sink::default() };
        machine.run_into(&plan, &mut sink, 0..0).map_err(|blown| match blown {
            Blown::Instances => too_many(&rules, rule, found.len() + most),
            blown => machine.meter.fault(&rules, blown),
        })?;
        let derived = |r: RelationId| r == Keyword::Next.id() || r == Keyword::Legal.id();
        let mut places = Vec::new();
        for literal in &rule.body {
            let Some(atom) = literal.atom().filter(|a| program.dynamic[a.relation.index()]) else { continue };
            let (table, columns) = machine.planner().resolve(atom);
            let negative = matches!(literal, Literal::Negative(_));
            let filed = is_filed(atom).then_some(atom.relation);
            places.push(Place { table, columns, derived_side: derived(atom.relation), negative, filed });
        }
        let head_filed = is_filed(&rule.head).then_some(rule.head.relation);
        let head = machine.planner().resolve(&rule.head);
        let solutions = sink.solutions;
        let before = found.len();
        'solutions: for solution in 0..solutions {
            machine.meter.tick().map_err(|blown| machine.meter.fault(&rules, blown))?;
            if literals.len() > MOST_LITERALS {
                return Err(too_many(&rules, rule, found.len()));
            }
            let registers = &sink.filed[solution * width..(solution + 1) * width];
            let from = literals.len();
            for place in &places {
                values(&place.columns, registers, &mut machine.pool, &mut row);
                let (table, position) = locate(machine, place.table, place.filed, &row);
                match position {
                    Some(position) => {
                        let atom = numbering.atom(table, position, place.derived_side);
                        literals.push(GroundLiteral::new(atom, place.negative));
                    }
                    None if place.negative => {}
                    None => {
                        literals.truncate(from);
                        continue 'solutions;
                    }
                }
            }
            values(&head.1, registers, &mut machine.pool, &mut row);
            let (table, position) = locate(machine, head.0, head_filed, &row);
            let position = position.expect("the relaxed fixpoint holds every head");
            literals[from..].sort_unstable();
            let mut kept = from;
            for i in from..literals.len() {
                if i == from || literals[i] != literals[kept - 1] {
                    literals[kept] = literals[i];
                    kept += 1;
                }
            }
            literals.truncate(kept);
            let atom = numbering.atom(table, position, derived(rule.head.relation));
            found.push((atom, rule.clause as u32, from as u32, literals.len() as u32));
        }
        if let Some(costs) = &mut machine.costs {
            costs.book(rule.clause, began.elapsed(), found.len() - before, 0);
        }
    }
    finish(machine, rules, numbering, found, literals, initial, strays)
}

fn too_many(rules: &Rules, rule: &Rule, count: usize) -> Fault {
    let name = &rules.relation(rules.relation_of_clause(rule.clause)).name;
    let clause = rule.clause + 1;
    Fault::Budget(format!(
        "Grounding produced more than {count} instances, the last one from the rule for `{name}` (clause {clause})."
    ))
}

/// Returns the table and number of a row.
fn locate(
    machine: &mut Machine,
    table: TableId,
    filed: Option<RelationId>,
    row: &[TermId],
) -> (TableId, Option<usize>) {
    match filed {
        Some(relation) => machine.find_filed(relation, row),
        None => (table, machine.layout.tables[table.index()].position(row)),
    }
}

fn values(columns: &[Operand], registers: &[TermId], pool: &mut TermPool, row: &mut Vec<TermId>) {
    row.clear();
    row.extend(columns.iter().map(|o| value_of(o, registers, pool)));
}

/// Sorts the instances into the form that circuits are built from.
fn finish(
    machine: &mut Machine,
    rules: Arc<Rules>,
    mut numbering: Numbering,
    mut found: Vec<(AtomId, u32, u32, u32)>,
    literals: Vec<GroundLiteral>,
    initial: &[TermId],
    strays: Option<[RelationId; 2]>,
) -> Result<Ground, Fault> {
    let roles: Vec<TermId> = rules.roles.iter().map(|&r| machine.pool.intern(r, &[])).collect();
    // Fluents and moves are in the order of their text.
    let mut fluents: Vec<(String, TermId, TableId, usize)> = Vec::new();
    for (table, row, term) in machine.filed(Keyword::True.id(), 0) {
        fluents.push((machine.pool.text(&rules.symbols, term), term, table, row));
    }
    fluents.sort();
    let mut moves: Vec<Vec<(String, TermId, TableId, usize)>> = vec![Vec::new(); roles.len()];
    for (table, row, term) in machine.filed(Keyword::Does.id(), 1) {
        let role = machine.layout.tables[table.index()].row(row)[0];
        if let Some(place) = roles.iter().position(|r| *r == role) {
            moves[place].push((machine.pool.text(&rules.symbols, term), term, table, row));
        }
    }
    moves.iter_mut().for_each(|list| list.sort());
    let mut kinds: Vec<(AtomId, AtomKind)> = Vec::new();
    for (number, (_, _, table, row)) in fluents.iter().enumerate() {
        if let Some(&atom) = numbering.inputs.get(&(*table, *row as u32)) {
            kinds.push((atom, AtomKind::Fluent(number as u32)));
        }
    }
    let mut legal = Vec::new();
    for (role, list) in moves.iter().enumerate() {
        let mut atoms = Vec::new();
        for (number, (_, _, table, row)) in list.iter().enumerate() {
            if let Some(&atom) = numbering.inputs.get(&(*table, *row as u32)) {
                kinds.push((atom, AtomKind::Does(role as u32, number as u32)));
            }
            atoms.push(numbering.atom(*table, *row, true));
        }
        legal.push(atoms);
    }
    let next: Vec<Option<AtomId>> =
        fluents.iter().map(|(_, _, t, r)| numbering.derived.get(&(*t, *r as u32)).copied()).collect();
    let mut plain = |relation: RelationId, arity: usize| {
        let table = machine.layout.plain(relation, arity);
        let rows: Vec<Vec<TermId>> =
            machine.layout.tables[table.index()].rows().map(<[TermId]>::to_vec).collect();
        rows.into_iter()
            .enumerate()
            .map(|(i, row)| (numbering.atom(table, i, false), row))
            .collect::<Vec<_>>()
    };
    let terminal = plain(Keyword::Terminal.id(), 0).first().map(|(atom, _)| *atom);
    let mut goals = vec![Vec::new(); roles.len()];
    let goal_rows = plain(Keyword::Goal.id(), 2);
    let strays = strays.map_or_else(Strays::default, |[next, legal]| Strays {
        next: plain(next, 1).into_iter().map(|(atom, _)| atom).collect(),
        legal: plain(legal, 2).into_iter().map(|(atom, _)| atom).collect(),
    });
    for (atom, row) in goal_rows {
        let value = rules.symbols.name(machine.pool.functor(row[1])).parse();
        if let (Some(role), Ok(value)) = (roles.iter().position(|r| *r == row[0]), value) {
            goals[role].push((value, atom));
        }
    }
    goals.iter_mut().for_each(|list: &mut Vec<_>| list.sort_unstable());
    let mut percepts: Vec<Vec<(String, TermId, AtomId)>> = vec![Vec::new(); roles.len()];
    for (table, row, term) in machine.filed(Keyword::Sees.id(), 1) {
        let role = machine.layout.tables[table.index()].row(row)[0];
        if let Some(place) = roles.iter().position(|r| *r == role) {
            let atom = numbering.atom(table, row, false);
            percepts[place].push((machine.pool.text(&rules.symbols, term), term, atom));
        }
    }
    percepts.iter_mut().for_each(|list| list.sort());
    let count = numbering.count as usize;
    let mut all = vec![AtomKind::Derived; count];
    kinds.into_iter().for_each(|(atom, kind)| all[atom.index()] = kind);
    found.sort_by(|a, b| {
        let body = |x: &(AtomId, u32, u32, u32)| &literals[x.2 as usize..x.3 as usize];
        a.0.cmp(&b.0).then_with(|| body(a).cmp(body(b))).then(a.1.cmp(&b.1))
    });
    found.dedup_by(|a, b| {
        a.0 == b.0 && literals[a.2 as usize..a.3 as usize] == literals[b.2 as usize..b.3 as usize]
    });
    let mut starts = vec![0u32; count + 1];
    found.iter().for_each(|(atom, ..)| starts[atom.index() + 1] += 1);
    for i in 0..count {
        starts[i + 1] += starts[i];
    }
    let holds: rustc_hash::FxHashSet<TermId> = initial.iter().copied().collect();
    Ok(Ground {
        initial: fluents.iter().map(|(_, term, ..)| holds.contains(term)).collect(),
        fluents: fluents.iter().map(|(_, term, ..)| *term).collect(),
        moves: moves.iter().map(|list| list.iter().map(|(_, term, ..)| *term).collect()).collect(),
        percepts: percepts.into_iter().map(|l| l.into_iter().map(|(_, t, a)| (t, a)).collect()).collect(),
        rules,
        pool: std::mem::take(&mut machine.pool),
        kinds: all,
        next,
        legal,
        terminal,
        goals,
        declared: Declared::default(),
        strays,
        starts,
        bodies: found.into_iter().map(|(_, clause, from, to)| (clause, from, to)).collect(),
        literals,
    })
}
