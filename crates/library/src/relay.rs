//! A seat that changes to a faster game when that is ready.
//!
//! The player begins with a reasoner that answers at once. When the compiled game has been made, a second
//! player is seated at it, told everything that has happened, and takes over. Both are made in the same way,
//! so that any player profits: whatever its role, and whether or not the rules hide something.

use std::sync::Arc;
use std::time::Duration;

use game::{AnyGame, Deadline, Fault, Goal, MatchContext, Seat, SpecError, Thought, Turn};

use crate::later::{Begun, Later};

/// Seats a player at a game.
pub type Seater = Arc<dyn Fn(&AnyGame) -> Result<Box<dyn Seat>, SpecError> + Send + Sync>;

/// A player at a game that may become faster during the match.
pub struct Relay {
    seat: Box<dyn Seat>,
    seater: Seater,
    later: Option<Arc<Later>>,
    context: Option<MatchContext>,
    turns: Vec<Turn>,
    /// Whether the match begins without waiting for the compiled game.
    eager: bool,
}

impl Relay {
    /// Seats a player.
    pub fn new(begun: &Begun, seater: Seater) -> Result<Relay, SpecError> {
        let seat = seater(&begun.now.game)?;
        Ok(Relay { seat, seater, later: begun.later.clone(), context: None, turns: Vec::new(), eager: false })
    }

    /// Begins the match at once. Otherwise the compiled game is waited for while the start clock runs.
    pub fn eager(self) -> Relay {
        Relay { eager: true, ..self }
    }

    /// Seats the player at the compiled game, if that is ready. Returns `true` if it takes over; if anything
    /// goes wrong, the old one stays.
    fn takes_over(&mut self, deadline: &Deadline) -> bool {
        let (Some(later), Some(context)) = (&self.later, &self.context) else { return false };
        if !later.is_over() {
            return false;
        }
        let game = later.game();
        self.later = None;
        let turns = std::mem::take(&mut self.turns);
        let Some(game) = game else { return false };
        let clock = deadline.remaining().map_or(Duration::from_secs(1), |left| left / 4);
        let soon = Deadline::after(clock).with_stop(deadline.stop_token().clone());
        let Ok(mut seat) = (self.seater)(&game.game) else { return false };
        let ready = seat.start(context, &soon).and_then(|()| seat.catch_up(&turns));
        if ready.is_ok() {
            self.seat = seat;
        }
        ready.is_ok()
    }
}

impl Seat for Relay {
    /// Waits for the compiled game for two thirds of the clock, unless it is eager.
    fn start(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        if let Some(later) = &self.later {
            let patience = match self.eager {
                true => Deadline::after(Duration::ZERO),
                false => deadline.earlier(deadline.remaining().unwrap_or_default() / 3),
            };
            if let Some(game) = later.wait(&patience) {
                self.seat =
                    (self.seater)(&game.game).map_err(|error| Fault::Unsupported(error.to_string()))?;
            }
            if later.is_over() {
                self.later = None;
            }
        }
        self.context = Some(context.clone());
        self.seat.start(context, deadline)
    }

    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        if self.later.is_some() {
            self.turns.extend(last.cloned());
            if self.takes_over(deadline) {
                // It knows the last step already.
                return self.seat.play(None, deadline);
            }
        }
        self.seat.play(last, deadline)
    }

    fn catch_up(&mut self, turns: &[Turn]) -> Result<(), Fault> {
        if self.later.is_some() {
            self.turns.extend_from_slice(turns);
        }
        self.seat.catch_up(turns)
    }

    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>) {
        self.seat.stop(last, goals);
    }

    fn is_remote(&self) -> bool {
        self.seat.is_remote()
    }

    fn thought(&self) -> Thought<String> {
        self.seat.thought()
    }
}
