//! The state of the service.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use library::Library;
use store::Store;
use tokio::sync::{Semaphore, watch};

use crate::diary::Diary;
use crate::experiments::Experiments;
use crate::guard::Guard;
use crate::hall::Hall;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::shelf::Shelf;
use crate::tournaments::Tournaments;

/// The number of thumbnails drawn at the same time.
const PAINTERS: usize = 2;

/// The games, the tables and their limits.
pub struct Service {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) hall: Hall,
    pub(crate) tournaments: Arc<Tournaments>,
    pub(crate) experiments: Experiments,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) guard: Guard,
    pub(crate) closing: watch::Sender<bool>,
    workers: Arc<Semaphore>,
    painters: Arc<Semaphore>,
}

impl Service {
    /// Creates a service for a library. Matches are written to the store, if there is one; experiments
    /// come from a folder.
    pub fn new(
        library: Library,
        store: Option<Arc<Store>>,
        experiments: Option<PathBuf>,
        limits: Limits,
        token: Option<String>,
    ) -> Service {
        let shelf = Arc::new(Shelf::new(library.clone(), limits.sheet.clone()));
        let diary = Arc::new(Diary::new(store.clone()));
        let tournaments =
            Tournaments::new(Arc::clone(&shelf), library.clone(), store.clone(), Arc::clone(&diary));
        let tournaments = Arc::new(tournaments);
        Service {
            experiments: Experiments::new(experiments, library, diary, Arc::clone(&tournaments)),
            tournaments,
            hall: Hall::new(Arc::clone(&shelf), store, limits.clone()),
            shelf,
            guard: Guard::new(token, &limits),
            metrics: Metrics::default(),
            closing: watch::channel(false).0,
            workers: Arc::new(Semaphore::new(limits.workers.max(1))),
            painters: Arc::new(Semaphore::new(PAINTERS)),
            limits,
        }
    }

    /// Finds the matches that were open when the service last ended, and returns their number.
    pub fn resume(&self) -> Result<usize, store::StoreError> {
        self.hall.resume()
    }

    /// Resumes these matches. Repeats their steps, so it may take a while.
    pub(crate) fn take_up(&self) {
        self.hall.take_up_all();
    }

    /// Resumes the tournaments and experiments that were running, and returns their number. Compiles
    /// their games first, so it may take a while.
    pub(crate) fn go_on(&self) -> Result<usize, store::StoreError> {
        Ok(self.tournaments.resume()? + self.experiments.resume()?)
    }

    /// Runs expensive work outside the threads that answer requests. Limits how much runs at the same
    /// time, and how long the caller waits.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.work_among(&self.workers, work).await
    }

    /// Runs work on pictures that are not urgent, so that no other work has to wait for them.
    pub(crate) async fn paint<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        self.work_among(&self.painters, work).await
    }

    async fn work_among<T: Send + 'static>(
        &self,
        workers: &Arc<Semaphore>,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let busy = || Problem::busy("busy", "The service is busy. Try again in a moment.");
        let limit = self.limits.sheet.work;
        let permit = tokio::time::timeout(limit, Arc::clone(workers).acquire_owned()).await;
        let permit = permit.map_err(|_| busy())?.map_err(|_| busy())?;
        let task = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        match tokio::time::timeout(limit + Duration::from_secs(20), task).await {
            Ok(Ok(done)) => done,
            Ok(Err(broken)) => Err(Problem::internal(broken)),
            Err(_) => Err(Problem::useless("too-costly", "This takes too long.")),
        }
    }
}
