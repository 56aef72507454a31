//! Matches begin at once, however large the rules are.

use serde_json::{Value, json};

use crate::client::{Seat, Up, With, asked, fresh_file};

/// A game whose rules take seconds to compile.
const LARGE: &str = "hnefatafl_13_repetition";

fn begun(up: &Up, body: &Value) -> (String, String, Seat) {
    let (id, keys) = up.play(body);
    let mut seat = up.seat(&id, &keys[0]);
    seat.hear_of("step");
    seat.hear_of("clock");
    (id, keys[0].clone(), seat)
}

fn reasoner(up: &Up, id: &str) -> String {
    let record = up.get(&format!("/api/v1/matches/{id}/record")).json();
    record["reasoner"].as_str().unwrap().to_string()
}

fn people(up: &Up) -> Value {
    let game = up.get(&format!("/api/v1/games/{LARGE}")).json();
    let roles: Vec<&str> = game["roles"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let seats: Vec<(&str, &str)> = roles.iter().map(|role| (*role, "tab")).collect();
    let mut body = asked(LARGE, &seats);
    body["play_clock"] = json!(600);
    body
}

#[test]
fn a_match_begins_before_its_rules_are_compiled_and_the_next_one_finds_them_so() {
    let up = Up::new();
    let body = people(&up);
    let (id, _, _) = begun(&up, &body);
    assert_eq!(reasoner(&up, &id), "prover");
    let step = up.get(&format!("/api/v1/matches/{id}/steps/0")).json();
    let role = step["turn"][0].as_str().unwrap();
    assert!(step["legal"][role].as_array().unwrap().len() > 10);
    let compiled = (0..600).any(|_| {
        std::thread::sleep(std::time::Duration::from_millis(100));
        let (id, key, _) = begun(&up, &body);
        let name = reasoner(&up, &id);
        up.post(&format!("/api/v1/matches/{id}/abort?key={key}"), &json!({}));
        name == "circuit"
    });
    assert!(compiled);
}

#[test]
fn open_matches_are_there_at_once_after_a_restart() {
    let file = fresh_file("matches.db");
    let start = || Up::with(With { store: Some(file.clone()), ..With::default() });
    let up = start();
    let body = people(&up);
    let mut ids = Vec::new();
    for _ in 0..3 {
        let (id, key, mut seat) = begun(&up, &body);
        let step = up.get(&format!("/api/v1/matches/{id}/steps/0")).json();
        let role = step["turn"][0].as_str().unwrap().to_string();
        let text = step["legal"][&role][0]["move"].as_str().unwrap().to_string();
        seat.make(&step, &text);
        assert_eq!(seat.hear_of("step")["step"]["number"], 1);
        ids.push((id, key));
    }
    up.end();
    let up = start();
    assert_eq!(up.resumed, 3);
    let list = up.get("/api/v1/matches?state=live").json();
    let list = list["matches"].as_array().unwrap();
    assert_eq!(list.len(), 3);
    assert!(list.iter().all(|listed| listed["steps"] == 1 && listed["roles"].as_array().unwrap().len() == 2));
    for (id, key) in ids.iter().rev() {
        assert_eq!(up.seat(id, key).hear_of("step")["step"]["number"], 1);
        assert_eq!(reasoner(&up, id), "prover");
    }
}
