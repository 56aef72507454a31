//! The service behind a port.

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

/// How long those who are connected have to leave.
const LEAVE: Duration = Duration::from_secs(2);

/// What a service needs.
pub struct Options {
    /// Where it listens.
    pub host: IpAddr,
    /// On which port; 0 for any that is free.
    pub port: u16,
    /// What everything that changes something needs; made up beyond loopback where there is none.
    pub token: Option<String>,
    /// Where matches are kept.
    pub store: Option<Arc<Store>>,
    /// The games.
    pub library: Library,
    /// The folder of experiments.
    pub experiments: Option<PathBuf>,
    /// What strangers may cost.
    pub limits: Limits,
}

/// A service that is up.
pub struct Running {
    /// Where it is.
    pub address: SocketAddr,
    /// What is needed to change something.
    pub token: Option<String>,
    /// Matches that go on from before.
    pub resumed: usize,
}

/// Serves until the token is raised. `ready` is told when the service is up.
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
        behind.shelf.prepare();
        match behind.go_on() {
            Ok(count) => tracing::info!(count, "tournaments and experiments go on"),
            Err(cause) => tracing::error!(%cause, "tournaments and experiments cannot go on"),
        }
    })?;
    runtime.block_on(listen(Arc::clone(&service), listener, stop.clone()))?;
    tracing::info!("the service has ended");
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
            // First the matches stop where they are, then those who watch are let go.
            let left = Arc::clone(&service);
            let _ = tokio::task::spawn_blocking(move || {
                left.hall.leave();
                left.contests.leave();
                left.studies.leave();
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

/// Writes the log to standard error: lines of text, or of JSON. Requests are told only where `all` is wanted.
pub fn log_to_stderr(as_json: bool, all: bool) {
    let level = if all { tracing::Level::DEBUG } else { tracing::Level::INFO };
    let log = tracing_subscriber::fmt().with_writer(io::stderr).with_max_level(level).with_target(false);
    // A log that is there already is as good.
    let _ = match as_json {
        true => log.json().try_init(),
        false => log.with_ansi(false).try_init(),
    };
}
