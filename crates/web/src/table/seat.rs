//! Seats of people and of programs in browsers.

use std::sync::{Arc, Condvar, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use game::{Deadline, Fault, Goal, MatchContext, Seat, StopToken, Thought, Turn};

use super::Table;

/// How often a seat checks whether it is still being asked.
const LOOK: Duration = Duration::from_millis(200);

/// Where a move waits for the referee.
#[derive(Default)]
pub(crate) struct Mailbox {
    left: Mutex<Option<(usize, String)>>,
    bell: Condvar,
}

impl Mailbox {
    /// Leaves a move for the given moment. It replaces an earlier one.
    pub(super) fn put(&self, number: usize, text: String) {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = Some((number, text));
        self.bell.notify_all();
    }

    pub(super) fn ring(&self) {
        self.bell.notify_all();
    }

    pub(super) fn clear(&self) {
        *self.left.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Waits for the move at the given moment.
    fn take(
        &self,
        number: usize,
        deadline: &Deadline,
        stop: &StopToken,
        until: Option<Instant>,
    ) -> Result<String, Fault> {
        let mut left = self.left.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            match left.take() {
                Some((of, text)) if of == number => return Ok(text),
                _ => {}
            }
            let rest = until.map(|until| until.saturating_duration_since(Instant::now()));
            if deadline.is_over() || stop.is_stopped() || rest.is_some_and(|rest| rest.is_zero()) {
                return Err(Fault::Stopped);
            }
            let wait = rest.map_or(LOOK, |rest| rest.min(LOOK));
            left = self.bell.wait_timeout(left, wait).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A player outside. The referee treats it as a person, who has unlimited time; if there is a clock, it
/// is enforced here.
pub(super) struct Outsider {
    pub(super) table: Weak<Table>,
    pub(super) role: usize,
    /// The moves made before the match was interrupted.
    pub(super) past: Vec<String>,
    pub(super) made: usize,
    pub(super) clock: Option<Duration>,
    pub(super) stop: StopToken,
}

impl Seat for Outsider {
    fn start(&mut self, _: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        Ok(())
    }

    fn play(&mut self, _: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        let number = self.made;
        self.made += 1;
        if let Some(text) = self.past.get(number) {
            return Ok(text.clone());
        }
        let table = self.table.upgrade().ok_or(Fault::Stopped)?;
        let until = self.clock.and_then(|clock| Instant::now().checked_add(clock));
        {
            let mut course = table.course();
            let moment = course.moments.get(number).cloned().ok_or(Fault::Stopped)?;
            // Nobody is asked if there is no choice.
            if let [only] = moment.position.legal[self.role].as_slice() {
                return Ok(only.clone());
            }
            course.clocks[self.role] = until;
            course.clock_changes += 1;
        }
        table.touch();
        let answer = table.mailboxes[self.role].take(number, deadline, &self.stop, until);
        table.course().clocks[self.role] = None;
        // After an interruption, wait until the referee notices it; otherwise it would replace this move.
        while self.stop.is_stopped() && answer.is_err() && !deadline.is_over() {
            std::thread::sleep(Duration::from_millis(20));
        }
        answer
    }

    fn stop(&mut self, _: Option<&Turn>, _: Option<&[Option<Goal>]>) {}
}

/// A player that gets no time for the steps made before the match was interrupted, because they are
/// already decided.
pub(super) struct Hurried {
    pub(super) seat: Box<dyn Seat>,
    /// The number of steps that are already decided.
    pub(super) past: usize,
}

impl Seat for Hurried {
    fn preview(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        self.seat.preview(context, deadline)
    }

    fn start(&mut self, context: &MatchContext, deadline: &Deadline) -> Result<(), Fault> {
        if self.past == 0 {
            return self.seat.start(context, deadline);
        }
        let soon = Deadline::after(Duration::from_millis(100)).with_stop(deadline.stop_token().clone());
        self.seat.start(context, &soon)
    }

    fn play(&mut self, last: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        if self.past == 0 {
            return self.seat.play(last, deadline);
        }
        self.past -= 1;
        self.seat.play(last, &Deadline::after(Duration::ZERO).with_stop(deadline.stop_token().clone()))
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

/// Returns the stop token of the table's current run.
pub(super) fn stop_of(table: &Arc<Table>) -> StopToken {
    table.course().stop.clone()
}
