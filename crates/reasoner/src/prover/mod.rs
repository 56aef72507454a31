//! The second opinion: goal-directed (top-down) evaluation with tabling.
//!
//! A query is answered backwards from its goal: only what a rule needs for the terms at hand is derived, call
//! by call, and the answers of every call are tabled for as long as they are valid. The prover shares no
//! evaluation code with the interpreter, so that the two check each other. It can play sheets whose relations
//! are far larger than the part of them that any query reads.
//!
//! `pattern` describes what is known when a relation is called. `specialise` and `compile` make one plan per
//! rule and pattern, in the order that `order` chooses by the estimates of `estimate`, and `learn` tries
//! plans out. `machine` and `run` evaluate calls over the given facts of `extension` into the tables of
//! `answers`.

mod answers;
mod bind;
mod compile;
mod engine;
mod estimate;
mod extension;
mod frame;
mod learn;
mod machine;
mod order;
mod pattern;
mod plan;
mod program;
mod ranks;
mod run;
mod specialise;
mod wider;

use std::sync::{Arc, Mutex, MutexGuard};

use game::{Fault, Game, Goal, MoveId, PerceptId, Role, RoleId};
use rules::{Rules, Symbol};

use crate::{Limits, TermId};
use engine::{Engine, Question};
use ranks::Ranks;

/// A state: the terms that hold, sorted by number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State(Arc<[TermId]>);

/// A game evaluated goal by goal.
///
/// Queries are answered one at a time behind a lock, so each thread should have a prover of its own. Queries
/// about a state alone are answered as if no move were made.
#[derive(Debug)]
pub struct Prover {
    rules: Arc<Rules>,
    roles: Vec<Role>,
    does: Option<Symbol>,
    initial: State,
    inner: Mutex<Inner>,
}

#[derive(Debug)]
struct Inner {
    engine: Engine,
    ranks: Ranks,
    terms: Vec<TermId>,
}

impl Prover {
    /// Creates a game from rules, with the default limits.
    pub fn new(rules: Arc<Rules>) -> Result<Prover, Fault> {
        Prover::with_limits(rules, Limits::default())
    }

    /// Creates a game from rules. `limits` apply to every query.
    pub fn with_limits(rules: Arc<Rules>, limits: Limits) -> Result<Prover, Fault> {
        if rules.reads_knowledge() {
            let text = "The rules use `knows`, which the prover cannot evaluate; the interpreter can.";
            return Err(Fault::Unsupported(text.into()));
        }
        let mut engine = Engine::new(rules.clone(), limits);
        let initial = learn::learn(&mut engine)?;
        let roles = rules.roles.iter().map(|&r| Role::named(rules.name(r))).collect();
        let does = rules.symbols.find("does");
        let inner = Mutex::new(Inner { engine, ranks: Ranks::default(), terms: Vec::new() });
        Ok(Prover { rules, roles, does, initial: State(initial), inner })
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    fn term(&self, text: &str) -> Option<TermId> {
        let parsed = gdl::parse_kif(text);
        let [clause] = &parsed.sheet.clauses[..] else { return None };
        if !parsed.diagnostics.is_empty() || clause.is_rule {
            return None;
        }
        self.inner().engine.machine.pool.intern_parsed(&self.rules.symbols, &clause.head)
    }

    fn text(&self, term: TermId) -> String {
        self.inner().engine.machine.pool.text(&self.rules.symbols, term)
    }

    /// Converts a joint move to terms. Fails if one of them is not a term of this game.
    fn joint(&self, inner: &mut Inner, joint: &[MoveId]) -> Result<(), Fault> {
        let known = inner.engine.machine.pool.len();
        if let Some((place, mv)) = joint.iter().enumerate().find(|(_, m)| m.0 as usize >= known) {
            let role = self.roles.get(place).map(String::from).unwrap_or_default();
            return Err(Fault::NoSuchMove { role, text: format!("move number {}", mv.0) });
        }
        inner.terms.clear();
        inner.terms.extend(joint.iter().map(|m| TermId(m.0)));
        Ok(())
    }
}

impl Game for Prover {
    type State = State;

    fn roles(&self) -> &[Role] {
        &self.roles
    }

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn is_terminal(&self, state: &State) -> Result<bool, Fault> {
        let Inner { engine, terms, .. } = &mut *self.inner();
        engine.enter(&state.0);
        engine.make(None);
        engine.ask(Question::Terminal, None, terms)
    }

    fn legal(&self, state: &State, role: RoleId, moves: &mut Vec<MoveId>) -> Result<(), Fault> {
        let Inner { engine, terms, ranks } = &mut *self.inner();
        engine.enter(&state.0);
        engine.make(None);
        engine.ask(Question::Legal, Some(role.index()), terms)?;
        engine.rank(ranks, terms);
        moves.clear();
        moves.extend(terms.iter().map(|t| MoveId(t.0)));
        Ok(())
    }

    fn next(&self, state: &State, joint: &[MoveId]) -> Result<State, Fault> {
        let mut inner = self.inner();
        self.joint(&mut inner, joint)?;
        let Inner { engine, terms, .. } = &mut *inner;
        engine.enter(&state.0);
        engine.make(Some(terms));
        engine.ask(Question::Next, None, terms)?;
        terms.sort_unstable();
        Ok(State(terms[..].into()))
    }

    fn goal(&self, state: &State, role: RoleId) -> Result<Option<Goal>, Fault> {
        let Inner { engine, terms, .. } = &mut *self.inner();
        engine.enter(&state.0);
        engine.make(None);
        engine.ask(Question::Goal, Some(role.index()), terms)?;
        match terms[..] {
            [value] => Ok(self.rules.symbols.name(engine.machine.pool.functor(value)).parse().ok()),
            _ => Ok(None),
        }
    }

    fn goal_values(&self, state: &State, role: RoleId) -> Result<Vec<Goal>, Fault> {
        let Inner { engine, terms, .. } = &mut *self.inner();
        engine.enter(&state.0);
        engine.make(None);
        engine.ask(Question::Goal, Some(role.index()), terms)?;
        let name = |&value: &_| self.rules.symbols.name(engine.machine.pool.functor(value)).parse().ok();
        let mut values: Vec<Goal> = terms.iter().filter_map(name).collect();
        values.sort_unstable();
        Ok(values)
    }

    fn percepts(
        &self,
        state: &State,
        joint: &[MoveId],
        role: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault> {
        let mut inner = self.inner();
        self.joint(&mut inner, joint)?;
        let Inner { engine, terms, ranks } = &mut *inner;
        if self.has_percepts() {
            engine.enter(&state.0);
            engine.make(Some(terms));
            engine.ask(Question::Sees, Some(role.index()), terms)?;
        } else if let Some(does) = self.does {
            for (place, mv) in terms.iter_mut().enumerate() {
                let role = engine.role(place);
                *mv = engine.machine.pool.intern(does, &[role, *mv]);
            }
        }
        engine.rank(ranks, terms);
        percepts.clear();
        percepts.extend(terms.iter().map(|t| PerceptId(t.0)));
        Ok(())
    }

    fn has_percepts(&self) -> bool {
        self.rules.has_percepts()
    }

    fn move_text(&self, _: RoleId, mv: MoveId) -> String {
        self.text(TermId(mv.0))
    }

    fn find_move(&self, _: RoleId, text: &str) -> Option<MoveId> {
        self.term(text).map(|t| MoveId(t.0))
    }

    fn percept_text(&self, _: RoleId, percept: PerceptId) -> String {
        self.text(TermId(percept.0))
    }

    fn find_percept(&self, _: RoleId, text: &str) -> Option<PerceptId> {
        self.term(text).map(|t| PerceptId(t.0))
    }

    fn facts(&self, state: &State) -> Vec<String> {
        let inner = self.inner();
        let text = |&t: &TermId| inner.engine.machine.pool.text(&self.rules.symbols, t);
        let mut facts: Vec<String> = state.0.iter().map(text).collect();
        facts.sort_unstable();
        facts
    }

    fn state(&self, facts: &[String]) -> Result<State, Fault> {
        let mut terms = Vec::with_capacity(facts.len());
        for fact in facts {
            let term = self.term(fact);
            terms.push(term.ok_or_else(|| Fault::BadState(format!("`{fact}` cannot hold in this game.")))?);
        }
        terms.sort_unstable();
        terms.dedup();
        Ok(State(terms.into()))
    }
}
