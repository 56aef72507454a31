//! Matches begin at once, however large the rules are.

use serde_json::{Value, json};

use crate::client::{Seat, Up, asked};

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
