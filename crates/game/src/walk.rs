//! A path through a game, step by step, in canonical text.
//!
//! Code that shows games to people or serves them to programs has no use for the numbers of moves. A [`Walk`]
//! takes and returns text. A step costs a lookup for each text, so it is meant for matches and pages, not for
//! searches.

use std::fmt;

use crate::{
    AnyGame, AnyScratch, AnyState, Deadline, Fault, Game, Goal, MoveId, Playouts, RoleId, Seed, Start, Tally,
};

/// Everything that can be queried about a state, as text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Position {
    /// The fluents that hold.
    pub facts: Vec<String>,
    /// Whether the match is over.
    pub terminal: bool,
    /// The goal of each role; empty unless the match is over.
    pub goals: Vec<Option<Goal>>,
    /// The legal moves of each role; empty if the match is over.
    pub legal: Vec<Vec<String>>,
}

impl Position {
    /// Queries a game about a state.
    pub fn of<G: Game>(game: &G, scratch: &mut G::Scratch, state: &G::State) -> Result<Position, Fault> {
        let terminal = game.is_terminal(scratch, state)?;
        let mut position = Position { facts: game.facts(state), terminal, ..Position::default() };
        let mut moves = Vec::new();
        for role in RoleId::all(game.roles().len()) {
            if position.terminal {
                position.goals.push(game.goal(scratch, state, role)?);
                position.legal.push(Vec::new());
            } else {
                game.legal(scratch, state, role, &mut moves)?;
                position.legal.push(moves.iter().map(|&mv| game.move_text(role, mv)).collect());
            }
        }
        Ok(position)
    }
}

/// A state that advances by joint moves.
pub struct Walk {
    game: AnyGame,
    scratch: AnyScratch,
    state: AnyState,
}

impl Clone for Walk {
    fn clone(&self) -> Walk {
        Walk { game: self.game.clone(), scratch: self.game.scratch(), state: self.state.clone() }
    }
}

impl fmt::Debug for Walk {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Walk").field("state", &self.state).finish_non_exhaustive()
    }
}

impl Walk {
    /// Begins in the initial state.
    pub fn new(game: &AnyGame) -> Walk {
        Walk { game: game.clone(), scratch: game.scratch(), state: game.initial() }
    }

    /// Returns the current position.
    pub fn position(&mut self) -> Result<Position, Fault> {
        Position::of(&self.game, &mut self.scratch, &self.state)
    }

    /// Returns the current state.
    pub fn state(&self) -> &AnyState {
        &self.state
    }

    /// Makes a joint move, if it is legal. Returns what each role sees.
    pub fn step(&mut self, joint: &[String]) -> Result<Vec<Vec<String>>, Fault> {
        let count = self.game.roles().len();
        if joint.len() != count {
            let text = format!(
                "a joint move needs {count} moves, one for each role, but {} were given",
                joint.len()
            );
            return Err(Fault::Unsupported(text));
        }
        if self.game.is_terminal(&mut self.scratch, &self.state)? {
            return Err(Fault::Unsupported("the match is over, so no move can be made".to_string()));
        }
        let found = RoleId::all(count).zip(joint).map(|(role, text)| self.find(role, text));
        let joint: Vec<MoveId> = found.collect::<Result<_, _>>()?;
        let (mut seen_by_all, mut percepts) = (Vec::new(), Vec::new());
        for role in RoleId::all(count) {
            self.game.percepts(&mut self.scratch, &self.state, &joint, role, &mut percepts)?;
            seen_by_all.push(percepts.iter().map(|&p| self.game.percept_text(role, p)).collect());
        }
        self.state = self.game.next(&mut self.scratch, &self.state, &joint)?;
        Ok(seen_by_all)
    }

    /// Plays random games from the current state and sums them up.
    pub fn tally(
        &mut self,
        count: u32,
        max_steps: u32,
        seed: Seed,
        deadline: Deadline,
    ) -> Result<Tally, Fault> {
        let starts = [Start { state: self.state.clone(), first: None, count }];
        self.game.tally(&mut self.scratch, &Playouts { max_steps, deadline, ..Playouts::new(&starts, seed) })
    }

    fn find(&mut self, role: RoleId, text: &str) -> Result<MoveId, Fault> {
        let mut moves = Vec::new();
        self.game.legal(&mut self.scratch, &self.state, role, &mut moves)?;
        let found = self.game.find_move(role, text).filter(|found| moves.contains(found));
        let name = self.game.roles()[role.index()].to_string();
        found.ok_or_else(|| Fault::NoSuchMove { role: name, text: text.to_string() })
    }
}
