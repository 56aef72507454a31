//! One type for every game.
//!
//! [`AnyGame`] hides the type of a game's states. It is a [`Game`] like any other, so everything written for
//! games works with it; a query costs an indirect call, and a state one allocation. Everything except the
//! inner loops of a search uses it. A search that needs the game's own type gets it with
//! [`AnyGame::downcast`].

use std::any::Any;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use crate::{
    Batches, Fault, FluentId, Game, Goal, Grounded, MoveId, Outcomes, PerceptId, Playouts, Role, RoleId,
    SharedPlayouts, Start, Stepped, Structure, Tally, Totals,
};

/// Any game. Clones share it.
#[derive(Clone)]
pub struct AnyGame {
    game: Arc<dyn Erased>,
    /// The initial state, if it is not the game's own.
    initial: Option<AnyState>,
}

impl AnyGame {
    /// Hides the type of a game's states.
    pub fn new<G: Game + 'static>(game: Arc<G>) -> AnyGame {
        AnyGame { game: Arc::new(Behind(game)), initial: None }
    }

    /// Returns the same game, beginning in the state in which exactly these facts hold.
    pub fn beginning_with(&self, facts: &[String]) -> Result<AnyGame, Fault> {
        let initial = Some(self.game.state(facts)?);
        Ok(AnyGame { game: Arc::clone(&self.game), initial })
    }

    /// Returns the game under its own type, if it has that type and begins in its own initial state.
    pub fn downcast<G: Game + 'static>(&self) -> Option<&Arc<G>> {
        if self.initial.is_some() { None } else { self.played_by() }
    }

    /// Returns `true` if the game has its own way to play and step many states at once.
    pub fn plays_many(&self) -> bool {
        self.game.plays_many()
    }

    /// Returns the underlying game under its own type, whatever the initial state.
    pub fn played_by<G: Game + 'static>(&self) -> Option<&Arc<G>> {
        self.game.as_any().downcast_ref::<Behind<G>>().map(|behind| &behind.0)
    }
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_tuple("AnyGame").field(&self.game.roles()).finish()
    }
}

/// A state of [`AnyGame`].
#[derive(Clone)]
pub struct AnyState(Arc<dyn ErasedState>);

trait ErasedState: Any + fmt::Debug + Send + Sync {
    fn equals(&self, other: &dyn ErasedState) -> bool;
    fn hash_into(&self, hasher: &mut dyn Hasher);
    fn as_any(&self) -> &dyn Any;
}

impl<S: fmt::Debug + Eq + Hash + Send + Sync + 'static> ErasedState for S {
    fn equals(&self, other: &dyn ErasedState) -> bool {
        other.as_any().downcast_ref::<S>().is_some_and(|other| self == other)
    }

    fn hash_into(&self, mut hasher: &mut dyn Hasher) {
        self.hash(&mut hasher);
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}

impl AnyState {
    fn of<S: fmt::Debug + Eq + Hash + Send + Sync + 'static>(state: S) -> AnyState {
        AnyState(Arc::new(state))
    }

    /// Returns the state under its own type, if it has that type.
    pub fn downcast<S: 'static>(&self) -> Option<&S> {
        (*self.0).as_any().downcast_ref()
    }

    fn get<S: 'static>(&self) -> Result<&S, Fault> {
        let strange = || Fault::BadState("the state belongs to another game".to_string());
        self.downcast().ok_or_else(strange)
    }
}

impl PartialEq for AnyState {
    fn eq(&self, other: &AnyState) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.equals(&*other.0)
    }
}

impl Eq for AnyState {}

impl Hash for AnyState {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash_into(state);
    }
}

impl fmt::Debug for AnyState {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// Scratch memory of [`AnyGame`].
pub struct AnyScratch(Box<dyn Any + Send>);

impl AnyScratch {
    /// Returns the memory under the game's own type. That of another kind of game is replaced.
    fn of<G: Game>(&mut self, game: &G) -> &mut G::Scratch {
        if !self.0.is::<G::Scratch>() {
            self.0 = Box::new(game.scratch());
        }
        self.0.downcast_mut().expect("it has this type")
    }
}

impl fmt::Debug for AnyScratch {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("AnyScratch")
    }
}

/// [`Game`] over states of a hidden type.
trait Erased: Send + Sync {
    fn as_any(&self) -> &dyn Any;
    fn plays_many(&self) -> bool;
    fn roles(&self) -> &[Role];
    fn initial(&self) -> AnyState;
    fn scratch(&self) -> AnyScratch;
    fn is_terminal(&self, scratch: &mut AnyScratch, state: &AnyState) -> Result<bool, Fault>;
    fn legal(
        &self,
        scratch: &mut AnyScratch,
        state: &AnyState,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), Fault>;
    fn next(&self, scratch: &mut AnyScratch, state: &AnyState, joint: &[MoveId]) -> Result<AnyState, Fault>;
    fn goal(&self, scratch: &mut AnyScratch, state: &AnyState, role: RoleId) -> Result<Option<Goal>, Fault>;
    fn goal_values(
        &self,
        scratch: &mut AnyScratch,
        state: &AnyState,
        role: RoleId,
    ) -> Result<Vec<Goal>, Fault>;
    fn percepts(
        &self,
        scratch: &mut AnyScratch,
        state: &AnyState,
        joint: &[MoveId],
        role: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault>;
    fn has_percepts(&self) -> bool;
    fn move_text(&self, role: RoleId, mv: MoveId) -> String;
    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId>;
    fn percept_text(&self, role: RoleId, percept: PerceptId) -> String;
    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId>;
    fn facts(&self, state: &AnyState) -> Vec<String>;
    fn state(&self, facts: &[String]) -> Result<AnyState, Fault>;
    fn grounded(&self) -> Option<&dyn Grounded<AnyState>>;
    fn playouts(&self, scratch: &mut AnyScratch, request: &Playouts<'_, AnyState>)
    -> Result<Outcomes, Fault>;
    fn tally(&self, scratch: &mut AnyScratch, request: &Playouts<'_, AnyState>) -> Result<Tally, Fault>;
    fn totals(&self, scratch: &mut AnyScratch, request: &Playouts<'_, AnyState>) -> Result<Totals, Fault>;
    fn steps(
        &self,
        scratch: &mut AnyScratch,
        states: &[AnyState],
        joints: &[Vec<MoveId>],
    ) -> Result<Vec<Stepped<AnyState>>, Fault>;
    fn share(&self, threads: usize) -> Option<SharedPlayouts>;
}

struct Behind<G>(Arc<G>);

impl<G: Game + 'static> Behind<G> {
    /// Returns the starts of a request with states of the game's own type.
    fn starts(request: &Playouts<'_, AnyState>) -> Result<Vec<Start<G::State>>, Fault> {
        let own = |start: &Start<AnyState>| {
            let state = start.state.get::<G::State>()?.clone();
            Ok(Start { state, first: start.first.clone(), count: start.count })
        };
        request.starts.iter().map(own).collect()
    }

    /// Returns the request for those starts.
    fn request<'a>(from: &Playouts<'_, AnyState>, starts: &'a [Start<G::State>]) -> Playouts<'a, G::State> {
        Playouts {
            starts,
            seed: from.seed,
            first_index: from.first_index,
            max_steps: from.max_steps,
            trace: from.trace,
            deadline: from.deadline.clone(),
            stop: from.stop.clone(),
        }
    }
}

impl<G: Game + 'static> Erased for Behind<G> {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn plays_many(&self) -> bool {
        self.0.batches().is_some()
    }

    fn roles(&self) -> &[Role] {
        self.0.roles()
    }

    fn initial(&self) -> AnyState {
        AnyState::of(self.0.initial())
    }

    fn scratch(&self) -> AnyScratch {
        AnyScratch(Box::new(self.0.scratch()))
    }

    fn is_terminal(&self, scratch: &mut AnyScratch, state: &AnyState) -> Result<bool, Fault> {
        self.0.is_terminal(scratch.of(&*self.0), state.get()?)
    }

    fn legal(
        &self,
        scratch: &mut AnyScratch,
        state: &AnyState,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), Fault> {
        self.0.legal(scratch.of(&*self.0), state.get()?, role, moves)
    }

    fn next(&self, scratch: &mut AnyScratch, state: &AnyState, joint: &[MoveId]) -> Result<AnyState, Fault> {
        self.0.next(scratch.of(&*self.0), state.get()?, joint).map(AnyState::of)
    }

    fn goal(&self, scratch: &mut AnyScratch, state: &AnyState, role: RoleId) -> Result<Option<Goal>, Fault> {
        self.0.goal(scratch.of(&*self.0), state.get()?, role)
    }

    fn goal_values(
        &self,
        scratch: &mut AnyScratch,
        state: &AnyState,
        role: RoleId,
    ) -> Result<Vec<Goal>, Fault> {
        self.0.goal_values(scratch.of(&*self.0), state.get()?, role)
    }

    fn percepts(
        &self,
        scratch: &mut AnyScratch,
        state: &AnyState,
        joint: &[MoveId],
        role: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault> {
        self.0.percepts(scratch.of(&*self.0), state.get()?, joint, role, percepts)
    }

    fn has_percepts(&self) -> bool {
        self.0.has_percepts()
    }

    fn move_text(&self, role: RoleId, mv: MoveId) -> String {
        self.0.move_text(role, mv)
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        self.0.find_move(role, text)
    }

    fn percept_text(&self, role: RoleId, percept: PerceptId) -> String {
        self.0.percept_text(role, percept)
    }

    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId> {
        self.0.find_percept(role, text)
    }

    fn facts(&self, state: &AnyState) -> Vec<String> {
        state.get().map_or_else(|_| Vec::new(), |state| self.0.facts(state))
    }

    fn state(&self, facts: &[String]) -> Result<AnyState, Fault> {
        self.0.state(facts).map(AnyState::of)
    }

    fn grounded(&self) -> Option<&dyn Grounded<AnyState>> {
        self.0.grounded().map(|_| -> &dyn Grounded<AnyState> { self })
    }

    fn playouts(
        &self,
        scratch: &mut AnyScratch,
        request: &Playouts<'_, AnyState>,
    ) -> Result<Outcomes, Fault> {
        self.0.playouts(scratch.of(&*self.0), &Self::request(request, &Self::starts(request)?))
    }

    fn tally(&self, scratch: &mut AnyScratch, request: &Playouts<'_, AnyState>) -> Result<Tally, Fault> {
        self.0.tally(scratch.of(&*self.0), &Self::request(request, &Self::starts(request)?))
    }

    fn totals(&self, scratch: &mut AnyScratch, request: &Playouts<'_, AnyState>) -> Result<Totals, Fault> {
        self.0.totals(scratch.of(&*self.0), &Self::request(request, &Self::starts(request)?))
    }

    fn steps(
        &self,
        scratch: &mut AnyScratch,
        states: &[AnyState],
        joints: &[Vec<MoveId>],
    ) -> Result<Vec<Stepped<AnyState>>, Fault> {
        let states = states.iter().map(|state| state.get().cloned());
        let states = states.collect::<Result<Vec<G::State>, Fault>>()?;
        let steps = self.0.steps(scratch.of(&*self.0), &states, joints)?;
        Ok(steps.into_iter().map(|step| step.map(AnyState::of)).collect())
    }

    fn share(&self, threads: usize) -> Option<SharedPlayouts> {
        self.0.batches()?.share(threads)
    }
}

impl<G: Game> Behind<G> {
    fn numbered(&self) -> &dyn Grounded<G::State> {
        self.0.grounded().expect("only the fluents of grounded games are asked for")
    }
}

impl<G: Game> Grounded<AnyState> for Behind<G> {
    fn fluent_count(&self) -> usize {
        self.numbered().fluent_count()
    }

    fn fluents(&self, state: &AnyState, fluents: &mut Vec<FluentId>) -> Result<(), Fault> {
        self.numbered().fluents(state.get()?, fluents)
    }

    fn with_fluents(&self, fluents: &[FluentId]) -> Result<AnyState, Fault> {
        self.numbered().with_fluents(fluents).map(AnyState::of)
    }

    fn fluent_text(&self, fluent: FluentId) -> String {
        self.numbered().fluent_text(fluent)
    }

    fn structure(&self) -> Structure {
        self.numbered().structure()
    }
}

impl Game for AnyGame {
    type State = AnyState;
    type Scratch = AnyScratch;

    fn scratch(&self) -> AnyScratch {
        self.game.scratch()
    }

    fn roles(&self) -> &[Role] {
        self.game.roles()
    }

    fn initial(&self) -> AnyState {
        self.initial.clone().unwrap_or_else(|| self.game.initial())
    }

    fn is_terminal(&self, scratch: &mut AnyScratch, state: &AnyState) -> Result<bool, Fault> {
        self.game.is_terminal(scratch, state)
    }

    fn legal(
        &self,
        scratch: &mut AnyScratch,
        state: &AnyState,
        role: RoleId,
        moves: &mut Vec<MoveId>,
    ) -> Result<(), Fault> {
        self.game.legal(scratch, state, role, moves)
    }

    fn next(&self, scratch: &mut AnyScratch, state: &AnyState, joint: &[MoveId]) -> Result<AnyState, Fault> {
        self.game.next(scratch, state, joint)
    }

    fn goal(&self, scratch: &mut AnyScratch, state: &AnyState, role: RoleId) -> Result<Option<Goal>, Fault> {
        self.game.goal(scratch, state, role)
    }

    fn goal_values(
        &self,
        scratch: &mut AnyScratch,
        state: &AnyState,
        role: RoleId,
    ) -> Result<Vec<Goal>, Fault> {
        self.game.goal_values(scratch, state, role)
    }

    fn percepts(
        &self,
        scratch: &mut AnyScratch,
        state: &AnyState,
        joint: &[MoveId],
        role: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault> {
        self.game.percepts(scratch, state, joint, role, percepts)
    }

    fn has_percepts(&self) -> bool {
        self.game.has_percepts()
    }

    fn move_text(&self, role: RoleId, mv: MoveId) -> String {
        self.game.move_text(role, mv)
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        self.game.find_move(role, text)
    }

    fn percept_text(&self, role: RoleId, percept: PerceptId) -> String {
        self.game.percept_text(role, percept)
    }

    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId> {
        self.game.find_percept(role, text)
    }

    fn facts(&self, state: &AnyState) -> Vec<String> {
        self.game.facts(state)
    }

    fn state(&self, facts: &[String]) -> Result<AnyState, Fault> {
        self.game.state(facts)
    }

    fn grounded(&self) -> Option<&dyn Grounded<AnyState>> {
        self.game.grounded()
    }

    fn batches(&self) -> Option<&dyn Batches<AnyState, AnyScratch>> {
        Some(self)
    }
}

impl Batches<AnyState, AnyScratch> for AnyGame {
    fn playouts(
        &self,
        scratch: &mut AnyScratch,
        request: &Playouts<'_, AnyState>,
    ) -> Result<Outcomes, Fault> {
        self.game.playouts(scratch, request)
    }

    fn tally(&self, scratch: &mut AnyScratch, request: &Playouts<'_, AnyState>) -> Result<Tally, Fault> {
        self.game.tally(scratch, request)
    }

    fn totals(&self, scratch: &mut AnyScratch, request: &Playouts<'_, AnyState>) -> Result<Totals, Fault> {
        self.game.totals(scratch, request)
    }

    fn steps(
        &self,
        scratch: &mut AnyScratch,
        states: &[AnyState],
        joints: &[Vec<MoveId>],
    ) -> Result<Vec<Stepped<AnyState>>, Fault> {
        self.game.steps(scratch, states, joints)
    }

    fn share(&self, threads: usize) -> Option<SharedPlayouts> {
        self.game.share(threads)
    }
}
