//! Games that are not circuits, behind one type.
//!
//! What is done with a game is compiled for each type of game, and players are
//! much code. Circuits are where speed is, so they have their own; the others
//! take microseconds for a question, and a branch more costs them nothing.

use std::sync::Arc;

use game::{
    Fault, FluentId, Game, Goal, MoveId, Outcomes, PerceptId, Playouts, RoleId, SharedPlayouts, Start,
    Stepped, Structure, Totals,
};
use graph::GraphGame;
use reasoner::{CircuitGame, Interpreter, Prover};

/// A game that answers one question at a time.
#[derive(Clone)]
pub enum Plain {
    /// The rules evaluated state by state.
    Interpreter(Arc<Interpreter>),
    /// The rules evaluated goal by goal.
    Prover(Arc<Prover>),
    /// A graph grammar.
    Graph(Arc<GraphGame>),
    /// A circuit, where it is more than that.
    Circuit(Arc<CircuitGame>),
    /// One of these from another first state.
    Elsewhere(Box<(Plain, PlainState)>),
}

impl Plain {
    /// The same game from the state in which just these facts hold: everything
    /// but the beginning is the game's own.
    pub fn from_facts(self, facts: &[String]) -> Result<Plain, Fault> {
        let state = self.state(facts)?;
        Ok(Plain::Elsewhere(Box::new((self, state))))
    }

    /// The circuit that it is played by.
    pub(crate) fn circuit(&self) -> Option<&CircuitGame> {
        match self {
            Plain::Circuit(game) => Some(game),
            Plain::Elsewhere(from) => from.0.circuit(),
            Plain::Interpreter(_) | Plain::Prover(_) | Plain::Graph(_) => None,
        }
    }
}

/// A state of one of them.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum PlainState {
    /// Of [`Plain::Interpreter`].
    Interpreter(<Interpreter as Game>::State),
    /// Of [`Plain::Prover`].
    Prover(<Prover as Game>::State),
    /// Of [`Plain::Graph`].
    Graph(<GraphGame as Game>::State),
    /// Of [`Plain::Circuit`].
    Circuit(<CircuitGame as Game>::State),
}

/// Asks the game that is there.
macro_rules! ask {
    ($plain:expr, $game:ident => $what:expr) => {
        match $plain {
            Plain::Interpreter($game) => $what,
            Plain::Prover($game) => $what,
            Plain::Graph($game) => $what,
            Plain::Circuit($game) => $what,
            Plain::Elsewhere(from) => {
                let $game = &from.0;
                $what
            }
        }
    };
}

/// Asks the game that is there about one of its states.
macro_rules! ask_about {
    ($plain:expr, $state:expr, $game:ident, $inner:ident => $what:expr) => {
        match ($plain, $state) {
            (Plain::Elsewhere(from), $inner) => {
                let $game = &from.0;
                $what
            }
            (Plain::Interpreter($game), PlainState::Interpreter($inner)) => $what,
            (Plain::Prover($game), PlainState::Prover($inner)) => $what,
            (Plain::Graph($game), PlainState::Graph($inner)) => $what,
            (Plain::Circuit($game), PlainState::Circuit($inner)) => $what,
            _ => Err(strange()),
        }
    };
}

/// The game asked for a state makes one; it is put behind the common type.
macro_rules! wrapped {
    ($plain:expr, $game:ident => $what:expr) => {
        match $plain {
            Plain::Interpreter($game) => $what.map(PlainState::Interpreter),
            Plain::Prover($game) => $what.map(PlainState::Prover),
            Plain::Graph($game) => $what.map(PlainState::Graph),
            Plain::Circuit($game) => $what.map(PlainState::Circuit),
            Plain::Elsewhere(from) => {
                let $game = &from.0;
                $what
            }
        }
    };
}

fn strange() -> Fault {
    Fault::Unsupported("a state was asked about that belongs to another game".to_string())
}

/// States of one kind taken out of their common type, if all are of that kind.
macro_rules! all_of {
    ($states:expr, $kind:ident, $item:ident => $state:expr, $put:expr) => {
        $states
            .iter()
            .map(|$item| match $state {
                PlainState::$kind(state) => Ok($put(state.clone(), $item)),
                _ => Err(strange()),
            })
            .collect::<Result<Vec<_>, Fault>>()
    };
}

/// A request with the states taken out of their common type.
fn request<'a, S>(from: &Playouts<'_, PlainState>, starts: &'a [Start<S>]) -> Playouts<'a, S> {
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

fn start<S>(state: S, of: &Start<PlainState>) -> Start<S> {
    Start { state, first: of.first.clone(), count: of.count }
}

fn stepped<S>(steps: Vec<Stepped<S>>, wrap: impl Fn(S) -> PlainState) -> Vec<Stepped<PlainState>> {
    let wrapped = |step: Stepped<S>| Stepped {
        state: wrap(step.state),
        terminal: step.terminal,
        legal: step.legal,
        percepts: step.percepts,
    };
    steps.into_iter().map(wrapped).collect()
}

impl Game for Plain {
    type State = PlainState;

    fn roles(&self) -> &[String] {
        ask!(self, game => game.roles())
    }

    fn initial(&self) -> PlainState {
        match self {
            Plain::Interpreter(game) => PlainState::Interpreter(game.initial()),
            Plain::Prover(game) => PlainState::Prover(game.initial()),
            Plain::Graph(game) => PlainState::Graph(game.initial()),
            Plain::Circuit(game) => PlainState::Circuit(game.initial()),
            Plain::Elsewhere(from) => from.1.clone(),
        }
    }

    fn is_terminal(&self, state: &PlainState) -> Result<bool, Fault> {
        ask_about!(self, state, game, state => game.is_terminal(state))
    }

    fn legal(&self, state: &PlainState, role: RoleId, moves: &mut Vec<MoveId>) -> Result<(), Fault> {
        ask_about!(self, state, game, state => game.legal(state, role, moves))
    }

    fn next(&self, state: &PlainState, joint: &[MoveId]) -> Result<PlainState, Fault> {
        match (self, state) {
            (Plain::Interpreter(game), PlainState::Interpreter(state)) => {
                game.next(state, joint).map(PlainState::Interpreter)
            }
            (Plain::Prover(game), PlainState::Prover(state)) => {
                game.next(state, joint).map(PlainState::Prover)
            }
            (Plain::Graph(game), PlainState::Graph(state)) => game.next(state, joint).map(PlainState::Graph),
            (Plain::Circuit(game), PlainState::Circuit(state)) => {
                game.next(state, joint).map(PlainState::Circuit)
            }
            (Plain::Elsewhere(from), state) => from.0.next(state, joint),
            _ => Err(strange()),
        }
    }

    fn goal(&self, state: &PlainState, role: RoleId) -> Result<Option<Goal>, Fault> {
        ask_about!(self, state, game, state => game.goal(state, role))
    }

    fn goal_values(&self, state: &PlainState, role: RoleId) -> Result<Vec<Goal>, Fault> {
        ask_about!(self, state, game, state => game.goal_values(state, role))
    }

    fn percepts(
        &self,
        state: &PlainState,
        joint: &[MoveId],
        role: RoleId,
        percepts: &mut Vec<PerceptId>,
    ) -> Result<(), Fault> {
        ask_about!(self, state, game, state => game.percepts(state, joint, role, percepts))
    }

    fn has_percepts(&self) -> bool {
        ask!(self, game => game.has_percepts())
    }

    fn move_text(&self, role: RoleId, mv: MoveId) -> String {
        ask!(self, game => game.move_text(role, mv))
    }

    fn find_move(&self, role: RoleId, text: &str) -> Option<MoveId> {
        ask!(self, game => game.find_move(role, text))
    }

    fn percept_text(&self, role: RoleId, percept: PerceptId) -> String {
        ask!(self, game => game.percept_text(role, percept))
    }

    fn find_percept(&self, role: RoleId, text: &str) -> Option<PerceptId> {
        ask!(self, game => game.find_percept(role, text))
    }

    fn facts(&self, state: &PlainState) -> Vec<String> {
        match (self, state) {
            (Plain::Interpreter(game), PlainState::Interpreter(state)) => game.facts(state),
            (Plain::Prover(game), PlainState::Prover(state)) => game.facts(state),
            (Plain::Graph(game), PlainState::Graph(state)) => game.facts(state),
            (Plain::Circuit(game), PlainState::Circuit(state)) => game.facts(state),
            (Plain::Elsewhere(from), state) => from.0.facts(state),
            _ => Vec::new(),
        }
    }

    fn state(&self, facts: &[String]) -> Result<PlainState, Fault> {
        wrapped!(self, game => game.state(facts))
    }

    fn fluent_count(&self) -> usize {
        ask!(self, game => game.fluent_count())
    }

    fn fluents(&self, state: &PlainState, fluents: &mut Vec<FluentId>) -> Result<(), Fault> {
        ask_about!(self, state, game, state => game.fluents(state, fluents))
    }

    fn with_fluents(&self, fluents: &[FluentId]) -> Result<PlainState, Fault> {
        wrapped!(self, game => game.with_fluents(fluents))
    }

    fn fluent_text(&self, fluent: FluentId) -> String {
        ask!(self, game => game.fluent_text(fluent))
    }

    fn structure(&self) -> Structure {
        ask!(self, game => game.structure())
    }

    fn playouts(&self, asked: &Playouts<'_, PlainState>) -> Result<Outcomes, Fault> {
        match self {
            Plain::Interpreter(game) => {
                let starts = all_of!(asked.starts, Interpreter, from => &from.state, start)?;
                game.playouts(&request(asked, &starts))
            }
            Plain::Prover(game) => {
                let starts = all_of!(asked.starts, Prover, from => &from.state, start)?;
                game.playouts(&request(asked, &starts))
            }
            Plain::Graph(game) => {
                let starts = all_of!(asked.starts, Graph, from => &from.state, start)?;
                game.playouts(&request(asked, &starts))
            }
            Plain::Circuit(game) => {
                let starts = all_of!(asked.starts, Circuit, from => &from.state, start)?;
                game.playouts(&request(asked, &starts))
            }
            Plain::Elsewhere(from) => from.0.playouts(asked),
        }
    }

    fn share_playouts(&self, threads: usize) -> Option<SharedPlayouts> {
        ask!(self, game => game.share_playouts(threads))
    }

    fn totals(&self, asked: &Playouts<'_, PlainState>) -> Result<Totals, Fault> {
        let Plain::Circuit(game) = self else {
            return Ok(Totals::of(&self.playouts(asked)?, asked.starts));
        };
        let starts = all_of!(asked.starts, Circuit, from => &from.state, start)?;
        game.totals(&request(asked, &starts))
    }

    fn steps(
        &self,
        states: &[PlainState],
        joints: &[Vec<MoveId>],
    ) -> Result<Vec<Stepped<PlainState>>, Fault> {
        match self {
            Plain::Interpreter(game) => {
                let states = all_of!(states, Interpreter, from => from, |state, _| state)?;
                Ok(stepped(game.steps(&states, joints)?, PlainState::Interpreter))
            }
            Plain::Prover(game) => {
                let states = all_of!(states, Prover, from => from, |state, _| state)?;
                Ok(stepped(game.steps(&states, joints)?, PlainState::Prover))
            }
            Plain::Graph(game) => {
                let states = all_of!(states, Graph, from => from, |state, _| state)?;
                Ok(stepped(game.steps(&states, joints)?, PlainState::Graph))
            }
            Plain::Circuit(game) => {
                let states = all_of!(states, Circuit, from => from, |state, _| state)?;
                Ok(stepped(game.steps(&states, joints)?, PlainState::Circuit))
            }
            Plain::Elsewhere(from) => from.0.steps(states, joints),
        }
    }
}
