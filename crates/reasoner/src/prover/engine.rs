//! Queries about one state and joint move.

use std::sync::Arc;

use game::Fault;
use rules::{Keyword, Rules};
use rustc_hash::FxHashMap;

use super::estimate::{Estimates, Observed};
use super::extension::Extensions;
use super::machine::Machine;
use super::pattern::{Pattern, Shape};
use super::plan::QueryId;
use super::program::{Life, Program, Strategy};
use super::ranks::Ranks;
use crate::meter::Blown;
use crate::{Limits, TermId, TermPool};

/// Static answers beyond this number are forgotten between states.
const MAX_KEPT: usize = 4_000_000;
/// The maximum number of states that are kept as typical.
const MAX_SAMPLES: usize = 24;

/// The queries of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Question {
    Init,
    Terminal,
    Legal,
    Goal,
    Next,
    Sees,
}

impl Question {
    const ALL: [Question; 6] =
        [Question::Init, Question::Terminal, Question::Legal, Question::Goal, Question::Next, Question::Sees];

    /// Returns the pattern of the query, with the role bound if there is one.
    fn pattern(self) -> Pattern {
        let (keyword, shapes): (Keyword, Vec<Shape>) = match self {
            Question::Init => (Keyword::Init, vec![Shape::Free(0)]),
            Question::Terminal => (Keyword::Terminal, vec![]),
            Question::Legal => (Keyword::Legal, vec![Shape::Bound, Shape::Free(0)]),
            Question::Goal => (Keyword::Goal, vec![Shape::Bound, Shape::Free(0)]),
            Question::Next => (Keyword::Next, vec![Shape::Free(0)]),
            Question::Sees => (Keyword::Sees, vec![Shape::Bound, Shape::Free(0)]),
        };
        let count = |wanted: fn(&&Shape) -> bool| shapes.iter().filter(wanted).count();
        let inputs = count(|s| matches!(s, Shape::Bound));
        let outputs = count(|s| matches!(s, Shape::Free(_)));
        Pattern { relation: keyword.id(), shapes: shapes.into(), inputs, outputs }
    }
}

/// A machine with a state and a joint move.
#[derive(Debug, Clone)]
pub(crate) struct Engine {
    rules: Arc<Rules>,
    pub machine: Machine,
    questions: [QueryId; 6],
    roles: Vec<TermId>,
    state: Option<Arc<[TermId]>>,
    joint: Option<Vec<TermId>>,
    samples: Vec<Arc<[TermId]>>,
    /// The strategy and the observations that the plans were made from.
    plans_of: (Strategy, FxHashMap<Pattern, Observed>),
    lifted: bool,
}

impl Engine {
    pub fn new(rules: Arc<Rules>, limits: Limits) -> Engine {
        let mut pool = TermPool::default();
        let roles = rules.roles.iter().map(|&r| pool.intern(r, &[])).collect();
        let extensions = Extensions::new(&rules, &mut pool);
        let estimates = Estimates::new(&rules, &extensions, &pool, &[], FxHashMap::default());
        let program = Program::new(rules.clone(), Strategy::Cost, false, estimates);
        let machine = Machine::new(program, extensions, pool, limits);
        let questions = [QueryId(0); 6];
        let mut engine = Engine {
            rules,
            machine,
            questions,
            roles,
            state: None,
            joint: None,
            samples: Vec::new(),
            plans_of: (Strategy::Cost, FxHashMap::default()),
            lifted: false,
        };
        engine.questions = Question::ALL.map(|q| engine.machine.program.ask(q.pattern()));
        engine
    }

    /// Keeps a state as typical, unless enough are kept.
    pub fn sample(&mut self, state: &Arc<[TermId]>) {
        if self.samples.len() < MAX_SAMPLES && !self.samples.contains(state) {
            self.samples.push(state.clone());
        }
    }

    /// Returns what has been observed of the calls made so far.
    pub fn observed(&self) -> FxHashMap<Pattern, Observed> {
        let mut all: FxHashMap<Pattern, Observed> = FxHashMap::default();
        for query in self.machine.program.queries().filter(|q| q.observed.calls > 0) {
            let sum = all.entry(query.pattern.widened()).or_default();
            sum.calls += query.observed.calls;
            sum.answers += query.observed.answers;
            sum.work += query.observed.work;
        }
        all
    }

    /// Makes all plans again, with a strategy and the observations so far.
    pub fn replan(&mut self, strategy: Strategy, observed: FxHashMap<Pattern, Observed>) {
        let Machine { extensions, pool, .. } = &self.machine;
        let estimates = Estimates::new(&self.rules, extensions, pool, &self.samples, observed.clone());
        self.plans_of = (strategy, observed);
        self.machine.replan(Program::new(self.rules.clone(), strategy, self.lifted, estimates));
        self.questions = Question::ALL.map(|q| self.machine.program.ask(q.pattern()));
        self.state = None;
        self.joint = None;
    }

    /// Makes `state` the current state.
    pub fn enter(&mut self, state: &Arc<[TermId]>) {
        if self.state.as_ref().is_some_and(|s| Arc::ptr_eq(s, state) || s == state) {
            return;
        }
        if self.machine.forget(|life| life != Life::Always) > MAX_KEPT {
            self.machine.forget(|_| true);
        }
        self.machine.extensions.enter(state, &self.machine.pool);
        self.machine.extensions.make(&[], &[]);
        self.joint = None;
        self.state = Some(state.clone());
    }

    /// Makes `joint` the current joint move; `None` for queries about the state alone.
    pub fn make(&mut self, joint: Option<&[TermId]>) {
        if self.joint.as_deref() == joint {
            return;
        }
        self.machine.forget(|life| life == Life::Joint);
        self.machine.extensions.make(&self.roles, joint.unwrap_or_default());
        self.joint = joint.map(<[TermId]>::to_vec);
    }

    /// Answers a query, with one term for each answer; for one role if the query is about roles.
    pub fn ask(
        &mut self,
        question: Question,
        role: Option<usize>,
        out: &mut Vec<TermId>,
    ) -> Result<bool, Fault> {
        let mut query = self.questions[question as usize];
        self.machine.meter.restart();
        let key: &[TermId] = match role {
            Some(place) => &[self.roles[place]],
            None => &[],
        };
        let mut solved = self.machine.solve(query, key);
        if solved == Err(Blown::Depth) {
            // Calls may grow without bound even if answers do not.
            let key = key.to_vec();
            self.lift();
            query = self.questions[question as usize];
            solved = self.machine.solve(query, &key);
        }
        let call = solved.map_err(|blown| self.machine.meter.fault(&self.rules, blown))?;
        let answers = &self.machine.answers[query.index()];
        let count = answers.call(call).count as usize;
        self.machine.meter.answers(count).map_err(|blown| self.machine.meter.fault(&self.rules, blown))?;
        out.clear();
        out.extend(answers.rows(call).flatten());
        Ok(count > 0)
    }

    /// Switches to calls that build no terms, or back.
    fn lift(&mut self) {
        self.lifted = !self.lifted;
        let (state, joint) = (self.state.take(), self.joint.take());
        let (strategy, observed) =
            std::mem::replace(&mut self.plans_of, (Strategy::Cost, FxHashMap::default()));
        self.replan(strategy, observed);
        if let Some(state) = state {
            self.enter(&state);
        }
        self.make(joint.as_deref());
    }

    /// Sorts terms by their canonical text.
    pub fn rank(&self, ranks: &mut Ranks, terms: &mut [TermId]) {
        ranks.sort(terms, &self.machine.pool, &self.rules.symbols);
    }

    pub fn role(&self, place: usize) -> TermId {
        self.roles[place]
    }

    pub fn roles(&self) -> usize {
        self.roles.len()
    }
}

#[cfg(test)]
mod tests {
    use rules::Strictness;

    use super::*;

    #[test]
    fn plans_of_every_kind_give_the_same_answers() {
        let text = "
            (role r) (init (at a)) (e a b) (e b c) (e c a) (e c d)
            (<= (path ?x ?y) (e ?x ?y))
            (<= (path ?x ?z) (path ?x ?y) (path ?y ?z))
            (<= (far ?x ?y) (path ?x ?y) (not (e ?x ?y)))
            (<= (chain ?x (then ?x nil)) (true (at ?x)))
            (<= (chain ?y (then ?y (then ?x ?rest))) (chain ?x (then ?x ?rest)) (e ?x ?y) (new ?y (then ?x ?rest)))
            (new a nil) (new b nil) (new c nil) (new d nil)
            (<= (new ?x (then ?y ?rest)) (chain ?y (then ?y ?rest)) (new ?x ?rest) (distinct ?x ?y))
            (<= (legal r (far ?x ?y)) (far ?x ?y))
            (<= (legal r (walk ?c)) (chain d ?c))
            (<= terminal (far d ?x)) (goal r 0)";
        let rules = Rules::check(&gdl::parse_kif(text).sheet, Strictness::Lenient).rules.unwrap();
        let mut engine = Engine::new(Arc::new(rules), Limits::default());
        let mut terms = Vec::new();
        engine.ask(Question::Init, None, &mut terms).unwrap();
        let state: Arc<[TermId]> = terms[..].into();
        let mut all = Vec::new();
        for strategy in [Strategy::Cost, Strategy::Source] {
            for lifted in [false, true] {
                engine.lifted = lifted;
                let seen = engine.observed();
                engine.replan(strategy, seen);
                engine.enter(&state);
                assert!(!engine.ask(Question::Terminal, None, &mut terms).unwrap());
                engine.ask(Question::Legal, Some(0), &mut terms).unwrap();
                terms.sort_unstable();
                all.push(terms.clone());
            }
        }
        assert_eq!(all[0].len(), 9);
        assert!(all.iter().all(|a| *a == all[0]));
    }
}
