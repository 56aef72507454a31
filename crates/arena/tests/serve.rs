//! A player that listens: busy while it thinks, patient with bad callers, and
//! gone when it is told to go.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use arena::{Guest, Host, Invitation, PlayerServer, ServeOptions};
use game::{Deadline, Fault, Goal, MatchContext, RoleId, Seat, Turn};

/// Thinks until its time is over, and tells when it begins and ends.
struct Thinker {
    events: Sender<&'static str>,
}

impl Seat for Thinker {
    fn start(&mut self, context: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        match context.match_id.as_str() {
            "panic" => panic!("no idea"),
            _ => Ok(()),
        }
    }

    fn play(&mut self, _: Option<&Turn>, deadline: &Deadline) -> Result<String, Fault> {
        self.events.send("thinks").unwrap();
        while !deadline.is_over() {
            thread::sleep(Duration::from_millis(1));
        }
        let _ = self.events.send("thought");
        Ok("noop".to_string())
    }

    fn stop(&mut self, _: Option<&Turn>, _: Option<&[Option<Goal>]>) {
        let _ = self.events.send("stopped");
    }
}

fn thinker(options: ServeOptions) -> (PlayerServer, std::sync::mpsc::Receiver<&'static str>) {
    let (events, told) = channel();
    let events = Mutex::new(events);
    let host: Host = Arc::new(move |_: &Invitation, _: &Deadline| {
        let seat = Box::new(Thinker { events: events.lock().unwrap().clone() });
        Ok(Guest { seat, standby: None, roles: vec!["a".to_string()], role: RoleId(0), hides: false })
    });
    (PlayerServer::start("127.0.0.1:0", host, options).unwrap(), told)
}

fn exchange(server: &PlayerServer, bytes: &[u8]) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    // A caller that is turned away sees an error here.
    let _ = stream.write_all(bytes);
    let _ = stream.shutdown(Shutdown::Write);
    let mut reply = Vec::new();
    let _ = stream.read_to_end(&mut reply);
    String::from_utf8(reply).unwrap()
}

fn say(server: &PlayerServer, body: &str) -> String {
    let request = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{body}", body.len());
    let reply = exchange(server, request.as_bytes());
    reply.split_once("\r\n\r\n").map_or(reply.clone(), |(_, body)| body.to_string())
}

const SECOND: Duration = Duration::from_secs(1);

#[test]
fn it_answers_while_it_thinks_and_stops_when_told() {
    for (end, said) in [("(STOP m NIL)", "done"), ("(ABORT m)", "aborted")] {
        let (server, told) = thinker(ServeOptions::default());
        assert_eq!(say(&server, "(START m a ((role a)) 10 100)"), "ready");
        thread::scope(|scope| {
            let play = scope.spawn(|| say(&server, "(PLAY m NIL)"));
            assert_eq!(told.recv_timeout(5 * SECOND), Ok("thinks"));
            let begun = Instant::now();
            assert!(say(&server, "(INFO)").contains("( status busy )"));
            assert_eq!(say(&server, "(PLAY m NIL)"), "busy", "one answer at a time");
            assert_eq!(say(&server, "(START other a ((role a)) 10 100)"), "busy");
            assert_eq!(say(&server, end), said);
            assert_eq!(told.recv_timeout(5 * SECOND), Ok("thought"));
            assert_eq!(told.recv_timeout(5 * SECOND), Ok("stopped"));
            play.join().unwrap();
            assert!(begun.elapsed() < 20 * SECOND, "it does not wait for the clock");
        });
        assert!(say(&server, "(INFO)").contains("( status available )"));
    }
}

#[test]
fn it_catches_up_when_its_manager_has_gone_on() {
    let (server, told) = thinker(ServeOptions::default());
    assert_eq!(say(&server, "(START m a ((role a)) 10 100)"), "ready");
    thread::scope(|scope| {
        let late = scope.spawn(|| say(&server, "(PLAY m NIL)"));
        assert_eq!(told.recv_timeout(5 * SECOND), Ok("thinks"));
        let next = scope.spawn(|| say(&server, "(PLAY m (noop))"));
        assert_eq!(told.recv_timeout(5 * SECOND), Ok("thought"), "it gives the late move up");
        assert_eq!(late.join().unwrap(), "noop");
        assert_eq!(told.recv_timeout(5 * SECOND), Ok("thinks"), "and thinks about the next");
        assert_eq!(say(&server, "(STOP m (noop))"), "done");
        next.join().unwrap();
    });
}

/// Never answers before its match is over, and keeps what it is told.
struct Sleeper {
    turns: Sender<String>,
    awake: Arc<AtomicUsize>,
}

impl Seat for Sleeper {
    fn start(&mut self, _: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        Ok(())
    }

    fn play(&mut self, last: Option<&Turn>, _: &Deadline) -> Result<String, Fault> {
        let _ = self.turns.send(last.map_or("nothing".to_string(), |turn| turn.own.clone()));
        while self.awake.load(Ordering::SeqCst) == 0 {
            thread::sleep(Duration::from_millis(1));
        }
        Ok("own".to_string())
    }

    fn catch_up(&mut self, turns: &[Turn]) -> Result<(), Fault> {
        turns.iter().for_each(|turn| drop(self.turns.send(format!("caught up with {}", turn.own))));
        Ok(())
    }

    fn stop(&mut self, _: Option<&Turn>, _: Option<&[Option<Goal>]>) {}
}

/// Answers at once.
struct Quick;

impl Seat for Quick {
    fn start(&mut self, _: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        Ok(())
    }

    fn play(&mut self, _: Option<&Turn>, _: &Deadline) -> Result<String, Fault> {
        Ok("standby".to_string())
    }

    fn stop(&mut self, _: Option<&Turn>, _: Option<&[Option<Goal>]>) {}
}

#[test]
fn a_player_that_is_late_is_answered_for_and_misses_no_step() {
    let (turns, told) = channel();
    let (turns, awake) = (Mutex::new(turns), Arc::new(AtomicUsize::new(0)));
    let asleep = Arc::clone(&awake);
    let host: Host = Arc::new(move |_: &Invitation, _: &Deadline| {
        let seat = Box::new(Sleeper { turns: turns.lock().unwrap().clone(), awake: Arc::clone(&asleep) });
        let roles = vec!["a".to_string()];
        Ok(Guest { seat, standby: Some(Box::new(Quick)), roles, role: RoleId(0), hides: false })
    });
    let server = PlayerServer::start("127.0.0.1:0", host, ServeOptions::default()).unwrap();
    assert_eq!(say(&server, "(START m a ((role a)) 1 1)"), "ready");
    for step in 0..3 {
        let news = if step == 0 { "NIL".to_string() } else { format!("(move{step})") };
        let begun = Instant::now();
        assert_eq!(say(&server, &format!("(PLAY m {news})")), "standby");
        assert!(begun.elapsed() < Duration::from_millis(990), "{:?}", begun.elapsed());
    }
    awake.store(1, Ordering::SeqCst);
    assert_eq!(say(&server, "(PLAY m (move3))"), "own", "it is back");
    let all: Vec<String> = told.try_iter().collect();
    assert_eq!(all, ["nothing", "move1", "move2", "move3"]);
}

#[test]
fn steps_that_are_made_before_the_rules_are_read_are_kept() {
    let (turns, told) = channel();
    let turns = Mutex::new(turns);
    let host: Host = Arc::new(move |_: &Invitation, _: &Deadline| {
        thread::sleep(Duration::from_millis(2000));
        let awake = Arc::new(AtomicUsize::new(1));
        let seat = Box::new(Sleeper { turns: turns.lock().unwrap().clone(), awake });
        Ok(Guest { seat, standby: None, roles: vec!["a".to_string()], role: RoleId(0), hides: false })
    });
    let server = PlayerServer::start("127.0.0.1:0", host, ServeOptions::default()).unwrap();
    assert_eq!(say(&server, "(START m a ((role a)) 1 1)"), "ready");
    assert_eq!(say(&server, "(PLAY m (move1))"), "nil", "there is no game yet");
    assert_eq!(say(&server, "(PLAY m (move2))"), "own");
    let all: Vec<String> = told.try_iter().collect();
    assert_eq!(all, ["caught up with move1", "move2"]);
}

#[test]
fn its_moves_come_before_the_clock() {
    let options = ServeOptions { margin: Duration::from_millis(250), ..ServeOptions::default() };
    let (server, _told) = thinker(options);
    assert_eq!(say(&server, "(START m a ((role a)) 1 1)"), "ready");
    let begun = Instant::now();
    assert_eq!(say(&server, "(PLAY m NIL)"), "noop");
    assert!(begun.elapsed() >= Duration::from_millis(740), "{:?}", begun.elapsed());
}

#[test]
fn a_match_that_begins_again_takes_the_place_of_itself() {
    let (server, told) = thinker(ServeOptions::default());
    assert_eq!(say(&server, "(START m a ((role a)) 1 100)"), "ready");
    assert_eq!(say(&server, "(START m a ((role a)) 1 100)"), "ready");
    assert_eq!(told.recv_timeout(5 * SECOND), Ok("stopped"));
    assert_eq!(server.matches_begun(), 2);
}

#[test]
fn several_matches_at_a_time_are_possible() {
    let (server, _told) = thinker(ServeOptions { matches: 2, ..ServeOptions::default() });
    for (id, said) in [("one", "ready"), ("two", "ready"), ("three", "busy")] {
        assert_eq!(say(&server, &format!("(START {id} a ((role a)) 10 10)")), said);
    }
}

#[test]
fn bad_callers_do_no_harm() {
    let options = ServeOptions {
        max_request: 100_000,
        request_time: Duration::from_millis(500),
        max_connections: 8,
        ..ServeOptions::default()
    };
    let (server, _told) = thinker(options);
    assert_eq!(say(&server, "(START panic a ((role a)) 10 10)"), "busy");
    assert_eq!(say(&server, &"(".repeat(90_000)), "");
    assert_eq!(say(&server, &format!("{}{}", "(".repeat(40_000), ")".repeat(40_000))), "nil");
    assert_eq!(say(&server, &format!("(START m a ({}) 10 10)", "x ".repeat(100_000))), "nil");
    assert_eq!(say(&server, "(START m a ((role a)) many 10)"), "nil");
    assert_eq!(say(&server, "(PLAY)"), "nil");
    assert_eq!(say(&server, "\u{0}\u{1}\u{fffd}"), "nil");
    assert_eq!(say(&server, "(START m a ((role a)) 99999999999999999999 1)"), "ready");
    assert_eq!(say(&server, "(ABORT m)"), "aborted");
    let huge = b"POST / HTTP/1.0\r\nContent-Length: 99999999999\r\n\r\n(".as_slice();
    assert!(exchange(&server, huge).starts_with("HTTP/1.0 413"));
    assert_eq!(
        exchange(&server, &vec![b'a'; 1 << 20]).split("\r\n").next(),
        Some("HTTP/1.0 400 Bad Request")
    );
    assert_eq!(exchange(&server, b""), "");
    // Callers that say nothing hold their connections only for a while.
    let silent: Vec<TcpStream> = (0..8).map(|_| TcpStream::connect(server.address()).unwrap()).collect();
    let begun = Instant::now();
    while !say(&server, "(INFO)").contains("available") {
        assert!(begun.elapsed() < 10 * SECOND, "silent callers are turned away");
        thread::sleep(Duration::from_millis(20));
    }
    drop(silent);
}

#[test]
fn its_port_is_free_when_it_is_gone() {
    let (server, told) = thinker(ServeOptions::default());
    let address = server.address();
    assert!(TcpListener::bind(address).is_err());
    assert_eq!(say(&server, "(START m a ((role a)) 10 100)"), "ready");
    server.stop();
    assert_eq!(told.recv_timeout(5 * SECOND), Ok("stopped"));
    drop(TcpListener::bind(address).unwrap());
    let (again, _told) = {
        let count = Arc::new(AtomicUsize::new(0));
        count.fetch_add(1, Ordering::SeqCst);
        thinker(ServeOptions::default())
    };
    assert!(say(&again, "(INFO)").contains("available"));
    assert!(again.address().ip().is_loopback());
}
