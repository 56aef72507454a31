//! Matches over the network: players that misbehave in every way, each behind a
//! real socket, and players of ours against each other.
//!
//! Whatever the one player does, the match ends, the other player's clock is
//! untouched, and the record says what happened.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use arena::{Ending, MatchRecord, PlayerServer, ServeOptions, Setup, Sitter};
use game::{AnyGame, Game, Seed};
use library::{Library, Loaded, from_bytes};
use rules::Strictness;

/// Both roles say yes or no, three times.
const RULES: &str = "
(role good) (role bad)
(init (step 0)) (init (said bad no))
(succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?r yes) (role ?r)) (<= (legal ?r no) (role ?r)) (<= (legal bad (perhaps 1)) (true (step ?n)))
(<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
(<= (next (said ?r ?m)) (does ?r ?m))
(<= terminal (true (step 3)))
(<= (goal ?r 50) (role ?r))";

struct Play<'a> {
    players: &'a [&'a str],
    setup: Setup,
}

impl Play<'_> {
    fn run(self, game: &AnyGame) -> MatchRecord {
        let mut players = self.players.iter();
        let sitters = game.roles().iter().map(|role| match role.is_chance() {
            true => Sitter::Nature,
            false => {
                let spec = players.next().unwrap();
                Sitter::Seat(spec.to_string(), cast::seat(game, spec).unwrap())
            }
        });
        let sitters = sitters.collect();
        arena::play(game, sitters, &self.setup, None)
    }
}

fn play(loaded: &Loaded, players: &[&str], setup: Setup) -> MatchRecord {
    let setup = Setup { rules: Some(Arc::clone(&loaded.source.text)), ..setup };
    Play { players, setup }.run(&loaded.play("auto").unwrap().game)
}

/// Reads a request; gives its body.
fn read(stream: &mut TcpStream) -> String {
    let mut text = String::new();
    let mut bytes = [0; 4096];
    loop {
        let count = stream.read(&mut bytes).unwrap_or(0);
        text.push_str(std::str::from_utf8(&bytes[..count]).unwrap());
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let length = head.split("Content-Length: ").nth(1).unwrap().lines().next().unwrap();
            if body.len() >= length.parse().unwrap() {
                return body.to_string();
            }
        }
        if count == 0 {
            return String::new();
        }
    }
}

fn reply(stream: &mut TcpStream, body: &str) {
    let head = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
    let _ = stream.write_all((head + body).as_bytes());
}

/// A player that is asked for its second move and does this.
type Trick = fn(&mut TcpStream);

/// Plays a match in which `bad` plays a trick in its second move, and gives the record.
fn tricked(trick: Trick) -> MatchRecord {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        let mut plays = 0;
        while let Ok((mut stream, _)) = listener.accept() {
            let body = read(&mut stream);
            if body.contains("PLAY") {
                plays += 1;
                if plays == 2 {
                    thread::spawn(move || trick(&mut stream));
                    continue;
                }
            }
            reply(&mut stream, if body.contains("START") { "ready" } else { "yes" });
        }
    });
    against(&place)
}

fn against(place: &str) -> MatchRecord {
    let source = from_bytes("answers".into(), "answers".into(), Some("kif"), RULES.as_bytes().to_vec());
    let loaded = Loaded::new(source, Strictness::Lenient);
    let setup = Setup {
        start_clock: Duration::from_secs(2),
        play_clock: Duration::from_millis(400),
        grace: Duration::from_millis(200),
        ..Setup::new("answers", Seed(5))
    };
    let began = Instant::now();
    let record = play(&loaded, &["legal", place], setup);
    assert!(began.elapsed() < Duration::from_secs(20), "the match ends");
    assert_eq!(record.ending, Ending::Terminal, "{:?}", record.faults);
    assert_eq!(record.moves.len(), 3);
    let thinking = &record.times.as_ref().unwrap().thinking_times;
    for (step, errors) in record.errors.iter().enumerate() {
        assert_eq!(errors[0], "", "the other player is not to blame");
        assert!(thinking[step][0] < 300, "the other player's clock is untouched: {thinking:?}");
    }
    record
}

/// The code of the second move and how it is told.
fn outcome(record: &MatchRecord) -> (String, String) {
    let told = record.faults.iter().find(|fault| fault.step == 2).map(|fault| fault.text.clone());
    assert_eq!((record.errors[1][1].as_str(), record.errors[3][1].as_str()), ("", ""), "{:?}", record.faults);
    (record.errors[2][1].clone(), told.unwrap_or_default())
}

#[test]
fn answers_that_never_come_are_late() {
    let silent: Trick = |stream| {
        let _ = stream.read(&mut [0; 1]);
    };
    let drip: Trick = |stream| {
        for byte in b"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\nyes" {
            if stream.write_all(&[*byte]).is_err() {
                return;
            }
            thread::sleep(Duration::from_secs(1));
        }
    };
    let promised: Trick = |stream| {
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 300\r\n\r\nyes");
        let _ = stream.read(&mut [0; 1]);
    };
    for trick in [silent, drip, promised] {
        assert_eq!(outcome(&tricked(trick)), ("TO".to_string(), "no answer in time".to_string()));
    }
}

#[test]
fn answers_that_break_off_or_flood_are_errors_of_the_connection() {
    let flood: Trick = |stream| {
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 104857600\r\n\r\n");
        let chunk = vec![b'x'; 1 << 20];
        for _ in 0..100 {
            if stream.write_all(&chunk).is_err() {
                return;
            }
        }
    };
    let endless: Trick = |stream| {
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n");
        let chunk = vec![b'('; 1 << 20];
        for _ in 0..100 {
            if stream.write_all(&chunk).is_err() {
                return;
            }
        }
    };
    for trick in [flood, endless] {
        let (code, told) = outcome(&tricked(trick));
        assert!(code == "CE" && told.ends_with("the message is longer than 1048576 bytes"), "{code} {told}");
    }
    let half: Trick = |stream| {
        let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 11\r\n\r\n(perhaps");
    };
    let nothing: Trick = |_| ();
    for trick in [half, nothing] {
        let (code, told) = outcome(&tricked(trick));
        assert!(code == "CE" && told.ends_with("closed in the middle of a message"), "{code} {told}");
    }
    let other: Trick = |stream| drop(stream.write_all(b"220 smtp.example ESMTP\r\n\r\n"));
    assert!(outcome(&tricked(other)).1.ends_with("the message is not HTTP"));
}

#[test]
fn answers_with_wrong_lengths_are_understood() {
    let tricks: [Trick; 7] = [
        |stream| drop(stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n(perhaps 1)")),
        |stream| drop(stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 300\r\n\r\n(perhaps 1)")),
        |stream| {
            let _ = stream.write_all(b"HTTP/1.0 200 OK\r\nContent-Length: 300\r\n\r\n(perhaps 1)");
            let _ = stream.read(&mut [0; 1]);
        },
        |stream| drop(stream.write_all(b"HTTP/1.0 200 OK\r\n\r\n(perhaps 1)")),
        |stream| {
            let _ = stream.write_all(b"HTTP/1.1 200 OK\n\n( PERHAPS\n1 )");
            let _ = stream.read(&mut [0; 1]);
        },
        // Counted in characters, as Java does it.
        |stream| {
            let body = "(perhaps é1) (EXPLANATION \"größer\")";
            let head = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n", body.chars().count());
            let _ = stream.write_all((head + body).as_bytes());
        },
        |stream| drop(stream.write_all(b"HTTP/1.0 100 Continue\r\n\r\nHTTP/1.0 200 OK\r\n\r\n(perhaps 1)")),
    ];
    for trick in tricks {
        let record = tricked(trick);
        assert_eq!(outcome(&record), (String::new(), String::new()));
        assert_eq!(record.moves[1][1], "(perhaps 1)");
    }
}

#[test]
fn answers_that_are_no_move_are_illegal() {
    let cases: [(Trick, &str, &str); 4] = [
        (|stream| reply(stream, "(maybe 1)"), "IL (maybe 1)", "`(maybe 1)` is not a legal move of bad"),
        (|stream| reply(stream, "busy"), "IL busy", "the player answered `busy` instead of a move"),
        (|stream| reply(stream, "yes)"), "IL yes)", "`yes)` is not a legal move of bad"),
        (|stream| reply(stream, ""), "IL", "the answer is empty"),
    ];
    for (trick, code, told) in cases {
        assert_eq!(outcome(&tricked(trick)), (code.to_string(), told.to_string()));
    }
}

#[test]
fn a_player_that_is_not_there_loses_all_its_moves_and_no_more() {
    let free = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let record = against(&format!("http://{free}"));
    assert!(record.errors.iter().all(|errors| errors[1] == "CE"), "{:?}", record.errors);
    assert!(record.faults[0].text.ends_with("the connection was refused"), "{:?}", record.faults);
}

#[test]
fn a_player_that_crashes_comes_back() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let player = thread::spawn(move || {
        let serve = |listener: &TcpListener, count: usize| {
            for _ in 0..count {
                let (mut stream, _) = listener.accept().unwrap();
                let body = read(&mut stream);
                reply(&mut stream, if body.contains("START") { "ready" } else { "yes" });
            }
        };
        serve(&listener, 2);
        // Dies in the middle of its second move, and is back for the third.
        let (stream, _) = listener.accept().unwrap();
        drop(listener);
        let again = TcpListener::bind(address).unwrap();
        drop(stream);
        serve(&again, 2);
    });
    let record = against(&format!("http://{address}"));
    assert_eq!(outcome(&record).0, "CE");
    player.join().unwrap();
}

fn random_player(seed: u64) -> (PlayerServer, String) {
    let options = ServeOptions { seed: Seed(seed), ..ServeOptions::default() };
    let server = PlayerServer::start("127.0.0.1:0", cast::host("random", "auto").unwrap(), options).unwrap();
    let place = format!("http://{}", server.address());
    (server, place)
}

fn named(game: &str) -> Loaded {
    Loaded::new(Library::embedded().find(game).unwrap(), Strictness::Lenient)
}

#[test]
fn a_turn_over_the_network_costs_at_most_two_milliseconds() {
    let loaded = named("connect_four");
    let ((_one, first), (_two, second)) = (random_player(1), random_player(2));
    let turn = |seed: u64| {
        let record = play(&loaded, &[&first, &second], Setup::new("connect_four", Seed(seed)));
        assert!(record.faults.is_empty(), "{:?}", record.faults);
        let times = record.times.unwrap().state_times;
        (times[times.len() - 1] - times[0]) as f64 / (times.len() - 1) as f64
    };
    // The machine may be busy with something else; it is not all the time.
    let mut best = f64::MAX;
    for seed in 0..60 {
        best = turn(seed).min(best);
        if best <= 2.0 {
            break;
        }
    }
    assert!(best <= 2.0, "{best} ms a turn");
}

#[test]
fn every_dialect_plays_every_kind_of_game() {
    for game in ["tic_tac_toe", "prisoners_dilemma", "kuhn_poker"] {
        let loaded = named(game);
        for dialect in ["ggp", "stanford", "gdl2", "gdl2-2011"] {
            let ((_one, first), (_two, second)) = (random_player(1), random_player(2));
            let spec = |place: &str| format!("remote({place},dialect={dialect},scramble=yes)");
            let players = [spec(&first), spec(&second)];
            let setup = Setup { preview_clock: Some(Duration::from_secs(1)), ..Setup::new(game, Seed(3)) };
            let record = play(&loaded, &[&players[0], &players[1]], setup);
            assert!(record.faults.is_empty(), "{game} {dialect}: {:?}", record.faults);
            assert_eq!(record.ending, Ending::Terminal);
        }
    }
}

/// What the server says to a message, as plain bytes.
fn say(server: &PlayerServer, body: &str) -> String {
    let mut stream = TcpStream::connect(server.address()).unwrap();
    let head = format!("POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n", body.len());
    stream.write_all((head + body).as_bytes()).unwrap();
    let mut reply = String::new();
    stream.read_to_string(&mut reply).unwrap();
    reply.split_once("\r\n\r\n").unwrap().1.to_string()
}

#[test]
fn rules_that_run_away_cost_a_bounded_time() {
    let (server, _) = random_player(1);
    let facts: String = (0..400).map(|n| format!("(thing t{n}) ")).collect();
    let rules = format!(
        "(role a) {facts} (<= (legal a (take ?w ?x ?y ?z)) (thing ?w) (thing ?x) (thing ?y) (thing ?z))\
         (<= (next (has ?m)) (does a ?m)) (<= terminal (true (has ?m))) (goal a 100)"
    );
    let began = Instant::now();
    let said = say(&server, &format!("(START big a ({rules}) 2 1)"));
    assert!(began.elapsed() < Duration::from_secs(8), "{said} after {:?}", began.elapsed());
    assert!(say(&server, "(INFO)").contains("status"));
    assert!(["ready", "busy"].contains(&said.as_str()));
    say(&server, "(ABORT big)");
    assert_eq!(say(&server, "(START small a ((role a) (legal a x) terminal (goal a 1)) 2 1)"), "ready");
    assert_eq!(say(&server, "(START none a ((role b)) 2 1)"), "busy");
}
