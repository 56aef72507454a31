//! Conversion of clauses to rules in normal form.
//!
//! `or` is expanded to several rules, `and` is flattened, `not` is moved inwards until it
//! applies to an atom, and `(not (distinct a b))` unifies `a` and `b`. A negated atom with
//! variables of its own ("there is no …") is replaced by a negated auxiliary relation. Every
//! resulting rule is safe.

use gdl::{Clause, Name, RuleSheet, Span, TermKind};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::alternatives::{Conjunction, MAX_SIZE, Reader};
use crate::check::{Report, too_many_alternatives, unsafe_negation, unsafe_role, unsafe_variable};
use crate::unify::Unifier;
use crate::{
    Atom, Keyword, Literal, Relation, RelationId, Rule, Strictness, Symbol, Symbols, Term, Variable,
};

/// Relations and rules before stratification.
#[derive(Debug, Clone, Default)]
pub(crate) struct Normal {
    pub symbols: Symbols,
    pub relations: Vec<Relation>,
    pub rules: Vec<Rule>,
    pub roles: Vec<Symbol>,
    /// The locations of the parts of each rule, in the order of `rules`.
    pub places: Vec<Places>,
    /// Rules that were rejected. What they might have derived must not be reported as missing.
    pub refused: Vec<Rule>,
    /// Conjunctions that contradict themselves: the location, and what they ask for.
    pub contradictions: Vec<(Span, &'static str)>,
    numbers: FxHashMap<(Name, usize), RelationId>,
}

/// The locations of the head and the literals of a rule.
#[derive(Debug, Clone, Default)]
pub(crate) struct Places {
    pub head: Span,
    pub body: Vec<Span>,
}

impl Normal {
    /// Returns the relation with this name and arity, which is numbered at its first use.
    pub fn relation(&mut self, name: &Name, arity: usize, first: Span) -> RelationId {
        if let Some(&id) = self.numbers.get(&(name.clone(), arity)) {
            return id;
        }
        let id =
            RelationId(u32::try_from(self.relations.len()).expect("a sheet has fewer than 2^32 relations"));
        self.relations.push(Relation {
            name: name.clone(),
            arity,
            rules: Vec::new(),
            depends_on_true: false,
            depends_on_does: false,
            first,
        });
        self.numbers.insert((name.clone(), arity), id);
        id
    }

    /// Returns the relation with this name and arity, if the sheet has it.
    pub fn find(&self, name: &Name, arity: usize) -> Option<RelationId> {
        self.numbers.get(&(name.clone(), arity)).copied()
    }

    /// Creates an auxiliary relation, whose name cannot occur in a sheet.
    pub fn auxiliary(&mut self, name: String, arity: usize, first: Span) -> RelationId {
        let name = Name::from(name);
        let mut fresh = name.clone();
        let mut count = 1;
        while self.numbers.contains_key(&(fresh.clone(), arity)) {
            count += 1;
            fresh = Name::from(format!("{name} {count}"));
        }
        self.relation(&fresh, arity, first)
    }

    /// Replaces all rules.
    pub fn replace_rules(&mut self, rules: Vec<(Rule, Places)>) {
        self.rules.clear();
        self.places.clear();
        self.relations.iter_mut().for_each(|r| r.rules.clear());
        rules.into_iter().for_each(|(rule, places)| self.push(rule, places));
    }

    /// Adds a rule and its locations.
    pub fn push(&mut self, rule: Rule, places: Places) {
        self.relations[rule.head.relation.index()].rules.push(self.rules.len());
        self.rules.push(rule);
        self.places.push(places);
    }
}

pub(crate) fn normalise(sheet: &RuleSheet, report: &mut Report) -> Normal {
    let mut builder = Builder {
        normal: Normal::default(),
        roles: FxHashSet::default(),
        literals: 0,
        auxiliaries: 0,
        report,
    };
    for keyword in Keyword::ALL {
        builder.normal.relation(&Name::from(keyword.name()), keyword.arity(), Span::default());
    }
    // In a sheet without `sees`, percepts are terms of the form `(does role move)`.
    builder.normal.symbols.intern(&Name::from("does"));
    for (index, clause) in sheet.clauses.iter().enumerate() {
        builder.clause(index, clause);
    }
    builder.normal
}

/// The maximum number of literals in all alternatives of all clauses together.
const MAX_LITERALS: usize = 1 << 20;

struct Builder<'r> {
    normal: Normal,
    roles: FxHashSet<Symbol>,
    literals: usize,
    auxiliaries: usize,
    report: &'r mut Report,
}

/// The variables of the current clause.
#[derive(Default)]
pub(crate) struct Scope {
    pub names: Vec<Name>,
    numbers: FxHashMap<Name, Variable>,
}

impl Scope {
    fn variable(&mut self, name: &Name) -> Variable {
        if let Some(&variable) = self.numbers.get(name) {
            return variable;
        }
        let variable = Variable(self.names.len() as u32);
        self.names.push(name.clone());
        self.numbers.insert(name.clone(), variable);
        variable
    }
}

impl Builder<'_> {
    fn clause(&mut self, index: usize, clause: &Clause) {
        let mut scope = Scope::default();
        let Some(head) = atom(&mut self.normal, &clause.head, &mut scope) else { return };
        let budget = MAX_SIZE.min(MAX_LITERALS.saturating_sub(self.literals));
        let mut reader = Reader { normal: &mut self.normal, scope: &mut scope, budget, broken: None };
        let alternatives = reader.body(&clause.body);
        let (refusal, names) = (reader.broken, scope.names);
        let size =
            alternatives.iter().map(|a| 1 + a.literals.len() + a.equal.len() + names.len()).sum::<usize>();
        self.literals += size;
        if refusal.is_some() || self.literals > MAX_LITERALS {
            if let Some(place) = refusal.unwrap_or(Some(clause.span)) {
                too_many_alternatives::report(self.report, place);
                // If the sheet as a whole is too large, no further alternatives are tried.
                let whole = budget < MAX_SIZE || refusal.is_none();
                self.literals = if whole { MAX_LITERALS } else { self.literals };
            }
            self.refuse(Rule { head, body: Vec::new(), variables: names, clause: index, span: clause.span });
            return;
        }
        if head.relation == Keyword::Role.id()
            && let Term::Constant(role) = head.arguments[0]
            && clause.body.is_empty()
            && self.roles.insert(role)
        {
            self.normal.roles.push(role);
        }
        for alternative in alternatives {
            self.rule(index, clause, head.clone(), alternative, names.clone());
        }
    }

    fn refuse(&mut self, rule: Rule) {
        self.normal.refused.push(rule);
    }

    /// Adds one rule after making it safe, or reports why that is impossible.
    fn rule(&mut self, index: usize, clause: &Clause, head: Atom, body: Conjunction, names: Vec<Name>) {
        let mut rule = Rule { head, body: Vec::new(), variables: names, clause: index, span: clause.span };
        let mut places = Places { head: clause.head.span, body: Vec::new() };
        for (literal, span) in body.literals {
            rule.body.push(literal);
            places.body.push(span);
        }
        if !body.equal.is_empty() && !self.equate(&mut rule, &body.equal, clause) {
            return;
        }
        // A `distinct` of two different ground terms always holds and can be dropped.
        let decided =
            |l: &Literal| matches!(l, Literal::Distinct(a, b) if a.is_ground() && b.is_ground() && a != b);
        let mut keep = rule.body.iter().map(|l| !decided(l));
        places.body.retain(|_| keep.next().unwrap_or(true));
        rule.body.retain(|l| !decided(l));
        let same = rule.body.iter().position(|l| matches!(l, Literal::Distinct(a, b) if a == b));
        if let Some(position) = same {
            self.normal.contradictions.push((places.body[position], "`distinct` of a term and itself"));
            return;
        }
        let mut bound = vec![false; rule.variables.len()];
        for literal in &rule.body {
            if let Literal::Positive(atom) = literal {
                atom.variables(&mut |v| bound[v.0 as usize] = true);
            }
        }
        self.bind_role(&mut rule, &mut places, &mut bound, clause);
        let lenient = self.report.strictness() == Strictness::Lenient;
        if !unsafe_variable::check(&rule, &places, clause, &bound, lenient, self.report) {
            self.refuse(rule);
            return;
        }
        for (literal, place) in rule.body.iter_mut().zip(&places.body) {
            if let Literal::Negative(atom) = literal {
                let mut free = None;
                atom.variables(&mut |v| free = free.or((!bound[v.0 as usize]).then_some(v)));
                if let Some(free) = free {
                    unsafe_negation::report(self.report, clause, *place, &rule.variables[free.0 as usize]);
                    *atom = self.project(atom, &bound, &rule.variables, index, *place);
                }
            }
        }
        self.normal.push(rule, places);
    }

    /// Substitutes variables by the terms they must equal. Returns `false` if the rule cannot be used.
    fn equate(&mut self, rule: &mut Rule, equal: &[(Term, Term, Span)], clause: &Clause) -> bool {
        let mut unifier = Unifier::new(rule.variables.len());
        for (a, b, span) in equal {
            match unifier.unify(a, b) {
                Ok(true) => {}
                Ok(false) => {
                    self.normal.contradictions.push((*span, "two terms to be equal that always differ"));
                    return false;
                }
                Err(_) => {
                    too_many_alternatives::report_term(self.report, *span);
                    self.refuse(rule.clone());
                    return false;
                }
            }
        }
        if unifier.is_cyclic() {
            self.normal.contradictions.push((equal[0].2, "a term that contains itself"));
            return false;
        }
        let mut too_large = false;
        let mut on_term = |term: &mut Term| match unifier.resolve(term) {
            Ok(resolved) => *term = resolved,
            Err(_) => too_large = true,
        };
        rule.head.arguments.iter_mut().for_each(&mut on_term);
        for literal in &mut rule.body {
            match literal {
                Literal::Positive(atom) | Literal::Negative(atom) => {
                    atom.arguments.iter_mut().for_each(&mut on_term);
                }
                Literal::Distinct(a, b) => {
                    on_term(a);
                    on_term(b);
                }
            }
        }
        if too_large {
            too_many_alternatives::report_term(self.report, clause.span);
            self.refuse(rule.clone());
        }
        !too_large
    }

    /// Makes a head such as `(sees ?r …)` with an unbound role range over all roles.
    fn bind_role(&mut self, rule: &mut Rule, places: &mut Places, bound: &mut [bool], clause: &Clause) {
        let roles = [Keyword::Sees, Keyword::Legal, Keyword::Goal, Keyword::Input, Keyword::Percept];
        if !roles.iter().any(|k| k.id() == rule.head.relation) {
            return;
        }
        let Term::Variable(v) = rule.head.arguments[0] else { return };
        let strict_fact = !clause.is_rule && self.report.strictness() == Strictness::Strict;
        if bound[v.0 as usize] || strict_fact {
            return;
        }
        let place = clause.head.arguments()[0].span;
        unsafe_role::report(self.report, place, &rule.variables[v.0 as usize]);
        bound[v.0 as usize] = true;
        let arguments = vec![Term::Variable(v)];
        rule.body.push(Literal::Positive(Atom { relation: Keyword::Role.id(), arguments }));
        places.body.push(place);
    }

    /// Projects out the free variables of a negated atom. `(not (p ?bound ?free))` says that no
    /// such `?free` exists, so the atom is replaced by a relation of only the bound variables.
    fn project(&mut self, atom: &Atom, bound: &[bool], names: &[Name], index: usize, span: Span) -> Atom {
        let mut numbers: FxHashMap<Variable, Variable> = FxHashMap::default();
        let (mut variables, mut keep) = (Vec::new(), Vec::new());
        atom.variables(&mut |v| {
            numbers.entry(v).or_insert_with(|| {
                variables.push(names[v.0 as usize].clone());
                if bound[v.0 as usize] {
                    keep.push(v);
                }
                Variable(variables.len() as u32 - 1)
            });
        });
        self.auxiliaries += 1;
        let name = format!("some {} {}", self.normal.relations[atom.relation.index()].name, self.auxiliaries);
        let relation = self.normal.auxiliary(name, keep.len(), span);
        let arguments = keep.iter().map(|v| Term::Variable(numbers[v])).collect();
        let inner = Atom {
            relation: atom.relation,
            arguments: atom.arguments.iter().map(|t| renumber(t, &numbers)).collect(),
        };
        let rule = Rule {
            head: Atom { relation, arguments },
            body: vec![Literal::Positive(inner)],
            variables,
            clause: index,
            span,
        };
        self.normal.push(rule, Places { head: span, body: vec![span] });
        Atom { relation, arguments: keep.into_iter().map(Term::Variable).collect() }
    }
}

/// Converts a sentence. Returns `None` if a keyword has the wrong number of arguments.
pub(crate) fn atom(normal: &mut Normal, sentence: &gdl::Term, scope: &mut Scope) -> Option<Atom> {
    let name = sentence.name()?;
    let arguments: Vec<Term> = sentence.arguments().iter().map(|t| term(normal, t, scope)).collect();
    if Keyword::named(name).is_some_and(|k| !k.is_domain()) && Keyword::find(name, arguments.len()).is_none()
    {
        return None;
    }
    let relation = normal.relation(name, arguments.len(), sentence.span);
    let slot = &mut normal.relations[relation.index()];
    if slot.first == Span::default() {
        slot.first = sentence.span;
    }
    Some(Atom { relation, arguments })
}

pub(crate) fn term(normal: &mut Normal, tree: &gdl::Term, scope: &mut Scope) -> Term {
    match &tree.kind {
        TermKind::Constant(name) => Term::Constant(normal.symbols.intern(name)),
        TermKind::Variable(name) => Term::Variable(scope.variable(name)),
        TermKind::Compound(name, arguments) if arguments.is_empty() => {
            Term::Constant(normal.symbols.intern(name))
        }
        TermKind::Compound(name, arguments) => {
            let function = normal.symbols.intern(name);
            Term::Function(function, arguments.iter().map(|t| term(normal, t, scope)).collect())
        }
    }
}

fn renumber(term: &Term, numbers: &FxHashMap<Variable, Variable>) -> Term {
    match term {
        Term::Constant(c) => Term::Constant(*c),
        Term::Variable(v) => Term::Variable(numbers[v]),
        Term::Function(f, arguments) => {
            Term::Function(*f, arguments.iter().map(|t| renumber(t, numbers)).collect())
        }
    }
}
