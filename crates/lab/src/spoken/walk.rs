//! A path through a game, step by step.

use std::sync::Arc;

use game::{Deadline, Fault, Game, Goal, MoveId, Playouts, RoleId, Seed, Start, Tally};

/// A state, and what can be asked of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Look {
    /// What holds.
    pub facts: Vec<String>,
    /// Whether the match is over.
    pub terminal: bool,
    /// What each role scores; asked for only where the match is over.
    pub goals: Vec<Option<Goal>>,
    /// What each role may do; nothing where the match is over.
    pub legal: Vec<Vec<String>>,
}

/// A state that goes on by joint moves.
pub trait Walk: Send {
    /// The state as text.
    fn look(&self) -> Result<Look, Fault>;

    /// Makes a joint move, if it is legal; gives what each role sees.
    fn step(&mut self, joint: &[String]) -> Result<Vec<Vec<String>>, Fault>;

    /// Random games from here.
    fn tally(&self, count: u32, max_steps: u32, seed: Seed, deadline: Deadline) -> Result<Tally, Fault>;

    /// The same state once more.
    fn again(&self) -> Box<dyn Walk>;
}

pub(super) struct Walker<G: Game> {
    game: Arc<G>,
    state: G::State,
}

impl<G: Game> Walker<G> {
    pub(super) fn new(game: &Arc<G>) -> Walker<G> {
        Walker { game: Arc::clone(game), state: game.initial() }
    }

    fn find(&self, role: RoleId, text: &str) -> Result<MoveId, Fault> {
        let mut moves = Vec::new();
        self.game.legal(&self.state, role, &mut moves)?;
        let found = self.game.find_move(role, text).filter(|found| moves.contains(found));
        let name = self.game.roles()[role.index()].clone();
        found.ok_or_else(|| Fault::NoSuchMove { role: name, text: text.to_string() })
    }
}

impl<G: Game + 'static> Walk for Walker<G> {
    fn look(&self) -> Result<Look, Fault> {
        let (game, state) = (&self.game, &self.state);
        let mut look =
            Look { facts: game.facts(state), terminal: game.is_terminal(state)?, ..Look::default() };
        let mut moves = Vec::new();
        for role in RoleId::all(game.roles().len()) {
            if look.terminal {
                look.goals.push(game.goal(state, role)?);
                look.legal.push(Vec::new());
            } else {
                game.legal(state, role, &mut moves)?;
                look.legal.push(moves.iter().map(|&mv| game.move_text(role, mv)).collect());
            }
        }
        Ok(look)
    }

    fn step(&mut self, joint: &[String]) -> Result<Vec<Vec<String>>, Fault> {
        let count = self.game.roles().len();
        if joint.len() != count {
            let text = format!("a joint move has {count} moves, one for each role; here are {}", joint.len());
            return Err(Fault::Unsupported(text));
        }
        if self.game.is_terminal(&self.state)? {
            return Err(Fault::Unsupported("the match is over, nobody moves any more".to_string()));
        }
        let found = RoleId::all(count).zip(joint).map(|(role, text)| self.find(role, text));
        let joint: Vec<MoveId> = found.collect::<Result<_, _>>()?;
        let (mut seen_by_all, mut percepts) = (Vec::new(), Vec::new());
        for role in RoleId::all(count) {
            self.game.percepts(&self.state, &joint, role, &mut percepts)?;
            seen_by_all.push(percepts.iter().map(|&p| self.game.percept_text(role, p)).collect());
        }
        self.state = self.game.next(&self.state, &joint)?;
        Ok(seen_by_all)
    }

    fn tally(&self, count: u32, max_steps: u32, seed: Seed, deadline: Deadline) -> Result<Tally, Fault> {
        let starts = [Start { state: self.state.clone(), first: None, count }];
        self.game.tally(&Playouts { max_steps, deadline, ..Playouts::new(&starts, seed) })
    }

    fn again(&self) -> Box<dyn Walk> {
        Box::new(Walker { game: Arc::clone(&self.game), state: self.state.clone() })
    }
}
