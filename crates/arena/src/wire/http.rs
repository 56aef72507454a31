//! The subset of HTTP that managers and players use.
//!
//! There is one message per connection, in the form of HTTP/1.0. Peers count characters instead of bytes,
//! omit lengths, or send a byte per second, so the end of a body also depends on its content: it is complete
//! when its declared length has arrived and its parentheses are closed, or when the peer has closed the
//! connection. Reading is bounded by a deadline and a size.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use game::StopToken;

/// The maximum total size of the header lines.
const MAX_HEAD: usize = 64 << 10;
/// How often a wait checks whether to give up.
const LOOK: Duration = Duration::from_millis(50);
/// How long a body that looks complete may still continue, if no length is declared.
const QUIET: Duration = Duration::from_millis(50);
/// The maximum time to establish a connection.
const CONNECT: Duration = Duration::from_secs(5);

/// The limits for reading.
#[derive(Debug, Clone)]
pub(crate) struct Patience {
    pub until: Option<Instant>,
    pub stop: StopToken,
    pub max_bytes: usize,
}

/// Why an exchange failed.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// The deadline is over.
    #[error("no answer in time")]
    Late,
    /// The message is longer than it may be.
    #[error("the message is longer than {0} bytes")]
    Long(usize),
    /// The message is not complete.
    #[error("the connection was closed in the middle of a message")]
    Half,
    /// It is not HTTP.
    #[error("the message is not HTTP")]
    NotHttp,
    /// The connection failed.
    #[error("{0}")]
    Io(String),
}

impl From<io::Error> for HttpError {
    fn from(error: io::Error) -> HttpError {
        let text = match error.kind() {
            ErrorKind::ConnectionRefused => "the connection was refused".to_string(),
            ErrorKind::ConnectionReset | ErrorKind::ConnectionAborted | ErrorKind::BrokenPipe => {
                "the connection was lost".to_string()
            }
            _ => error.to_string(),
        };
        HttpError::Io(text)
    }
}

/// A request as received.
#[derive(Debug)]
pub(crate) struct Request {
    pub method: String,
    pub path: String,
    pub body: String,
}

/// Sends a message to `address` and returns the body of the answer.
pub(crate) fn exchange(
    address: &str,
    sender: &str,
    receiver: &str,
    body: &str,
    patience: &Patience,
) -> Result<String, HttpError> {
    let mut stream = connect(address, patience)?;
    let host = address.rsplit_once(':').map_or(address, |(host, _)| host);
    stream.write_all(request(host, sender, receiver, body).as_bytes())?;
    stream.flush()?;
    read_reply(&mut stream, patience)
}

/// Returns a request as ggp-base's server writes it. The body is ASCII, so that the numbers of characters and
/// bytes are equal.
pub(crate) fn request(host: &str, sender: &str, receiver: &str, body: &str) -> String {
    format!(
        "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: {host}\r\nSender: {sender}\r\nReceiver: {receiver}\r\n\
         Content-Type: text/acl\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

/// Returns an answer as ggp-base's players write it.
pub(crate) fn reply(status: &str, body: &str) -> String {
    format!(
        "HTTP/1.0 {status}\r\nContent-type: text/acl\r\nContent-length: {}\r\n\
         Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: POST, GET, OPTIONS\r\n\
         Access-Control-Allow-Headers: Content-Type\r\nAccess-Control-Allow-Age: 86400\r\n\r\n{body}",
        body.len()
    )
}

fn connect(address: &str, patience: &Patience) -> Result<TcpStream, HttpError> {
    let mut last = HttpError::Io(format!("no address was found for `{address}`"));
    for place in address.to_socket_addrs()? {
        let left = patience.until.map_or(CONNECT, |until| until.saturating_duration_since(Instant::now()));
        if left.is_zero() {
            return Err(HttpError::Late);
        }
        match TcpStream::connect_timeout(&place, left.min(CONNECT)) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                stream.set_write_timeout(Some(CONNECT))?;
                return Ok(stream);
            }
            Err(error) => last = error.into(),
        }
    }
    Err(last)
}

/// The bytes received so far, and whether the peer has closed the connection.
struct Incoming<'s> {
    stream: &'s mut TcpStream,
    bytes: Vec<u8>,
    ended: bool,
}

impl Incoming<'_> {
    /// Waits for more bytes, at most for the time `quiet` if it is given. Returns `true` if anything arrived.
    fn more(&mut self, patience: &Patience, quiet: Option<Duration>) -> Result<bool, HttpError> {
        let begun = Instant::now();
        let mut chunk = [0; 16 << 10];
        loop {
            if patience.stop.is_stopped() {
                return Err(HttpError::Late);
            }
            let now = Instant::now();
            let left = patience.until.map_or(LOOK, |until| until.saturating_duration_since(now));
            if left.is_zero() {
                return Err(HttpError::Late);
            }
            if quiet.is_some_and(|quiet| now - begun >= quiet) {
                return Ok(false);
            }
            self.stream.set_read_timeout(Some(left.min(LOOK)))?;
            match self.stream.read(&mut chunk) {
                Ok(0) => {
                    self.ended = true;
                    return Ok(false);
                }
                Ok(count) => {
                    self.bytes.extend_from_slice(&chunk[..count]);
                    if self.bytes.len() > patience.max_bytes {
                        return Err(HttpError::Long(patience.max_bytes));
                    }
                    return Ok(true);
                }
                Err(error) if is_wait(&error) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Reads until the header lines are complete. Returns them and keeps the rest.
    fn head(&mut self, patience: &Patience) -> Result<String, HttpError> {
        let mut seen = 0;
        loop {
            let from = usize::saturating_sub(seen, 3);
            seen = self.bytes.len();
            if let Some((end, length)) = end_of_head(&self.bytes[from..]) {
                let end = from + end;
                let rest = self.bytes.split_off(end + length);
                let head = String::from_utf8_lossy(&self.bytes[..end]).into_owned();
                self.bytes = rest;
                return Ok(head);
            }
            if self.bytes.len() > MAX_HEAD {
                return Err(HttpError::NotHttp);
            }
            if !self.more(patience, None)? {
                return Err(if self.bytes.is_empty() { HttpError::Half } else { HttpError::NotHttp });
            }
        }
    }

    fn body(mut self, length: Option<usize>, patience: &Patience) -> Result<String, HttpError> {
        if length.is_some_and(|length| length > patience.max_bytes) {
            return Err(HttpError::Long(patience.max_bytes));
        }
        let mut count = Count::default();
        loop {
            let balance = count.up_to(&self.bytes);
            let there = length.is_some_and(|length| self.bytes.len() >= length);
            if there && balance != Balance::Open {
                break;
            }
            // A closed list is a complete message, whatever length was declared.
            let quiet = (balance == Balance::Closed).then_some(QUIET);
            if !self.more(patience, quiet)? {
                let half = length.is_some_and(|length| self.bytes.len() < length);
                match (balance, self.ended) {
                    (Balance::Open, true) => return Err(HttpError::Half),
                    (Balance::Empty, true) if half => return Err(HttpError::Half),
                    _ => break,
                }
            }
        }
        Ok(String::from_utf8_lossy(&self.bytes).into_owned())
    }
}

/// The state of a body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Balance {
    /// Nothing has arrived.
    Empty,
    /// A list is not closed.
    Open,
    /// Words only.
    Words,
    /// All lists are closed.
    Closed,
}

/// Counts parentheses as bytes arrive, each byte once.
#[derive(Debug, Default)]
struct Count {
    seen: usize,
    depth: i64,
    lists: bool,
    words: bool,
}

impl Count {
    fn up_to(&mut self, bytes: &[u8]) -> Balance {
        for byte in &bytes[self.seen..] {
            match byte {
                b'(' => (self.depth, self.lists) = (self.depth + 1, true),
                b')' => self.depth -= 1,
                byte => self.words |= !byte.is_ascii_whitespace(),
            }
        }
        self.seen = bytes.len();
        match (self.lists, self.words, self.depth > 0) {
            (_, _, true) => Balance::Open,
            (true, _, false) => Balance::Closed,
            (false, true, false) => Balance::Words,
            (false, false, false) => Balance::Empty,
        }
    }
}

fn is_wait(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Returns where the header lines end, and the length of the empty line after them.
fn end_of_head(bytes: &[u8]) -> Option<(usize, usize)> {
    let lines = |end: &[u8]| bytes.windows(end.len()).position(|window| window == end);
    let strict = lines(b"\r\n\r\n").map(|at| (at, 4));
    let loose = lines(b"\n\n").map(|at| (at, 2));
    match (strict, loose) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

fn length_of(head: &str) -> Option<usize> {
    let value = header(head, "content-length")?;
    value.parse().ok()
}

fn header<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let lines = head.lines().filter_map(|line| line.split_once(':'));
    lines.into_iter().find(|(key, _)| key.trim().eq_ignore_ascii_case(name)).map(|(_, value)| value.trim())
}

fn read_reply(stream: &mut TcpStream, patience: &Patience) -> Result<String, HttpError> {
    let mut incoming = Incoming { stream, bytes: Vec::new(), ended: false };
    loop {
        let head = incoming.head(patience)?;
        let first = head.lines().next().unwrap_or_default();
        if !first.starts_with("HTTP/") {
            return Err(HttpError::NotHttp);
        }
        // "100 Continue" precedes the actual answer.
        if first.split(' ').nth(1) != Some("100") {
            return incoming.body(length_of(&head), patience);
        }
    }
}

/// Reads a request, and answers `Expect: 100-continue`.
pub(crate) fn read_request(stream: &mut TcpStream, patience: &Patience) -> Result<Request, HttpError> {
    let mut incoming = Incoming { stream, bytes: Vec::new(), ended: false };
    let head = incoming.head(patience)?;
    let mut words = head.lines().next().unwrap_or_default().split_whitespace();
    let (Some(method), Some(path)) = (words.next(), words.next()) else { return Err(HttpError::NotHttp) };
    let (method, path) = (method.to_ascii_uppercase(), path.to_string());
    if method != "POST" {
        return Ok(Request { method, path, body: String::new() });
    }
    if header(&head, "expect").is_some_and(|value| value.eq_ignore_ascii_case("100-continue")) {
        incoming.stream.write_all(b"HTTP/1.1 100 Continue\r\n\r\n")?;
    }
    let body = incoming.body(length_of(&head), patience)?;
    Ok(Request { method, path, body })
}

/// Sends an answer and closes the connection so that it arrives.
pub(crate) fn answer(stream: &mut TcpStream, status: &str, body: &str) {
    let sent = stream.set_write_timeout(Some(CONNECT)).and_then(|()| {
        stream.write_all(reply(status, body).as_bytes())?;
        stream.flush()?;
        stream.shutdown(Shutdown::Write)
    });
    if sent.is_err() {
        return;
    }
    // Closing with unread bytes would reset the connection and lose the answer.
    let until = Instant::now() + Duration::from_secs(1);
    let mut rest = [0; 4096];
    let _ = stream.set_read_timeout(Some(Duration::from_millis(200)));
    while Instant::now() < until && matches!(stream.read(&mut rest), Ok(count) if count > 0) {}
}

/// Decodes the percent-encoding of a path.
pub(crate) fn decode_path(path: &str) -> String {
    let bytes = path.as_bytes();
    let hex = |at: usize| bytes.get(at).and_then(|&byte| char::from(byte).to_digit(16));
    let mut text = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        match (bytes[at], hex(at + 1), hex(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                text.push((high * 16 + low) as u8);
                at += 3;
            }
            (b'+', ..) => {
                text.push(b' ');
                at += 1;
            }
            (byte, ..) => {
                text.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&text).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_decoded() {
        assert_eq!(decode_path("%28INFO%29"), "(INFO)");
        assert_eq!(decode_path("(PLAY+m%20NIL)%2"), "(PLAY m NIL)%2");
    }

    #[test]
    fn heads_end_at_the_first_empty_line() {
        assert_eq!(end_of_head(b"a\r\n\r\nb\n\n"), Some((1, 4)));
        assert_eq!(end_of_head(b"a\n\nb\r\n\r\n"), Some((1, 2)));
        assert_eq!(end_of_head(b"a\r\n"), None);
    }
}
