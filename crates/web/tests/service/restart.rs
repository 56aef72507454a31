//! Nothing is lost when the service ends.

use serde_json::json;

use crate::client::{Up, With, asked, fresh_file};

fn start(store: &std::path::Path) -> Up {
    Up::with(With { store: Some(store.to_path_buf()), ..With::default() })
}

#[test]
fn open_matches_go_on_after_a_restart_with_the_same_keys() {
    let file = fresh_file("matches.db");
    let up = start(&file);
    let (id, keys) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "mcts(playouts=50)")]));
    let mut seat = up.seat(&id, &keys[0]);
    let first = seat.turn("x").unwrap();
    seat.make(&first, "(mark 2 2)");
    let second = seat.turn("x").unwrap();
    // Another one waits for somebody, a third has an open seat that was taken, a fourth had a move taken back.
    let (lobby, _) = up.play(&asked("tic_tac_toe", &[("x", "open"), ("o", "random")]));
    let (shared, own) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "open")]));
    let taken = up.post(&format!("/api/v1/matches/{shared}/take"), &json!({ "role": "o" })).json();
    let (undone, other) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "random")]));
    let mut casual = up.seat(&undone, &other[0]);
    let step = casual.turn("x").unwrap();
    casual.make(&step, "(mark 1 1)");
    casual.turn("x").unwrap();
    casual.say(&json!({ "type": "undo" }));
    let step = casual.turn("x").unwrap();
    casual.make(&step, "(mark 1 2)");
    casual.turn("x").unwrap();
    let (done, _) = up.play(&asked("tic_tac_toe", &[("x", "random"), ("o", "random")]));
    up.events(&format!("/api/v1/matches/{done}/events"), &[], |name, _| name == "end");
    up.end();

    let up = start(&file);
    assert_eq!(up.resumed, 4);
    let mut seat = up.seat(&id, &keys[0]);
    let again = seat.turn("x").unwrap();
    assert_eq!((&again["number"], &again["facts"]), (&second["number"], &second["facts"]));
    let text = again["legal"]["x"][0]["move"].as_str().unwrap().to_string();
    seat.make(&again, &text);
    seat.play_out("x");
    let record = up.get(&format!("/api/v1/matches/{id}/record")).json();
    assert_eq!(record["moves"][0][0], "(mark 2 2)");
    assert_eq!(up.get(&format!("/api/v1/matches/{lobby}")).json()["waiting"], json!(["x"]));
    assert_eq!(up.post(&format!("/api/v1/matches/{lobby}/take"), &json!({ "role": "x" })).status, 200);
    let key = taken["key"].as_str().unwrap();
    let (mut x, mut o) = (up.seat(&shared, &own[0]), up.seat(&shared, key));
    let step = x.turn("x").unwrap();
    x.make(&step, "(mark 3 3)");
    assert_eq!(o.turn("o").unwrap()["moves"]["x"], "(mark 3 3)");
    let step = up.get(&format!("/api/v1/matches/{undone}/steps/1")).json();
    assert_eq!(step["moves"]["x"], "(mark 1 2)");
    // What had ended is there to be looked at.
    let past = up.get(&format!("/api/v1/matches/{done}")).json();
    assert_eq!((past["state"].as_str(), past["views"][0].as_str()), (Some("done"), Some("all")));
    let list = up.get("/api/v1/matches?state=done&limit=10").json();
    assert!(list["matches"].as_array().unwrap().iter().any(|listed| listed["id"] == json!(done)));
    assert_eq!(up.get(&format!("/api/v1/matches/{done}/steps/2")).status, 200);
}

#[test]
fn those_who_watch_are_let_go_when_the_service_ends() {
    let up = Up::new();
    let (id, keys) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "human")]));
    let mut seat = up.seat(&id, &keys[0]);
    seat.turn("x").unwrap();
    let address = up.address;
    let watcher = std::thread::spawn(move || {
        let mut stream = std::net::TcpStream::connect(address).unwrap();
        use std::io::{Read, Write};
        write!(stream, "GET /api/v1/matches/{id}/events HTTP/1.1\r\nhost: localhost\r\n\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        text
    });
    std::thread::sleep(std::time::Duration::from_millis(200));
    let begun = std::time::Instant::now();
    up.end();
    assert!(begun.elapsed().as_secs() < 5);
    assert!(watcher.join().unwrap().contains("event: step"));
    assert!(seat.hear_of_close());
}
