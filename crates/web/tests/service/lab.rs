//! Tournaments.

use serde_json::json;

use crate::client::{Up, With, fresh_file};

const SPEC: &str = r#"
name = "small"
games = ["tic_tac_toe"]
players = ["random", "legal"]
matches = 12
seed = 3
"#;

#[test]
fn a_tournament_is_played_watched_and_reported() {
    let store = fresh_file("lab.db");
    let up = Up::with(With { store: Some(store.clone()), ..With::default() });
    assert_eq!(up.get("/api/v1/tournaments").json(), json!({ "tournaments": [] }));
    let begun = up.post("/api/v1/tournaments", &json!({ "spec": SPEC }));
    assert_eq!(begun.status, 201, "{}", begun.text());
    let id = begun.json()["id"].as_str().unwrap().to_string();
    let path = format!("/api/v1/tournaments/{id}");
    let events = up.events(&format!("{path}/events"), &[], |_, progress| progress["state"] != "running");
    assert_eq!(events.last().unwrap().0, "progress");
    let told = up.get(&path).json();
    assert_eq!(
        (told["state"].as_str(), told["done"].as_u64(), told["total"].as_u64()),
        (Some("done"), Some(12), Some(12))
    );
    assert_eq!(told["standings"].as_array().unwrap().len(), 2);
    assert_eq!(told["matches"].as_array().unwrap().len(), 12);
    assert!(told["plots"][0]["svg"].as_str().unwrap().starts_with("<svg"), "{}", told["plots"]);
    let one = told["matches"][0]["id"].as_str().unwrap();
    assert_eq!(up.get(&format!("/api/v1/matches/{one}/steps/1")).status, 200);
    for file in ["report.md", "report.html", "results.csv", "results.json"] {
        let answer = up.get(&format!("{path}/{file}"));
        assert_eq!(answer.status, 200, "{file}");
        assert!(answer.header("content-disposition").unwrap().contains(file));
    }
    assert_eq!(up.get(&format!("{path}/plan.json")).status, 404);
    assert_eq!(up.post(&format!("{path}/stop"), &json!({})).status, 409);
    up.end();
    // It is still there for the next service.
    let up = Up::with(With { store: Some(store), ..With::default() });
    assert_eq!(up.get("/api/v1/tournaments").json()["tournaments"][0]["done"], 12);
}

#[test]
fn tournaments_that_are_started_together_count_for_the_limit() {
    let up = Up::with(With { store: Some(fresh_file("lab.db")), ..With::default() });
    let spec = SPEC.replace("matches = 12", "matches = 20000").replace("tic_tac_toe", "connect_four");
    let begun = std::sync::Barrier::new(6);
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let start = |number: usize| {
            let body = json!({ "spec": spec.replace("small", &format!("small_{number}")) });
            let (up, begun) = (&up, &begun);
            scope.spawn(move || {
                begun.wait();
                up.post("/api/v1/tournaments", &body).status
            })
        };
        let all: Vec<_> = (0..6).map(start).collect();
        all.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 2, "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 429).count(), 4, "{statuses:?}");
}

#[test]
fn specs_with_mistakes_or_files_are_refused() {
    let up = Up::with(With { store: Some(fresh_file("lab.db")), ..With::default() });
    for (spec, part) in [
        (SPEC.replace("tic_tac_toe", "/etc/passwd"), "ine 3"),
        (SPEC.replace("tic_tac_toe", "../x/rules.kif"), "ine 3"),
        (SPEC.replace("\"legal\"", "\"nobody\""), "nobody"),
        (SPEC.replace("12", "999999999"), "from 1 to"),
        (SPEC.replace("seed = 3", "sed = 3"), "sed"),
        ("= =".to_string(), ""),
    ] {
        let answer = up.post("/api/v1/tournaments", &json!({ "spec": spec }));
        assert_eq!((answer.status, answer.code().as_str()), (400, "bad-spec"), "{}", answer.text());
        assert!(answer.text().contains(part), "{part}: {}", answer.text());
    }
    assert_eq!(up.get("/api/v1/tournaments/nothing").status, 404);
    let without = Up::new();
    assert_eq!(without.post("/api/v1/tournaments", &json!({ "spec": SPEC })).code(), "no-store");
}
