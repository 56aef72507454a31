//! Derivatives of control terms: what can be done at a control location.
//!
//! As with the derivatives of a regular expression, the derivative of a term lists the possible
//! first calls, each with the term that remains after it. In addition there are two verdicts:
//! the terms that hold in the same state if one of the calls could be done, and if none could.

use std::sync::Arc;

use super::compile::{Control, Given, Inner, Target};
use super::terms::{CallId, DELTA, EPS, Term, TermId, Terms};
use crate::expr::Expr;
use crate::{ControlError, GrammarError};

/// The kinds of control locations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// There are calls to try.
    Trial,
    /// The program has ended.
    Final,
    /// There is no way to continue.
    Dead,
}

/// The entry into a procedure, whose variables are created at `level`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Enter {
    /// The level of its variables; the main part has level 0.
    pub level: usize,
    /// The call.
    pub call: CallId,
}

/// The end of a procedure, whose results are passed to the level below.
pub type Exit = Enter;

/// A continuation: the procedures entered and left, and the term that follows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cont {
    /// The procedures entered, outermost first.
    pub enters: Vec<Enter>,
    /// The procedures left, innermost first.
    pub exits: Vec<Exit>,
    /// The term that follows.
    pub term: TermId,
}

impl Cont {
    fn to(term: TermId) -> Cont {
        Cont { enters: Vec::new(), exits: Vec::new(), term }
    }

    fn with(&self, term: TermId) -> Cont {
        Cont { term, ..self.clone() }
    }

    fn shift(&mut self) {
        self.enters.iter_mut().chain(&mut self.exits).for_each(|entry| entry.level += 1);
    }
}

/// A call to try.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trial {
    /// The procedures entered on the way.
    pub enters: Vec<Enter>,
    /// The level whose variables the arguments refer to.
    pub level: usize,
    /// The rule.
    pub rule: usize,
    /// The call.
    pub call: CallId,
    /// The recipe that begins with this step, if any: its call and level.
    pub launch: Option<Enter>,
    /// The continuation after this step.
    pub next: Cont,
}

/// An argument of a call.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Binding<'a> {
    /// Any item.
    Wild,
    /// An output that is stored in a variable.
    Out(usize),
    /// An input computed from variables.
    In(&'a Expr),
}

/// The derivative of a control location.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Derived {
    /// The kind of location.
    pub kind: Kind,
    /// The calls to try.
    pub trials: Vec<Trial>,
    /// The continuation in the same state if some call could be done.
    pub success: Cont,
    /// The continuation in the same state if no call could be done.
    pub failure: Cont,
    /// The number of atomic blocks and recipes in progress.
    pub depth: usize,
    /// Whether a recipe is in progress.
    pub hidden: bool,
    /// The number of procedures in progress.
    pub records: usize,
    /// The variables that are still read: level and number, sorted.
    pub live: Vec<(usize, usize)>,
}

/// The maximum nesting of calls before the first step.
const MAX_NESTING: usize = 300;
/// The number of locations derived ahead of time.
const AHEAD: usize = 20_000;
/// The maximum number of locations of a program.
const MAX_TERMS: usize = 2_000_000;

impl Control {
    /// Returns the derivative of a control location.
    pub fn derived(&self, term: TermId) -> Result<Arc<Derived>, ControlError> {
        {
            let inner = self.inner.read().expect("no panic while it is held");
            if let Some(Some(derived)) = inner.derived.get(term as usize) {
                return Ok(Arc::clone(derived));
            }
        }
        let mut inner = self.inner.write().expect("no panic while it is held");
        if inner.terms.len() > MAX_TERMS {
            return Err(ControlError::TooManyLocations);
        }
        self.derive(&mut inner, term, 0)
    }

    /// Derives the reachable locations ahead of time, so that their numbers do not depend on
    /// the order of play.
    pub(super) fn derive_all(&self) -> Result<(), GrammarError> {
        let mut work = vec![self.main];
        let mut seen = vec![false; AHEAD];
        let mut at = 0;
        while at < work.len() && work.len() < AHEAD {
            let derived = self
                .derived(work[at])
                .map_err(|error| GrammarError::new("control program", error.to_string()))?;
            at += 1;
            let next = derived.trials.iter().map(|trial| trial.next.term);
            for term in next.chain([derived.success.term, derived.failure.term]) {
                if (term as usize) < AHEAD && !std::mem::replace(&mut seen[term as usize], true) {
                    work.push(term);
                }
            }
        }
        Ok(())
    }

    /// Returns the name of the called procedure, whether it is a recipe, and which of its
    /// parameters are outputs.
    pub fn procedure(&self, call: CallId) -> Option<(&str, bool, &[bool])> {
        match self.sites[call as usize].target {
            Target::Rule(_) => None,
            Target::Procedure(at) => {
                let procedure = &self.procedures[at];
                Some((&procedure.name, procedure.recipe, &procedure.parameters))
            }
        }
    }

    /// Returns the number of variables of the called procedure.
    pub fn variables(&self, call: CallId) -> usize {
        match self.sites[call as usize].target {
            Target::Rule(_) => 0,
            Target::Procedure(at) => self.procedures[at].variables,
        }
    }

    /// Returns the arguments of a call.
    pub fn arguments(&self, call: CallId) -> impl Iterator<Item = Binding<'_>> {
        self.sites[call as usize].args.iter().map(|given| match given {
            Given::Wild => Binding::Wild,
            Given::Out(variable) => Binding::Out(*variable),
            Given::In(expr) => Binding::In(expr),
        })
    }

    /// Returns `true` if a location with this number exists.
    pub fn has(&self, term: TermId) -> bool {
        (term as usize) < self.inner.read().expect("no panic while it is held").terms.len()
    }

    /// Returns a call of the recipe with this name.
    pub fn find_recipe(&self, name: &str) -> Option<CallId> {
        (0..self.sites.len() as CallId)
            .find(|&call| self.procedure(call).is_some_and(|(known, recipe, _)| recipe && known == name))
    }

    /// Returns the variables that calls in a procedure's body assign, once per call.
    pub fn outputs(&self, call: CallId) -> Vec<usize> {
        let Target::Procedure(at) = self.sites[call as usize].target else { return Vec::new() };
        let inner = self.inner.read().expect("no panic while it is held");
        let mut found = Vec::new();
        let mut work = vec![self.procedures[at].body];
        while let Some(term) = work.pop() {
            match inner.terms.get(term) {
                Term::Eps | Term::Delta => {}
                Term::Call(call) => {
                    found.extend(self.sites[*call as usize].args.iter().filter_map(|given| match given {
                        Given::Out(variable) => Some(*variable),
                        _ => None,
                    }))
                }
                Term::Seq(a, b) | Term::Or(a, b) | Term::While(a, b) | Term::Until(a, b) => {
                    work.extend([*a, *b])
                }
                Term::If(a, b, c) => work.extend([*a, *b, *c]),
                Term::Star(a) | Term::Atomic(a) | Term::Transit(a) | Term::Active(_, a, _) => work.push(*a),
            }
        }
        found
    }

    /// Returns the names of all recipes.
    pub fn recipes(&self) -> impl Iterator<Item = &str> {
        self.procedures.iter().filter(|procedure| procedure.recipe).map(|procedure| procedure.name.as_str())
    }

    fn derive(&self, inner: &mut Inner, term: TermId, nesting: usize) -> Result<Arc<Derived>, ControlError> {
        if let Some(Some(derived)) = inner.derived.get(term as usize) {
            return Ok(Arc::clone(derived));
        }
        if nesting > MAX_NESTING {
            return Err(ControlError::Endless);
        }
        let (depth, hidden, records) = self.shape(&inner.terms, term);
        let mut live = Vec::new();
        self.live(&inner.terms, term, 0, &mut live);
        live.sort_unstable();
        live.dedup();
        let mut derived = self.trials(inner, term, nesting)?;
        (derived.depth, derived.hidden, derived.records, derived.live) = (depth, hidden, records, live);
        let derived = Arc::new(derived);
        let at = term as usize;
        if inner.derived.len() <= at {
            inner.derived.resize(at + 1, None);
        }
        inner.derived[at] = Some(Arc::clone(&derived));
        Ok(derived)
    }

    fn trials(&self, inner: &mut Inner, term: TermId, nesting: usize) -> Result<Derived, ControlError> {
        let plain = |kind| Derived {
            kind,
            trials: Vec::new(),
            success: Cont::to(DELTA),
            failure: Cont::to(DELTA),
            depth: 0,
            hidden: false,
            records: 0,
            live: Vec::new(),
        };
        let trial = |trials, success, failure| Derived { trials, success, failure, ..plain(Kind::Trial) };
        // Applies a change of the term to the continuations of all trials.
        fn mapped(
            of: &Derived,
            inner: &mut Inner,
            mut next: impl FnMut(&mut Terms, TermId) -> TermId,
        ) -> Vec<Trial> {
            let change = |t: &Trial,
                          inner: &mut Inner,
                          next: &mut dyn FnMut(&mut Terms, TermId) -> TermId| {
                Trial { next: t.next.with(next(&mut inner.terms, t.next.term)), ..t.clone() }
            };
            of.trials.iter().map(|t| change(t, inner, &mut next)).collect()
        }
        Ok(match inner.terms.get(term).clone() {
            Term::Eps => plain(Kind::Final),
            Term::Delta => plain(Kind::Dead),
            Term::Call(call) => match self.sites[call as usize].target {
                Target::Rule(rule) => {
                    let step =
                        Trial { enters: Vec::new(), level: 0, rule, call, launch: None, next: Cont::to(EPS) };
                    trial(vec![step], Cont::to(DELTA), Cont::to(DELTA))
                }
                Target::Procedure(at) => {
                    let body = self.procedures[at].body;
                    let active = inner.terms.add(Term::Active(call, body, false));
                    let mut derived = (*self.derive(inner, active, nesting + 1)?).clone();
                    let enter = Enter { level: 1, call };
                    derived.trials.iter_mut().for_each(|t| t.enters.insert(0, enter));
                    // A dead continuation enters nothing. That keeps the verdicts of different
                    // calls equal, so that a choice can try these calls together.
                    for cont in [&mut derived.success, &mut derived.failure] {
                        if cont.term == DELTA && cont.exits.is_empty() {
                            *cont = Cont::to(DELTA);
                        } else {
                            cont.enters.insert(0, enter);
                        }
                    }
                    derived
                }
            },
            Term::Seq(a, b) => {
                let first = self.derive(inner, a, nesting + 1)?;
                match first.kind {
                    Kind::Dead => plain(Kind::Dead),
                    Kind::Final => (*self.derive(inner, b, nesting + 1)?).clone(),
                    Kind::Trial => {
                        let trials = mapped(&first, inner, |terms, t| terms.seq(t, b));
                        let success = inner.terms.seq(first.success.term, b);
                        let failure = inner.terms.seq(first.failure.term, b);
                        trial(trials, first.success.with(success), first.failure.with(failure))
                    }
                }
            }
            Term::Or(a, b) => {
                let (x, y) = (self.derive(inner, a, nesting + 1)?, self.derive(inner, b, nesting + 1)?);
                match (x.kind, y.kind) {
                    (Kind::Dead, _) => (*y).clone(),
                    (_, Kind::Dead) => (*x).clone(),
                    (Kind::Final, Kind::Final) => plain(Kind::Final),
                    (Kind::Trial, Kind::Trial) if x.success == y.success && x.failure == y.failure => {
                        let trials = x.trials.iter().chain(&y.trials).cloned().collect();
                        trial(trials, x.success.clone(), x.failure.clone())
                    }
                    (kind, _) => {
                        // One part is final or the verdicts differ, so one part is tried first
                        // and the other remains available after either verdict.
                        let (first, other) = if kind == Kind::Trial { (x, b) } else { (y, a) };
                        let success = inner.terms.or(first.success.term, other);
                        let failure = inner.terms.or(first.failure.term, other);
                        trial(first.trials.clone(), first.success.with(success), first.failure.with(failure))
                    }
                }
            }
            Term::If(condition, then, other) => {
                let first = self.derive(inner, condition, nesting + 1)?;
                match first.kind {
                    Kind::Final => (*self.derive(inner, then, nesting + 1)?).clone(),
                    Kind::Dead => (*self.derive(inner, other, nesting + 1)?).clone(),
                    Kind::Trial => {
                        let trials = mapped(&first, inner, |terms, t| terms.seq(t, then));
                        let success = inner.terms.seq(first.success.term, then);
                        let failure = inner.terms.choose(first.failure.term, then, other);
                        trial(trials, first.success.with(success), first.failure.with(failure))
                    }
                }
            }
            Term::While(condition, body) => {
                // while c do b  =  if c then { b; while c do b } else skip
                let then = inner.terms.seq(body, term);
                let unrolled = inner.terms.choose(condition, then, EPS);
                (*self.derive(inner, unrolled, nesting + 1)?).clone()
            }
            Term::Until(condition, body) => {
                // until c do b  =  if c then skip else { b; until c do b }
                let other = inner.terms.seq(body, term);
                let unrolled = inner.terms.choose(condition, EPS, other);
                (*self.derive(inner, unrolled, nesting + 1)?).clone()
            }
            Term::Star(body) => {
                let first = self.derive(inner, body, nesting + 1)?;
                if first.kind != Kind::Trial {
                    return Ok(plain(Kind::Final));
                }
                let trials = mapped(&first, inner, |terms, t| terms.seq(t, term));
                // After either verdict the loop can also end.
                let mut verdict = |cont: &Cont| {
                    let more = inner.terms.seq(cont.term, term);
                    cont.with(inner.terms.or(more, EPS))
                };
                let (success, failure) = (verdict(&first.success), verdict(&first.failure));
                trial(trials, success, failure)
            }
            Term::Atomic(body) | Term::Transit(body) => {
                let begun = matches!(inner.terms.get(term), Term::Transit(_));
                let first = self.derive(inner, body, nesting + 1)?;
                if first.kind != Kind::Trial {
                    return Ok(plain(first.kind));
                }
                let trials = mapped(&first, inner, |terms, t| terms.atomic(t, true));
                let success = inner.terms.atomic(first.success.term, begun);
                let failure = inner.terms.atomic(first.failure.term, begun);
                trial(trials, first.success.with(success), first.failure.with(failure))
            }
            Term::Active(call, body, begun) => {
                let recipe = self.procedure(call).is_some_and(|(_, recipe, _)| recipe);
                let first = self.derive(inner, body, nesting + 1)?;
                if first.kind == Kind::Dead {
                    return Ok(plain(Kind::Dead));
                }
                let wrap = |terms: &mut Terms, cont: &Cont, begun: bool| {
                    let mut cont = cont.clone();
                    cont.shift();
                    match cont.term {
                        EPS => cont.exits.push(Exit { level: 1, call }),
                        // A dead end inside a recipe that has begun stays inside it. Plain
                        // `DELTA` has depth 0 and would look as if the recipe had been left.
                        DELTA if !(recipe && begun) => {}
                        term => cont.term = terms.add(Term::Active(call, term, begun)),
                    }
                    cont
                };
                if first.kind == Kind::Final {
                    // The procedure ends without a step, so it is left with either verdict.
                    let cont = wrap(&mut inner.terms, &Cont::to(EPS), begun);
                    return Ok(trial(Vec::new(), cont.clone(), cont));
                }
                let mut trials = Vec::new();
                for t in &first.trials {
                    let mut t = t.clone();
                    t.level += 1;
                    t.enters.iter_mut().for_each(|enter| enter.level += 1);
                    t.next = wrap(&mut inner.terms, &t.next, true);
                    t.launch = t.launch.map(|launch| Enter { level: launch.level + 1, ..launch });
                    if recipe {
                        t.launch = (!begun).then_some(Enter { level: 1, call });
                    }
                    trials.push(t);
                }
                let success = wrap(&mut inner.terms, &first.success, begun);
                let failure = wrap(&mut inner.terms, &first.failure, begun);
                trial(trials, success, failure)
            }
        })
    }

    /// Returns the number of atomic blocks and recipes in progress, whether a recipe is in
    /// progress, and the number of procedures in progress.
    fn shape(&self, terms: &Terms, term: TermId) -> (usize, bool, usize) {
        let mut at = term;
        let (mut depth, mut hidden, mut records) = (0, false, 0);
        loop {
            match terms.get(at) {
                Term::Seq(a, _) | Term::If(a, _, _) | Term::Atomic(a) => at = *a,
                Term::Or(a, b) => {
                    let (x, y) = (self.shape(terms, *a), self.shape(terms, *b));
                    return (depth + x.0.max(y.0), hidden || x.1 || y.1, records + x.2.max(y.2));
                }
                Term::Transit(a) => {
                    depth += 1;
                    at = *a;
                }
                Term::Active(call, a, begun) => {
                    let recipe = self.procedure(*call).is_some_and(|(_, recipe, _)| recipe);
                    depth += usize::from(recipe && *begun);
                    hidden |= recipe && *begun;
                    records += 1;
                    at = *a;
                }
                _ => return (depth, hidden, records),
            }
        }
    }

    /// Collects the variables that a term reads.
    fn live(&self, terms: &Terms, term: TermId, level: usize, found: &mut Vec<(usize, usize)>) {
        match terms.get(term) {
            Term::Eps | Term::Delta => {}
            Term::Call(call) => {
                for given in &self.sites[*call as usize].args {
                    if let Given::In(expr) = given {
                        expr.slots(&mut |slot| found.push((level, slot)));
                    }
                }
            }
            Term::Seq(a, b) | Term::Or(a, b) | Term::While(a, b) | Term::Until(a, b) => {
                self.live(terms, *a, level, found);
                self.live(terms, *b, level, found);
            }
            Term::If(a, b, c) => [a, b, c].into_iter().for_each(|t| self.live(terms, *t, level, found)),
            Term::Star(a) | Term::Atomic(a) | Term::Transit(a) => self.live(terms, *a, level, found),
            Term::Active(call, a, _) => {
                let count = self.procedure(*call).map_or(0, |(_, _, parameters)| parameters.len());
                found.extend((0..count).map(|at| (level + 1, at)));
                self.live(terms, *a, level + 1, found);
            }
        }
    }
}
