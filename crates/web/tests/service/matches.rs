//! Playing and watching where nothing is hidden.

use serde_json::{Value, json};

use crate::client::{Seat, Up, asked};

#[test]
fn a_person_plays_a_whole_game_against_a_program() {
    let up = Up::new();
    let (id, keys) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "mcts(playouts=200)")]));
    assert_eq!(keys.len(), 1);
    let mut seat = up.seat(&id, &keys[0]);
    let first = seat.turn("x").unwrap();
    assert_eq!(first["number"], 0);
    assert!(first["board"].as_str().unwrap().starts_with("<svg"));
    assert_eq!(first["legal"]["x"].as_array().unwrap().len(), 9);
    assert_eq!(first["legal"]["x"][0]["cells"].as_array().unwrap().len(), 1);
    seat.make(&first, "(mark 2 2)");
    let second = seat.turn("x").unwrap();
    assert_eq!(second["number"], 2);
    assert!(second["facts"].as_array().unwrap().contains(&json!("(cell 2 2 x)")));
    let why = &second["evaluation"]["o"];
    assert!(why["value"].is_number() && why["line"].is_array(), "{why}");
    let text = second["legal"]["x"][0]["move"].as_str().unwrap().to_string();
    seat.make(&second, &text);
    seat.play_out("x");
    let told = up.get(&format!("/api/v1/matches/{id}")).json();
    assert_eq!(told["state"], "done");
    assert!(told["goals"]["x"].is_number() && told["goals"]["o"].is_number());
    let record = up.get(&format!("/api/v1/matches/{id}/record")).json();
    assert_eq!(record["moves"][0][0], "(mark 2 2)");
    assert_eq!(record["isCompleted"], true);
}

#[test]
fn what_a_player_may_not_do_is_refused_and_changes_nothing() {
    let up = Up::new();
    let (id, keys) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "human")]));
    let mut x = up.seat(&id, &keys[0]);
    let first = x.turn("x").unwrap();
    let mut o = up.seat(&id, &keys[1]);
    let refused = |seat: &mut Seat, message: &Value, code: &str| {
        seat.say(message);
        assert_eq!(seat.hear_of("error")["code"], code, "{message}");
    };
    // Not your turn, not your move, not this step, not a message.
    refused(&mut o, &json!({ "type": "move", "step": 0, "move": "(mark 1 1)" }), "illegal-move");
    refused(&mut x, &json!({ "type": "move", "step": 0, "move": "(mark 9 9)" }), "illegal-move");
    refused(&mut x, &json!({ "type": "move", "step": 4, "move": "(mark 1 1)" }), "late");
    refused(&mut x, &json!({ "type": "dance" }), "bad-message");
    refused(&mut x, &json!({ "type": "move" }), "bad-message");
    x.say_text("{{{");
    assert_eq!(x.hear_of("error")["code"], "bad-message");
    // A key of nobody, and of another match.
    let (_, others) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "human")]));
    let socket = |key: &str| Seat::open(&format!("ws://{}/api/v1/matches/{id}/socket?key={key}", up.address));
    assert_eq!(socket("nonsense").err(), Some(403));
    assert_eq!(socket(&others[0]).err(), Some(403));
    assert_eq!(up.post(&format!("/api/v1/matches/{id}/abort"), &json!({})).status, 403);
    assert_eq!(up.get(&format!("/api/v1/matches/{id}")).json()["steps"], 0);
    x.make(&first, "( mark   1 1 )");
    assert_eq!(o.turn("o").unwrap()["moves"]["x"], "(mark 1 1)");
}

#[test]
fn one_browser_may_have_all_seats_and_several_may_share_a_match() {
    let up = Up::new();
    let (id, keys) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "open")]));
    assert_eq!(keys.len(), 1);
    let told = up.get(&format!("/api/v1/matches/{id}")).json();
    assert_eq!(told["waiting"], json!(["o"]));
    let take = |role: &str| up.post(&format!("/api/v1/matches/{id}/take"), &json!({ "role": role }));
    assert_eq!((take("x").status, take("z").status), (409, 400));
    let taken = take("o");
    assert_eq!((taken.status, take("o").status), (200, 409));
    let key = taken.json()["key"].as_str().unwrap().to_string();
    let (mut x, mut o) = (up.seat(&id, &keys[0]), up.seat(&id, &key));
    let step = x.turn("x").unwrap();
    x.make(&step, "(mark 1 1)");
    let step = o.turn("o").unwrap();
    o.make(&step, "(mark 2 2)");
    let step = x.turn("x").unwrap();
    assert_eq!(step["number"], 2);
    o.say(&json!({ "type": "resign" }));
    let end = x.hear_of("end");
    assert_eq!((end["state"].as_str(), end["ending"]["role"].as_str()), (Some("done"), Some("o")));
}

#[test]
fn spectators_see_every_step_and_can_come_back() {
    let up = Up::new();
    let (id, _) = up.play(&asked("connect_four", &[("red", "random"), ("yellow", "random")]));
    let path = format!("/api/v1/matches/{id}/events");
    let events = up.events(&path, &[], |name, _| name == "end");
    let steps: Vec<u64> = events
        .iter()
        .filter(|(name, _)| name == "step")
        .map(|(_, step)| step["number"].as_u64().unwrap())
        .collect();
    assert!(steps.windows(2).all(|two| two[1] == two[0] + 1), "{steps:?}");
    let last = *steps.last().unwrap();
    let missed = up.events(&path, &[("last-event-id", "1")], |name, _| name == "end");
    let missed: Vec<u64> = missed
        .iter()
        .filter(|(name, _)| name == "step")
        .map(|(_, step)| step["number"].as_u64().unwrap())
        .collect();
    assert_eq!(missed, (2..=last).collect::<Vec<u64>>());
    let (_, end) = events.last().unwrap();
    assert_eq!(end["state"], "done");
    let step = up.get(&format!("/api/v1/matches/{id}/steps/3?view=all")).json();
    assert_eq!(step["number"], 3);
    assert!(!step["changed"].as_array().unwrap().is_empty());
    let picture = up.get(&format!("/api/v1/matches/{id}/steps/3.svg"));
    assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
    assert_eq!(up.get(&format!("/api/v1/matches/{id}/steps/9999")).status, 404);
    let list = up.get("/api/v1/matches?state=done").json();
    assert_eq!(list["matches"][0]["id"], json!(id));
    assert_eq!(up.get("/api/v1/matches?state=live").json()["matches"], json!([]));
}

#[test]
fn casual_players_take_moves_back_and_get_hints() {
    let up = Up::new();
    let (id, keys) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "random")]));
    let mut seat = up.seat(&id, &keys[0]);
    let first = seat.turn("x").unwrap();
    seat.say(&json!({ "type": "undo" }));
    assert_eq!(seat.hear_of("error")["code"], "nothing-to-undo");
    seat.make(&first, "(mark 1 1)");
    let second = seat.turn("x").unwrap();
    seat.say(&json!({ "type": "hint" }));
    let hint = seat.hear_of("hint");
    assert!(hint["moves"][0]["move"].as_str().unwrap().starts_with("(mark"), "{hint}");
    assert!(hint["moves"][0]["value"].is_number(), "{hint}");
    seat.say(&json!({ "type": "undo" }));
    let back = seat.turn("x").unwrap();
    assert_eq!((back["number"].as_u64(), second["number"].as_u64()), (Some(0), Some(2)));
    seat.make(&back, "(mark 3 3)");
    let third = seat.turn("x").unwrap();
    assert_eq!(third["number"], 2);
    assert!(third["facts"].as_array().unwrap().contains(&json!("(cell 3 3 x)")));
    assert!(!third["facts"].as_array().unwrap().contains(&json!("(cell 1 1 x)")));
    // Where it counts there is neither.
    let mut strict = asked("tic_tac_toe", &[("x", "human"), ("o", "random")]);
    strict["casual"] = json!(false);
    strict["play_clock"] = json!(60);
    let (id, keys) = up.play(&strict);
    let mut seat = up.seat(&id, &keys[0]);
    let first = seat.turn("x").unwrap();
    assert_eq!(seat.hear_of("clock")["role"], "x");
    seat.make(&first, "(mark 1 1)");
    seat.turn("x").unwrap();
    for kind in ["undo", "hint"] {
        seat.say(&json!({ "type": kind }));
        assert_eq!(seat.hear_of("error")["code"], "not-casual");
    }
}

#[test]
fn one_hint_is_computed_at_a_time() {
    let up = Up::new();
    let (id, keys) = up.play(&asked("connect_four", &[("red", "human"), ("yellow", "random")]));
    let mut seat = up.seat(&id, &keys[0]);
    seat.turn("red").unwrap();
    (0..20).for_each(|_| seat.say(&json!({ "type": "hint" })));
    assert_eq!(seat.hear_of("error")["code"], "busy");
    seat.hear_of("hint");
    seat.say(&json!({ "type": "hint" }));
    seat.hear_of("hint");
}

#[test]
fn people_lose_moves_to_the_clock_only_where_it_counts() {
    let up = Up::new();
    let mut strict = asked("tic_tac_toe", &[("x", "human"), ("o", "random")]);
    strict["casual"] = json!(false);
    strict["play_clock"] = json!(0.1);
    let (id, keys) = up.play(&strict);
    let mut seat = up.seat(&id, &keys[0]);
    let end = seat.hear_of("end");
    assert_eq!(end["state"], "done");
    let record = up.get(&format!("/api/v1/matches/{id}/record")).json();
    assert_eq!(record["errors"][1][0], "TO");
}

#[test]
fn a_tab_is_a_player_like_any_other() {
    let up = Up::new();
    let mut body = asked("tic_tac_toe", &[("x", "tab"), ("o", "tab")]);
    body["play_clock"] = json!(30);
    let (id, keys) = up.play(&body);
    let players: Vec<_> = ["x", "o"]
        .into_iter()
        .zip(keys)
        .map(|(role, key)| {
            let mut seat = up.seat(&id, &key);
            std::thread::spawn(move || seat.play_out(role))
        })
        .collect();
    players.into_iter().for_each(|player| player.join().unwrap());
    assert_eq!(up.get(&format!("/api/v1/matches/{id}")).json()["state"], "done");
}

#[test]
fn matches_are_broken_off_by_those_who_play_them() {
    let up = Up::new();
    let (id, keys) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "random")]));
    assert_eq!(up.post(&format!("/api/v1/matches/{id}/abort?key={}", keys[0]), &json!({})).status, 200);
    let mut seat = up.seat(&id, &keys[0]);
    assert_eq!(seat.hear_of("end")["state"], "aborted");
    assert_eq!(up.post(&format!("/api/v1/matches/{id}/abort?key={}", keys[0]), &json!({})).status, 409);
    let (id, _) = up.play(&asked("tic_tac_toe", &[("x", "open"), ("o", "random")]));
    assert_eq!(up.post(&format!("/api/v1/matches/{id}/abort"), &json!({})).status, 403);
}

#[test]
fn wrong_matches_are_refused_with_what_is_wrong() {
    let up = Up::new();
    let code = |body: &Value| {
        let answer = up.post("/api/v1/matches", body);
        assert!((400..500).contains(&answer.status), "{}", answer.text());
        answer.code()
    };
    assert_eq!(code(&asked("tic_tac_toe", &[("x", "human")])), "no-player");
    assert_eq!(code(&asked("tic_tac_toe", &[("x", "human"), ("y", "human")])), "unknown-role");
    assert_eq!(code(&asked("tic_tac_toe", &[("x", "human"), ("x", "human")])), "two-players");
    assert_eq!(code(&asked("tic_tac_toe", &[("x", "human"), ("o", "nobody")])), "unknown-player");
    assert_eq!(code(&asked("tic_tac_toe", &[("x", "mcts(c=")])), "unknown-player");
    assert_eq!(code(&json!({ "seats": [] })), "no-game");
    let mut slow = asked("tic_tac_toe", &[("x", "human"), ("o", "human")]);
    slow["play_clock"] = json!(-1);
    assert_eq!(code(&slow), "bad-clock");
    assert_eq!(up.get("/api/v1/matches/nothing").status, 404);
}
