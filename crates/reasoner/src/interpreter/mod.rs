//! The oracle: stratified bottom-up evaluation, one state at a time.
//!
//! For each query only the relations it needs are evaluated, component by component in the order of
//! dependence, so that negation is always over complete relations. Recursive components use semi-naive
//! evaluation. Static relations are evaluated once. Results for a state are kept until another state is
//! queried.

pub(crate) mod engine;
mod knowledge;

use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard};

use game::{Fault, Game, Goal, MoveId, PerceptId, PlayoutStream, Role, RoleId, Seed};
use rules::{Keyword, Rules, Symbol};
use rustc_hash::FxHashMap;

use crate::cost::Costs;
use crate::datalog::machine::Machine;
use crate::meter::check_length;
use crate::{Limits, RuleCost, TermId};
use engine::Engine;
use knowledge::Knowledge;

/// A state: the terms that hold, sorted by number.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct State(Arc<[TermId]>);

/// A game evaluated rule by rule.
///
/// Queries are answered one at a time behind a lock, so each thread should have an interpreter of its own.
pub struct Interpreter {
    rules: Arc<Rules>,
    roles: Vec<Role>,
    does: Option<Symbol>,
    initial: State,
    inner: Mutex<Inner>,
}

struct Inner {
    engine: Engine,
    order: Order,
    terms: Vec<TermId>,
    /// All histories, if the rules read `knows`.
    knowledge: Option<Knowledge>,
}

/// The ranks of terms by their canonical text, so that lists are sorted without comparing texts.
#[derive(Default)]
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
        let interpreter = Interpreter::with_limits(rules, Limits { work, ..limits })?;
        interpreter.inner().engine.machine.meter.set_work(limits.work);
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
        let inner = Mutex::new(Inner { engine, order: Order::default(), terms: Vec::new(), knowledge });
        let interpreter = Interpreter { rules, roles, does, initial: State(initial), inner };
        interpreter.warm_up()?;
        Ok(interpreter)
    }

    /// Plays a few random steps to observe the sizes of tables, and plans again.
    fn warm_up(&self) -> Result<(), Fault> {
        let stream = PlayoutStream::new(Seed(0), 0);
        let mut state = self.initial();
        let (mut moves, mut joint) = (Vec::new(), Vec::new());
        let most_work = {
            let meter = &self.inner().engine.machine.meter;
            meter.work().saturating_add(meter.limits().work)
        };
        for step in 0..8 {
            let work = self.inner().engine.machine.meter.work();
            if step > 0 && (work > most_work || self.is_terminal(&state)?) {
                break;
            }
            joint.clear();
            for role in RoleId::all(self.roles.len()) {
                self.legal(&state, role, &mut moves)?;
                if moves.is_empty() {
                    break;
                }
                joint.push(moves[stream.below(step, role.0, moves.len() as u32) as usize]);
            }
            if joint.len() < self.roles.len() {
                break;
            }
            let next = self.next(&state, &joint)?;
            if step == 2 {
                self.inner().engine.plan();
            }
            self.inner().engine.machine.observe();
            state = next;
        }
        self.inner().engine.plan();
        Ok(())
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }

    /// Starts to record the cost of each clause.
    pub fn start_profile(&self) {
        self.inner().engine.machine.costs = Some(Costs::default());
    }

    /// Returns the cost of each clause since [`Interpreter::start_profile`], by its position in the sheet.
    /// Clauses beyond the end cost nothing.
    pub fn take_profile(&self) -> Vec<RuleCost> {
        self.inner().engine.machine.costs.take().unwrap_or_default().into_list()
    }

    /// Returns the rules of the game.
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
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
}

impl Game for Interpreter {
    type State = State;

    fn roles(&self) -> &[Role] {
        &self.roles
    }

    fn initial(&self) -> State {
        self.initial.clone()
    }

    fn is_terminal(&self, state: &State) -> Result<bool, Fault> {
        let mut inner = self.inner();
        let engine = &mut inner.engine;
        engine.enter(&state.0);
        engine.ask(Keyword::Terminal.id())?;
        let table = engine.machine.layout.plain(Keyword::Terminal.id(), 0);
        Ok(engine.machine.layout.tables[table.index()].len() > 0)
    }

    fn legal(&self, state: &State, role: RoleId, moves: &mut Vec<MoveId>) -> Result<(), Fault> {
        let mut inner = self.inner();
        let Inner { engine, order, terms, .. } = &mut *inner;
        engine.enter(&state.0);
        engine.ask(Keyword::Legal.id())?;
        engine.terms(Keyword::Legal.id(), Some(role.index()), terms)?;
        order.sort(terms, engine);
        moves.clear();
        moves.extend(terms.iter().map(|t| MoveId(t.0)));
        Ok(())
    }

    fn next(&self, state: &State, joint: &[MoveId]) -> Result<State, Fault> {
        let mut inner = self.inner();
        let Inner { engine, terms, knowledge, .. } = &mut *inner;
        terms.clear();
        terms.extend(joint.iter().map(|m| TermId(m.0)));
        if let Some(knowledge) = knowledge {
            return Ok(State(knowledge.next(engine, &state.0, terms)?));
        }
        engine.enter(&state.0);
        engine.make(terms);
        engine.ask(Keyword::Next.id())?;
        engine.terms(Keyword::Next.id(), None, terms)?;
        terms.sort_unstable();
        Ok(State(terms[..].into()))
    }

    fn goal(&self, state: &State, role: RoleId) -> Result<Option<Goal>, Fault> {
        let mut inner = self.inner();
        let engine = &mut inner.engine;
        engine.enter(&state.0);
        engine.ask(Keyword::Goal.id())?;
        let role = engine.role(role.index());
        let table = engine.machine.layout.plain(Keyword::Goal.id(), 2);
        let mut values = engine.machine.layout.tables[table.index()].rows().filter(|row| row[0] == role);
        match (values.next(), values.next()) {
            (Some(row), None) => {
                Ok(self.rules.symbols.name(engine.machine.pool.functor(row[1])).parse().ok())
            }
            _ => Ok(None),
        }
    }

    fn goal_values(&self, state: &State, role: RoleId) -> Result<Vec<Goal>, Fault> {
        let mut inner = self.inner();
        let engine = &mut inner.engine;
        engine.enter(&state.0);
        engine.ask(Keyword::Goal.id())?;
        let role = engine.role(role.index());
        let table = engine.machine.layout.plain(Keyword::Goal.id(), 2);
        let rows = engine.machine.layout.tables[table.index()].rows().filter(|row| row[0] == role);
        let name = |row: &[_]| self.rules.symbols.name(engine.machine.pool.functor(row[1])).parse().ok();
        let mut values: Vec<Goal> = rows.filter_map(name).collect();
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
        let Inner { engine, order, terms, .. } = &mut *inner;
        terms.clear();
        if self.has_percepts() {
            terms.extend(joint.iter().map(|m| TermId(m.0)));
            engine.enter(&state.0);
            engine.make(terms);
            engine.ask(Keyword::Sees.id())?;
            engine.terms(Keyword::Sees.id(), Some(role.index()), terms)?;
        } else if let Some(does) = self.does {
            for (place, mv) in joint.iter().enumerate() {
                let role = engine.role(place);
                terms.push(engine.machine.pool.intern(does, &[role, TermId(mv.0)]));
            }
        }
        order.sort(terms, engine);
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
        let pool = &inner.engine.machine.pool;
        let written = state.0.iter().filter(|t| knowledge::is_written(&self.rules, pool.functor(**t)));
        let mut facts: Vec<String> = written.map(|&t| pool.text(&self.rules.symbols, t)).collect();
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
        if self.inner().knowledge.is_some() {
            let text = "Facts alone do not determine what the roles know: a game with `knows` starts in its initial state.";
            return Err(Fault::Unsupported(text.to_string()));
        }
        Ok(State(terms.into()))
    }
}
