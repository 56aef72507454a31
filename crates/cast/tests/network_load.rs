//! Many matches at once between remote players that move at random.
//!
//! A short run is part of the tests; `cargo xtask soak network` runs 64 matches
//! with 128 players for five minutes. No deadline may be missed, and memory
//! must stay as it is.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arena::{PlayerServer, ServeOptions, Setup, Sitter};
use game::{AnyGame, Seed};
use library::{Library, Loaded};
use rules::Strictness;

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Resident memory in megabytes, where the system tells.
fn memory() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmRSS:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<f64>().ok()? / 1024.0)
}

#[derive(Default)]
struct Tally {
    matches: AtomicU64,
    turns: AtomicU64,
    faults: AtomicU64,
    slowest: AtomicU64,
}

struct Load<'a> {
    rules: Arc<str>,
    tables: u64,
    time: Duration,
    tally: &'a Tally,
}

impl Load<'_> {
    fn run(self, game: &AnyGame) -> (Option<f64>, Option<f64>) {
        let until = Instant::now() + self.time;
        let host = cast::host("random", "auto").unwrap();
        let player = |seed: u64| {
            let options = ServeOptions { seed: Seed(seed), ..ServeOptions::default() };
            PlayerServer::start("127.0.0.1:0", host.clone(), options).unwrap()
        };
        let work = |table: u64| {
            let servers = [player(2 * table), player(2 * table + 1)];
            let places = servers.each_ref().map(|server| format!("http://{}", server.address()));
            for number in 0.. {
                if Instant::now() >= until {
                    break;
                }
                let sitters = places
                    .each_ref()
                    .map(|place| Sitter::Seat(place.clone(), cast::seat(game, place).unwrap()));
                let setup = Setup {
                    rules: Some(Arc::clone(&self.rules)),
                    play_clock: Duration::from_secs(1),
                    ..Setup::new("load", Seed(table).derive(number))
                };
                let record = arena::play(game, sitters.into(), &setup, None);
                for fault in &record.faults {
                    eprintln!("table {table}, match {number}: {fault:?}");
                }
                let times = record.times.unwrap().thinking_times;
                let slowest = times.iter().skip(1).flatten().copied().max().unwrap_or(0);
                self.tally.matches.fetch_add(1, Ordering::Relaxed);
                self.tally.turns.fetch_add(record.moves.len() as u64, Ordering::Relaxed);
                self.tally.faults.fetch_add(record.faults.len() as u64, Ordering::Relaxed);
                self.tally.slowest.fetch_max(slowest, Ordering::Relaxed);
            }
        };
        std::thread::scope(|scope| {
            for table in 0..self.tables {
                let work = &work;
                scope.spawn(move || work(table));
            }
            std::thread::sleep(self.time / 3);
            let early = memory();
            std::thread::sleep(self.time.mul_f64(0.6));
            (early, memory())
        })
    }
}

#[test]
fn many_remote_players_meet_their_deadlines_in_constant_memory() {
    let (tables, seconds) = (number("TAFL_LOAD_TABLES", 8), number("TAFL_LOAD_SECONDS", 3));
    let loaded = Loaded::new(Library::embedded().find("connect_four").unwrap(), Strictness::Lenient);
    let tally = Tally::default();
    let load = Load {
        rules: Arc::clone(&loaded.source.text),
        tables,
        time: Duration::from_secs(seconds),
        tally: &tally,
    };
    let (early, late) = load.run(&loaded.play("auto").unwrap().game);
    let count = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
    let shown = |memory: Option<f64>| memory.map_or("?".to_string(), |memory| format!("{memory:.0}"));
    eprintln!(
        "load,{tables},{seconds},{},{},{},{},{},{}",
        count(&tally.matches),
        count(&tally.turns),
        count(&tally.faults),
        count(&tally.slowest),
        shown(early),
        shown(late)
    );
    assert!(count(&tally.matches) >= tables);
    assert_eq!(count(&tally.faults), 0, "a deadline was missed");
    if let (Some(early), Some(late)) = (early, late) {
        assert!(late < early * 1.25 + 32.0, "memory grows: {early} MB, then {late} MB");
    }
}
