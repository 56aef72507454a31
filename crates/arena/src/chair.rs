//! A seat on a thread of its own.
//!
//! Requests go through a channel and are executed in order, so a seat that was late still learns about every
//! step. Each request has its own reply channel: the caller holds a [`Pending`] and may wait for it, or drop
//! it, which tells the seat to stop thinking. A thread that never returns cannot be terminated; it is
//! abandoned with its stop token set.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::Builder;
use std::time::{Duration, Instant};

use game::{Deadline, Fault, Goal, MatchContext, Seat, StopToken, Thought, Turn};

/// The prefix of the names of seat threads, followed by the role, so that a panic hook can identify them.
const THREAD: &str = "seat-";

/// How often a caller that waits for an answer checks whether the match was interrupted.
const LOOK: Duration = Duration::from_millis(50);

enum Request {
    Preview(MatchContext),
    Start(MatchContext),
    Play(Option<Turn>),
    CatchUp(Vec<Turn>),
    Stop(Option<Turn>, Option<Vec<Option<Goal>>>),
}

struct Order {
    request: Request,
    deadline: Deadline,
    reply: Sender<Reply>,
}

struct Reply {
    answer: Answer,
    at: Instant,
    took: Duration,
}

/// The answer of a seat.
#[derive(Debug)]
pub(crate) enum Answer {
    /// A move, or an empty text if none was requested, and its thought.
    Done(String, Box<Thought<String>>),
    /// The seat reported a fault.
    Failed(Fault),
    /// The seat panicked, with this message.
    Panicked(String),
    /// No answer came in time.
    Late,
    /// The thread does not exist.
    Gone,
}

/// A seat and its thread.
pub(crate) struct Chair {
    orders: Sender<Order>,
}

/// A request that a seat is working on.
pub(crate) struct Pending {
    replies: Receiver<Reply>,
    stop: StopToken,
    asked: Instant,
}

impl Chair {
    pub(crate) fn new(role: &str, mut seat: Box<dyn Seat>) -> std::io::Result<Chair> {
        let (orders, inbox) = channel::<Order>();
        let name = format!("{THREAD}{}", role.replace('\0', ""));
        Builder::new().name(name).stack_size(16 << 20).spawn(move || {
            while let Ok(Order { request, deadline, reply }) = inbox.recv() {
                let last = matches!(request, Request::Stop(..));
                let began = Instant::now();
                let answer = catch_unwind(AssertUnwindSafe(|| serve(&mut *seat, request, &deadline)))
                    .unwrap_or_else(|cause| Answer::Panicked(said(&*cause)));
                let at = Instant::now();
                // Nobody may be waiting any more for an answer that is too late.
                let _ = reply.send(Reply { answer, at, took: at - began });
                if last {
                    break;
                }
            }
            // The match is over for this seat, so a panic while it is dropped has no effect.
            let _ = catch_unwind(AssertUnwindSafe(move || drop(seat)));
        })?;
        Ok(Chair { orders })
    }

    pub(crate) fn preview(&self, context: MatchContext, clock: Option<Duration>) -> Pending {
        self.send(Request::Preview(context), clock)
    }

    pub(crate) fn start(&self, context: MatchContext, clock: Option<Duration>) -> Pending {
        self.send(Request::Start(context), clock)
    }

    pub(crate) fn ask(&self, last: Option<Turn>, clock: Option<Duration>) -> Pending {
        self.send(Request::Play(last), clock)
    }

    pub(crate) fn catch_up(&self, turns: Vec<Turn>) -> Pending {
        self.send(Request::CatchUp(turns), None)
    }

    pub(crate) fn stop(
        &self,
        last: Option<Turn>,
        goals: Option<Vec<Option<Goal>>>,
        clock: Duration,
    ) -> Pending {
        self.send(Request::Stop(last, goals), Some(clock))
    }

    fn send(&self, request: Request, clock: Option<Duration>) -> Pending {
        let (reply, replies) = channel();
        let stop = StopToken::default();
        let deadline = clock.map_or_else(Deadline::never, Deadline::after).with_stop(stop.clone());
        // A failed send is detected when the answer is awaited.
        let _ = self.orders.send(Order { request, deadline, reply });
        Pending { replies, stop, asked: Instant::now() }
    }
}

impl Pending {
    /// Waits for the answer, without a limit if `until` is `None`. Returns it with the time that the seat
    /// took. Returns `None` if `stop` is set before; then the seat is told to stop thinking too.
    pub(crate) fn wait(&self, until: Option<Instant>, stop: &StopToken) -> Option<(Answer, Duration)> {
        loop {
            // An answer that is present when the last check begins is accepted, however late the check is.
            let left = until.map(|until| until.saturating_duration_since(Instant::now()));
            match self.replies.recv_timeout(left.unwrap_or(LOOK).min(LOOK)) {
                Ok(reply) if until.is_none_or(|until| reply.at <= until) => {
                    return Some((reply.answer, reply.took));
                }
                Ok(reply) => return Some((Answer::Late, reply.took)),
                Err(RecvTimeoutError::Disconnected) => return Some((Answer::Gone, self.asked.elapsed())),
                Err(RecvTimeoutError::Timeout) => {}
            }
            if stop.is_stopped() {
                self.stop.stop();
                return None;
            }
            if left.is_some_and(|left| left <= LOOK) {
                self.stop.stop();
                return Some((Answer::Late, self.asked.elapsed()));
            }
        }
    }

    /// Waits for the answer, without interruption.
    pub(crate) fn answer(&self, until: Option<Instant>) -> Answer {
        self.wait(until, &StopToken::default()).map_or(Answer::Late, |(answer, _)| answer)
    }

    /// Lets the seat finish the request without anybody waiting for it.
    pub(crate) fn let_go(mut self) {
        self.stop = StopToken::default();
    }

    /// Returns the token that tells the seat to stop thinking about this request.
    pub(crate) fn stop_token(&self) -> StopToken {
        self.stop.clone()
    }
}

impl Drop for Pending {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

fn serve(seat: &mut dyn Seat, request: Request, deadline: &Deadline) -> Answer {
    let nothing = |()| (String::new(), Thought::default());
    let done = match request {
        Request::Preview(context) => seat.preview(&context, deadline).map(nothing),
        Request::Start(context) => seat.start(&context, deadline).map(nothing),
        Request::Play(last) => seat.play(last.as_ref(), deadline).map(|text| (text, seat.thought())),
        Request::CatchUp(turns) => seat.catch_up(&turns).map(nothing),
        Request::Stop(last, goals) => {
            seat.stop(last.as_ref(), goals.as_deref());
            Ok(nothing(()))
        }
    };
    match done {
        Ok((text, thought)) => Answer::Done(text, Box::new(thought)),
        Err(fault) => Answer::Failed(fault),
    }
}

fn said(cause: &(dyn Any + Send)) -> String {
    let text = cause.downcast_ref::<&str>().copied().or(cause.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("no reason given").to_string()
}
