//! The match boundary: a player behind text.
//!
//! A referee knows neither the type of the game's states nor the player. It communicates with a [`Seat`] in
//! canonical text; [`Seated`] wraps a [`Player`] of any [`Game`], and remote players implement it directly.

use std::sync::Arc;

use crate::{
    Deadline, Fault, Game, Goal, MatchContext, MoveId, Observation, PerceptId, Player, RoleId, Thought,
};

/// The number of moves of a thought that leave its player.
const MOST_MOVES: usize = 5;

/// One finished step as seen by a seat, in canonical text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Turn {
    /// The move made by or for this seat.
    pub own: String,
    /// The percepts of the seat; may be empty if the joint move is given and the rules hide nothing.
    pub percepts: Vec<String>,
    /// The joint move, if the rules hide nothing.
    pub joint: Option<Vec<String>>,
}

/// A participant in a match.
pub trait Seat: Send {
    /// Examines the rules before the match.
    fn preview(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        let _ = (context, deadline);
        Ok(())
    }

    /// Prepares for a match.
    fn start(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault>;

    /// Processes the last step, if there was one, and answers with a move.
    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault>;

    /// Processes steps that were made without it, in order, and chooses nothing. Seats that cannot do so
    /// fail.
    fn catch_up(&mut self, turns: &[Turn]) -> Result<(), Fault> {
        let _ = turns;
        Err(Fault::Unsupported("this player cannot join a match that has begun".to_string()))
    }

    /// Tells the seat how the match ended.
    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>);

    /// Returns `true` if the player is somewhere else, so that messages take time.
    fn is_remote(&self) -> bool {
        false
    }

    /// Returns the basis of the last choice.
    fn thought(&self) -> Thought<String> {
        Thought::default()
    }
}

/// A player of a game, as a seat.
pub struct Seated<G: Game, P> {
    game: Arc<G>,
    player: P,
    role: RoleId,
    initial: G::State,
    /// Made when it is first needed, which it never is in games that hide something.
    scratch: Option<G::Scratch>,
}

impl<G: Game, P: Player<G>> Seated<G, P> {
    /// Creates a seat for a player.
    pub fn new(game: Arc<G>, player: P) -> Seated<G, P> {
        let initial = game.initial();
        Seated { game, player, role: RoleId(0), initial, scratch: None }
    }

    fn observation(&mut self, turn: &Turn) -> Result<Observation, Fault> {
        let own = self.find(self.role, &turn.own)?;
        let joint = turn.joint.as_ref().map(|texts| {
            let moves = RoleId::all(texts.len()).zip(texts).map(|(role, text)| self.find(role, text));
            moves.collect::<Result<Vec<MoveId>, Fault>>()
        });
        let joint = joint.transpose()?;
        let percepts = match &joint {
            Some(joint) if !self.game.has_percepts() => self.seen_by_all(joint)?,
            _ => self.percepts(&turn.percepts)?,
        };
        Ok(Observation { own, percepts, joint })
    }

    fn find(&self, role: RoleId, text: &str) -> Result<MoveId, Fault> {
        self.game.find_move(role, text).ok_or_else(|| Fault::NoSuchMove {
            role: self.game.roles()[role.index()].to_string(),
            text: text.to_string(),
        })
    }

    fn percepts(&self, texts: &[String]) -> Result<Vec<PerceptId>, Fault> {
        let find = |text: &String| {
            let missing = || Fault::BadState(format!("`{text}` is not a percept of this game"));
            self.game.find_percept(self.role, text).ok_or_else(missing)
        };
        texts.iter().map(find).collect()
    }

    /// Returns what everyone sees if nothing is hidden, which follows from the joint move in any state.
    fn seen_by_all(&mut self, joint: &[MoveId]) -> Result<Vec<PerceptId>, Fault> {
        let mut percepts = Vec::new();
        let scratch = self.scratch.get_or_insert_with(|| self.game.scratch());
        self.game.percepts(scratch, &self.initial, joint, self.role, &mut percepts)?;
        Ok(percepts)
    }
}

impl<G: Game, P: Player<G>> Seat for Seated<G, P> {
    fn start(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.role = context.role;
        self.player.start(&self.game, context, deadline)
    }

    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        if let Some(turn) = last {
            let observation = self.observation(turn)?;
            self.player.update(&observation)?;
        }
        let chosen = self.player.select(deadline)?;
        Ok(self.game.move_text(self.role, chosen))
    }

    fn catch_up(&mut self, turns: &[Turn]) -> Result<(), Fault> {
        for turn in turns {
            let observation = self.observation(turn)?;
            self.player.update(&observation)?;
        }
        Ok(())
    }

    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>) {
        let observation = last.and_then(|turn| self.observation(turn).ok());
        self.player.stop(observation.as_ref(), goals);
    }

    fn thought(&self) -> Thought<String> {
        let text = |role: RoleId, mv| self.game.move_text(role, mv);
        let mut thought = self.player.thought();
        thought.moves.truncate(MOST_MOVES);
        thought.map(|mv| text(self.role, mv), text)
    }
}
