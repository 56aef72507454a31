//! From clauses to rules in normal form.
//!
//! `or` becomes several rules, `and` disappears, `not` moves inwards until it
//! stands before an atom, `(not (distinct a b))` unifies `a` and `b`, and a
//! negated atom with variables of its own ("there is no …") becomes a negated
//! auxiliary relation, so that every rule that leaves here is safe.

use gdl::{Clause, Diagnostic, LiteralKind, Name, RuleSheet, Span, TermKind};
use rustc_hash::FxHashMap;

use crate::{Atom, Keyword, Literal, Relation, RelationId, Rule, Strictness, Symbol, Symbols, Term, Variable};

/// More alternatives than this in one clause are refused.
const MAX_ALTERNATIVES: usize = 4096;

/// Relations and rules before they are ordered.
pub(crate) struct Normal {
    pub symbols: Symbols,
    pub relations: Vec<Relation>,
    pub rules: Vec<Rule>,
    pub roles: Vec<Symbol>,
}

pub(crate) fn normalise(sheet: &RuleSheet, strictness: Strictness, diagnostics: &mut Vec<Diagnostic>) -> Normal {
    let mut builder = Builder {
        normal: Normal { symbols: Symbols::default(), relations: Vec::new(), rules: Vec::new(), roles: Vec::new() },
        numbers: FxHashMap::default(),
        strictness,
        diagnostics,
    };
    for keyword in Keyword::ALL {
        builder.relation(&Name::from(keyword.name()), keyword.arity(), Span::default());
    }
    // Where a sheet has no `sees`, percepts are terms `(does role move)`.
    builder.normal.symbols.intern(&Name::from("does"));
    for (index, clause) in sheet.clauses.iter().enumerate() {
        builder.clause(index, clause);
    }
    builder.normal
}

struct Builder<'d> {
    normal: Normal,
    numbers: FxHashMap<(Name, usize), RelationId>,
    strictness: Strictness,
    diagnostics: &'d mut Vec<Diagnostic>,
}

/// A conjunction under construction, and the equalities it implies.
#[derive(Clone, Default)]
struct Conjunction {
    literals: Vec<(Literal, Span)>,
    equal: Vec<(Term, Term)>,
}

/// The variables of the clause in hand.
#[derive(Default)]
struct Scope {
    names: Vec<Name>,
}

impl Scope {
    fn variable(&mut self, name: &Name) -> Variable {
        let position = self.names.iter().position(|n| n == name).unwrap_or_else(|| {
            self.names.push(name.clone());
            self.names.len() - 1
        });
        Variable(position as u32)
    }
}

impl Builder<'_> {
    fn relation(&mut self, name: &Name, arity: usize, first: Span) -> RelationId {
        if let Some(&id) = self.numbers.get(&(name.clone(), arity)) {
            return id;
        }
        let id = RelationId(self.normal.relations.len() as u32);
        self.normal.relations.push(Relation {
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

    fn clause(&mut self, index: usize, clause: &Clause) {
        let mut scope = Scope::default();
        let Some(head) = self.atom(&clause.head, &mut scope) else { return };
        let mut alternatives = vec![Conjunction::default()];
        for literal in &clause.body {
            let Some(parts) = self.literal(literal, true, &mut scope) else { return };
            if alternatives.len().saturating_mul(parts.len()) > MAX_ALTERNATIVES {
                let message = format!("this rule stands for more than {MAX_ALTERNATIVES} alternatives");
                let remedy = "give the inner alternatives a relation of their own";
                self.diagnostics
                    .push(Diagnostic::error("too-many-alternatives", clause.span, message).remedy(remedy));
                return;
            }
            alternatives = product(&alternatives, &parts);
        }
        if clause.head.name().is_some_and(|n| &**n == "role")
            && head.arguments.len() == 1
            && let Term::Constant(role) = head.arguments[0]
            && clause.body.is_empty()
            && !self.normal.roles.contains(&role)
        {
            self.normal.roles.push(role);
        }
        for alternative in alternatives {
            self.rule(index, clause, head.clone(), alternative, scope.names.clone());
        }
    }

    /// Adds one rule, made safe, or reports why it cannot be.
    fn rule(&mut self, index: usize, clause: &Clause, head: Atom, body: Conjunction, names: Vec<Name>) {
        let mut rule = Rule { head, body: Vec::new(), variables: names, clause: index, span: clause.span };
        let mut spans = Vec::new();
        for (literal, span) in body.literals {
            rule.body.push(literal);
            spans.push(span);
        }
        for (a, b) in &body.equal {
            match unify(a, b) {
                Some(bindings) => bindings.iter().for_each(|(v, t)| substitute_rule(&mut rule, *v, t)),
                None => return,
            }
        }
        rule.body.retain(|l| !matches!(l, Literal::Distinct(a, b) if a.is_ground() && b.is_ground() && a != b));
        if rule.body.iter().any(|l| matches!(l, Literal::Distinct(a, b) if a == b)) {
            return;
        }
        let mut bound = vec![false; rule.variables.len()];
        for literal in &rule.body {
            if let Literal::Positive(atom) = literal {
                atom.variables(&mut |v| bound[v.0 as usize] = true);
            }
        }
        self.bind_role(&mut rule, &mut bound);
        if !self.check_safe(&rule, clause, &bound) {
            return;
        }
        for literal in &mut rule.body {
            if let Literal::Negative(atom) = literal {
                let mut free = false;
                atom.variables(&mut |v| free |= !bound[v.0 as usize]);
                if free {
                    let projected = self.project(atom, &bound, &rule.variables, index, clause.span);
                    *atom = projected;
                }
            }
        }
        let number = self.normal.rules.len();
        self.normal.relations[rule.head.relation.index()].rules.push(number);
        self.normal.rules.push(rule);
    }

    /// A head such as `(sees ?r …)` with an unbound role ranges over the roles.
    fn bind_role(&mut self, rule: &mut Rule, bound: &mut [bool]) {
        let roles = [Keyword::Sees, Keyword::Legal, Keyword::Goal, Keyword::Input, Keyword::Percept];
        if self.strictness == Strictness::Strict || !roles.iter().any(|k| k.id() == rule.head.relation) {
            return;
        }
        if let Term::Variable(v) = rule.head.arguments[0]
            && !bound[v.0 as usize]
        {
            bound[v.0 as usize] = true;
            let arguments = vec![Term::Variable(v)];
            rule.body.push(Literal::Positive(Atom { relation: Keyword::Role.id(), arguments }));
        }
    }

    fn check_safe(&mut self, rule: &Rule, clause: &Clause, bound: &[bool]) -> bool {
        let mut loose: Vec<(Variable, &str)> = Vec::new();
        rule.head.variables(&mut |v| {
            if !bound[v.0 as usize] {
                loose.push((v, "the head"));
            }
        });
        for literal in &rule.body {
            let place = match literal {
                Literal::Positive(_) => continue,
                Literal::Negative(_) if self.strictness == Strictness::Lenient => continue,
                Literal::Negative(_) => "a negated sentence",
                Literal::Distinct(..) => "`distinct`",
            };
            literal.variables(&mut |v| {
                if !bound[v.0 as usize] {
                    loose.push((v, place));
                }
            });
        }
        loose.dedup();
        for (variable, place) in &loose {
            let name = &rule.variables[variable.0 as usize];
            let message = format!("the variable ?{name} of {place} occurs in no positive sentence of the body");
            let remedy = format!("add a positive sentence that says which values ?{name} can take");
            self.diagnostics.push(Diagnostic::error("unsafe-variable", clause.span, message).remedy(remedy));
        }
        loose.is_empty()
    }

    /// `(not (p ?bound ?free))` says that no such `?free` exists: the atom is
    /// replaced by a relation of the bound variables alone.
    fn project(&mut self, atom: &Atom, bound: &[bool], names: &[Name], index: usize, span: Span) -> Atom {
        let mut keep: Vec<Variable> = Vec::new();
        atom.variables(&mut |v| {
            if bound[v.0 as usize] && !keep.contains(&v) {
                keep.push(v);
            }
        });
        let name = Name::from(format!("some {} {}", self.normal.relations[atom.relation.index()].name, index));
        let mut fresh = name.clone();
        let mut count = 0;
        while self.numbers.contains_key(&(fresh.clone(), keep.len())) {
            count += 1;
            fresh = Name::from(format!("{name} {count}"));
        }
        let relation = self.relation(&fresh, keep.len(), span);
        let head = Atom { relation, arguments: keep.into_iter().map(Term::Variable).collect() };
        let number = self.normal.rules.len();
        self.normal.relations[relation.index()].rules.push(number);
        self.normal.rules.push(Rule {
            head: head.clone(),
            body: vec![Literal::Positive(atom.clone())],
            variables: names.to_vec(),
            clause: index,
            span,
        });
        head
    }

    /// The alternatives a literal (or its negation) stands for.
    fn literal(&mut self, literal: &gdl::Literal, positive: bool, scope: &mut Scope) -> Option<Vec<Conjunction>> {
        match &literal.kind {
            LiteralKind::Atom(term) => {
                let atom = self.atom(term, scope)?;
                let literal_ = if positive { Literal::Positive(atom) } else { Literal::Negative(atom) };
                Some(vec![Conjunction { literals: vec![(literal_, literal.span)], equal: Vec::new() }])
            }
            LiteralKind::Not(inner) => self.literal(inner, !positive, scope),
            LiteralKind::Or(parts) if positive => self.any(parts, positive, scope),
            LiteralKind::And(parts) if !positive => self.any(parts, positive, scope),
            LiteralKind::Or(parts) | LiteralKind::And(parts) => {
                let mut all = vec![Conjunction::default()];
                for part in parts {
                    let next = self.literal(part, positive, scope)?;
                    if all.len().saturating_mul(next.len()) > MAX_ALTERNATIVES {
                        let message = format!("this stands for more than {MAX_ALTERNATIVES} alternatives");
                        self.diagnostics.push(Diagnostic::error("too-many-alternatives", literal.span, message));
                        return None;
                    }
                    all = product(&all, &next);
                }
                Some(all)
            }
            LiteralKind::Distinct(a, b) => {
                let (a, b) = (self.term(a, scope), self.term(b, scope));
                Some(vec![if positive {
                    Conjunction { literals: vec![(Literal::Distinct(a, b), literal.span)], equal: Vec::new() }
                } else {
                    Conjunction { literals: Vec::new(), equal: vec![(a, b)] }
                }])
            }
        }
    }

    fn any(&mut self, parts: &[gdl::Literal], positive: bool, scope: &mut Scope) -> Option<Vec<Conjunction>> {
        let mut all = Vec::new();
        for part in parts {
            all.extend(self.literal(part, positive, scope)?);
        }
        Some(all)
    }

    fn atom(&mut self, term: &gdl::Term, scope: &mut Scope) -> Option<Atom> {
        let name = term.name()?;
        let arguments: Vec<Term> = term.arguments().iter().map(|t| self.term(t, scope)).collect();
        if let Some(keyword) = Keyword::named(name)
            && Keyword::find(name, arguments.len()).is_none()
        {
            let message = format!("`{name}` takes {} arguments, not {}", keyword.arity(), arguments.len());
            self.diagnostics.push(Diagnostic::error("keyword-arity", term.span, message));
            return None;
        }
        let relation = self.relation(name, arguments.len(), term.span);
        let slot = &mut self.normal.relations[relation.index()];
        if slot.first == Span::default() {
            slot.first = term.span;
        }
        Some(Atom { relation, arguments })
    }

    fn term(&mut self, term: &gdl::Term, scope: &mut Scope) -> Term {
        match &term.kind {
            TermKind::Constant(name) => Term::Constant(self.normal.symbols.intern(name)),
            TermKind::Variable(name) => Term::Variable(scope.variable(name)),
            TermKind::Compound(name, arguments) if arguments.is_empty() => {
                Term::Constant(self.normal.symbols.intern(name))
            }
            TermKind::Compound(name, arguments) => {
                let function = self.normal.symbols.intern(name);
                Term::Function(function, arguments.iter().map(|t| self.term(t, scope)).collect())
            }
        }
    }
}

fn product(left: &[Conjunction], right: &[Conjunction]) -> Vec<Conjunction> {
    let mut all = Vec::with_capacity(left.len() * right.len());
    for a in left {
        for b in right {
            let mut both = a.clone();
            both.literals.extend(b.literals.iter().cloned());
            both.equal.extend(b.equal.iter().cloned());
            all.push(both);
        }
    }
    all
}

/// The most general bindings under which two terms are the same.
fn unify(a: &Term, b: &Term) -> Option<Vec<(Variable, Term)>> {
    let mut bindings: Vec<(Variable, Term)> = Vec::new();
    let mut work = vec![(a.clone(), b.clone())];
    while let Some((mut a, mut b)) = work.pop() {
        for (v, t) in &bindings {
            a = substitute(&a, *v, t);
            b = substitute(&b, *v, t);
        }
        match (a, b) {
            (a, b) if a == b => {}
            (Term::Variable(v), t) | (t, Term::Variable(v)) => {
                let mut occurs = false;
                t.variables(&mut |w| occurs |= w == v);
                if occurs {
                    return None;
                }
                bindings.push((v, t));
            }
            (Term::Function(f, x), Term::Function(g, y)) if f == g && x.len() == y.len() => {
                work.extend(x.into_iter().zip(y));
            }
            _ => return None,
        }
    }
    Some(bindings)
}

fn substitute(term: &Term, variable: Variable, value: &Term) -> Term {
    match term {
        Term::Variable(v) if *v == variable => value.clone(),
        Term::Function(f, arguments) => {
            Term::Function(*f, arguments.iter().map(|t| substitute(t, variable, value)).collect())
        }
        other => other.clone(),
    }
}

fn substitute_rule(rule: &mut Rule, variable: Variable, value: &Term) {
    let on_atom = |atom: &mut Atom| {
        for term in &mut atom.arguments {
            *term = substitute(term, variable, value);
        }
    };
    on_atom(&mut rule.head);
    for literal in &mut rule.body {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => on_atom(atom),
            Literal::Distinct(a, b) => {
                *a = substitute(a, variable, value);
                *b = substitute(b, variable, value);
            }
        }
    }
}
