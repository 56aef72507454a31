//! Serving on a port.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use game::StopToken;
use library::Library;
use store::Store;
use tokio::net::TcpListener;

use crate::api::router;
use crate::keys;
use crate::limits::Limits;
use crate::listener::{Bounded, Peer};
use crate::service::Service;

/// How long open connections have to close.
const LEAVE: Duration = Duration::from_secs(2);

/// The options of a service.
pub struct Options {
    /// The address to listen at.
    pub host: IpAddr,
    /// The port; 0 picks a free one.
    pub port: u16,
    /// The token required for every change. Generated if there is none and the address is not loopback.
    pub token: Option<String>,
    /// Where matches are stored.
    pub store: Option<Arc<Store>>,
    /// The games.
    pub library: Library,
    /// The folder of experiments.
    pub experiments: Option<PathBuf>,
    /// The limits on requests.
    pub limits: Limits,
}

/// A running service.
pub struct Running {
    /// Its address.
    pub address: SocketAddr,
    /// The token required for every change.
    pub token: Option<String>,
    /// The number of matches that are resumed.
    pub resumed: usize,
}

/// Serves until the token is raised. Calls `ready` once the service is up.
pub fn serve(options: Options, stop: &StopToken, ready: impl FnOnce(&Running)) -> io::Result<()> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().enable_all().max_blocking_threads(64).build()?;
    let token = options.token.or_else(|| (!options.host.is_loopback()).then(keys::key));
    let (library, store) = (options.library, options.store);
    let service = Service::new(library, store, options.experiments, options.limits, token.clone());
    let service = Arc::new(service);
    let listener = runtime.block_on(TcpListener::bind((options.host, options.port)))?;
    let address = listener.local_addr()?;
    let resumed = service.resume().map_err(io::Error::other)?;
    tracing::info!(%address, resumed, "serving");
    ready(&Running { address, token, resumed });
    let behind = Arc::clone(&service);
    std::thread::Builder::new().name("prepare".to_string()).spawn(move || {
        behind.take_up();
        behind.shelf.prepare();
        match behind.go_on() {
            Ok(count) => tracing::info!(count, "resumed tournaments and experiments"),
            Err(cause) => tracing::error!(%cause, "cannot resume tournaments and experiments"),
        }
    })?;
    runtime.block_on(listen(Arc::clone(&service), listener, stop.clone()))?;
    tracing::info!("service stopped");
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(())
}

async fn listen(service: Arc<Service>, listener: TcpListener, stop: StopToken) -> io::Result<()> {
    let router = router(Arc::clone(&service)).into_make_service_with_connect_info::<Peer>();
    let mut closing = service.closing.subscribe();
    let asked = {
        let service = Arc::clone(&service);
        async move {
            while !stop.is_stopped() {
                tokio::time::sleep(Duration::from_millis(50)).await;
            }
            // Stop the matches first, then disconnect the spectators.
            let left = Arc::clone(&service);
            let _ = tokio::task::spawn_blocking(move || {
                left.hall.leave();
                left.tournaments.leave();
                left.experiments.leave();
            })
            .await;
            service.closing.send_replace(true);
        }
    };
    let listener = Bounded::new(listener, service.limits.connections);
    let serving = axum::serve(listener, router).with_graceful_shutdown(asked);
    tokio::select! {
        served = async { serving.await } => served,
        () = async {
            let _ = closing.wait_for(|closing| *closing).await;
            tokio::time::sleep(LEAVE).await;
        } => Ok(()),
    }
}

/// Writes the log to standard error, as text or JSON. Requests are logged only if `all` is set.
pub fn log_to_stderr(as_json: bool, all: bool) {
    let level = if all { tracing::Level::DEBUG } else { tracing::Level::INFO };
    let log = tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(level).with_target(false);
    // It fails if there is already a log, which is fine.
    let _ = match as_json {
        true => log.json().try_init(),
        false => log.with_ansi(false).try_init(),
    };
}
