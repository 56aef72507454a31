//! Compilation of a clause to a plan.

use rules::{Atom, Keyword, Literal, Rule, Term};

use super::extension::{ExtensionId, Extensions, ground};
use super::order::order;
use super::pattern::{Pattern, ask, ask_lifted, is_known};
use super::plan::{Known, Match, Operand, Plan, Step};
use super::program::Program;
use super::specialise::Clause;
use crate::TermPool;

/// Compiles the plan of a clause. If `given` is `true`, its body reads the given facts of its own relation.
pub(crate) fn compile(
    program: &mut Program,
    extensions: &mut Extensions,
    pool: &mut TermPool,
    pattern: &Pattern,
    rule: &Rule,
    clause: &Clause,
    given: bool,
) -> Plan {
    let mut bound = vec![false; clause.variables];
    bound[..clause.inputs].fill(true);
    for (_, term) in &clause.entry {
        term.variables(&mut |v| bound[v.0 as usize] = true);
    }
    let order = order(program, clause, &bound);
    bound[clause.inputs..].fill(false);
    let mut answer = vec![false; clause.variables];
    clause.outputs.iter().for_each(|t| t.variables(&mut |v| answer[v.0 as usize] = true));
    let mut compiler = Compiler {
        program,
        extensions,
        pool,
        head: pattern.relation,
        given,
        registers: clause.variables as u32,
        bound,
        built: Vec::new(),
        steps: Vec::new(),
        answer: answer.clone(),
        decided: 0,
    };
    let entry = clause.entry.iter().map(|(v, t)| (v.0, compiler.matching(t))).collect();
    for (place, &literal) in order.iter().enumerate() {
        let mut wanted = answer.clone();
        for &later in &order[place + 1..] {
            clause.body[later].variables(&mut |v| wanted[v.0 as usize] = true);
        }
        compiler.literal(&clause.body[literal], &wanted);
    }
    let outputs = clause.outputs.iter().map(|t| compiler.operand(t)).collect();
    Plan {
        relation: pattern.relation,
        clause: rule.clause,
        registers: compiler.registers as usize,
        entry,
        steps: compiler.steps.into(),
        outputs,
        decided: compiler.decided,
    }
}

struct Compiler<'a> {
    program: &'a mut Program,
    extensions: &'a mut Extensions,
    pool: &'a mut TermPool,
    head: rules::RelationId,
    given: bool,
    registers: u32,
    bound: Vec<bool>,
    /// The terms that have been built, and their registers.
    built: Vec<(Term, u32)>,
    steps: Vec<Step>,
    answer: Vec<bool>,
    decided: usize,
}

impl Compiler<'_> {
    fn literal(&mut self, literal: &Literal, wanted: &[bool]) {
        match literal {
            Literal::Distinct(a, b) => {
                let step = Step::Distinct(self.known(a), self.known(b));
                self.steps.push(step);
            }
            Literal::Negative(atom) if self.is_given(atom) => {
                let (extension, columns) = self.extension(atom);
                self.test(extension, &columns, &[], false);
            }
            Literal::Negative(atom) => {
                let asked = ask(atom.relation, &atom.arguments, &|_| true, &|_| false);
                let key = asked.bound.iter().map(|t| self.known(t)).collect();
                let query = self.program.ask(asked.pattern);
                self.steps.push(Step::Absent { query, key });
            }
            Literal::Positive(atom) if self.is_given(atom) => {
                let (extension, columns) = self.extension(atom);
                self.scan(extension, &columns, wanted);
            }
            Literal::Positive(atom) => self.call(atom, wanted),
        }
    }

    fn is_given(&self, atom: &Atom) -> bool {
        self.program.estimates.is_extensional(atom.relation) || (self.given && atom.relation == self.head)
    }

    /// Returns the extension with an atom's given facts, and the term of each column.
    fn extension(&mut self, atom: &Atom) -> (ExtensionId, Vec<Term>) {
        if atom.relation == Keyword::True.id() {
            return match &atom.arguments[0] {
                Term::Function(name, parts) => (self.extensions.fluents(*name, parts.len()), parts.clone()),
                Term::Constant(name) => (self.extensions.fluents(*name, 0), Vec::new()),
                Term::Variable(_) => (self.extensions.state(), atom.arguments.clone()),
            };
        }
        if atom.relation == Keyword::Does.id() {
            return (self.extensions.moves(), atom.arguments.clone());
        }
        (self.extensions.facts_or_none(atom.relation, atom.arguments.len()), atom.arguments.clone())
    }

    /// Adds a lookup of given facts. Columns that nothing reads are left out, so a lookup that binds nothing
    /// is only a test.
    fn scan(&mut self, extension: ExtensionId, columns: &[Term], wanted: &[bool]) {
        let idle: Vec<usize> = (0..columns.len())
            .filter(|&c| match columns[c] {
                Term::Variable(v) => {
                    let mut count = 0;
                    columns.iter().for_each(|t| t.variables(&mut |w| count += usize::from(w == v)));
                    !self.bound[v.0 as usize] && !wanted[v.0 as usize] && count == 1
                }
                _ => false,
            })
            .collect();
        let open = |c: &usize| !self.is_known(&columns[*c]) && !idle.contains(c);
        let open: Vec<usize> = (0..columns.len()).filter(open).collect();
        if open.is_empty() {
            self.test(extension, columns, &idle, true);
            return;
        }
        // A joint move has few rows: visiting each is cheaper than an index.
        let by_index = extension != self.extensions.moves();
        let (mut known, mut key, mut rest) = (Vec::new(), Vec::new(), Vec::new());
        for column in (0..columns.len()).filter(|c| !idle.contains(c)) {
            if by_index && !open.contains(&column) {
                known.push(column);
                key.push(self.known(&columns[column]));
            }
        }
        for column in (0..columns.len()).filter(|c| !idle.contains(c) && !known.contains(c)) {
            rest.push((column, self.matching(&columns[column])));
        }
        let index = (!known.is_empty()).then(|| self.extensions.get_mut(extension).index(&known));
        self.bind(Step::Scan { extension, index, key: key.into(), rest: rest.into() }, columns);
    }

    fn test(&mut self, extension: ExtensionId, columns: &[Term], idle: &[usize], present: bool) {
        let known: Vec<usize> = (0..columns.len()).filter(|c| !idle.contains(c)).collect();
        let key = known.iter().map(|&c| self.known(&columns[c])).collect();
        let index = self.extensions.get_mut(extension).index(&known);
        self.steps.push(Step::Test { extension, index, key, present });
    }

    fn call(&mut self, atom: &Atom, wanted: &[bool]) {
        let bound = self.bound.clone();
        let inside = self.program.is_inside(self.head, atom.relation);
        let ask = if inside && self.program.lifted { ask_lifted } else { ask };
        let asked = ask(atom.relation, &atom.arguments, &|v| bound[v.0 as usize], &|v| wanted[v.0 as usize]);
        let key = asked.bound.iter().map(|t| self.known(t)).collect();
        let outputs = asked.free.iter().map(|t| self.matching(t)).collect();
        let query = self.program.ask(asked.pattern);
        self.bind(Step::Call { query, key, outputs, inside }, &asked.free);
    }

    /// Adds a step that binds the variables of some terms.
    fn bind(&mut self, step: Step, terms: &[Term]) {
        self.steps.push(step);
        let mut decides = false;
        terms.iter().for_each(|t| t.variables(&mut |v| decides |= self.answer[v.0 as usize]));
        if decides {
            self.decided = self.steps.len();
        }
    }

    fn is_known(&self, term: &Term) -> bool {
        is_known(term, &|v| self.bound[v.0 as usize])
    }

    /// Returns the pattern that a term must match. Its variables are bound afterwards.
    fn matching(&mut self, term: &Term) -> Match {
        match term {
            Term::Constant(_) => Match::Constant(ground(term, self.pool)),
            Term::Variable(v) if self.bound[v.0 as usize] => Match::Same(v.0),
            Term::Variable(v) => {
                self.bound[v.0 as usize] = true;
                Match::Bind(v.0)
            }
            Term::Function(..) if term.is_ground() => Match::Constant(ground(term, self.pool)),
            Term::Function(name, parts) => {
                Match::Function(*name, parts.iter().map(|t| self.matching(t)).collect())
            }
        }
    }

    fn operand(&mut self, term: &Term) -> Operand {
        match term {
            Term::Variable(v) => Operand::Register(v.0),
            _ if term.is_ground() => Operand::Constant(ground(term, self.pool)),
            Term::Constant(_) => unreachable!("constants are ground"),
            Term::Function(name, parts) => {
                Operand::Function(*name, parts.iter().map(|t| self.operand(t)).collect())
            }
        }
    }

    /// Returns a term whose variables are bound. A function is built by a step of its own.
    fn known(&mut self, term: &Term) -> Known {
        match self.operand(term) {
            Operand::Register(register) => Known::Register(register),
            Operand::Constant(constant) => Known::Constant(constant),
            operand @ Operand::Function(..) => {
                if let Some((_, register)) = self.built.iter().find(|(t, _)| t == term) {
                    return Known::Register(*register);
                }
                let register = self.registers;
                self.registers += 1;
                self.built.push((term.clone(), register));
                self.steps.push(Step::Build { register, operand });
                Known::Register(register)
            }
        }
    }
}
