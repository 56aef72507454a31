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

use std::sync::Arc;

use game::{Fault, Game, Goal, MoveId, PerceptId, Role, RoleId};
use rules::{Rules, Symbol};

use crate::shared_terms::{Numbers, SharedTerms, no_such_move, strange_state};
use crate::{Limits, TermId};
use engine::{Engine, Question};
use ranks::Ranks;

/// A state: the terms that hold, sorted by their shared numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State(Arc<[TermId]>);

/// A game whose queries are proven backwards from their goals.
///
/// Queries about a state alone are answered as if no move were made.
#[derive(Debug)]
pub struct Prover {
    rules: Arc<Rules>,
    roles: Vec<Role>,
    does: Option<Symbol>,
    initial: State,
    /// What scratch memories start from: plans are chosen.
    start: Engine,
    shared: SharedTerms,
}

/// Scratch memory of a [`Prover`]: the answers for the state asked about last.
#[derive(Debug)]
pub struct Scratch {
    engine: Engine,
    ranks: Ranks,
    terms: Vec<TermId>,
    numbers: Numbers,
    /// The state that was asked about last.
    entered: Option<State>,
}

impl Scratch {
    /// Makes `state` the current state.
    fn enter(&mut self, shared: &SharedTerms, state: &State) -> Result<(), Fault> {
        if self.entered.as_ref().is_some_and(|s| Arc::ptr_eq(&s.0, &state.0) || s == state) {
            return Ok(());
        }
        self.entered = None;
        if self.numbers.are_common(&state.0) {
            self.engine.enter(&state.0);
        } else {
            let mut terms = state.0.to_vec();
            let pool = &mut self.engine.machine.pool;
            self.numbers.inward(shared, pool, &mut terms).map_err(|_| strange_state())?;
            self.engine.enter(&terms.into());
        }
        self.entered = Some(state.clone());
        Ok(())
    }

    /// Reads a joint move into `terms`.
    fn read(&mut self, shared: &SharedTerms, roles: &[Role], joint: &[MoveId]) -> Result<(), Fault> {
        self.terms.clear();
        self.terms.extend(joint.iter().map(|m| TermId(m.0)));
        let pool = &mut self.engine.machine.pool;
        let read = self.numbers.inward(shared, pool, &mut self.terms);
        read.map_err(|strange| no_such_move(roles, joint, strange))
    }

    /// Sorts `terms` by their text and translates them to shared numbers.
    fn tell(&mut self, shared: &SharedTerms) {
        self.engine.rank(&mut self.ranks, &mut self.terms);
        self.numbers.outward(shared, &self.engine.machine.pool, &mut self.terms);
    }
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
        let shared = SharedTerms::new(&engine.machine.pool);
        Ok(Prover { rules, roles, does, initial: State(initial), start: engine, shared })
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Returns scratch memory of this game; that of another one is replaced.
    fn own<'a>(&self, scratch: &'a mut Scratch) -> &'a mut Scratch {
        if !scratch.numbers.belong_to(&self.shared) {
            *scratch = self.scratch();
        }
        scratch
    }

    /// Answers a query about a state.
    fn ask<'a>(
        &self,
        scratch: &'a mut Scratch,
        state: &State,
        question: Question,
        role: Option<RoleId>,
    ) -> Result<(&'a mut Scratch, bool), Fault> {
        let scratch = self.own(scratch);
        scratch.enter(&self.shared, state)?;
        scratch.engine.make(None);
        let holds = scratch.engine.ask(question, role.map(RoleId::index), &mut scratch.terms)?;
        Ok((scratch, holds))
    }

    /// Answers a query about a state and a joint move.
    fn ask_after<'a>(
        &self,
        scratch: &'a mut Scratch,
        state: &State,
        joint: &[MoveId],
        question: Question,
        role: Option<RoleId>,
    ) -> Result<&'a mut Scratch, Fault> {
        let scratch = self.own(scratch);
        scratch.enter(&self.shared, state)?;
        scratch.read(&self.shared, &self.roles, joint)?;
        scratch.engine.make(Some(&scratch.terms));
        scratch.engine.ask(question, role.map(RoleId::index), &mut scratch.terms)?;
        Ok(scratch)
    }

    /// Returns the number that a goal is written as.
    fn value(&self, engine: &Engine, goal: TermId) -> Option<Goal> {
        self.rules.symbols.name(engine.machine.pool.functor(goal)).parse().ok()
    }

    fn find(&self, text: &str) -> Option<TermId> {
        self.shared.find(&self.rules.symbols, text)
    }

    fn text(&self, term: TermId) -> String {
        self.shared.text(&self.rules.symbols, term)
    }
}

impl Game for Prover {
    type State = State;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch {
            engine: self.start.clone(),
            ranks: Ranks::default(),
            terms: Vec::new(),
            numbers: Numbers::new(&self.shared),
            entered: None,
        }
    }

    fn roles(&self) -> &[Role] {
        &self.roles
    }

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn is_terminal(&self, scratch: &mut Scratch, state: &State) -> Result<bool, Fault> {
        Ok(self.ask(scratch, state, Question::Terminal, None)?.1)
    }

    fn legal(
        &self,
        scratch: &mut Scratch,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), Fault> {
        let (scratch, _) = self.ask(scratch, state, Question::Legal, Some(role))?;
        scratch.tell(&self.shared);
        moves.clear();
        moves.extend(scratch.terms.iter().map(|t| MoveId(t.0)));
        Ok(())
    }

    fn next(&self, scratch: &mut Scratch, state: &State, joint: &[MoveId]) -> Result<State, Fault> {
        let Scratch { engine, numbers, terms, .. } =
            self.ask_after(scratch, state, joint, Question::Next, None)?;
        numbers.outward(&self.shared, &engine.machine.pool, terms);
        terms.sort_unstable();
        Ok(State(terms[..].into()))
    }

    fn goal(&self, scratch: &mut Scratch, state: &State, role: RoleId) -> Result<Option<Goal>, Fault> {
        let (scratch, _) = self.ask(scratch, state, Question::Goal, Some(role))?;
        match scratch.terms[..] {
            [goal] => Ok(self.value(&scratch.engine, goal)),
            _ => Ok(None),
        }
    }

    fn goal_values(&self, scratch: &mut Scratch, state: &State, role: RoleId) -> Result<Vec<Goal>, Fault> {
        let (scratch, _) = self.ask(scratch, state, Question::Goal, Some(role))?;
        let goals = scratch.terms.iter().filter_map(|&goal| self.value(&scratch.engine, goal));
        let mut values: Vec<Goal> = goals.collect();
        values.sort_unstable();
        Ok(values)
    }

    fn percepts(
        &self,
        scratch: &mut Scratch,
        state: &State,
        joint: &[MoveId],
        role: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault> {
        let scratch = if self.has_percepts() {
            self.ask_after(scratch, state, joint, Question::Sees, Some(role))?
        } else {
            let scratch = self.own(scratch);
            scratch.read(&self.shared, &self.roles, joint)?;
            if let Some(does) = self.does {
                for (place, mv) in scratch.terms.iter_mut().enumerate() {
                    let role = scratch.engine.role(place);
                    *mv = scratch.engine.machine.pool.intern(does, &[role, *mv]);
                }
            }
            scratch
        };
        scratch.tell(&self.shared);
        percepts.clear();
        percepts.extend(scratch.terms.iter().map(|t| PerceptId(t.0)));
        Ok(())
    }

    fn has_percepts(&self) -> bool {
        self.rules.has_percepts()
    }

    fn move_text(&self, _: RoleId, mv: MoveId) -> String {
        self.text(TermId(mv.0))
    }

    fn find_move(&self, _: RoleId, text: &str) -> Option<MoveId> {
        self.find(text).map(|t| MoveId(t.0))
    }

    fn percept_text(&self, _: RoleId, percept: PerceptId) -> String {
        self.text(TermId(percept.0))
    }

    fn find_percept(&self, _: RoleId, text: &str) -> Option<PerceptId> {
        self.find(text).map(|t| PerceptId(t.0))
    }

    fn facts(&self, state: &State) -> Vec<String> {
        let pool = self.shared.read();
        let text = |&t: &TermId| pool.text(&self.rules.symbols, t);
        let mut facts: Vec<String> = state.0.iter().map(text).collect();
        facts.sort_unstable();
        facts
    }

    fn state(&self, facts: &[String]) -> Result<State, Fault> {
        let mut terms = Vec::with_capacity(facts.len());
        for fact in facts {
            let term = self.find(fact);
            terms.push(term.ok_or_else(|| Fault::BadState(format!("`{fact}` cannot hold in this game.")))?);
        }
        terms.sort_unstable();
        terms.dedup();
        Ok(State(terms.into()))
    }
}
