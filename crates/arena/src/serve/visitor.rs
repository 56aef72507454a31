//! A seat that is created when its match begins, and always has an answer.
//!
//! Making a game from rules takes time and may fail, so it happens on the thread of the seat. The player
//! works on a thread of its own. Beside it, on another one, sits a standby that finds some legal move at once:
//! if the player is late, the standby's move is the answer. Every step goes to both of them in order, so a
//! player that was late still knows where the match is.

use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use game::{Deadline, Fault, Goal, MatchContext, RoleId, Seat, Thought, Turn};

use super::{Host, Invitation};
use crate::chair::{Answer, Chair, Pending};

/// How much earlier than the deadline the player must answer, so that one that uses its whole clock is not late.
const EARLY: Duration = Duration::from_millis(20);
/// How long a player that was stopped, or a standby, may take to answer.
const LAST_WORD: Duration = Duration::from_millis(100);
/// The clock for telling a player that the match is over.
const STOP_CLOCK: Duration = Duration::from_secs(2);

/// What is needed about a game to translate messages for a seat.
#[derive(Debug)]
pub(super) struct Table {
    pub roles: Vec<String>,
    pub role: RoleId,
    pub hides: bool,
}

pub(super) struct Visitor {
    host: Host,
    invitation: Invitation,
    table: Arc<OnceLock<Table>>,
    seated: Option<Seated>,
    thought: Thought<String>,
}

/// A player and its standby, each on a thread of its own.
struct Seated {
    player: Chair,
    standby: Option<Chair>,
}

impl Visitor {
    pub fn new(host: Host, invitation: Invitation, table: Arc<OnceLock<Table>>) -> Visitor {
        Visitor { host, invitation, table, seated: None, thought: Thought::default() }
    }

    fn seated(&self) -> Result<&Seated, Fault> {
        let missing = || Fault::BadState("the match has not begun".to_string());
        self.seated.as_ref().ok_or_else(missing)
    }
}

impl Seat for Visitor {
    fn start(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        let guest = (self.host)(&self.invitation, deadline);
        let guest = guest.map_err(|error| Fault::Unsupported(error.to_string()))?;
        let context = MatchContext { role: guest.role, ..context.clone() };
        let seat =
            |name: &str, seat| Chair::new(name, seat).map_err(|error| Fault::Unreachable(error.to_string()));
        let role = &self.invitation.role;
        let player = seat(role, guest.seat)?;
        let standby = guest.standby.map(|standby| seat(&format!("{role}-standby"), standby)).transpose()?;
        // Whether the standby is ready is seen when it is asked for a move.
        let ready = standby.as_ref().map(|standby| standby.start(context.clone(), None));
        let started = player.start(context, deadline.remaining());
        self.seated = Some(Seated { player, standby });
        // A visitor is started only once.
        let _ = self.table.set(Table { roles: guest.roles, role: guest.role, hides: guest.hides });
        let answer = wait(&started, deadline, Duration::ZERO);
        if let Some(ready) = ready {
            ready.let_go();
        }
        match answer {
            Answer::Failed(fault) => Err(fault),
            Answer::Panicked(text) => Err(Fault::Unsupported(text)),
            // A player that is late may still be ready when it is asked for a move.
            Answer::Done(..) | Answer::Late | Answer::Gone => Ok(()),
        }
    }

    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        self.thought = Thought::default();
        let Seated { player, standby } = self.seated()?;
        let standby = standby.as_ref().map(|standby| standby.ask(last.cloned(), deadline.remaining()));
        let early = if standby.is_some() { EARLY } else { Duration::ZERO };
        let clock = deadline.remaining().map(|left| left.saturating_sub(early.min(left / 4)));
        let asked = player.ask(last.cloned(), clock);
        let patience = if standby.is_some() { Duration::ZERO } else { LAST_WORD };
        let fault = match wait(&asked, deadline, patience) {
            Answer::Done(text, thought) => {
                self.thought = *thought;
                return Ok(text);
            }
            Answer::Failed(fault) => fault,
            Answer::Panicked(text) => Fault::Unsupported(text),
            Answer::Late | Answer::Gone => Fault::Stopped,
        };
        match standby.map(|standby| standby.answer(Instant::now().checked_add(LAST_WORD))) {
            Some(Answer::Done(text, _)) => {
                self.thought
                    .notes
                    .push(("made by".to_string(), "the standby: there was no answer in time".to_string()));
                Ok(text)
            }
            _ => Err(fault),
        }
    }

    fn catch_up(&mut self, turns: &[Turn]) -> Result<(), Fault> {
        let Seated { player, standby } = self.seated()?;
        if let Some(standby) = standby {
            standby.catch_up(turns.to_vec()).let_go();
        }
        player.catch_up(turns.to_vec()).let_go();
        Ok(())
    }

    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>) {
        let Some(Seated { player, standby }) = self.seated.take() else { return };
        let chairs = [Some(player), standby];
        let stopping: Vec<Pending> = chairs
            .iter()
            .flatten()
            .map(|chair| chair.stop(last.cloned(), goals.map(<[Option<Goal>]>::to_vec), STOP_CLOCK))
            .collect();
        let until = Instant::now().checked_add(STOP_CLOCK);
        stopping.iter().for_each(|stopping| drop(stopping.answer(until)));
    }

    fn thought(&self) -> Thought<String> {
        self.thought.clone()
    }
}

/// Waits for an answer until some time after a deadline. If the waiting is stopped, the seat still has a moment
/// to answer.
fn wait(pending: &Pending, deadline: &Deadline, patience: Duration) -> Answer {
    let until = deadline.remaining().and_then(|left| Instant::now().checked_add(left + patience));
    match pending.wait(until, deadline.stop_token()) {
        Some((answer, _)) => answer,
        None => pending.answer(Instant::now().checked_add(LAST_WORD)),
    }
}
