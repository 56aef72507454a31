//! A tournament in the background, for programs that serve others meanwhile.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;

use game::StopToken;

use super::ready::Ready;
use super::result::Results;
use super::run::{Keep, Progress, RunError, RunOptions, run};

/// A tournament that is being played.
pub struct Running {
    stop: StopToken,
    latest: Arc<Mutex<Option<Progress>>>,
    thread: JoinHandle<Result<Results, RunError>>,
}

/// Begins to play a plan, and tells `progress` a few times a second how far it has come.
pub fn start(
    ready: Arc<Ready>,
    keep: Keep,
    options: RunOptions,
    progress: impl Fn(&Progress) + Send + Sync + 'static,
) -> Running {
    let stop = options.stop.clone();
    let latest: Arc<Mutex<Option<Progress>>> = Arc::default();
    let kept = Arc::clone(&latest);
    let thread = std::thread::spawn(move || {
        run(&ready, &keep, &options, &|now| {
            *kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(now.clone());
            progress(now);
        })
    });
    Running { stop, latest, thread }
}

impl Running {
    /// How far it has come; none before it has begun.
    pub fn progress(&self) -> Option<Progress> {
        self.latest.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Interrupts it; matches that are being played finish their move and can go on later.
    pub fn stop(&self) {
        self.stop.stop();
    }

    /// Whether nothing is being played any more.
    pub fn is_over(&self) -> bool {
        self.thread.is_finished()
    }

    /// Waits until it is over.
    pub fn wait(self) -> Result<Results, RunError> {
        let broken = |_| Err(RunError::Match { number: 0, reason: "a thread broke down.".to_string() });
        self.thread.join().unwrap_or_else(broken)
    }
}
