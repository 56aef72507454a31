//! The fast game: circuits evaluate single states, and lanes play many games at once.

use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};
use std::time::Duration;

use game::{
    Batches, Fault, FluentId, Game, Goal, Grounded, MoveId, Outcomes, PerceptId, Playouts, Role, RoleId,
    SharedPlayouts, Stepped, Structure, Tally, Totals,
};
use rules::Rules;
use rustc_hash::FxHashMap;

use crate::circuit::{Fact, Source, Store};
use crate::ground::{Declared, GroundLimits};
use crate::lanes::{LaneState, Lanes, Pool, Stepping};
use crate::making::Making;
use crate::prepared::{Prepared, prepare};
use crate::scalar::{Evaluator, Scalar};
use crate::stopwatch::Stopwatch;
use crate::structure;

/// A game evaluated by circuits.
pub struct CircuitGame {
    roles: Vec<Role>,
    initial: LaneState,
    /// Which fluents are stored.
    store: Store,
    /// The fluents that are not stored.
    left_out: Vec<u32>,
    fluents: Vec<String>,
    fluent_numbers: FxHashMap<String, u32>,
    moves: Vec<Vec<String>>,
    move_numbers: Vec<FxHashMap<String, u32>>,
    /// The possible percepts of each role; the same list for all roles if everyone sees the joint move.
    percepts: Vec<Arc<[String]>>,
    percept_numbers: Vec<OnceLock<FxHashMap<Box<str>, u32>>>,
    has_percepts: bool,
    lanes: Arc<Lanes>,
    /// Where playouts run while matches share lanes.
    pool: Mutex<Weak<Pool>>,
    scalar: Scalar,
    stepping: Stepping,
    about: Figures,
    rules: Arc<Rules>,
    /// Computed on first use.
    structure: OnceLock<Structure>,
}

/// Scratch memory for questions about single states of a [`CircuitGame`].
#[derive(Default)]
pub struct CircuitScratch(Evaluator);

/// The maximum number of fluents that a message names.
const MOST_SHOWN: usize = 4;

/// Figures about how a circuit game was made.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// The time for grounding.
    pub ground: Duration,
    /// The time for building circuits.
    pub circuit: Duration,
    /// The time for compiling programs.
    pub compile: Duration,
    /// The number of atoms that can hold.
    pub atoms: usize,
    /// The number of ground rules.
    pub instances: usize,
    /// The number of fluents.
    pub fluents: usize,
    /// The number of fluents that never change.
    pub constant: usize,
    /// The number of fluents that a state stores; the others are derived from these.
    pub stored: usize,
    /// The number of groups of fluents that exclude each other.
    pub groups: usize,
    /// The number of stored fluents that only determine the phase.
    pub clock: usize,
    /// The number of moves of all roles.
    pub moves: usize,
    /// The number of gates of the general circuit.
    pub gates: usize,
    /// The number of phases.
    pub phases: usize,
    /// The number of operations on planes for one step of a block.
    pub operations: usize,
    /// The number of games per block.
    pub width: usize,
    /// How single states are evaluated.
    pub single: &'static str,
    /// How the declarations `base` and `input` were used.
    pub declared: Declared,
}

impl CircuitGame {
    /// Grounds rules within limits and compiles them, without a deadline.
    pub fn new(rules: Arc<Rules>, limits: GroundLimits) -> Result<CircuitGame, Fault> {
        CircuitGame::make(rules, &Making::within(limits))
    }

    /// Grounds rules and compiles them.
    ///
    /// Fails with [`Fault::Stopped`] soon after the deadline, with [`Fault::Budget`] if the rules need more
    /// than the limits allow, and with [`Fault::Unsupported`] if no limits would be enough. The resulting
    /// game depends only on the rules and the limits.
    pub fn make(rules: Arc<Rules>, making: &Making) -> Result<CircuitGame, Fault> {
        let started = Stopwatch::start();
        let Prepared { ground, circuits, declared, grounded, built } = prepare(&rules, making)?;
        let stored = circuits.store.fluents.len();
        let initial = LaneState::of(&circuits.store.initial(&ground));
        let lanes = Lanes::prepare(&circuits, ground.moves.len(), &initial, stored, making)?;
        let mut about = Figures {
            ground: grounded,
            circuit: built - grounded,
            compile: started.elapsed() - built,
            atoms: ground.atoms(),
            instances: ground.instance_count(),
            fluents: ground.fluents.len(),
            constant: circuits.store.facts.iter().filter(|f| matches!(f, Fact::Constant(..))).count(),
            stored,
            groups: circuits.store.facts.iter().filter(|f| matches!(f, Fact::AtMostOne(_))).count(),
            clock: circuits.phases.fluents.len(),
            moves: ground.moves.iter().map(Vec::len).sum(),
            gates: circuits.general.gate_count(),
            phases: circuits.phases.count(),
            operations: lanes.operations(),
            width: lanes.games(),
            single: "",
            declared,
        };
        let texts = |list: &[crate::TermId]| list.iter().map(|&t| ground.text(t)).collect::<Vec<String>>();
        let numbers = |list: &[String]| list.iter().cloned().zip(0..).collect::<FxHashMap<String, u32>>();
        let fluents = texts(&ground.fluents);
        let moves: Vec<Vec<String>> = ground.moves.iter().map(|list| texts(list)).collect();
        let roles: Vec<Role> =
            ground.rules.roles.iter().map(|&r| Role::named(ground.rules.name(r))).collect();
        let has_percepts = ground.rules.has_percepts();
        let percepts: Vec<Arc<[String]>> = if has_percepts {
            ground.percepts.iter().map(|list| list.iter().map(|&(t, _)| ground.text(t)).collect()).collect()
        } else {
            // Everyone sees the joint move.
            let mut all: Vec<String> = Vec::new();
            for (role, list) in roles.iter().zip(&moves) {
                all.extend(list.iter().map(|m| format!("(does {role} {m})")));
            }
            vec![Arc::from(all); roles.len()]
        };
        let scalar = Scalar::new(&circuits, &ground, &lanes, &initial, making)?;
        about.single = scalar.way();
        Ok(CircuitGame {
            fluent_numbers: numbers(&fluents),
            move_numbers: moves.iter().map(|list| numbers(list)).collect(),
            roles,
            initial,
            left_out: circuits.store.left_out(),
            store: circuits.store,
            fluents,
            moves,
            percept_numbers: percepts.iter().map(|_| OnceLock::new()).collect(),
            percepts,
            has_percepts,
            lanes: Arc::new(lanes),
            pool: Mutex::default(),
            scalar,
            stepping: Stepping::default(),
            about,
            rules,
            structure: OnceLock::new(),
        })
    }

    /// Returns figures about how the game was made.
    pub fn figures(&self) -> &Figures {
        &self.about
    }

    /// Returns the numbers of operations of the parts of a step, for each phase: terminal, view, choose,
    /// next.
    pub fn parts(&self) -> Vec<[usize; 4]> {
        self.lanes.parts()
    }

    /// Lets everyone who requests playouts at the same time share lanes, which are run by this many threads,
    /// for as long as the returned pool is kept. Results do not depend on it. Returns `None` if the threads
    /// cannot be started.
    pub fn share_lanes(&self, runners: usize) -> Option<Arc<Pool>> {
        let mut place = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pool) = place.upgrade() {
            return Some(pool);
        }
        let pool = Arc::new(Pool::new(&self.lanes, runners.max(1))?);
        *place = Arc::downgrade(&pool);
        Some(pool)
    }

    fn pool(&self) -> Option<Arc<Pool>> {
        self.pool.lock().unwrap_or_else(PoisonError::into_inner).upgrade()
    }

    fn check(&self, joint: &[MoveId]) -> Result<(), Fault> {
        for (role, mv) in joint.iter().enumerate() {
            if mv.0 as usize >= self.moves[role].len() {
                return Err(Fault::NoSuchMove {
                    role: self.roles[role].to_string(),
                    text: format!("#{}", mv.0),
                });
            }
        }
        Ok(())
    }

    /// Rejects states that contradict the proven facts: circuits are only correct for reachable states.
    fn check_facts(&self, holding: &[bool]) -> Result<(), Fault> {
        let Some(fact) = self.store.facts.iter().find(|fact| !fact.holds(|f| holding[f as usize])) else {
            return Ok(());
        };
        let text = |f: u32| format!("`{}`", self.fluents[f as usize]);
        let message = match fact {
            Fact::Constant(f, true) => format!("{} always holds in this game.", text(*f)),
            Fact::Constant(f, false) => format!("{} never holds in this game.", text(*f)),
            Fact::AtMostOne(members) => {
                let both: Vec<String> =
                    members.iter().copied().filter(|&f| holding[f as usize]).map(text).collect();
                format!("{} and {} never hold together in this game.", both[0], both[1])
            }
            Fact::Some(members) => {
                let shown: Vec<String> = members.iter().copied().take(MOST_SHOWN).map(text).collect();
                let more = if members.len() > MOST_SHOWN { ", …" } else { "" };
                format!("One of {}{more} always holds in this game.", shown.join(", "))
            }
            Fact::Same(a, b, inverted) => {
                let just = if *inverted { "does not" } else { "does" };
                format!("{} holds exactly when {} {just}.", text(*a), text(*b))
            }
        };
        Err(Fault::BadState(message))
    }

    /// Returns the state in which exactly these fluents hold, if it can be stored.
    fn store_state(&self, holding: &[bool]) -> Result<LaneState, Fault> {
        let mut state = LaneState::empty(self.store.fluents.len());
        for (stored, &fluent) in self.store.fluents.iter().enumerate() {
            state.set(stored, holding[fluent as usize]);
        }
        for &fluent in &self.left_out {
            if self.store.holds(fluent as usize, |stored| state.holds(stored)) != holding[fluent as usize] {
                let follows = match self.store.sources[fluent as usize] {
                    Source::Constant(true) => "always holds",
                    Source::Constant(false) => "never holds",
                    _ => "is determined by the other facts of a state",
                };
                let text = &self.fluents[fluent as usize];
                return Err(Fault::BadState(format!("`{text}` {follows} in this game.")));
            }
        }
        Ok(state)
    }

    /// Lists the fluents that hold in a state, in order.
    fn holding(&self, state: &LaneState, fluents: &mut Vec<FluentId>) {
        fluents.clear();
        for (word, &bits) in state.0.iter().enumerate() {
            let mut bits = bits;
            while bits != 0 {
                let stored = word * 64 + bits.trailing_zeros() as usize;
                fluents.push(FluentId(self.store.fluents[stored]));
                bits &= bits - 1;
            }
        }
        let stored = fluents.len();
        let holds = |f: &&u32| self.store.holds(**f as usize, |stored| state.holds(stored));
        fluents.extend(self.left_out.iter().filter(holds).map(|&f| FluentId(f)));
        if fluents.len() > stored {
            fluents.sort_unstable();
        }
    }

    /// Lists the percepts of a joint move that everyone sees.
    fn joint_move_seen(&self, joint: &[MoveId], role: RoleId, percepts: &mut Vec<PerceptId>) {
        let mut first = 0;
        for (list, mv) in self.moves.iter().zip(joint) {
            percepts.push(PerceptId(first + mv.0));
            first += list.len() as u32;
        }
        let own = &self.percepts[role.index()];
        percepts.sort_by(|a, b| own[a.0 as usize].cmp(&own[b.0 as usize]));
    }
}

impl Game for CircuitGame {
    type State = LaneState;
    type Scratch = CircuitScratch;

    fn scratch(&self) -> CircuitScratch {
        CircuitScratch::default()
    }

    fn roles(&self) -> &[Role] {
        &self.roles
    }

    fn initial(&self) -> LaneState {
        self.initial.clone()
    }

    fn is_terminal(&self, scratch: &mut CircuitScratch, state: &LaneState) -> Result<bool, Fault> {
        Ok(self.scalar.ask(&mut scratch.0, state, &[], |about| about.terminal(&self.lanes)))
    }

    fn legal(
        &self,
        scratch: &mut CircuitScratch,
        state: &LaneState,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), Fault> {
        self.scalar.ask(&mut scratch.0, state, &[], |about| about.legal(&self.lanes, role.index(), moves));
        Ok(())
    }

    fn next(
        &self,
        scratch: &mut CircuitScratch,
        state: &LaneState,
        joint: &[MoveId],
    ) -> Result<LaneState, Fault> {
        self.check(joint)?;
        Ok(self.scalar.ask(&mut scratch.0, state, joint, |about| about.next(&self.lanes, joint)))
    }

    fn goal(
        &self,
        scratch: &mut CircuitScratch,
        state: &LaneState,
        role: RoleId,
    ) -> Result<Option<Goal>, Fault> {
        Ok(self.scalar.ask(&mut scratch.0, state, &[], |about| about.goal(&self.lanes, role.index())))
    }

    fn goal_values(
        &self,
        scratch: &mut CircuitScratch,
        state: &LaneState,
        role: RoleId,
    ) -> Result<Vec<Goal>, Fault> {
        let mut values =
            self.scalar.ask(&mut scratch.0, state, &[], |about| about.goal_values(&self.lanes, role.index()));
        values.sort_unstable();
        Ok(values)
    }

    fn percepts(
        &self,
        scratch: &mut CircuitScratch,
        state: &LaneState,
        joint: &[MoveId],
        role: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault> {
        self.check(joint)?;
        percepts.clear();
        if self.has_percepts {
            self.scalar.ask(&mut scratch.0, state, joint, |about| {
                about.percepts(&self.lanes, joint, role.index(), percepts)
            });
            return Ok(());
        }
        self.joint_move_seen(joint, role, percepts);
        Ok(())
    }

    fn has_percepts(&self) -> bool {
        self.has_percepts
    }

    fn move_text(&self, role: RoleId, mv: MoveId) -> String {
        self.moves[role.index()][mv.0 as usize].clone()
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        self.move_numbers[role.index()].get(text).map(|&n| MoveId(n))
    }

    fn percept_text(&self, role: RoleId, percept: PerceptId) -> String {
        self.percepts[role.index()][percept.0 as usize].clone()
    }

    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId> {
        // If everyone sees the joint move, all roles share one list.
        let list = if self.has_percepts { role.index() } else { 0 };
        let numbers = self.percept_numbers[list].get_or_init(|| {
            let texts = self.percepts[role.index()].iter();
            texts.zip(0..).map(|(text, number)| (text.clone().into_boxed_str(), number)).collect()
        });
        numbers.get(text).map(|&number| PerceptId(number))
    }

    fn facts(&self, state: &LaneState) -> Vec<String> {
        let mut fluents = Vec::new();
        self.holding(state, &mut fluents);
        fluents.into_iter().map(|fluent| self.fluents[fluent.0 as usize].clone()).collect()
    }

    fn state(&self, facts: &[String]) -> Result<LaneState, Fault> {
        let mut holding = vec![false; self.fluents.len()];
        for fact in facts {
            let number = self.fluent_numbers.get(fact);
            let number =
                number.ok_or_else(|| Fault::BadState(format!("`{fact}` can never hold in this game.")))?;
            holding[*number as usize] = true;
        }
        self.check_facts(&holding)?;
        self.store_state(&holding)
    }

    fn grounded(&self) -> Option<&dyn Grounded<LaneState>> {
        Some(self)
    }

    fn batches(&self) -> Option<&dyn Batches<LaneState, CircuitScratch>> {
        Some(self)
    }
}

impl Grounded<LaneState> for CircuitGame {
    fn fluent_count(&self) -> usize {
        self.fluents.len()
    }

    fn fluents(&self, state: &LaneState, fluents: &mut Vec<FluentId>) -> Result<(), Fault> {
        self.holding(state, fluents);
        Ok(())
    }

    fn with_fluents(&self, fluents: &[FluentId]) -> Result<LaneState, Fault> {
        let mut holding = vec![false; self.fluents.len()];
        fluents.iter().for_each(|fluent| holding[fluent.0 as usize] = true);
        self.store_state(&holding)
    }

    fn fluent_text(&self, fluent: FluentId) -> String {
        self.fluents[fluent.0 as usize].clone()
    }

    fn structure(&self) -> Structure {
        self.structure.get_or_init(|| structure::find(&self.rules, self.about.declared)).clone()
    }
}

impl Batches<LaneState, CircuitScratch> for CircuitGame {
    fn playouts(&self, _: &mut CircuitScratch, request: &Playouts<'_, LaneState>) -> Result<Outcomes, Fault> {
        let shared = self.pool().and_then(|pool| pool.playouts(request));
        Ok(shared.unwrap_or_else(|| self.lanes.playouts(request)))
    }

    fn share(&self, threads: usize) -> Option<SharedPlayouts> {
        let pool = self.share_lanes(threads)?;
        Some(SharedPlayouts { room: pool.at_hand(), kept: pool })
    }

    fn tally(&self, _: &mut CircuitScratch, request: &Playouts<'_, LaneState>) -> Result<Tally, Fault> {
        Ok(self.lanes.tally(request))
    }

    fn totals(&self, _: &mut CircuitScratch, request: &Playouts<'_, LaneState>) -> Result<Totals, Fault> {
        let shared = self.pool().and_then(|pool| pool.playouts(request));
        // After a timeout it is unknown to which starts the missing playouts belong.
        let whole = shared.filter(|outcomes| outcomes.len() == request.total());
        Ok(whole.map_or_else(|| self.lanes.totals(request), |outcomes| Totals::of(&outcomes, request.starts)))
    }

    fn steps(
        &self,
        scratch: &mut CircuitScratch,
        states: &[LaneState],
        joints: &[Vec<MoveId>],
    ) -> Result<Vec<Stepped<LaneState>>, Fault> {
        let single = |range: std::ops::Range<usize>| {
            range
                .map(|i| Stepped::of(self, scratch, &states[i], &joints[i]))
                .collect::<Result<Vec<_>, Fault>>()
        };
        let lanes = |range: std::ops::Range<usize>| {
            let joints = &joints[range.clone()];
            joints.iter().try_for_each(|joint| self.check(joint))?;
            let mut steps = self.lanes.steps(&states[range], joints);
            if !self.has_percepts {
                for (step, joint) in steps.iter_mut().zip(joints) {
                    for role in RoleId::all(self.roles.len()) {
                        self.joint_move_seen(joint, role, &mut step.percepts[role.index()]);
                    }
                }
            }
            Ok(steps)
        };
        self.stepping.steps(states.len().min(joints.len()), single, lanes)
    }
}
