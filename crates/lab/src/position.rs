//! A game that begins elsewhere.

use std::sync::Arc;

use game::{
    Fault, FluentId, Game, Goal, MoveId, Outcomes, PerceptId, Playouts, RoleId, Stepped, Structure, Tally,
};

/// The same game from another first state: everything else is the game's own.
pub struct Position<G: Game> {
    game: Arc<G>,
    initial: G::State,
}

impl<G: Game> Position<G> {
    /// The game from this state on.
    pub fn new(game: &Arc<G>, initial: G::State) -> Position<G> {
        Position { game: Arc::clone(game), initial }
    }
}

impl<G: Game> Game for Position<G> {
    type State = G::State;

    fn roles(&self) -> &[String] {
        self.game.roles()
    }

    fn initial(&self) -> G::State {
        self.initial.clone()
    }

    fn is_terminal(&self, state: &G::State) -> Result<bool, Fault> {
        self.game.is_terminal(state)
    }

    fn legal(&self, state: &G::State, role: RoleId, moves: &mut Vec<MoveId>) -> Result<(), Fault> {
        self.game.legal(state, role, moves)
    }

    fn next(&self, state: &G::State, joint: &[MoveId]) -> Result<G::State, Fault> {
        self.game.next(state, joint)
    }

    fn goal(&self, state: &G::State, role: RoleId) -> Result<Option<Goal>, Fault> {
        self.game.goal(state, role)
    }

    fn goal_values(&self, state: &G::State, role: RoleId) -> Result<Vec<Goal>, Fault> {
        self.game.goal_values(state, role)
    }

    fn percepts(
        &self,
        state: &G::State,
        joint: &[MoveId],
        role: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault> {
        self.game.percepts(state, joint, role, percepts)
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

    fn facts(&self, state: &G::State) -> Vec<String> {
        self.game.facts(state)
    }

    fn state(&self, facts: &[String]) -> Result<G::State, Fault> {
        self.game.state(facts)
    }

    fn fluent_count(&self) -> usize {
        self.game.fluent_count()
    }

    fn fluents(&self, state: &G::State, fluents: &mut Vec<FluentId>) -> Result<(), Fault> {
        self.game.fluents(state, fluents)
    }

    fn with_fluents(&self, fluents: &[FluentId]) -> Result<G::State, Fault> {
        self.game.with_fluents(fluents)
    }

    fn fluent_text(&self, fluent: FluentId) -> String {
        self.game.fluent_text(fluent)
    }

    /// What holds of all states, not only of those that the game's own beginning leads to.
    fn structure(&self) -> Structure {
        Structure { turns: false, constant_sum: None, parts: Vec::new(), ..self.game.structure() }
    }

    fn playouts(&self, request: &Playouts<'_, G::State>) -> Result<Outcomes, Fault> {
        self.game.playouts(request)
    }

    fn tally(&self, request: &Playouts<'_, G::State>) -> Result<Tally, Fault> {
        self.game.tally(request)
    }

    fn steps(&self, states: &[G::State], joints: &[Vec<MoveId>]) -> Result<Vec<Stepped<G::State>>, Fault> {
        self.game.steps(states, joints)
    }
}
