//! Ground rules: every atom that can ever hold, and every way to derive it.
//!
//! A fixpoint over the relaxed rules, in which negated literals that depend on the state are dropped, finds
//! every fluent, move and derived atom that can hold in some reachable state. Static relations are evaluated
//! exactly and disappear. Then every rule is instantiated over these atoms. Joins are indexed and ordered by
//! size, so no Cartesian product of argument domains is ever formed. Work, atoms and instances are limited.
//! All limits are counted, so the result does not depend on the load of the machine.

mod declared;
mod decompose;
mod instances;
mod relax;
#[cfg(test)]
mod tests;

use std::iter;
use std::sync::Arc;

use game::{Fault, Goal};
use rules::{Keyword, Rules};

use crate::cost::Costs;
use crate::datalog::machine::Machine;
use crate::interpreter::engine::Engine;
use crate::making::Making;
use crate::meter::{WORK_PER_SECOND, check_length};
use crate::{Limits, RuleCost, TermId, TermPool};
use declared::Bounded;
pub use declared::{Declared, Strays};
use decompose::Program;

/// The memory of tables and terms, in words of four bytes, for each atom that may be found.
const WORDS_PER_ATOM: usize = 16;

/// The remaining work is divided by this to limit the evaluation of declarations.
const DECLARED: u64 = 8;
/// The number of atoms beyond the declared ones that are derived before the declarations are considered worth
/// a proof: this multiple of those within, plus a constant.
const MUCH_LARGER: usize = 8;
const SMALL: usize = 100_000;

/// Limits for grounding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GroundLimits {
    /// The number of candidates that may be visited in total, accurate to a few thousand.
    pub work: u64,
    /// The maximum number of atoms.
    pub atoms: usize,
    /// The maximum number of rule instances.
    pub instances: usize,
}

impl Default for GroundLimits {
    fn default() -> GroundLimits {
        GroundLimits { work: 20 * WORK_PER_SECOND, atoms: 4_000_000, instances: 30_000_000 }
    }
}

/// An atom that can hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AtomId(pub u32);

impl AtomId {
    /// Returns the number as an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The role of an atom in a circuit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtomKind {
    /// `true` of the fluent with this number.
    Fluent(u32),
    /// `does` of this role and the move with this number.
    Does(u32, u32),
    /// An atom that follows from its instances.
    Derived,
}

/// A ground literal: an atom or its negation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GroundLiteral(u32);

impl GroundLiteral {
    /// Creates a literal from an atom, negated if `negative` is `true`.
    pub fn new(atom: AtomId, negative: bool) -> GroundLiteral {
        GroundLiteral(atom.0 << 1 | u32::from(negative))
    }

    /// Returns the atom.
    pub fn atom(self) -> AtomId {
        AtomId(self.0 >> 1)
    }

    /// Returns `true` if the literal is negated.
    pub fn is_negative(self) -> bool {
        self.0 & 1 == 1
    }
}

/// One ground rule.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Instance<'a> {
    /// The clause of the sheet it comes from.
    pub clause: u32,
    /// The literals that must hold.
    pub body: &'a [GroundLiteral],
}

/// The ground rules of a whole sheet.
#[derive(Debug)]
pub struct Ground {
    /// The rules that were grounded.
    pub rules: Arc<Rules>,
    /// All terms.
    pub pool: TermPool,
    /// The kind of each atom.
    pub kinds: Vec<AtomKind>,
    /// The fluents, in the order of their text.
    pub fluents: Vec<TermId>,
    /// For each fluent, whether it holds initially.
    pub initial: Vec<bool>,
    /// For each fluent, the atom `next` of it, if it has instances.
    pub next: Vec<Option<AtomId>>,
    /// For each role, its moves in the order of their text.
    pub moves: Vec<Vec<TermId>>,
    /// For each role and move, the atom `legal` of it.
    pub legal: Vec<Vec<AtomId>>,
    /// `terminal`, if it can hold.
    pub terminal: Option<AtomId>,
    /// For each role, the goal values with their atoms.
    pub goals: Vec<Vec<(Goal, AtomId)>>,
    /// For each role, the percepts with their atoms, in the order of their text.
    pub percepts: Vec<Vec<(TermId, AtomId)>>,
    /// How `base` and `input` were used, if they were evaluated.
    pub declared: Declared,
    /// Atoms that must never hold for these rules to be complete.
    pub strays: Strays,
    starts: Vec<u32>,
    bodies: Vec<(u32, u32, u32)>,
    literals: Vec<GroundLiteral>,
}

impl Ground {
    /// Grounds rules within limits.
    pub fn new(rules: Arc<Rules>, limits: GroundLimits) -> Result<Ground, Fault> {
        Ground::measured(rules, &Making::within(limits)).0
    }

    /// Grounds rules within limits and returns also the cost of each clause, by its position in the sheet,
    /// even if grounding failed. Clauses beyond the end cost nothing.
    pub fn measured(rules: Arc<Rules>, making: &Making) -> (Result<Ground, Fault>, Vec<RuleCost>) {
        Ground::make(rules, making, false)
    }

    /// Grounds rules within what the sheet declares with `base` and `input`, if that is worthwhile. The
    /// result is complete only if none of the strays can ever hold.
    pub fn declared(rules: Arc<Rules>, making: &Making) -> Result<Ground, Fault> {
        Ground::make(rules, making, true).0
    }

    fn make(rules: Arc<Rules>, making: &Making, declared: bool) -> (Result<Ground, Fault>, Vec<RuleCost>) {
        if rules.reads_knowledge() {
            let fault = Fault::Unsupported("The rules use `knows`, which cannot be grounded.".into());
            return (Err(fault), Vec::new());
        }
        if let Err(fault) = check_length(&rules) {
            return (Err(fault), Vec::new());
        }
        let limits = making.limits;
        let program = decompose::decompose(&rules);
        let budget = Limits { work: limits.work, atoms: limits.atoms.saturating_mul(8), ..Limits::default() };
        let mut machine = Machine::new(budget);
        machine.costs = Some(Costs::default());
        machine.meter.watch(making.clone());
        machine.meter.set_words(limits.atoms.saturating_mul(WORDS_PER_ATOM));
        machine.layout.alias(Keyword::Next.id(), Keyword::True.id());
        machine.layout.alias(Keyword::Init.id(), Keyword::True.id());
        machine.layout.alias(Keyword::Legal.id(), Keyword::Does.id());
        let mut engine = Engine::new(rules.clone(), machine);
        let initial = fixed(&mut engine, &program, limits).and_then(|initial| {
            if !declared {
                return Ok((initial, Declared::Nothing));
            }
            let work = left(&engine.machine, limits) / DECLARED;
            let found = declared::evaluate(&mut engine, &initial, work)?;
            Ok((initial, found))
        });
        let mut machine = engine.into_machine();
        let ground = initial.and_then(|(initial, found)| {
            let work = left(&machine, limits);
            machine.meter.set_work(work);
            let (found, bounded) = fixpoint(&mut machine, &rules, &program, limits, found)?;
            let work = left(&machine, limits);
            machine.meter.set_work(work);
            machine.meter.instances_follow();
            let (program, strays) = match &bounded {
                Some(bounded) => (&bounded.program, Some(bounded.strays)),
                None => (&program, None),
            };
            let ground = instances::instantiate(&mut machine, rules, program, &initial, strays, limits)?;
            Ok(Ground { declared: found, ..ground })
        });
        (ground, machine.costs.take().unwrap_or_default().into_list())
    }

    /// Returns the number of atoms.
    pub fn atoms(&self) -> usize {
        self.kinds.len()
    }

    /// Returns the number of instances.
    pub fn instance_count(&self) -> usize {
        self.bodies.len()
    }

    /// Returns the instances that derive an atom.
    pub fn instances(&self, atom: AtomId) -> impl Iterator<Item = Instance<'_>> {
        let range = self.starts[atom.index()] as usize..self.starts[atom.index() + 1] as usize;
        self.bodies[range]
            .iter()
            .map(|&(clause, from, to)| Instance { clause, body: &self.literals[from as usize..to as usize] })
    }

    /// Returns the canonical text of a term.
    pub fn text(&self, term: TermId) -> String {
        self.pool.text(&self.rules.symbols, term)
    }
}

/// Returns the work that is left of the total.
fn left(machine: &Machine, limits: GroundLimits) -> u64 {
    limits.work.saturating_sub(machine.meter.work())
}

/// Finds every atom that can hold, within the declarations if that is worthwhile; returns the bounded program
/// in that case.
fn fixpoint(
    machine: &mut Machine,
    rules: &Rules,
    program: &Program,
    limits: GroundLimits,
    found: Declared,
) -> Result<(Declared, Option<Bounded>), Fault> {
    if found != Declared::Everything {
        relax::relax(machine, rules, program, limits, Vec::new())?;
        return Ok((found, None));
    }
    let total = |machine: &Machine| relax::sizes(machine).iter().sum::<usize>();
    let fixed = total(machine);
    let bounded = Bounded::new(program);
    relax::relax(machine, rules, &bounded.program, limits, Vec::new())?;
    let (fluents, moves) = bounded.strayed(machine);
    if fluents + moves == 0 {
        return Ok((Declared::Everything, None));
    }
    let (before, inside) = (relax::sizes(machine), total(machine));
    bounded.let_in(machine);
    let work = left(machine, limits) / 2;
    machine.meter.set_work(work);
    let atoms = inside.saturating_mul(MUCH_LARGER).saturating_add(SMALL);
    let most = GroundLimits { atoms: atoms.min(limits.atoms), ..limits };
    let explodes = match relax::relax(machine, rules, program, most, before.clone()) {
        Ok(()) => (total(machine) - fixed) * 4 >= (inside - fixed) * 5,
        Err(Fault::Budget(_)) => true,
        Err(fault) => return Err(fault),
    };
    if !explodes {
        return Ok((Declared::TooLittle, None));
    }
    for (table, count) in machine.layout.tables.iter_mut().zip(before.into_iter().chain(iter::repeat(0))) {
        table.truncate(count);
    }
    machine.meter.set_stored(machine.layout.words());
    Ok((Declared::Bounds { fluents, moves }, Some(bounded)))
}

/// Evaluates `init` and every static relation that is needed. Returns the initial state.
fn fixed(engine: &mut Engine, program: &Program, limits: GroundLimits) -> Result<Vec<TermId>, Fault> {
    engine.ask(Keyword::Init.id())?;
    let mut initial = Vec::new();
    engine.terms(Keyword::Init.id(), None, &mut initial)?;
    let relations = engine.rules.relations.len();
    for rule in program.rules.iter().chain(&program.fixed) {
        for atom in rule.body.iter().filter_map(|l| l.atom()) {
            let relation = atom.relation.index();
            if relation < relations && !program.dynamic[relation] {
                let work = left(&engine.machine, limits);
                engine.machine.meter.set_work(work);
                engine.ask(atom.relation)?;
            }
        }
    }
    Ok(initial)
}
