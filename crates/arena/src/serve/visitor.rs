//! A seat that is created when its match begins.
//!
//! Making a game from rules takes time and may fail, so it happens on the thread of the seat, where the
//! player runs.

use std::sync::{Arc, OnceLock};

use game::{Deadline, Fault, Goal, MatchContext, RoleId, Seat, Thought, Turn};

use super::{Host, Invitation};

/// What is needed about a game to translate messages for a seat.
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
        // A visitor is started only once.
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
