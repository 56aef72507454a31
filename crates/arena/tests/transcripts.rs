//! What goes over the wire, byte for byte, in both directions.
//!
//! The files in `transcripts/` show each exchange: lines after `>` are what the
//! manager sends, lines after `<` what the player answers, and `\r` at the end
//! of a line is the carriage return before its end. `UPDATE_EXPECT=1` writes
//! them anew. The other end is played by plain sockets and bytes.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use arena::wire::Dialect;
use arena::{Address, Guest, Host, HostError, Invitation, PlayerServer, Remote, ServeOptions};
use game::{Deadline, Fault, Goal, MatchContext, RoleId, Seat, Seed, Turn};

fn lines(mark: char, text: &str) -> String {
    let show = |line: &str| format!("{mark} {}\n", line.trim_end_matches('\n').replace('\r', "\\r"));
    text.split_inclusive('\n').map(show).collect()
}

fn compare(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(name);
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(&path, found).unwrap();
    }
    assert_eq!(fs::read_to_string(&path).unwrap(), found, "{name}: UPDATE_EXPECT=1 writes it anew");
}

/// Sends bytes and reads until the other side closes.
fn raw(server: &PlayerServer, bytes: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    stream.write_all(bytes.as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply
}

/// Says the moves of a script, and what it was told last.
struct Scripted {
    moves: Vec<&'static str>,
}

impl Seat for Scripted {
    fn start(&mut self, _: &MatchContext, _: &Deadline) -> Result<(), Fault> {
        Ok(())
    }

    fn play(&mut self, last: Option<&Turn>, _: &Deadline) -> Result<String, Fault> {
        if let Some(turn) = last {
            assert!(!turn.own.is_empty());
        }
        Ok(self.moves.remove(0).to_string())
    }

    fn stop(&mut self, _: Option<&Turn>, _: Option<&[Option<Goal>]>) {}
}

#[test]
fn our_player_answers_as_managers_expect() {
    let host: Host = Arc::new(|invitation: &Invitation, _: &Deadline| {
        let hides = invitation.rules.contains("sees");
        let roles = vec!["white".to_string(), "black".to_string()];
        let at = roles.iter().position(|role| role.eq_ignore_ascii_case(&invitation.role));
        let role = RoleId(at.ok_or_else(|| HostError::new("no such role"))? as u32);
        let moves = vec!["(mark 2 1)", "noop", "(mark 1 1)"];
        Ok(Guest { seat: Box::new(Scripted { moves }), standby: None, roles, role, hides })
    });
    let options = ServeOptions { name: "Random".to_string(), ..ServeOptions::default() };
    let server = PlayerServer::start("127.0.0.1:0", host, options).unwrap();
    let post = |body: &str| {
        format!(
            "POST / HTTP/1.0\r\nAccept: text/delim\r\nHost: localhost\r\nSender: GAMESERVER\r\n\
             Receiver: PLAYER1\r\nContent-Type: text/acl\r\nContent-Length: {}\r\n\r\n{body}",
            body.chars().count()
        )
    };
    let exchanges = [
        ("who are you", post("( INFO )")),
        ("the same in the path", "GET /%28INFO%29 HTTP/1.1\r\nHost: localhost\r\n\r\n".to_string()),
        ("a browser asks whether it may ask", "OPTIONS / HTTP/1.1\r\nOrigin: http://a.b\r\n\r\n".to_string()),
        ("Stanford's question", post("(ping)")),
        ("a preview", post("( PREVIEW (( role white ) ( role black ) ) 3 )")),
        ("a match", post("( START test.match.1 white (( role white ) ( role black ) ) 10 5)")),
        ("busy now", post("( INFO )")),
        ("busy for Stanford", post("(ping)")),
        ("no other match", post("( START test.match.2 white (( role white ) ( role black ) ) 10 5)")),
        ("the first move", post("( PLAY test.match.1 NIL )")),
        ("another match's id", post("( PLAY test.match.2 NIL )")),
        ("the second move", post("( PLAY test.match.1 (( mark 2 1 ) noop ) )")),
        ("the wrong number of moves", post("( PLAY test.match.1 (noop ) )")),
        ("the end of another match", post("( STOP test.match.2 (noop ( mark 3 3 ) ) )")),
        ("the end", post("( STOP test.match.1 (noop ( mark 3 3 ) ) )")),
        ("it is over", post("( PLAY test.match.1 NIL )")),
        ("a match with a role that is not there", post("(START m GREEN ((role white)) 10 5)")),
        ("a match with hidden information", post("(START h WHITE ((role white) (sees white a)) 10 5)")),
        ("its first move", post("(PLAY h 0 NIL NIL)")),
        ("its second", post("(PLAY h 1 (MARK 2 1) ((seen 1) nothing))")),
        ("it is broken off", post("(ABORT h)")),
        ("the first form of it", post("(start h2 white ((role white) (sees white a)) 10 5)")),
        ("begins", post("(play h2 nil)")),
        ("and goes on", post("(play h2 ((seen 1)))")),
        ("a name that is not ASCII, counted in characters", post("(ABORT größe)")),
        ("abort", post("( ABORT h2 )")),
        ("nonsense", post("( FROB )")),
        ("half a message", post("( PLAY h2").replace("Content-Length: 9", "Content-Length: 5") + " NIL ) )"),
        ("no length", "POST / HTTP/1.0\r\n\r\n( INFO )".to_string()),
        ("another method", "DELETE / HTTP/1.0\r\n\r\n".to_string()),
        ("not HTTP", "hello\r\n\r\n".to_string()),
    ];
    let mut found = String::new();
    for (title, request) in exchanges {
        let reply = raw(&server, &request);
        found.push_str(&format!("# {title}\n{}{}\n", lines('>', &request), lines('<', &reply)));
    }
    compare("player.txt", &found);
}

/// A player that reads a request, says the next of its answers, and tells what it read.
fn canned(answers: Vec<&'static str>) -> (u16, Receiver<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (heard, told) = channel();
    thread::spawn(move || {
        for answer in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut text = String::new();
            let mut bytes = [0; 4096];
            loop {
                let count = stream.read(&mut bytes).unwrap();
                text.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
                let length = text.split("Content-Length: ").nth(1).and_then(|rest| rest.split('\r').next());
                let body = text.split_once("\r\n\r\n").map(|(_, body)| body.len());
                if count == 0 || body.is_some_and(|body| Some(body) == length.and_then(|l| l.parse().ok())) {
                    break;
                }
            }
            let length = answer.len();
            let reply =
                format!("HTTP/1.0 200 OK\r\nContent-type: text/acl\r\nContent-length: {length}\r\n\r\n");
            stream.write_all((reply + answer).as_bytes()).unwrap();
            heard.send(text.replace(&port.to_string(), "9147")).unwrap();
        }
    });
    (port, told)
}

const OPEN: &str = "; a comment\n(role white) (role black)\n(init (cell 1 b))\n\
                    (<= (legal ?r (mark ?x)) (role ?r) (true (cell ?x b)))";
const HIDDEN: &str = "(role white) (role random) (init größe) (<= (sees white ?m) (does random ?m))";

fn turn(own: &str, percepts: &[&str], joint: Option<[&str; 2]>) -> Turn {
    let texts = |list: &[&str]| list.iter().map(|text| text.to_string()).collect();
    Turn { own: own.to_string(), percepts: texts(percepts), joint: joint.map(|joint| texts(&joint)) }
}

/// A whole match as the player hears it.
fn heard(dialect: Dialect, scrambled: bool, hides: bool) -> String {
    let (port, told) = canned(vec!["ready", "READY", "( MARK 1 )", "(noop)", "done", "aborted"]);
    let mut address = Address::parse(&format!("http://127.0.0.1:{port}")).unwrap();
    (address.dialect, address.scrambled) = (dialect, scrambled);
    let roles = ["white", if hides { "random" } else { "black" }].map(game::Role::named);
    let mut remote = Remote::new(address, &roles, hides);
    let rules = if hides { HIDDEN } else { OPEN };
    let context = MatchContext {
        match_id: "test.match.1".to_string(),
        role: RoleId(0),
        rules: Some(Arc::from(rules)),
        start_clock: Duration::from_secs(10),
        play_clock: Duration::from_secs(5),
        seed: Seed(1),
    };
    let deadline = || Deadline::after(Duration::from_secs(5));
    let (first, second) = match hides {
        true => (turn("(mark 1)", &["größe"], None), turn("noop", &[], None)),
        false => (
            turn("(mark 1)", &["(does white (mark 1))"], Some(["(mark 1)", "noop"])),
            turn("noop", &[], Some(["noop", "(mark 1)"])),
        ),
    };
    let mut found = String::new();
    let mut next = || found.push_str(&lines('>', &told.recv_timeout(Duration::from_secs(5)).unwrap()));
    remote.preview(&context, &deadline()).unwrap();
    next();
    remote.start(&context, &deadline()).unwrap();
    next();
    let expected = if scrambled { "(MARK 1)" } else { "(mark 1)" };
    let said = remote.play(None, &deadline()).unwrap();
    assert!(said == expected || said == "(mark 1)" || hides, "{said}");
    next();
    assert_eq!(remote.play(Some(&first), &deadline()).unwrap(), "noop");
    next();
    remote.stop(Some(&second), Some(&[Some(100), Some(0)]));
    next();
    remote.stop(None, None);
    next();
    found
}

#[test]
fn our_referee_speaks_as_players_expect() {
    let matches = [
        ("ggp-base", Dialect::Ggp, false, false),
        ("Stanford", Dialect::Stanford, false, false),
        ("GDL-II, where the rules hide something", Dialect::Gdl2, false, true),
        ("GDL-II, first form", Dialect::Gdl2Old, false, true),
        ("ggp-base, where the rules hide something", Dialect::Ggp, false, true),
        ("GDL-II, where the rules hide nothing", Dialect::Gdl2, false, false),
        ("ggp-base, scrambled", Dialect::Ggp, true, false),
    ];
    let mut found = String::new();
    for (title, dialect, scrambled, hides) in matches {
        found.push_str(&format!("# {title}\n{}\n", heard(dialect, scrambled, hides)));
    }
    assert!(found.is_ascii());
    compare("manager.txt", &found);
}

#[test]
fn presence_is_asked_for() {
    let (port, told) = canned(vec!["( ( name Random ) ( status available ) )"]);
    let presence = Address::parse(&format!("http://127.0.0.1:{port}")).unwrap().info().unwrap();
    assert_eq!((presence.name.as_deref(), presence.is_free()), (Some("Random"), true));
    assert!(told.recv().unwrap().ends_with("\r\n\r\n( INFO )"));
}
