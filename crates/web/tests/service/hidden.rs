//! What is hidden stays hidden.

use serde_json::json;

use crate::client::{Seat, Up, asked};

/// Everything the service can be asked about a match by someone with this key.
fn everything(up: &Up, id: &str, key: &str, steps: u64) -> Vec<String> {
    let mut found = Vec::new();
    let base = format!("/api/v1/matches/{id}");
    for suffix in ["", "/record", "/steps/last", "/steps/last.svg"] {
        for view in ["all", "candidate", "random"] {
            for key in ["", key] {
                found.push(up.get(&format!("{base}{suffix}?view={view}&key={key}")).text());
            }
        }
    }
    for number in 0..=steps {
        for view in ["?view=all", "?view=random", "?view=candidate", "", "?key=wrong"] {
            for ending in ["", ".svg"] {
                let joint = if view.is_empty() { "?" } else { "&" };
                found.push(up.get(&format!("{base}/steps/{number}{ending}{view}")).text());
                found.push(up.get(&format!("{base}/steps/{number}{ending}{view}{joint}key={key}")).text());
            }
        }
    }
    found.push(up.get("/api/v1/matches").text());
    found.push(up.get("/metrics").text());
    found
}

#[test]
fn monty_hall_never_shows_the_car_while_it_is_played() {
    let up = Up::new();
    let sheet = up.get("/api/v1/games/monty_hall_3").json();
    let roles: Vec<String> =
        sheet["roles"].as_array().unwrap().iter().map(|role| role.as_str().unwrap().to_string()).collect();
    let role = roles.iter().find(|role| *role != "random").unwrap().clone();
    // Several matches, so that the car is behind several doors.
    let mut hidden = std::collections::BTreeSet::new();
    for seed in 0..6 {
        let mut body = asked("monty_hall_3", &[(&role, "human")]);
        body["seed"] = json!(seed);
        let (id, keys) = up.play(&body);
        let mut seat = up.seat(&id, &keys[0]);
        let mut seen: Vec<String> = Vec::new();
        let mut told: Vec<(u64, Vec<String>)> = Vec::new();
        loop {
            let Some(message) = seat.hear() else { panic!("closed before the end") };
            if message["type"] == "end" {
                break;
            }
            if message["type"] != "step" {
                continue;
            }
            let step = &message["step"];
            if step["terminal"] == true {
                continue;
            }
            seen.push(message.to_string());
            let number = step["number"].as_u64().unwrap();
            assert!(
                step["moves"].is_null()
                    || step["moves"].as_object().unwrap().keys().all(|known| *known == role)
            );
            assert_eq!(step["legal"].as_object().unwrap().len(), 1);
            for (status, path) in [
                (403, format!("steps/{number}?view=all")),
                (403, format!("steps/{number}?view=random")),
                (403, format!("steps/{number}?view={role}")),
                (403, format!("steps/{number}.svg")),
                (403, "record".to_string()),
                (403, "events?view=all".to_string()),
                (403, format!("steps/{number}?view=all&key={}", keys[0])),
                (200, format!("steps/{number}?view={role}&key={}", keys[0])),
            ] {
                assert_eq!(up.get(&format!("/api/v1/matches/{id}/{path}")).status, status, "{path}");
            }
            assert!(
                !message.to_string().contains("hide_car") && !message.to_string().contains("leave_closed")
            );
            seen.extend(everything(&up, &id, &keys[0], number));
            told.push((number, std::mem::take(&mut seen)));
            if step["turn"].as_array().unwrap().iter().any(|turn| *turn == role) {
                let text = step["legal"][&role][0]["move"].as_str().unwrap().to_string();
                seat.make(step, &text);
            }
        }
        // The truth, told afterwards.
        let record = up.get(&format!("/api/v1/matches/{id}/record")).json();
        let states = record["states"].as_array().unwrap();
        for (number, texts) in told {
            let facts = facts(states[number as usize].as_str().unwrap());
            let known = up.get(&format!("/api/v1/matches/{id}/steps/{number}?view={role}")).json();
            let known: Vec<&str> =
                known["facts"].as_array().unwrap().iter().map(|fact| fact.as_str().unwrap()).collect();
            for fact in facts.iter().filter(|fact| !known.contains(&fact.as_str())) {
                hidden.insert(fact.clone());
                assert!(
                    texts.iter().all(|text| !text.contains(fact.as_str())),
                    "{fact} was told at step {number}"
                );
            }
        }
        assert_eq!(up.get(&format!("/api/v1/matches/{id}/steps/1?view=all")).status, 200);
    }
    assert!(hidden.len() > 1, "the car was hidden in different places: {hidden:?}");
}

/// The facts of a state as a record has them.
fn facts(state: &str) -> Vec<String> {
    library::read_state(state).unwrap()
}

#[test]
fn whoever_chooses_the_seed_must_play_alone_and_casually() {
    let up = Up::new();
    let sheet = up.get("/api/v1/games/kuhn_poker").json();
    let seats: Vec<_> = sheet["roles"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|role| *role != "random")
        .map(|role| (role.as_str().unwrap(), "human"))
        .collect();
    let mut body = asked("kuhn_poker", &seats);
    body["seed"] = json!(7);
    assert_eq!(up.post("/api/v1/matches", &body).code(), "seed-tells");
    let mixed: Vec<_> = seats
        .iter()
        .enumerate()
        .map(|(at, (role, _))| (*role, if at == 0 { "human" } else { "random" }))
        .collect();
    let mut body = asked("kuhn_poker", &mixed);
    body["seed"] = json!(7);
    let (id, keys) = up.play(&body);
    let mut seat = up.seat(&id, &keys[0]);
    for kind in ["hint", "undo"] {
        seat.say(&json!({ "type": kind }));
        assert_eq!(seat.hear_of("error")["code"], "hidden-information");
    }
}

#[test]
fn programs_may_be_watched_over_the_shoulder_but_the_truth_comes_afterwards() {
    let up = Up::new();
    let sheet = up.get("/api/v1/games/kuhn_poker").json();
    let seats: Vec<_> = sheet["roles"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|role| *role != "random")
        .map(|role| (role.as_str().unwrap(), "random"))
        .collect();
    let (id, _) = up.play(&asked("kuhn_poker", &seats));
    let events =
        up.events(&format!("/api/v1/matches/{id}/events?view={}", seats[0].0), &[], |name, _| name == "end");
    assert!(
        events.iter().filter(|(name, _)| name == "step").all(|(_, step)| step["legal"]
            .as_object()
            .unwrap()
            .len()
            == 1)
    );
    let told = up.get(&format!("/api/v1/matches/{id}")).json();
    assert_eq!(told["views"][0], "all");
    assert!(Seat::open(&format!("ws://{}/api/v1/matches/{id}/socket?key=", up.address)).is_err());
}
