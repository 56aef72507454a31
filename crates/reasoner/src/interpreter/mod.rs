//! The oracle: stratified bottom-up evaluation, one state at a time.
//!
//! For each query only the relations it needs are evaluated, component by component in the order of
//! dependence, so that negation is always over complete relations. Recursive components use semi-naive
//! evaluation. Static relations are evaluated once. Results for a state are kept until another state is
//! queried.

pub(crate) mod engine;
mod knowledge;

use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, PoisonError};

use game::{Fault, Game, Goal, MoveId, PerceptId, PlayoutStream, Role, RoleId, Seed};
use rules::{Keyword, Rules, Symbol};
use rustc_hash::FxHashMap;

use crate::cost::Costs;
use crate::datalog::machine::Machine;
use crate::meter::check_length;
use crate::shared_terms::{Numbers, SharedTerms, no_such_move, strange_state};
use crate::{Limits, RuleCost, TermId};
use engine::Engine;
use knowledge::Knowledge;

/// A state: the terms that hold, sorted by their shared numbers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State(Arc<[TermId]>);

/// A game evaluated rule by rule.
pub struct Interpreter {
    rules: Arc<Rules>,
    roles: Vec<Role>,
    does: Option<Symbol>,
    initial: State,
    /// What scratch memories start from: static relations are evaluated, and rules are planned.
    start: Engine,
    shared: SharedTerms,
    /// All histories, if the rules read `knows`. They are found only once, so they are behind a lock.
    knowledge: Option<Mutex<(Scratch, Knowledge)>>,
}

/// Scratch memory of an [`Interpreter`]: tables that keep what was derived for the state asked about last.
pub struct Scratch {
    engine: Engine,
    order: Order,
    terms: Vec<TermId>,
    numbers: Numbers,
    /// The state that was asked about last.
    entered: Option<State>,
}

impl Scratch {
    fn new(engine: &Engine, shared: &SharedTerms) -> Scratch {
        Scratch {
            engine: engine.clone(),
            order: Order::default(),
            terms: Vec::new(),
            numbers: Numbers::new(shared),
            entered: None,
        }
    }

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

    /// Makes `joint` the current joint move.
    fn make(&mut self, shared: &SharedTerms, roles: &[Role], joint: &[MoveId]) -> Result<(), Fault> {
        self.read(shared, roles, joint)?;
        self.engine.make(&self.terms);
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
        self.order.sort(&mut self.terms, &self.engine);
        self.numbers.outward(shared, &self.engine.machine.pool, &mut self.terms);
    }
}

/// The ranks of terms by their canonical text, so that lists are sorted without comparing texts.
#[derive(Clone, Default)]
struct Order {
    sorted: Vec<(String, TermId)>,
    rank: FxHashMap<TermId, u32>,
}

impl Order {
    fn sort(&mut self, terms: &mut [TermId], engine: &Engine) {
        if terms.iter().any(|t| !self.rank.contains_key(t)) {
            for &term in terms.iter() {
                if let Entry::Vacant(place) = self.rank.entry(term) {
                    place.insert(0);
                    self.sorted.push((engine.machine.pool.text(&engine.rules.symbols, term), term));
                }
            }
            self.sorted.sort();
            for (rank, (_, term)) in self.sorted.iter().enumerate() {
                self.rank.insert(*term, rank as u32);
            }
        }
        terms.sort_unstable_by_key(|t| self.rank[t]);
    }
}

impl Interpreter {
    /// Creates a game from rules, with the default limits.
    pub fn new(rules: Arc<Rules>) -> Result<Interpreter, Fault> {
        Interpreter::with_limits(rules, Limits::default())
    }

    /// Creates a game from rules if the first queries can be answered with this much work each
    /// ([`Limits::work`]). The default limits apply afterwards.
    pub fn start_within(rules: Arc<Rules>, work: u64) -> Result<Interpreter, Fault> {
        let limits = Limits::default();
        let mut interpreter = Interpreter::with_limits(rules, Limits { work, ..limits })?;
        interpreter.start.machine.meter.set_work(limits.work);
        if let Some(knowledge) = &mut interpreter.knowledge {
            let (scratch, _) = knowledge.get_mut().unwrap_or_else(PoisonError::into_inner);
            scratch.engine.machine.meter.set_work(limits.work);
        }
        Ok(interpreter)
    }

    /// Creates a game from rules. `limits` apply to every query.
    pub fn with_limits(rules: Arc<Rules>, limits: Limits) -> Result<Interpreter, Fault> {
        check_length(&rules)?;
        let mut engine = Engine::new(rules.clone(), Machine::new(limits));
        engine.ask(Keyword::Init.id())?;
        let mut facts = Vec::new();
        engine.terms(Keyword::Init.id(), None, &mut facts)?;
        facts.sort_unstable();
        let knowledge = match rules.reads_knowledge() {
            true => Some(Knowledge::new(&mut engine, facts.clone())?),
            false => None,
        };
        let initial = knowledge.as_ref().map_or_else(|| facts.into(), Knowledge::initial);
        let roles = rules.roles.iter().map(|&r| Role::named(rules.name(r))).collect();
        let does = rules.symbols.find("does");
        let shared = SharedTerms::new(&engine.machine.pool);
        let knowledge = knowledge.map(|all| Mutex::new((Scratch::new(&engine, &shared), all)));
        let initial = State(initial);
        let mut interpreter = Interpreter { rules, roles, does, initial, start: engine, shared, knowledge };
        interpreter.warm_up()?;
        Ok(interpreter)
    }

    /// Plays a few random steps to observe the sizes of tables, plans again, and keeps the result for all
    /// scratch memories to start from.
    fn warm_up(&mut self) -> Result<(), Fault> {
        let stream = PlayoutStream::new(Seed(0), 0);
        let mut scratch = self.scratch();
        let mut state = self.initial();
        let (mut moves, mut joint) = (Vec::new(), Vec::new());
        let most_work = {
            let meter = &scratch.engine.machine.meter;
            meter.work().saturating_add(meter.limits().work)
        };
        for step in 0..8 {
            let work = scratch.engine.machine.meter.work();
            if step > 0 && (work > most_work || self.is_terminal(&mut scratch, &state)?) {
                break;
            }
            joint.clear();
            for role in RoleId::all(self.roles.len()) {
                self.legal(&mut scratch, &state, role, &mut moves)?;
                if moves.is_empty() {
                    break;
                }
                joint.push(moves[stream.below(step, role.0, moves.len() as u32) as usize]);
            }
            if joint.len() < self.roles.len() {
                break;
            }
            let next = self.next(&mut scratch, &state, &joint)?;
            if step == 2 {
                scratch.engine.plan();
            }
            scratch.engine.machine.observe();
            state = next;
        }
        scratch.engine.plan();
        self.start = scratch.engine;
        // Nobody has seen a shared number yet, except histories, so what is known now becomes common.
        if self.knowledge.is_none() {
            self.shared = SharedTerms::new(&self.start.machine.pool);
        }
        Ok(())
    }

    /// Starts to record the cost of each clause.
    pub fn start_profile(&self, scratch: &mut Scratch) {
        scratch.engine.machine.costs = Some(Costs::default());
    }

    /// Returns the cost of each clause since [`Interpreter::start_profile`], by its position in the sheet.
    /// Clauses beyond the end cost nothing.
    pub fn take_profile(&self, scratch: &mut Scratch) -> Vec<RuleCost> {
        scratch.engine.machine.costs.take().unwrap_or_default().into_list()
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

    /// Evaluates a relation in a state.
    fn ask<'a>(
        &self,
        scratch: &'a mut Scratch,
        state: &State,
        keyword: Keyword,
    ) -> Result<&'a mut Scratch, Fault> {
        let scratch = self.own(scratch);
        scratch.enter(&self.shared, state)?;
        scratch.engine.ask(keyword.id())?;
        Ok(scratch)
    }

    /// Returns the goals of a role in a state, as the sheet writes them.
    fn goals<'a>(
        &'a self,
        scratch: &'a mut Scratch,
        state: &State,
        role: RoleId,
    ) -> Result<impl Iterator<Item = Option<Goal>> + 'a, Fault> {
        let Scratch { engine, .. } = self.ask(scratch, state, Keyword::Goal)?;
        let role = engine.role(role.index());
        let table = engine.machine.layout.plain(Keyword::Goal.id(), 2);
        let engine = &*engine;
        let rows = engine.machine.layout.tables[table.index()].rows().filter(move |row| row[0] == role);
        Ok(rows.map(|row| self.rules.symbols.name(engine.machine.pool.functor(row[1])).parse().ok()))
    }

    /// Returns the state that consists of the terms of a scratch memory.
    fn state_of(&self, scratch: &mut Scratch) -> State {
        scratch.numbers.outward(&self.shared, &scratch.engine.machine.pool, &mut scratch.terms);
        scratch.terms.sort_unstable();
        State(scratch.terms[..].into())
    }

    fn find(&self, text: &str) -> Option<TermId> {
        self.shared.find(&self.rules.symbols, text)
    }

    fn text(&self, term: TermId) -> String {
        self.shared.text(&self.rules.symbols, term)
    }
}

impl Game for Interpreter {
    type State = State;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::new(&self.start, &self.shared)
    }

    fn roles(&self) -> &[Role] {
        &self.roles
    }

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn is_terminal(&self, scratch: &mut Scratch, state: &State) -> Result<bool, Fault> {
        let Scratch { engine, .. } = self.ask(scratch, state, Keyword::Terminal)?;
        let table = engine.machine.layout.plain(Keyword::Terminal.id(), 0);
        Ok(engine.machine.layout.tables[table.index()].len() > 0)
    }

    fn legal(
        &self,
        scratch: &mut Scratch,
        state: &State,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), Fault> {
        let scratch = self.ask(scratch, state, Keyword::Legal)?;
        scratch.engine.terms(Keyword::Legal.id(), Some(role.index()), &mut scratch.terms)?;
        scratch.tell(&self.shared);
        moves.clear();
        moves.extend(scratch.terms.iter().map(|t| MoveId(t.0)));
        Ok(())
    }

    fn next(&self, scratch: &mut Scratch, state: &State, joint: &[MoveId]) -> Result<State, Fault> {
        let scratch = self.own(scratch);
        if let Some(knowledge) = &self.knowledge {
            let mut knowledge = knowledge.lock().unwrap_or_else(PoisonError::into_inner);
            let (scratch, knowledge) = &mut *knowledge;
            scratch.read(&self.shared, &self.roles, joint)?;
            let mut own = state.0.to_vec();
            let pool = &mut scratch.engine.machine.pool;
            scratch.numbers.inward(&self.shared, pool, &mut own).map_err(|_| strange_state())?;
            scratch.entered = None;
            let next = knowledge.next(&mut scratch.engine, &own, &scratch.terms)?;
            scratch.terms.clear();
            scratch.terms.extend_from_slice(&next);
            return Ok(self.state_of(scratch));
        }
        scratch.enter(&self.shared, state)?;
        scratch.make(&self.shared, &self.roles, joint)?;
        scratch.engine.ask(Keyword::Next.id())?;
        scratch.engine.terms(Keyword::Next.id(), None, &mut scratch.terms)?;
        Ok(self.state_of(scratch))
    }

    fn goal(&self, scratch: &mut Scratch, state: &State, role: RoleId) -> Result<Option<Goal>, Fault> {
        let mut goals = self.goals(scratch, state, role)?;
        match (goals.next(), goals.next()) {
            (Some(goal), None) => Ok(goal),
            _ => Ok(None),
        }
    }

    fn goal_values(&self, scratch: &mut Scratch, state: &State, role: RoleId) -> Result<Vec<Goal>, Fault> {
        let mut values: Vec<Goal> = self.goals(scratch, state, role)?.flatten().collect();
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
        let scratch = self.own(scratch);
        if self.has_percepts() {
            scratch.enter(&self.shared, state)?;
            scratch.make(&self.shared, &self.roles, joint)?;
            scratch.engine.ask(Keyword::Sees.id())?;
            scratch.engine.terms(Keyword::Sees.id(), Some(role.index()), &mut scratch.terms)?;
        } else if let Some(does) = self.does {
            scratch.read(&self.shared, &self.roles, joint)?;
            for (place, mv) in scratch.terms.iter_mut().enumerate() {
                let role = scratch.engine.role(place);
                *mv = scratch.engine.machine.pool.intern(does, &[role, *mv]);
            }
        } else {
            scratch.terms.clear();
        }
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
        let written = state.0.iter().filter(|t| knowledge::is_written(&self.rules, pool.functor(**t)));
        let mut facts: Vec<String> = written.map(|&t| pool.text(&self.rules.symbols, t)).collect();
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
        if self.knowledge.is_some() {
            let text = "Facts alone do not determine what the roles know: a game with `knows` starts in its initial state.";
            return Err(Fault::Unsupported(text.to_string()));
        }
        Ok(State(terms.into()))
    }
}
