//! A seat that comes to be when its match begins.
//!
//! Making a game of rules takes time and may break down, so it happens where
//! the player itself runs: on the thread of the seat.

use std::sync::{Arc, OnceLock};

use game::{Deadline, Fault, Goal, MatchContext, RoleId, Seat, Thought, Turn};

use super::{Host, Invitation};

/// What a desk has to know of a game to read the news for a seat.
#[derive(Debug)]
pub(super) struct Table {
    pub roles: Vec<String>,
    pub role: RoleId,
    pub hides: bool,
}

pub(super) struct Visitor {
    pub host: Host,
    pub invitation: Invitation,
    pub table: Arc<OnceLock<Table>>,
    pub seat: Option<Box<dyn Seat>>,
}

impl Visitor {
    fn seated(&mut self) -> Result<&mut Box<dyn Seat>, Fault> {
        let missing = || Fault::BadState("the match has not begun".to_string());
        self.seat.as_mut().ok_or_else(missing)
    }
}

impl Seat for Visitor {
    fn start(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        let guest = (self.host)(&self.invitation, deadline);
        let mut guest = guest.map_err(|error| Fault::Unsupported(error.to_string()))?;
        let context = MatchContext { role: guest.role, ..context.clone() };
        guest.seat.start(&context, deadline)?;
        // Only one start is ever asked of a visitor.
        let _ = self.table.set(Table { roles: guest.roles, role: guest.role, hides: guest.hides });
        self.seat = Some(guest.seat);
        Ok(())
    }

    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        self.seated()?.play(last, deadline)
    }

    fn stop(&mut self, last: Option<&Turn>, goals: Option<&[Option<Goal>]>) {
        if let Some(seat) = &mut self.seat {
            seat.stop(last, goals);
        }
    }

    fn thought(&self) -> Thought<String> {
        self.seat.as_ref().map(|seat| seat.thought()).unwrap_or_default()
    }
}
