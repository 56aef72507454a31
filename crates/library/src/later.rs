//! Games that are made while others already play.
//!
//! Compiling rules takes from milliseconds to minutes, and a match cannot wait for it. [`Begun`] is a game
//! that answers at once, together with the compiled one that may still be in the making ([`Later`]). The
//! making runs on a thread of its own and ends as soon as nobody waits for it any more.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use game::{Deadline, Fault, StopToken};

use crate::reasoners::Chosen;

/// How often a waiting thread checks its stop token.
const LOOK: Duration = Duration::from_millis(20);

/// A game that answers at once, and the faster one that is being made.
#[derive(Clone)]
pub struct Begun {
    /// The game to play now.
    pub now: Chosen,
    /// The compiled game, unless it is `now` or there will be none.
    pub later: Option<Arc<Later>>,
}

/// A game in the making. Dropping it stops the making.
pub struct Later {
    slot: Arc<Slot>,
    stop: StopToken,
}

/// Where the thread that makes a game leaves it.
#[derive(Default)]
pub(crate) struct Slot {
    made: Mutex<Option<Result<Chosen, Fault>>>,
    done: Condvar,
}

impl Slot {
    fn made(&self) -> MutexGuard<'_, Option<Result<Chosen, Fault>>> {
        self.made.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the game, if it has been made.
    pub(crate) fn game(&self) -> Option<Chosen> {
        self.made().as_ref().and_then(|made| made.as_ref().ok().cloned())
    }
}

impl Later {
    /// Starts to make a game. `make` gets the token that is set when nobody waits any more. Without a thread
    /// there will be no game.
    pub(crate) fn begin(make: impl FnOnce(StopToken) -> Result<Chosen, Fault> + Send + 'static) -> Later {
        let (slot, stop) = (Arc::<Slot>::default(), StopToken::default());
        let (there, token) = (Arc::clone(&slot), stop.clone());
        let thread = std::thread::Builder::new().name("compile".to_string()).stack_size(16 << 20);
        let begun = thread.spawn(move || {
            // A panic of the compiler costs the faster game, not the match.
            let made = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| make(token)));
            *there.made() = Some(made.unwrap_or(Err(Fault::Stopped)));
            there.done.notify_all();
        });
        if begun.is_err() {
            *slot.made() = Some(Err(Fault::Stopped));
        }
        Later { slot, stop }
    }

    pub(crate) fn slot(&self) -> Arc<Slot> {
        Arc::clone(&self.slot)
    }

    /// Returns the game, if it has been made.
    pub fn game(&self) -> Option<Chosen> {
        self.slot.game()
    }

    /// Returns `true` if the game has been made, or will never be.
    pub fn is_over(&self) -> bool {
        self.slot.made().is_some()
    }

    /// Waits for the game until a deadline. Returns `None` if it is not ready then, or will never be.
    pub fn wait(&self, deadline: &Deadline) -> Option<Chosen> {
        let mut made = self.slot.made();
        while made.is_none() && !deadline.is_over() {
            let left = deadline.remaining().unwrap_or(LOOK).min(LOOK);
            let waited = self.slot.done.wait_timeout(made, left);
            made = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        made.as_ref().and_then(|made| made.as_ref().ok().cloned())
    }
}

impl Drop for Later {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::channel;

    use super::*;

    #[test]
    fn making_stops_when_nobody_waits() {
        let (stopped, told) = channel();
        let later = Later::begin(move |stop| {
            while !stop.is_stopped() {
                std::thread::yield_now();
            }
            let _ = stopped.send(());
            Err(Fault::Stopped)
        });
        assert!(later.game().is_none());
        assert!(later.wait(&Deadline::after(Duration::from_millis(1))).is_none());
        drop(later);
        assert!(told.recv_timeout(Duration::from_secs(10)).is_ok());
    }

    #[test]
    fn a_compiler_that_panics_leaves_no_game() {
        let later = Later::begin(|_| panic!("on purpose"));
        assert!(later.wait(&Deadline::after(Duration::from_secs(10))).is_none());
        assert!(later.is_over());
    }
}
