//! The lanes of one game, shared by everyone who needs playouts at the same time.
//!
//! A block costs the same however few games are in it. Players of different matches submit small orders here
//! and wait, and runners, one for each core that may be used, play all of them side by side. A runner with
//! few playouts waits for a moment while most matches are busy with something else, because those will submit
//! orders soon. It never waits for a particular match, so a match that ends, fails or thinks for long delays
//! nobody.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use game::{Outcomes, Playouts};

use super::flow::{Flow, Order};
use super::gate::at_hand;
use super::{LaneState, Lanes, NARROW, WIDE};
#[cfg(target_arch = "x86_64")]
use super::{exec::NATIVE, is_fast};

/// The longest time that a runner waits for more orders.
const PAUSE: Duration = Duration::from_millis(1);
/// The number of rounds between two checks of the inbox.
const ROUNDS: usize = 8;

/// Lanes that matches share, for as long as the pool is kept.
pub struct Pool {
    shared: Arc<Shared>,
    lanes: Arc<Lanes>,
    runners: Vec<JoinHandle<()>>,
}

/// A match that uses a pool, while it is played.
pub struct Member<'p> {
    shared: &'p Shared,
}

struct Shared {
    inbox: Mutex<Inbox>,
    /// Wakes runners that wait for more orders.
    more: Condvar,
    /// Wakes runners that have nothing to do.
    work: Condvar,
    steps: AtomicU64,
    places: AtomicU64,
}

struct Inbox {
    orders: VecDeque<Order>,
    /// The number of playouts of these orders.
    playouts: usize,
    /// The number of matches that may submit orders.
    members: usize,
    /// The number of orders that have not been answered.
    waiting: usize,
    /// For each runner, whether it is playing.
    active: Vec<bool>,
    /// The number of runners that are alive.
    there: usize,
    closed: bool,
}

impl Pool {
    /// Creates a pool with this many runners, or with fewer if no more threads can be started. Returns `None`
    /// if no thread can be started.
    pub(crate) fn new(lanes: &Arc<Lanes>, runners: usize) -> Option<Pool> {
        let inbox = Inbox {
            orders: VecDeque::new(),
            playouts: 0,
            members: 0,
            waiting: 0,
            active: vec![false; runners],
            there: 0,
            closed: false,
        };
        let shared = Arc::new(Shared {
            inbox: Mutex::new(inbox),
            more: Condvar::new(),
            work: Condvar::new(),
            steps: AtomicU64::new(0),
            places: AtomicU64::new(0),
        });
        let mut pool = Pool { shared, lanes: Arc::clone(lanes), runners: Vec::new() };
        for number in 0..runners {
            let (shared, lanes) = (Arc::clone(&pool.shared), Arc::clone(lanes));
            pool.shared.inbox().there += 1;
            let place = Place { shared, number };
            match Builder::new().name(format!("lanes-{number}")).spawn(move || place.run(&lanes)) {
                Ok(thread) => pool.runners.push(thread),
                Err(_) => break,
            }
        }
        (!pool.runners.is_empty()).then_some(pool)
    }

    /// Registers a match that may need playouts.
    pub fn enter(&self) -> Member<'_> {
        self.shared.inbox().members += 1;
        Member { shared: &self.shared }
    }

    /// Returns the number of games that all runners play side by side.
    pub fn room(&self) -> usize {
        self.runners.len() * self.lanes.games()
    }

    /// Returns the number of playouts that should be requested at the same time to keep all runners busy.
    pub fn at_hand(&self) -> usize {
        at_hand(&self.lanes, self.room())
    }

    /// Returns the number of steps made in playouts so far, and the number possible in all lanes that were
    /// run.
    pub fn steps(&self) -> (u64, u64) {
        (self.shared.steps.load(Ordering::Relaxed), self.shared.places.load(Ordering::Relaxed))
    }

    /// Plays a request together with those of others. Returns `None` if that is not possible.
    pub(crate) fn playouts(&self, request: &Playouts<'_, LaneState>) -> Option<Outcomes> {
        if request.total() == 0 || u32::try_from(request.total()).is_err() {
            return None;
        }
        if !request.starts.iter().all(|start| self.lanes.flow_phase(&start.state).is_some()) {
            return None;
        }
        let (answer, answers) = channel();
        self.shared.hand_in(Order::new(request, answer), self.lanes.games() / 2)?;
        answers.recv().ok()
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.inbox().closed = true;
        self.shared.more.notify_all();
        self.shared.work.notify_all();
        for runner in self.runners.drain(..) {
            // A runner that panicked has dropped its orders, which notified those who waited.
            let _ = runner.join();
        }
    }
}

impl Drop for Member<'_> {
    fn drop(&mut self) {
        self.shared.inbox().members -= 1;
        self.shared.more.notify_all();
    }
}

impl Shared {
    fn inbox(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn hand_in(&self, order: Order, many: usize) -> Option<()> {
        let mut inbox = self.inbox();
        if inbox.there == 0 {
            return None;
        }
        inbox.playouts += order.total();
        inbox.waiting += 1;
        inbox.orders.push_back(order);
        if !inbox.active.contains(&true) || inbox.playouts >= many {
            self.work.notify_one();
        }
        self.more.notify_all();
        Some(())
    }
}

impl Inbox {
    /// Returns `true` if a runner with this many playouts may take more. If there are few playouts, one
    /// runner gets all of them.
    fn may_take(&self, runner: usize, playouts: usize, room: usize, wanted: usize) -> bool {
        let is_first = !self.active[..runner].contains(&true);
        let others = self.active.iter().enumerate().any(|(other, active)| *active && other != runner);
        let enough = if playouts == 0 { self.playouts >= room / 2 } else { playouts >= room / 2 };
        playouts < wanted && (enough || !others || is_first && playouts > 0)
    }
}

/// A runner.
struct Place {
    shared: Arc<Shared>,
    number: usize,
}

impl Place {
    fn run(self, lanes: &Lanes) {
        match lanes.width.words {
            #[cfg(target_arch = "x86_64")]
            NATIVE if is_fast() => self.run_width::<NATIVE>(lanes, |flow, count| {
                // SAFETY: the machine has the features that this is compiled for.
                unsafe { lanes.flow_rounds_fast(flow, count) }
            }),
            ..=NARROW => self.run_width::<NARROW>(lanes, |flow, count| flow.rounds(lanes, count)),
            _ => self.run_width::<WIDE>(lanes, |flow, count| flow.rounds(lanes, count)),
        }
    }

    fn run_width<const W: usize>(&self, lanes: &Lanes, rounds: impl Fn(&mut Flow<W>, usize)) {
        let mut flow: Flow<W> = Flow::new(lanes, lanes.width.blocks);
        let (mut before, mut patient) = (0, true);
        while self.gather(lanes, &mut flow, &mut patient) {
            rounds(&mut flow, ROUNDS);
            let steps = flow.steps();
            self.shared.steps.fetch_add(steps - before, Ordering::Relaxed);
            self.shared.places.fetch_add((flow.room() * ROUNDS) as u64, Ordering::Relaxed);
            before = steps;
        }
    }

    /// Accepts the orders that have arrived. Returns `false` if no more will arrive. A runner that waited in
    /// vain does not wait again until something has arrived.
    fn gather<const W: usize>(&self, lanes: &Lanes, flow: &mut Flow<W>, patient: &mut bool) -> bool {
        let mut inbox = self.shared.inbox();
        inbox.waiting = inbox.waiting.saturating_sub(flow.answered());
        loop {
            while inbox.may_take(self.number, flow.playouts(), flow.room(), flow.wanted(lanes))
                && let Some(order) = inbox.orders.pop_front()
            {
                inbox.playouts -= order.total();
                flow.take(lanes, order);
                (inbox.active[self.number], *patient) = (true, true);
            }
            if flow.playouts() == 0 {
                inbox.active[self.number] = false;
                inbox.waiting = inbox.waiting.saturating_sub(flow.answered());
                if inbox.closed && inbox.orders.is_empty() {
                    return false;
                }
                if !inbox.orders.is_empty() && !inbox.active.contains(&true) {
                    continue;
                }
                inbox = self.shared.work.wait(inbox).unwrap_or_else(PoisonError::into_inner);
                continue;
            }
            let enough = flow.playouts() * 4 >= flow.room() * 3 || inbox.waiting * 2 >= inbox.members;
            if enough || !*patient || inbox.closed {
                return true;
            }
            let waited = self.shared.more.wait_timeout(inbox, PAUSE).unwrap_or_else(PoisonError::into_inner);
            inbox = waited.0;
            *patient = !waited.1.timed_out();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inbox = self.shared.inbox();
        inbox.active[self.number] = false;
        inbox.there -= 1;
        if inbox.there == 0 {
            // Dropping the orders tells those who wait that there will be no answer.
            inbox.orders.clear();
            inbox.playouts = 0;
        }
        self.shared.work.notify_all();
    }
}
