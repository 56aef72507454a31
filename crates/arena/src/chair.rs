//! A seat on a thread of its own.
//!
//! Requests go through a channel and are carried out in order, so a seat that
//! was late still learns every step. An answer to a request that the referee
//! no longer waits for is thrown away. A thread that never comes back cannot be
//! ended; it is left behind with its stop token raised.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

use game::{Deadline, Explanation, Fault, Goal, MatchContext, Seat, StopToken, Turn};

/// Threads of seats are named by this and their role, so that a panic hook can tell them.
const THREAD: &str = "seat-";

enum Request {
    Start(MatchContext, Deadline),
    Play(Option<Turn>, Deadline),
    Stop(Option<Turn>, Option<Vec<Option<Goal>>>),
}

/// What came back from a seat.
pub(crate) enum Answer {
    /// A move, or nothing where none was asked for, and why.
    Done(String, Explanation),
    /// The seat said that it could not.
    Failed(Fault),
    /// The seat's code broke down; what it said.
    Panicked(String),
    /// Nothing came in time.
    Late,
    /// The thread is not there.
    Gone,
}

pub(crate) struct Chair {
    requests: Sender<(u64, Request)>,
    answers: Receiver<(u64, Answer)>,
    stop: StopToken,
    sent: u64,
}

impl Chair {
    pub(crate) fn new(role: &str, mut seat: Box<dyn Seat>) -> std::io::Result<Chair> {
        let (requests, inbox) = channel::<(u64, Request)>();
        let (outbox, answers) = channel();
        let name = format!("{THREAD}{}", role.replace('\0', ""));
        Builder::new().name(name).stack_size(16 << 20).spawn(move || {
            while let Ok((number, request)) = inbox.recv() {
                let last = matches!(request, Request::Stop(..));
                let answer = catch_unwind(AssertUnwindSafe(|| serve(&mut *seat, request)))
                    .unwrap_or_else(|cause| Answer::Panicked(said(&*cause)));
                if outbox.send((number, answer)).is_err() || last {
                    break;
                }
            }
        })?;
        Ok(Chair { requests, answers, stop: StopToken::default(), sent: 0 })
    }

    pub(crate) fn start(&mut self, context: MatchContext) {
        let deadline = self.deadline(context.start_clock);
        self.send(Request::Start(context, deadline));
    }

    pub(crate) fn ask(&mut self, last: Option<Turn>, clock: Duration) {
        let deadline = self.deadline(clock);
        self.send(Request::Play(last, deadline));
    }

    pub(crate) fn stop(&mut self, last: Option<Turn>, goals: Option<Vec<Option<Goal>>>) {
        self.send(Request::Stop(last, goals));
    }

    /// Waits for the answer to the last request.
    pub(crate) fn wait(&mut self, until: Option<Instant>) -> Answer {
        loop {
            let answer = match until {
                None => self.answers.recv().map_err(|_| RecvTimeoutError::Disconnected),
                Some(until) => self.answers.recv_timeout(until.saturating_duration_since(Instant::now())),
            };
            match answer {
                Ok((number, answer)) if number == self.sent => return answer,
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {
                    self.stop.stop();
                    return Answer::Late;
                }
                Err(RecvTimeoutError::Disconnected) => return Answer::Gone,
            }
        }
    }

    fn deadline(&mut self, clock: Duration) -> Deadline {
        self.stop = StopToken::default();
        Deadline::after(clock).with_stop(self.stop.clone())
    }

    fn send(&mut self, request: Request) {
        self.sent += 1;
        // A thread that is gone shows when its answer is waited for.
        let _ = self.requests.send((self.sent, request));
    }
}

impl Drop for Chair {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn serve(seat: &mut dyn Seat, request: Request) -> Answer {
    let done = match request {
        Request::Start(context, deadline) => seat.start(&context, &deadline).map(|()| String::new()),
        Request::Play(last, deadline) => seat.play(last.as_ref(), &deadline),
        Request::Stop(last, goals) => {
            seat.stop(last.as_ref(), goals.as_deref());
            Ok(String::new())
        }
    };
    match done {
        Ok(text) => Answer::Done(text, seat.explain()),
        Err(fault) => Answer::Failed(fault),
    }
}

fn said(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().copied().or(cause.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no reason given").to_string()
}
