//! Everything the service holds.

use std::sync::Arc;
use std::time::Duration;

use lab::Library;
use store::Store;
use tokio::sync::{Semaphore, watch};

use crate::contest::Contests;
use crate::guard::Guard;
use crate::hall::Hall;
use crate::limits::Limits;
use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::shelf::Shelf;

/// The games, the tables and their limits.
pub struct Service {
    pub(crate) shelf: Arc<Shelf>,
    pub(crate) hall: Hall,
    pub(crate) contests: Contests,
    pub(crate) limits: Limits,
    pub(crate) metrics: Metrics,
    pub(crate) guard: Guard,
    pub(crate) closing: watch::Sender<bool>,
    workers: Arc<Semaphore>,
}

impl Service {
    /// A service over a library, which keeps its matches in a store where there is one.
    pub fn new(
        library: Library,
        store: Option<Arc<Store>>,
        limits: Limits,
        token: Option<String>,
    ) -> Service {
        let shelf = Arc::new(Shelf::new(library.clone(), limits.sheet.clone()));
        Service {
            contests: Contests::new(Arc::clone(&shelf), library, store.clone()),
            hall: Hall::new(Arc::clone(&shelf), store, limits.clone()),
            shelf,
            guard: Guard::new(token, &limits),
            metrics: Metrics::default(),
            closing: watch::channel(false).0,
            workers: Arc::new(Semaphore::new(limits.workers.max(1))),
            limits,
        }
    }

    /// Goes on with the matches that were open when the service last ended; gives how many.
    pub fn resume(&self) -> Result<usize, store::StoreError> {
        self.hall.resume()
    }

    /// Does something that takes a while, away from the threads that answer. Only
    /// so much of it is done at once, and whoever asked waits only so long.
    pub(crate) async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let busy = || Problem::busy("busy", "The service has too much to do. Try again in a moment.");
        let limit = self.limits.sheet.work;
        let permit = tokio::time::timeout(limit, Arc::clone(&self.workers).acquire_owned()).await;
        let permit = permit.map_err(|_| busy())?.map_err(|_| busy())?;
        let task = tokio::task::spawn_blocking(move || {
            let _permit = permit;
            work()
        });
        match tokio::time::timeout(limit + Duration::from_secs(20), task).await {
            Ok(Ok(done)) => done,
            Ok(Err(broken)) => Err(Problem::internal(broken)),
            Err(_) => Err(Problem::useless("too-costly", "This takes more time than there is for it.")),
        }
    }
}
