//! The match boundary: a player behind text.
//!
//! A referee knows neither the game's state type nor the player. It speaks to a
//! [`Seat`] in canonical text; [`Seated`] puts a [`Player`] over any [`Game`]
//! behind it, and remote players implement it directly.

use std::sync::Arc;

use crate::{Deadline, Explanation, Fault, Game, Goal, MatchContext, Observation, Player, RoleId};

/// One finished step as a seat may see it, in canonical text.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Turn {
    /// The move made by or for this seat.
    pub own: String,
    /// What the seat sees.
    pub percepts: Vec<String>,
    /// The joint move, where the rules hide nothing.
    pub joint: Option<Vec<String>>,
}

/// Someone at the table.
pub trait Seat: Send {
    /// Looks at the rules before the match.
    fn preview(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        let _ = (context, deadline);
        Ok(())
    }

    /// Prepares for a match.
    fn start(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault>;

    /// Takes in the last step, if there was one, and answers with a move.
    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault>;

    /// Learns how the match ended.
    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>);

    /// Why the last move was chosen.
    fn explain(&self) -> Explanation {
        Explanation::default()
    }
}

/// A player over a game, as a seat.
pub struct Seated<G: Game, P> {
    game: Arc<G>,
    player: P,
    role: RoleId,
}

impl<G: Game, P: Player<G>> Seated<G, P> {
    /// Seats a player.
    pub fn new(game: Arc<G>, player: P) -> Seated<G, P> {
        Seated { game, player, role: RoleId(0) }
    }

    fn observation(&self, turn: &Turn) -> Result<Observation, Fault> {
        let find = |role: RoleId, text: &str| {
            self.game.find_move(role, text).ok_or_else(|| Fault::NoSuchMove {
                role: self.game.roles()[role.index()].clone(),
                text: text.to_string(),
            })
        };
        let joint = match &turn.joint {
            None => None,
            Some(texts) => Some(
                RoleId::all(texts.len())
                    .zip(texts)
                    .map(|(role, text)| find(role, text))
                    .collect::<Result<_, _>>()?,
            ),
        };
        let percepts = turn.percepts.iter().map(|text| {
            let missing = || Fault::BadState(format!("`{text}` is not a percept of this game"));
            self.game.find_percept(self.role, text).ok_or_else(missing)
        });
        Ok(Observation {
            own: find(self.role, &turn.own)?,
            percepts: percepts.collect::<Result<_, _>>()?,
            joint,
        })
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

    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>) {
        let observation = last.and_then(|turn| self.observation(turn).ok());
        self.player.stop(observation.as_ref(), goals);
    }

    fn explain(&self) -> Explanation {
        self.player.explain()
    }
}
