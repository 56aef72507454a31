//! A rule as a sequence of lookups.
//!
//! Literals are ordered greedily to keep the number of candidates small, by the observed sizes of tables and
//! the numbers of distinct values in their columns. Tests (negation, `distinct`, atoms whose variables are
//! all bound) come as soon as their variables are bound.

use rules::{Atom, Literal, Rule, Term, Variable};

use super::layout::{Layout, TableId, is_split};
use crate::{TermId, TermPool};

/// A term to construct or to compare with, over the registers of a rule.
#[derive(Debug, Clone)]
pub(crate) enum Operand {
    Constant(TermId),
    Register(usize),
    Build(rules::Symbol, Vec<Operand>),
}

/// How to match a column of a candidate row.
#[derive(Debug, Clone)]
pub(crate) enum Match {
    Constant(TermId),
    /// Binds a register.
    Bind(usize),
    /// Compares with a register that is already bound.
    Same(usize),
    Apart(rules::Symbol, Vec<Match>),
}

#[derive(Debug, Clone)]
pub(crate) enum Step {
    /// Visits the rows whose `columns` equal the key, and matches the other columns.
    Look {
        table: TableId,
        index: usize,
        columns: Vec<usize>,
        key: Vec<Operand>,
        rest: Vec<(usize, Match)>,
    },
    /// Visits the rows that the last round added. This is the recursive literal that drives semi-naive
    /// evaluation.
    Delta {
        table: TableId,
        columns: Vec<(usize, Match)>,
    },
    /// Tests whether a row is present, or absent.
    Test {
        table: TableId,
        key: Vec<Operand>,
        present: bool,
    },
    Distinct(Operand, Operand),
}

/// Where derived rows go.
#[derive(Debug, Clone)]
pub(crate) enum Output {
    /// Rows of a table. A split relation with a table of whole terms gets both.
    Row { table: TableId, row: Vec<Operand>, whole: Option<(TableId, Vec<Operand>)> },
    /// Rows of a split relation whose last argument is a variable: filed by functor once it is known.
    Filed { row: Vec<Operand> },
    /// The bindings of all variables, one solution after the other.
    Bindings,
}

/// A rule that reads growing tables in more places than this is evaluated as a whole in every round, instead
/// of once for each of these places.
pub(crate) const MOST_DRIVERS: usize = 32;

#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub steps: Vec<Step>,
    /// The number of steps after which all variables of the head are bound: one
    /// solution of the remaining steps is enough.
    pub head_bound: usize,
    pub output: Output,
    pub registers: usize,
    pub rule: usize,
}

/// The observed size of a table and the number of distinct values in each column.
#[derive(Debug, Clone, Default)]
pub(crate) struct Statistics {
    pub rows: f64,
    pub distinct: Vec<f64>,
}

pub(crate) struct Planner<'a> {
    pub layout: &'a mut Layout,
    pub pool: &'a mut TermPool,
    pub statistics: &'a [Statistics],
}

/// An atom as a table and a pattern for each of its columns.
struct Flat {
    table: TableId,
    columns: Vec<Term>,
}

impl Planner<'_> {
    fn flatten(&mut self, atom: &Atom) -> Flat {
        let arity = atom.arguments.len();
        if !is_split(atom.relation) {
            return Flat { table: self.layout.plain(atom.relation, arity), columns: atom.arguments.clone() };
        }
        let lead = arity - 1;
        let mut columns = atom.arguments[..lead].to_vec();
        let table = match &atom.arguments[lead] {
            Term::Variable(_) => {
                columns = atom.arguments.clone();
                self.layout.plain(atom.relation, arity)
            }
            Term::Constant(name) => self.layout.split(atom.relation, *name, 0, lead),
            Term::Function(name, parts) => {
                columns.extend(parts.iter().cloned());
                self.layout.split(atom.relation, *name, parts.len(), lead)
            }
        };
        Flat { table, columns }
    }

    /// Returns the table of an atom and the values of its columns. All variables must be bound.
    pub fn resolve(&mut self, atom: &Atom) -> (TableId, Vec<Operand>) {
        let flat = self.flatten(atom);
        (flat.table, flat.columns.iter().map(|t| self.operand(t)).collect())
    }

    /// Returns a plan that yields every solution of a rule's body.
    pub fn enumerate(&mut self, number: usize, rule: &Rule) -> Plan {
        let plan = self.plan(number, rule, None);
        Plan { head_bound: plan.steps.len(), output: Output::Bindings, ..plan }
    }

    /// Ensures that every table a rule reads exists.
    pub fn touch(&mut self, rule: &Rule) {
        for atom in rule.body.iter().filter_map(Literal::atom) {
            self.flatten(atom);
        }
    }

    /// Returns the plan of a rule. `driver` is the body literal that ranges over the rows of the last round.
    pub fn plan(&mut self, number: usize, rule: &Rule, driver: Option<usize>) -> Plan {
        let mut bound = vec![false; rule.variables.len()];
        let mut steps = Vec::new();
        let mut open: Vec<usize> = (0..rule.body.len()).collect();
        let mut head_bound = None;
        if let Some(first) = driver {
            open.retain(|&i| i != first);
            let Literal::Positive(atom) = &rule.body[first] else {
                unreachable!("a driver is a positive literal")
            };
            let flat = self.flatten(atom);
            let columns = flat.columns.iter().enumerate().map(|(c, t)| (c, self.matching(t, &mut bound)));
            let columns = columns.collect();
            steps.push(Step::Delta { table: flat.table, columns });
        }
        loop {
            self.tests(rule, &mut open, &bound, &mut steps);
            if head_bound.is_none() && self.is_bound(&rule.head.arguments, &bound) {
                head_bound = Some(steps.len());
            }
            let mut best: Option<(f64, usize)> = None;
            for (place, &literal) in open.iter().enumerate() {
                if let Literal::Positive(atom) = &rule.body[literal] {
                    let cost = self.cost(atom, &bound);
                    if best.is_none_or(|(c, _)| cost < c) {
                        best = Some((cost, place));
                    }
                }
            }
            let Some((_, place)) = best else { break };
            let literal = open.remove(place);
            let Literal::Positive(atom) = &rule.body[literal] else {
                unreachable!("only positive literals compete")
            };
            steps.push(self.look(atom, &mut bound));
        }
        debug_assert!(open.is_empty(), "rules in normal form are safe");
        let head_bound = head_bound.unwrap_or(steps.len());
        Plan {
            steps,
            head_bound,
            output: self.output(&rule.head),
            registers: rule.variables.len(),
            rule: number,
        }
    }

    fn tests(&mut self, rule: &Rule, open: &mut Vec<usize>, bound: &[bool], steps: &mut Vec<Step>) {
        let mut kept = Vec::new();
        for &literal in open.iter() {
            match &rule.body[literal] {
                Literal::Distinct(a, b) if self.is_bound([a, b], bound) => {
                    let step = Step::Distinct(self.operand(a), self.operand(b));
                    steps.push(step);
                }
                Literal::Positive(atom) | Literal::Negative(atom)
                    if self.is_bound(&atom.arguments, bound) =>
                {
                    let present = matches!(&rule.body[literal], Literal::Positive(_));
                    let flat = self.flatten(atom);
                    let key = flat.columns.iter().map(|t| self.operand(t)).collect();
                    steps.push(Step::Test { table: flat.table, key, present });
                }
                _ => kept.push(literal),
            }
        }
        *open = kept;
    }

    fn look(&mut self, atom: &Atom, bound: &mut [bool]) -> Step {
        let flat = self.flatten(atom);
        let (mut columns, mut key, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        let before = bound.to_vec();
        for (column, term) in flat.columns.iter().enumerate() {
            if self.is_bound([term], &before) {
                columns.push(column);
                key.push(self.operand(term));
            } else {
                rest.push((column, self.matching(term, bound)));
            }
        }
        let index = self.layout.tables[flat.table.index()].index(&columns);
        Step::Look { table: flat.table, index, columns, key, rest }
    }

    /// Returns the expected number of candidates of a lookup.
    fn cost(&mut self, atom: &Atom, bound: &[bool]) -> f64 {
        let flat = self.flatten(atom);
        let known = self.statistics.get(flat.table.index()).filter(|s| s.rows > 0.0);
        let mut expected = known.map_or(30.0, |s| s.rows);
        for (column, term) in flat.columns.iter().enumerate() {
            if self.is_bound([term], bound) {
                expected /= known.map_or(5.0, |s| s.distinct[column]).max(1.0);
            }
        }
        expected
    }

    fn is_bound<'t>(&self, terms: impl IntoIterator<Item = &'t Term>, bound: &[bool]) -> bool {
        let mut all = true;
        for term in terms {
            term.variables(&mut |v| all &= bound[v.0 as usize]);
        }
        all
    }

    fn operand(&mut self, term: &Term) -> Operand {
        match term {
            Term::Variable(Variable(v)) => Operand::Register(*v as usize),
            ground if ground.is_ground() => Operand::Constant(self.ground(ground)),
            Term::Constant(name) => Operand::Constant(self.pool.intern(*name, &[])),
            Term::Function(name, parts) => {
                Operand::Build(*name, parts.iter().map(|t| self.operand(t)).collect())
            }
        }
    }

    fn ground(&mut self, term: &Term) -> TermId {
        match term {
            Term::Constant(name) => self.pool.intern(*name, &[]),
            Term::Function(name, parts) => {
                let parts: Vec<TermId> = parts.iter().map(|t| self.ground(t)).collect();
                self.pool.intern(*name, &parts)
            }
            Term::Variable(_) => unreachable!("a ground term has no variables"),
        }
    }

    fn matching(&mut self, term: &Term, bound: &mut [bool]) -> Match {
        match term {
            Term::Constant(name) => Match::Constant(self.pool.intern(*name, &[])),
            Term::Variable(Variable(v)) => {
                let register = *v as usize;
                if std::mem::replace(&mut bound[register], true) {
                    Match::Same(register)
                } else {
                    Match::Bind(register)
                }
            }
            Term::Function(name, parts) => {
                Match::Apart(*name, parts.iter().map(|t| self.matching(t, bound)).collect())
            }
        }
    }

    fn output(&mut self, head: &Atom) -> Output {
        if is_split(head.relation) && matches!(head.arguments.last(), Some(Term::Variable(_))) {
            return Output::Filed { row: head.arguments.iter().map(|t| self.operand(t)).collect() };
        }
        let flat = self.flatten(head);
        let row = flat.columns.iter().map(|t| self.operand(t)).collect();
        let whole = if is_split(head.relation) { self.layout.whole(head.relation) } else { None };
        let whole = whole.map(|table| (table, head.arguments.iter().map(|t| self.operand(t)).collect()));
        Output::Row { table: flat.table, row, whole }
    }
}
