//! Many people at once. A short run is part of the tests; `cargo xtask soak web`
//! has 500 spectators at one match and 100 people at 100 matches.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio_tungstenite::tungstenite::Message;

use crate::client::{Up, asked};

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Resident memory in megabytes, where the system tells.
fn memory() -> f64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) / 1024.0
}

/// The value below which so many of a hundred lie.
fn quantile(values: &mut [u64], part: usize) -> u64 {
    values.sort_unstable();
    values.get((values.len() * part / 100).min(values.len().saturating_sub(1))).copied().unwrap_or(0)
}

/// Follows a match by its events; gives the numbers of the steps and when each came.
async fn watch(address: std::net::SocketAddr, id: String) -> Vec<(u64, Instant)> {
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    let request = format!("GET /api/v1/matches/{id}/events HTTP/1.1\r\nhost: {address}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut lines = BufReader::new(stream).lines();
    let (mut name, mut steps) = (String::new(), Vec::new());
    while let Ok(Some(line)) = lines.next_line().await {
        if let Some(event) = line.strip_prefix("event: ") {
            name = event.to_string();
        } else if let (Some(number), "step") = (line.strip_prefix("id: "), name.as_str()) {
            steps.push((number.parse().unwrap(), Instant::now()));
        }
        if name == "end" && line.starts_with("data: ") {
            break;
        }
    }
    steps
}

/// Plays one role by its socket, always the first move; gives how long each answer to a move took.
async fn play(
    address: std::net::SocketAddr,
    id: String,
    key: String,
    role: &str,
    pause: Duration,
) -> Vec<u64> {
    let place = format!("ws://{address}/api/v1/matches/{id}/socket?key={key}");
    let (mut socket, _) = tokio_tungstenite::connect_async(place).await.unwrap();
    let (mut waits, mut asked) = (Vec::new(), None::<Instant>);
    while let Some(Ok(message)) = socket.next().await {
        let Message::Text(text) = message else { continue };
        let message: Value = serde_json::from_str(&text).unwrap();
        match message["type"].as_str().unwrap() {
            "step" => {
                waits.extend(asked.take().map(|asked| asked.elapsed().as_micros() as u64));
                let step = &message["step"];
                if step["turn"].as_array().unwrap().iter().any(|turn| turn == role) {
                    tokio::time::sleep(pause).await;
                    let answer = json!({ "type": "move", "step": step["number"], "move": step["legal"][role][0]["move"] });
                    asked = Some(Instant::now());
                    socket.send(Message::Text(answer.to_string().into())).await.unwrap();
                }
            }
            "end" => break,
            "error" => panic!("{message}"),
            _ => {}
        }
    }
    waits
}

#[test]
fn many_spectators_miss_nothing_and_many_people_play_at_once() {
    let (spectators, tables) = (number("TAFL_SPECTATORS", 40), number("TAFL_TABLES", 8));
    let pause = Duration::from_millis(number("TAFL_PAUSE_MS", 5));
    let up = Up::new();
    let begun = Instant::now();
    let address = up.address;
    let (watched, keys) = up.play(&asked("connect_four", &[("red", "human"), ("yellow", "human")]));
    let matches: Vec<(String, Vec<String>)> = (0..tables)
        .map(|_| up.play(&asked("connect_four", &[("red", "human"), ("yellow", "random")])))
        .collect();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    let waits = Arc::new(Mutex::new(Vec::new()));
    let ended = Arc::new(AtomicU64::new(0));
    let seen = runtime.block_on(async {
        let watchers: Vec<_> =
            (0..spectators).map(|_| tokio::spawn(watch(address, watched.clone()))).collect();
        tokio::time::sleep(Duration::from_millis(500 + spectators * 4)).await;
        let people: Vec<_> = matches
            .iter()
            .map(|(id, keys)| {
                let (waits, ended) = (Arc::clone(&waits), Arc::clone(&ended));
                let (id, key) = (id.clone(), keys[0].clone());
                tokio::spawn(async move {
                    let took = play(address, id, key, "red", pause).await;
                    waits.lock().unwrap().extend(took);
                    ended.fetch_add(1, Ordering::Relaxed);
                })
            })
            .collect();
        let red = tokio::spawn(play(address, watched.clone(), keys[0].clone(), "red", pause));
        let yellow = tokio::spawn(play(address, watched.clone(), keys[1].clone(), "yellow", pause));
        red.await.unwrap();
        yellow.await.unwrap();
        let mut seen = Vec::new();
        for watcher in watchers {
            seen.push(watcher.await.unwrap());
        }
        for person in people {
            person.await.unwrap();
        }
        seen
    });
    let steps = up.get(&format!("/api/v1/matches/{watched}")).json()["steps"].as_u64().unwrap();
    assert_eq!(seen.len() as u64, spectators);
    for steps_seen in &seen {
        let numbers: Vec<u64> = steps_seen.iter().map(|(number, _)| *number).collect();
        assert_eq!(numbers, (0..=steps).collect::<Vec<u64>>());
    }
    // How long after the first spectator the last one has a step.
    let mut spread: Vec<u64> = (1..=steps as usize)
        .map(|step| {
            let times = || seen.iter().map(move |steps| steps[step].1);
            (times().max().unwrap() - times().min().unwrap()).as_micros() as u64
        })
        .collect();
    assert_eq!(ended.load(Ordering::Relaxed), tables);
    let mut waits = waits.lock().unwrap().clone();
    let milliseconds = |micros: u64| format!("{:.1}", micros as f64 / 1000.0);
    println!(
        "load,{spectators},{tables},{},0,{},{},{},{},{:.1},{:.0}",
        spectators * (steps + 1),
        waits.len(),
        milliseconds(quantile(&mut waits, 50)),
        milliseconds(quantile(&mut waits, 99)),
        milliseconds(quantile(&mut spread, 100)),
        begun.elapsed().as_secs_f64(),
        memory()
    );
}
