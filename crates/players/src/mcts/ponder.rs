//! Thinking while others think.
//!
//! Between two answers the search goes on in a thread of its own, from the
//! state that follows the answer where only one can follow, else from the state
//! the match is in. It comes back, with all it has learned, as soon as it is
//! called for.

use std::thread::JoinHandle;

use game::{Deadline, Game, RoleId, StopToken};

use super::search::Search;

/// A search at home, or on its own.
pub(super) enum Mind<G: Game> {
    Home(Box<Search<G>>),
    Away(Away<G>),
    /// Lost with a thread that broke down.
    Lost,
}

pub(super) struct Away<G: Game> {
    stop: StopToken,
    thread: Option<JoinHandle<Box<Search<G>>>>,
}

impl<G: Game> Drop for Away<G> {
    fn drop(&mut self) {
        self.stop.stop();
        // What it has learned is freed here, and not beside the first moves of another match.
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl<G: Game + 'static> Mind<G> {
    /// Calls the search home; none where it was lost.
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

    /// Sends the search off to think about a state; it stays where it is if there is no thread to be had.
    pub fn send(&mut self, state: G::State, role: RoleId) {
        let Mind::Home(mut search) = std::mem::replace(self, Mind::Lost) else { return };
        let stop = StopToken::default();
        let deadline = Deadline::never().with_stop(stop.clone());
        let think = std::thread::Builder::new().name("seat-ponder".to_string()).stack_size(16 << 20);
        let spawned = think.spawn(move || {
            // What goes wrong here goes wrong again, and is told, when the move is searched.
            let _ = search.run(&state, role, &deadline);
            search
        });
        if let Ok(thread) = spawned {
            *self = Mind::Away(Away { stop, thread: Some(thread) });
        }
    }
}
