//! `base` and `input`: the fluents and moves that a sheet declares.
//!
//! Nothing guarantees that the declarations are correct, so they are never trusted. But they bound the
//! relaxed fixpoint: each rule for `next` and `legal` is split in two, one for heads that are declared and
//! one for *strays*, heads that are not, from which nothing else is derived. If there are no strays, the
//! bounded fixpoint is the complete one. Otherwise the strays are added and the fixpoint continues; if that
//! adds little, nothing is lost. If it adds much, the strays stay outside, together with the instances that
//! derive them, and the user of the ground rules must prove that none of them can ever hold. By induction, no
//! undeclared fluent or move then ever comes up.

use game::Fault;
use rules::{Atom, Keyword, Literal, RelationId, Rule};

use super::AtomId;
use super::decompose::Program;
use crate::TermId;
use crate::datalog::machine::Machine;
use crate::interpreter::engine::Engine;

/// The maximum number of atoms that may be derived to evaluate declarations.
const MOST_DERIVED: usize = 2_000_000;
/// How the fluents and moves that a sheet declares are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Declared {
    /// The sheet does not declare both, or nothing usable.
    #[default]
    Nothing,
    /// Everything that the rules can derive is declared, so the declarations add nothing.
    Everything,
    /// The rules may derive more than is declared, so the declarations are not used.
    TooLittle,
    /// Only what is declared is grounded, apart from these numbers of strays.
    Bounds {
        /// The fluents that `next` would derive.
        fluents: usize,
        /// The moves that `legal` would derive.
        moves: usize,
    },
}

impl Declared {
    /// Returns a phrase for the user, if there is something to report.
    pub fn words(self) -> Option<&'static str> {
        match self {
            Declared::Nothing => None,
            Declared::Everything => Some("`base` and `input` declare everything the rules can derive"),
            Declared::TooLittle => Some("`base` and `input` are not used, because the rules may derive more"),
            Declared::Bounds { .. } => Some("nothing outside `base` and `input` can be derived"),
        }
    }
}

/// Atoms that must never hold, by what they would derive.
#[derive(Debug, Clone, Default)]
pub struct Strays {
    /// Fluents that would hold next.
    pub next: Vec<AtomId>,
    /// Moves that would be legal.
    pub legal: Vec<AtomId>,
}

impl Strays {
    /// Returns `true` if there are no strays.
    pub fn is_empty(&self) -> bool {
        self.next.is_empty() && self.legal.is_empty()
    }
}

/// A program restricted to what is declared.
pub(crate) struct Bounded {
    pub program: Program,
    /// The relations of strays of `next` and of `legal`.
    pub strays: [RelationId; 2],
}

/// Returns the relation that declares what another derives.
fn declares(relation: RelationId) -> Option<(usize, Keyword)> {
    let pairs = [(Keyword::Next, Keyword::Base), (Keyword::Legal, Keyword::Input)];
    let found = pairs.iter().enumerate().find(|(_, (derived, _))| derived.id() == relation);
    found.map(|(place, &(_, declared))| (place, declared))
}

impl Bounded {
    /// Splits the rules for `next` and `legal`.
    pub fn new(program: &Program) -> Bounded {
        let first = program.dynamic.len() as u32;
        let strays = [RelationId(first), RelationId(first + 1)];
        let mut rules: Vec<Rule> = Vec::new();
        for rule in &program.rules {
            let Some((place, declared)) = declares(rule.head.relation) else {
                rules.push(rule.clone());
                continue;
            };
            let declared = Atom { relation: declared.id(), arguments: rule.head.arguments.clone() };
            let (mut inside, mut outside) = (rule.clone(), rule.clone());
            inside.body.push(Literal::Positive(declared.clone()));
            outside.body.push(Literal::Negative(declared));
            outside.head.relation = strays[place];
            rules.extend([inside, outside]);
        }
        let dynamic = program.dynamic.iter().copied().chain([true, true]).collect();
        Bounded { program: Program { rules, dynamic, fixed: program.fixed.clone() }, strays }
    }

    /// Returns the fluents or moves that strayed; moves with their roles.
    fn rows(&self, machine: &mut Machine, place: usize) -> Vec<Vec<TermId>> {
        let table = machine.layout.plain(self.strays[place], place + 1);
        machine.layout.tables[table.index()].rows().map(<[TermId]>::to_vec).collect()
    }

    /// Returns the numbers of fluents and moves that strayed.
    pub fn strayed(&self, machine: &mut Machine) -> (usize, usize) {
        (self.rows(machine, 0).len(), self.rows(machine, 1).len())
    }

    /// Adds all strays as fluents and moves.
    pub fn let_in(&self, machine: &mut Machine) {
        for (place, keyword) in [Keyword::True, Keyword::Does].into_iter().enumerate() {
            for row in self.rows(machine, place) {
                machine.file(keyword.id(), &row);
            }
        }
    }
}

/// Evaluates the declarations of a sheet, and whether they can bound the rules.
pub(crate) fn evaluate(engine: &mut Engine, initial: &[TermId], work: u64) -> Result<Declared, Fault> {
    let usable = |keyword: Keyword| {
        let relation = engine.rules.relation(keyword.id());
        relation.is_static() && !relation.rules.is_empty()
    };
    if !usable(Keyword::Base) || !usable(Keyword::Input) {
        return Ok(Declared::Nothing);
    }
    engine.machine.meter.set_work(work);
    let most = engine.machine.meter.set_atoms(MOST_DERIVED);
    let asked = engine.ask(Keyword::Base.id()).and_then(|()| engine.ask(Keyword::Input.id()));
    engine.machine.meter.set_atoms(most);
    match asked {
        Ok(()) => {}
        // The rules themselves may need far less.
        Err(Fault::Budget(_)) => return Ok(Declared::Nothing),
        Err(fault) => return Err(fault),
    }
    let base = engine.machine.layout.plain(Keyword::Base.id(), 1);
    let table = &mut engine.machine.layout.tables[base.index()];
    table.prepare(0);
    let all = initial.iter().all(|&fluent| table.contains(&[fluent]));
    Ok(if all { Declared::Everything } else { Declared::TooLittle })
}
