//! A service on a free port, and a client that speaks plain HTTP to it.

use std::io::{BufRead, BufReader, Write};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::channel;
use std::thread::JoinHandle;
use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use game::StopToken;
use library::Library;
use serde_json::{Value, json};
use store::Store;
use tokio_tungstenite::tungstenite::Message;
use web::{Limits, Options};

/// No answer takes longer.
const PATIENCE: Duration = Duration::from_secs(60);

/// A service that is up for as long as this lives.
pub struct Up {
    pub address: SocketAddr,
    pub resumed: usize,
    stop: StopToken,
    thread: Option<JoinHandle<()>>,
}

/// What a service is started with.
pub struct With {
    pub limits: Limits,
    pub token: Option<String>,
    pub store: Option<PathBuf>,
    /// Folders of games that are opened beside the library.
    pub opened: Vec<PathBuf>,
    pub experiments: Option<PathBuf>,
}

impl Default for With {
    fn default() -> With {
        // Tests come from one client and may be many.
        let limits = Limits { rate: 1e6, burst: 1e6, ..Limits::default() };
        With { limits, token: None, store: None, opened: Vec::new(), experiments: None }
    }
}

impl Up {
    pub fn new() -> Up {
        Up::with(With::default())
    }

    pub fn with(with: With) -> Up {
        let stop = StopToken::default();
        let (ready, told) = channel();
        let raised = stop.clone();
        let thread = std::thread::spawn(move || {
            let options = Options {
                host: IpAddr::V4(Ipv4Addr::LOCALHOST),
                port: 0,
                token: with.token,
                store: with.store.map(|path| Arc::new(Store::open(&path).unwrap())),
                library: with.opened.into_iter().fold(Library::embedded(), Library::with),
                experiments: with.experiments,
                limits: with.limits,
            };
            web::serve(options, &raised, |running| {
                ready.send((running.address, running.resumed)).unwrap();
            })
            .unwrap();
        });
        let (address, resumed) = told.recv_timeout(PATIENCE).unwrap();
        Up { address, resumed, stop, thread: Some(thread) }
    }

    /// Asks the service to end and waits until it has.
    pub fn end(mut self) {
        self.stop.stop();
        self.thread.take().unwrap().join().unwrap();
    }

    pub fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        self.send("POST", path, &[("content-type", "application/json")], body.to_string().as_bytes())
    }

    pub fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        let mut request = format!("{method} {path} HTTP/1.1\r\nconnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "host") {
            request.push_str(&format!("host: {}\r\n", self.address));
        }
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        if !body.is_empty() || method == "POST" {
            request.push_str(&format!("content-length: {}\r\n", body.len()));
        }
        request.push_str("\r\n");
        let mut bytes = request.into_bytes();
        bytes.extend_from_slice(body);
        self.raw(&bytes).expect("an answer")
    }

    /// Sends bytes as they are; none where no answer can be read.
    pub fn raw(&self, bytes: &[u8]) -> Option<Answer> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // Whoever refuses early may not read everything.
        let _ = stream.write_all(bytes);
        Answer::read(&mut BufReader::new(stream))
    }

    /// Asks for a match; gives its name and the keys of the seats.
    pub fn play(&self, body: &Value) -> (String, Vec<String>) {
        let answer = self.post("/api/v1/matches", body);
        assert_eq!(answer.status, 201, "{}", answer.text());
        let told = answer.json();
        let keys =
            told["seats"].as_array().unwrap().iter().map(|seat| seat["key"].as_str().unwrap().to_string());
        (told["id"].as_str().unwrap().to_string(), keys.collect())
    }

    /// Follows a match until `enough`; gives the events as name and data.
    pub fn events(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        mut enough: impl FnMut(&str, &Value) -> bool,
    ) -> Vec<(String, Value)> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = format!("GET {path} HTTP/1.1\r\nhost: {}\r\n", self.address);
        headers.iter().for_each(|(name, value)| request.push_str(&format!("{name}: {value}\r\n")));
        stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
        let mut found = Vec::new();
        let mut name = String::new();
        for line in BufReader::new(stream).lines() {
            let Ok(line) = line else { break };
            if let Some(event) = line.strip_prefix("event: ") {
                name = event.to_string();
            } else if let Some(data) = line.strip_prefix("data: ") {
                let data: Value = serde_json::from_str(data).unwrap();
                let last = enough(&name, &data);
                found.push((name.clone(), data));
                if last {
                    break;
                }
            }
        }
        found
    }

    /// A place at a table.
    pub fn seat(&self, id: &str, key: &str) -> Seat {
        Seat::open(&format!("ws://{}/api/v1/matches/{id}/socket?key={key}", self.address)).expect("a socket")
    }
}

impl Drop for Up {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    pub headers: Vec<(String, String)>,
    pub body: Vec<u8>,
}

impl Answer {
    fn read(from: &mut impl BufRead) -> Option<Answer> {
        let mut line = String::new();
        from.read_line(&mut line).ok()?;
        let status = line.split(' ').nth(1)?.parse().ok()?;
        let mut headers = Vec::new();
        loop {
            let mut line = String::new();
            from.read_line(&mut line).ok()?;
            let Some((name, value)) = line.trim_end().split_once(':') else { break };
            headers.push((name.to_lowercase(), value.trim().to_string()));
        }
        let mut body = Vec::new();
        let _ = from.read_to_end(&mut body);
        let mut answer = Answer { status, headers, body };
        if answer.header("transfer-encoding") == Some("chunked") {
            answer.body = unchunked(&answer.body);
        }
        Some(answer)
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("JSON, not {}", self.text()))
    }

    /// The code of an error.
    pub fn code(&self) -> String {
        self.json()["error"]["code"].as_str().unwrap_or_default().to_string()
    }
}

fn unchunked(mut bytes: &[u8]) -> Vec<u8> {
    let mut body = Vec::new();
    while let Some(end) = bytes.windows(2).position(|two| two == b"\r\n") {
        let size =
            std::str::from_utf8(&bytes[..end]).ok().and_then(|text| usize::from_str_radix(text, 16).ok());
        let Some(size) = size.filter(|&size| size > 0 && end + 2 + size <= bytes.len()) else { break };
        body.extend_from_slice(&bytes[end + 2..end + 2 + size]);
        bytes = &bytes[(end + 4 + size).min(bytes.len())..];
    }
    body
}

type Socket = tokio_tungstenite::WebSocketStream<tokio_tungstenite::MaybeTlsStream<tokio::net::TcpStream>>;

/// A player's socket.
pub struct Seat {
    runtime: tokio::runtime::Runtime,
    socket: Socket,
}

impl Seat {
    /// Opens a socket; the status where it is refused.
    pub fn open(address: &str) -> Result<Seat, u16> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let opened = runtime.block_on(tokio_tungstenite::connect_async(address));
        match opened {
            Ok((socket, _)) => Ok(Seat { runtime, socket }),
            Err(tokio_tungstenite::tungstenite::Error::Http(answer)) => Err(answer.status().as_u16()),
            Err(error) => panic!("{error}"),
        }
    }

    pub fn say(&mut self, value: &Value) {
        self.say_text(&value.to_string());
    }

    pub fn say_text(&mut self, text: &str) {
        self.runtime.block_on(self.socket.send(Message::Text(text.to_string().into()))).unwrap();
    }

    /// The next message; none where the socket is closed.
    pub fn hear(&mut self) -> Option<Value> {
        let next = async {
            loop {
                match tokio::time::timeout(PATIENCE, self.socket.next()).await.expect("a message") {
                    Some(Ok(Message::Text(text))) => return Some(serde_json::from_str(&text).unwrap()),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return None,
                    Some(Ok(_)) => {}
                }
            }
        };
        self.runtime.block_on(next)
    }

    /// The next message of this kind.
    pub fn hear_of(&mut self, kind: &str) -> Value {
        loop {
            let message = self.hear().unwrap_or_else(|| panic!("closed before {kind}"));
            if message["type"] == kind {
                return message;
            }
        }
    }

    /// Waits until the role has to choose, or the match is over.
    pub fn turn(&mut self, role: &str) -> Option<Value> {
        loop {
            let message = self.hear()?;
            let step = &message["step"];
            if message["type"] == "end" {
                return None;
            }
            if message["type"] == "step" && step["turn"].as_array().unwrap().iter().any(|turn| turn == role) {
                return Some(step.clone());
            }
        }
    }

    pub fn make(&mut self, step: &Value, text: &str) {
        self.say(&json!({ "type": "move", "step": step["number"], "move": text }));
    }

    /// Plays the first legal move whenever there is a choice, to the end.
    pub fn play_out(&mut self, role: &str) {
        while let Some(step) = self.turn(role) {
            let text = step["legal"][role][0]["move"].as_str().unwrap().to_string();
            self.make(&step, &text);
        }
    }
}

/// A file that nobody else uses.
pub fn fresh_file(name: &str) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let folder = std::env::temp_dir().join(format!("tafl-web-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    folder.join(name)
}

/// A match of people and programs.
pub fn asked(game: &str, seats: &[(&str, &str)]) -> Value {
    let seats: Vec<Value> =
        seats.iter().map(|(role, player)| json!({ "role": role, "player": player })).collect();
    json!({ "game": game, "seats": seats, "start_clock": 0.2, "play_clock": 0.2, "casual": true })
}

impl Seat {
    /// Whether the socket is closed by the other end.
    pub fn hear_of_close(&mut self) -> bool {
        while self.hear().is_some() {}
        true
    }
}

impl Up {
    /// The status of the answer to a request, of which more may have been promised than is sent.
    pub fn status_of(&self, bytes: &[u8], whole: bool) -> Option<u16> {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let _ = stream.write_all(bytes);
        if !whole {
            let _ = stream.shutdown(std::net::Shutdown::Write);
        }
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).ok()?;
        line.split(' ').nth(1)?.parse().ok()
    }
}
