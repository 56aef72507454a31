//! Tells whoever waits what a long preparation is at.
//!
//! Most sheets are compiled at once. For the others a process may name one
//! listener: it is told twice a second, beginning two seconds after the
//! compiling of a sheet began, and once more when that is over.

use std::cell::Cell;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// What a preparation is at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// So many candidates for atoms that can hold were found.
    Atoms(usize),
    /// So many instances of rules were found.
    Instances(usize),
    /// So many wires of the circuit were made.
    Circuit(usize),
    /// Programs are made of circuits of so many wires together.
    Programs(usize),
    /// It is over.
    Over,
}

type Listener = Box<dyn Fn(Progress) + Send + Sync>;

static LISTENER: OnceLock<Listener> = OnceLock::new();

/// Names the listener of this process; says whether there was none before.
pub fn on_progress(listener: impl Fn(Progress) + Send + Sync + 'static) -> bool {
    LISTENER.set(Box::new(listener)).is_ok()
}

/// When the listener is told for the first time, and how often.
const FIRST: Duration = Duration::from_secs(2);
const EVERY: Duration = Duration::from_millis(500);

thread_local! {
    /// When the listener is due, and whether it was told before.
    static DUE: Cell<Option<(Instant, bool)>> = const { Cell::new(None) };
    static INSTANTIATING: Cell<bool> = const { Cell::new(false) };
}

/// A preparation under way on this thread.
pub(crate) struct Preparation(());

impl Preparation {
    /// Begins one.
    pub fn begin() -> Preparation {
        DUE.set(Some((Instant::now() + FIRST, false)));
        INSTANTIATING.set(false);
        Preparation(())
    }
}

impl Drop for Preparation {
    fn drop(&mut self) {
        if let (Some((_, true)), Some(listener)) = (DUE.take(), LISTENER.get()) {
            listener(Progress::Over);
        }
    }
}

/// From here on what is found are instances.
pub(crate) fn instances_follow() {
    INSTANTIATING.set(true);
}

/// Says how much was found while grounding.
pub(crate) fn found(count: usize) {
    tell(if INSTANTIATING.get() { Progress::Instances(count) } else { Progress::Atoms(count) });
}

/// Says what a preparation on this thread is at, if there is one and it is time to.
pub(crate) fn tell(progress: Progress) {
    let Some((due, _)) = DUE.get() else { return };
    let now = Instant::now();
    if let Some(listener) = LISTENER.get().filter(|_| now >= due) {
        DUE.set(Some((now + EVERY, true)));
        listener(progress);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn a_listener_is_told_when_it_takes_long_and_when_it_is_over() {
        static TOLD: AtomicUsize = AtomicUsize::new(0);
        static OVER: AtomicUsize = AtomicUsize::new(0);
        assert!(on_progress(|progress| {
            if DUE.get().is_none() {
                // The last word comes when nothing is under way any more.
                assert_eq!(progress, Progress::Over);
                OVER.fetch_add(1, Ordering::Relaxed);
            } else if progress == Progress::Instances(7) {
                TOLD.fetch_add(1, Ordering::Relaxed);
            }
        }));
        assert!(!on_progress(|_| ()), "there is one listener");
        instances_follow();
        found(7);
        assert_eq!(TOLD.load(Ordering::Relaxed), 0, "nothing is under way");
        let quick = Preparation::begin();
        instances_follow();
        found(7);
        drop(quick);
        assert_eq!(OVER.load(Ordering::Relaxed), 0, "it was over at once");
        let long = Preparation::begin();
        instances_follow();
        DUE.set(Some((Instant::now(), false)));
        found(7);
        found(7);
        assert_eq!(TOLD.load(Ordering::Relaxed), 1, "the second time came too soon");
        drop(long);
        assert_eq!(OVER.load(Ordering::Relaxed), 1);
    }
}
