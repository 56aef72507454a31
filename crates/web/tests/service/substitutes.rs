//! Moves that the referee makes in place of players.

use arena::{PlayerServer, ServeOptions};
use serde_json::{Value, json};

use crate::client::{Up, asked};

fn with_player(server: &str) -> Value {
    let mut body = asked("tic_tac_toe", &[("x", "human"), ("o", server)]);
    (body["start_clock"], body["play_clock"]) = (json!(1), json!(1));
    body
}

#[test]
fn a_player_on_the_network_must_be_there_and_have_time() {
    let up = Up::new();
    let host = cast::host("random", "auto").unwrap();
    let server = PlayerServer::start("127.0.0.1:0", host, ServeOptions::default()).unwrap();
    let address = format!("http://{}", server.address());
    let mut body = with_player(&address);
    body["play_clock"] = json!(0.5);
    let refused = up.post("/api/v1/matches", &body);
    assert_eq!((refused.status, refused.code().as_str()), (400, "bad-clock"));
    assert!(refused.text().contains("whole seconds, but 0.5 s was given"), "{}", refused.text());

    let (id, keys) = up.play(&with_player(&address));
    let told = up.get(&format!("/api/v1/matches/{id}")).json();
    assert_eq!((&told["grace_ms"], &told["replaced"]), (&json!(500), &json!({})));
    let mut seat = up.seat(&id, &keys[0]);
    let step = seat.turn("x").unwrap();
    seat.make(&step, "(mark 2 2)");
    let step = seat.turn("x").unwrap();
    let busy = up.post("/api/v1/matches", &with_player(&address));
    assert_eq!((busy.status, busy.code().as_str()), (409, "player-busy"), "{}", busy.text());

    // It goes away in the middle of the match.
    server.stop();
    let text = step["legal"]["x"][0]["move"].as_str().unwrap().to_string();
    seat.make(&step, &text);
    let made = seat.hear_of("step")["step"].clone();
    assert_eq!(made["replaced"], json!({}));
    let made = seat.hear_of("step")["step"].clone();
    assert_eq!(made["replaced"]["o"]["code"], "CE", "{made}");
    assert!(made["moves"]["o"].as_str().unwrap().starts_with("(mark"));
    let again = up.get(&format!("/api/v1/matches/{id}/steps/{}", made["number"])).json();
    assert_eq!(again["replaced"], made["replaced"]);
    assert_eq!(up.get(&format!("/api/v1/matches/{id}")).json()["replaced"], json!({ "o": 1 }));

    let gone = up.post("/api/v1/matches", &with_player(&address));
    assert_eq!((gone.status, gone.code().as_str()), (422, "no-such-player"));
    assert!(gone.text().contains("There is no player at 127.0.0.1:"), "{}", gone.text());
}

#[test]
fn moves_of_people_who_are_late_are_told_as_such() {
    let up = Up::new();
    let mut body = asked("tic_tac_toe", &[("x", "human"), ("o", "random")]);
    (body["casual"], body["play_clock"]) = (json!(false), json!(0.1));
    let (id, keys) = up.play(&body);
    up.seat(&id, &keys[0]).hear_of("end");
    let step = up.get(&format!("/api/v1/matches/{id}/steps/1")).json();
    assert_eq!(step["replaced"], json!({ "x": { "code": "TO", "text": "no answer in time" } }));
    let told = up.get(&format!("/api/v1/matches/{id}")).json();
    assert!(told["replaced"]["x"].as_u64().unwrap() >= 3, "{told}");
    assert_eq!((&told["replaced"]["o"], &told["grace_ms"]), (&Value::Null, &Value::Null));
}

#[test]
fn where_something_is_hidden_nobody_is_told_that_another_was_late() {
    let up = Up::new();
    let game = up.get("/api/v1/games/kuhn_poker").json();
    let roles: Vec<&str> = game["roles"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let people: Vec<&str> = roles.into_iter().filter(|role| *role != "random").collect();
    let seats: Vec<(&str, &str)> = people.iter().map(|role| (*role, "human")).collect();
    let mut body = asked("kuhn_poker", &seats);
    (body["casual"], body["play_clock"]) = (json!(false), json!(0.3));
    let (id, keys) = up.play(&body);
    let mut seat = up.seat(&id, &keys[0]);
    loop {
        let message = seat.hear().unwrap();
        if message["type"] == "end" {
            break;
        }
        // Asked before its state, so that it was still being played.
        let told = up.get(&format!("/api/v1/matches/{id}?key={}", keys[0])).json();
        for replaced in [&message["step"]["replaced"], &told["replaced"]] {
            let others = replaced.as_object().is_some_and(|all| all.keys().any(|role| *role != people[0]));
            assert!(!others || told["state"] != "live", "{replaced}");
        }
    }
    let told = up.get(&format!("/api/v1/matches/{id}")).json();
    assert!(!told["replaced"].as_object().unwrap().is_empty(), "{told}");
}
