//! A player that listens on a port.
//!
//! Connections are read on separate threads, so `INFO` is answered while a player thinks; each match has a
//! seat on a thread of its own. The cost of a request is bounded: its size, the time it takes to arrive, the
//! number of connections and of matches. The cost of making a game from the rules is up to the [`Host`].

mod desk;
mod visitor;

use std::io;
use std::net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};

use game::{Deadline, RoleId, Seat, Seed, StopToken};

use crate::wire::http::{HttpError, Patience, answer, decode_path, read_request};
use desk::Desk;

/// The options of a listening player.
#[derive(Debug, Clone)]
pub struct ServeOptions {
    /// The name of the player in the answer to `INFO`.
    pub name: String,
    /// The maximum number of concurrent matches.
    pub matches: usize,
    /// The maximum size of a request in bytes, including rules.
    pub max_request: usize,
    /// The maximum time for a request to arrive.
    pub request_time: Duration,
    /// The maximum number of concurrent connections.
    pub max_connections: usize,
    /// How much earlier than the clock the player must answer, to allow for the reply.
    pub margin: Duration,
    /// The seed of the players, combined with match and role.
    pub seed: Seed,
}

impl Default for ServeOptions {
    fn default() -> ServeOptions {
        ServeOptions {
            name: "tafl".to_string(),
            matches: 1,
            max_request: 8 << 20,
            request_time: Duration::from_secs(30),
            max_connections: 64,
            margin: Duration::from_millis(200),
            seed: Seed(0),
        }
    }
}

/// The match that a player is asked to play.
#[derive(Debug, Clone)]
pub struct Invitation {
    /// The name of the match.
    pub match_id: String,
    /// The role, as spelled by the manager.
    pub role: String,
    /// The rules in prefix form.
    pub rules: Arc<str>,
    /// The time before the first move.
    pub start_clock: Duration,
    /// The time for each move.
    pub play_clock: Duration,
}

/// A player that accepts an invitation.
pub struct Guest {
    /// The seat of the player.
    pub seat: Box<dyn Seat>,
    /// Someone who finds a legal move at once, to answer with if the player is late.
    pub standby: Option<Box<dyn Seat>>,
    /// The roles of the game.
    pub roles: Vec<String>,
    /// The role it plays.
    pub role: RoleId,
    /// Whether the rules hide something.
    pub hides: bool,
}

/// Makes players for matches: turns rules into a game and seats someone at it.
pub type Host = Arc<dyn Fn(&Invitation, &Deadline) -> Result<Guest, HostError> + Send + Sync>;

/// Why nobody takes an invitation. Only the host knows the cause.
#[derive(Debug, thiserror::Error)]
#[error(transparent)]
pub struct HostError(Box<dyn std::error::Error + Send + Sync>);

impl HostError {
    /// Takes the cause.
    pub fn new(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> HostError {
        HostError(cause.into())
    }
}

/// A player that listens. Dropping it closes the port.
pub struct PlayerServer {
    address: SocketAddr,
    desk: Arc<Desk>,
    closing: Arc<AtomicBool>,
    listener: Option<JoinHandle<()>>,
}

impl PlayerServer {
    /// Listens at `address`; port 0 chooses any free port.
    pub fn start(address: impl ToSocketAddrs, host: Host, options: ServeOptions) -> io::Result<PlayerServer> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let closing = Arc::new(AtomicBool::new(false));
        let desk = Arc::new(Desk::new(host, options));
        let (shared, flag) = (Arc::clone(&desk), Arc::clone(&closing));
        let thread = Builder::new().name("player-listens".to_string());
        let listener = thread.spawn(move || listen(&listener, &shared, &flag))?;
        Ok(PlayerServer { address, desk, closing, listener: Some(listener) })
    }

    /// Returns the address it listens at.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the number of matches begun so far.
    pub fn matches_begun(&self) -> u64 {
        self.desk.begun()
    }

    /// Ends all matches and closes the port, which is free when this returns.
    pub fn stop(mut self) {
        self.close();
    }

    fn close(&mut self) {
        let Some(listener) = self.listener.take() else { return };
        self.closing.store(true, Ordering::SeqCst);
        self.desk.clear();
        // This connection wakes the listener, which waits for one.
        let mut own = self.address;
        if own.ip().is_unspecified() {
            own = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, own.port()));
        }
        let _ = TcpStream::connect_timeout(&own, Duration::from_secs(1));
        let _ = listener.join();
    }
}

impl Drop for PlayerServer {
    fn drop(&mut self) {
        self.close();
    }
}

fn listen(listener: &TcpListener, desk: &Arc<Desk>, closing: &Arc<AtomicBool>) {
    let connections = Arc::new(AtomicUsize::new(0));
    loop {
        let accepted = listener.accept();
        if closing.load(Ordering::SeqCst) {
            return;
        }
        let Ok((stream, _)) = accepted else {
            // There may be too many open files, which is temporary.
            std::thread::sleep(Duration::from_millis(10));
            continue;
        };
        if connections.load(Ordering::SeqCst) >= desk.options().max_connections {
            continue;
        }
        connections.fetch_add(1, Ordering::SeqCst);
        let (desk, open) = (Arc::clone(desk), Arc::clone(&connections));
        let thread = Builder::new().name("player-answers".to_string()).stack_size(1 << 20);
        let begun = thread.spawn(move || {
            attend(stream, &desk);
            open.fetch_sub(1, Ordering::SeqCst);
        });
        if begun.is_err() {
            connections.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Reads one request and answers it.
fn attend(mut stream: TcpStream, desk: &Desk) {
    let options = desk.options();
    let patience = Patience {
        until: Instant::now().checked_add(options.request_time),
        stop: StopToken::default(),
        max_bytes: options.max_request,
    };
    let _ = stream.set_nodelay(true);
    let request = match read_request(&mut stream, &patience) {
        Ok(request) => request,
        Err(HttpError::Long(_)) => return answer(&mut stream, "413 Payload Too Large", "nil"),
        Err(HttpError::Half | HttpError::Io(_) | HttpError::Late) => return,
        Err(HttpError::NotHttp) => return answer(&mut stream, "400 Bad Request", "nil"),
    };
    let text = match request.method.as_str() {
        "POST" => request.body,
        "GET" | "HEAD" => decode_path(request.path.trim_start_matches('/')),
        "OPTIONS" => return answer(&mut stream, "200 OK", ""),
        _ => return answer(&mut stream, "405 Method Not Allowed", "nil"),
    };
    let text = if text.trim().is_empty() && request.method != "POST" { "(INFO)".to_string() } else { text };
    let said = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| desk.answer(&text)));
    match said {
        Ok(Ok(said)) => answer(&mut stream, "200 OK", &said),
        Ok(Err(_)) => answer(&mut stream, "400 Bad Request", "nil"),
        Err(_) => answer(&mut stream, "500 Internal Server Error", "nil"),
    }
}
