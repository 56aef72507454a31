//! Pondering: thinking while others think.
//!
//! Between two answers the search continues on a thread of its own: from the state after the answer if that
//! is determined, otherwise from the current state of the match. It returns with everything it has learned as
//! soon as it is recalled.

use std::thread::JoinHandle;

use game::{Deadline, Game, RoleId, StopToken};

use super::search::Search;

/// A search that is at home, or pondering.
pub(super) enum Mind<G: Game> {
    Home(Box<Search<G>>),
    Away(Away<G>),
    /// Lost with a thread that panicked.
    Lost,
}

pub(super) struct Away<G: Game> {
    stop: StopToken,
    thread: Option<JoinHandle<Box<Search<G>>>>,
}

impl<G: Game> Drop for Away<G> {
    fn drop(&mut self) {
        self.stop.stop();
        // Its memory is freed here, and not during the first moves of another match.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl<G: Game + 'static> Mind<G> {
    /// Recalls the search. Returns `None` if it was lost.
    pub fn call(&mut self) -> Option<&mut Search<G>> {
        if let Mind::Away(away) = self {
            away.stop.stop();
            let back = away.thread.take().and_then(|thread| thread.join().ok());
            *self = back.map_or(Mind::Lost, Mind::Home);
        }
        match self {
            Mind::Home(search) => Some(search),
            _ => None,
        }
    }

    /// Sends the search off to think about a state. If no thread can be started, the search is lost.
    pub fn send(&mut self, state: G::State, role: RoleId) {
        let Mind::Home(mut search) = std::mem::replace(self, Mind::Lost) else { return };
        let stop = StopToken::default();
        let deadline = Deadline::never().with_stop(stop.clone());
        let think = std::thread::Builder::new().name("seat-ponder".to_string()).stack_size(16 << 20);
        let spawned = think.spawn(move || {
            // A fault here will occur again, and be reported, when the move is searched.
            let _ = search.run(&state, role, &deadline);
            search
        });
        if let Ok(thread) = spawned {
            *self = Mind::Away(Away { stop, thread: Some(thread) });
        }
    }
}
