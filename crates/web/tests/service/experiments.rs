//! Experiments, and what goes on after a restart.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::client::{Up, With, fresh_file};

/// Random tic-tac-toe, as matches and as random games.
const SMALL: &str = r#"
title = "Random <tic-tac-toe>"
source = "Counted by hand"
question = "Who wins by chance?"
notes = ["A note."]

[[part]]
name = "matches"
games = ["tic_tac_toe"]
players = ["random", "legal"]
matches = 4000
seed = 3
quick = { matches = 12 }

[[part]]
name = "chance"
kind = "playouts"
game = "tic_tac_toe"
playouts = 20000
seed = 1
quick = { playouts = 2000 }

[[figure]]
table = "Table 1"
label = "first player"
part = "chance"
role = "x"
measure = "wins"
value = 0.585
within = 0.05
"#;

pub fn folder() -> PathBuf {
    let folder = fresh_file("experiments");
    for (name, text) in [("small", SMALL), ("broken", "title = 1")] {
        fs::create_dir_all(folder.join(name)).unwrap();
        fs::write(folder.join(name).join("experiment.toml"), text).unwrap();
    }
    fs::create_dir_all(folder.join("nothing")).unwrap();
    folder
}

fn up(experiments: &Path, store: &Path) -> Up {
    let (store, experiments) = (Some(store.to_path_buf()), Some(experiments.to_path_buf()));
    Up::with(With { store, experiments, ..With::default() })
}

/// Asks until something holds.
fn until(up: &Up, path: &str, holds: impl Fn(&Value) -> bool) -> Value {
    let begun = Instant::now();
    loop {
        let told = up.get(path).json();
        if holds(&told) {
            return told;
        }
        assert!(begun.elapsed() < Duration::from_secs(60), "{path}: {told}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn an_experiment_is_run_watched_and_judged() {
    let (folder, store) = (folder(), fresh_file("lab.db"));
    let up = up(&folder, &store);
    let list = up.get("/api/v1/experiments").json();
    let names: Vec<&Value> = list["experiments"].as_array().unwrap().iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["broken", "small"]);
    assert_eq!(list["experiments"][1]["quick"], json!({ "state": "new", "verdict": null }));
    let path = "/api/v1/experiments/small?variant=quick";
    let told = up.get(path).json();
    assert_eq!((&told["state"], &told["parts"][1]["total"]), (&json!("new"), &json!(2000)));
    assert_eq!(up.get("/api/v1/experiments/small/report.md?variant=quick").code(), "not-run");
    let run = up.post("/api/v1/experiments/small/run", &json!({ "variant": "quick" }));
    assert_eq!(run.status, 200, "{}", run.text());
    let events = up
        .events("/api/v1/experiments/small/events?variant=quick", &[], |_, told| told["state"] != "running");
    assert!(!events.is_empty());
    let told = until(&up, path, |told| told["state"] == "done");
    assert_eq!(
        told["verdict"],
        json!({ "agree": 1, "differ": 0, "missing": 0, "unclear": 0, "as_expected": true }),
        "{told}"
    );
    assert_eq!(told["figures"][0]["verdict"], "agrees");
    let kinds: Vec<&str> =
        told["report"].as_array().unwrap().iter().filter_map(|one| one["kind"].as_str()).collect();
    assert!(kinds.contains(&"plot") && kinds.contains(&"table") && kinds.contains(&"text"), "{kinds:?}");
    // The matches of a part are a tournament like any other.
    let series = told["parts"][0]["tournament"].as_str().unwrap();
    let tournament = up.get(&format!("/api/v1/tournaments/{series}")).json();
    assert_eq!((&tournament["state"], &tournament["done"]), (&json!("done"), &json!(12)));
    for file in ["report.md", "report.html", "figures.json"] {
        let answer = up.get(&format!("/api/v1/experiments/small/{file}?variant=quick"));
        assert_eq!(answer.status, 200, "{file}");
        assert!(answer.header("content-disposition").unwrap().contains(file));
    }
    up.end();
    let up = self::up(&folder, &store);
    assert_eq!(up.get(path).json()["verdict"], told["verdict"]);
    assert_eq!(up.get("/api/v1/experiments").json()["experiments"][1]["quick"]["state"], "done");
    assert_eq!(up.get("/api/v1/experiments").json()["experiments"][1]["full"]["state"], "new");
}

#[test]
fn what_was_under_way_goes_on_after_a_restart_and_what_was_stopped_does_not() {
    let (folder, store) = (folder(), fresh_file("lab.db"));
    let up = up(&folder, &store);
    let spec = "name = \"long\"\ngames = [\"tic_tac_toe\"]\nplayers = [\"mcts(playouts=60)\", \"random\"]\nmatches = 300\nseed = 3";
    let begun = up.post("/api/v1/tournaments", &json!({ "spec": spec })).json();
    assert_eq!(begun["id"], "long");
    let halted = up.post("/api/v1/tournaments", &json!({ "spec": spec.replace("long", "halted") })).json();
    assert_eq!(up.post("/api/v1/tournaments/halted/stop", &json!({})).status, 200, "{halted}");
    let run = up.post("/api/v1/experiments/small/run", &json!({ "variant": "full" }));
    assert_eq!(run.status, 200, "{}", run.text());
    assert_eq!(up.post("/api/v1/experiments/small/run", &json!({ "variant": "quick" })).code(), "running");
    until(&up, "/api/v1/tournaments/long", |told| told["done"].as_u64() > Some(0));
    up.end();

    let up = self::up(&folder, &store);
    let path = "/api/v1/tournaments/long";
    let told = until(&up, path, |told| told["state"] != "stopped");
    assert!(told["state"] == "running" || told["state"] == "done", "{told}");
    let halted = until(&up, "/api/v1/tournaments/halted", |told| told["state"] != "running");
    assert_eq!(halted["state"], "stopped");
    let told = until(&up, path, |told| told["state"] == "done");
    assert_eq!(
        (told["done"].as_u64(), told["matches"].as_array().unwrap().len()),
        (told["total"].as_u64(), 200)
    );
    // It goes on when somebody says so, unless it is over.
    assert_eq!(up.post(&format!("{path}/resume"), &json!({})).code(), "over");
    let again = up.post("/api/v1/tournaments/halted/resume", &json!({}));
    assert_eq!(again.status, 200, "{}", again.text());
    assert_eq!(up.post("/api/v1/tournaments/halted/stop", &json!({})).status, 200);
    let full = "/api/v1/experiments/small?variant=full";
    until(&up, full, |told| told["state"] == "running" || told["state"] == "done");
    // Stopped in time or over already: in either case it does not go on by itself.
    let stopped = up.post("/api/v1/experiments/small/stop", &json!({ "variant": "full" }));
    assert!(matches!(stopped.status, 200 | 409), "{}", stopped.text());
    until(&up, full, |told| told["state"] != "running");
}

#[test]
fn experiments_are_known_by_their_names_alone() {
    let up = up(&folder(), &fresh_file("lab.db"));
    for name in ["..", "..%2Fsmall", "nothing", "small%2F..%2Fsmall", "%2Fetc", "Small"] {
        let answer = up.get(&format!("/api/v1/experiments/{name}"));
        assert_eq!(answer.status, 404, "{name}: {}", answer.text());
    }
    assert_eq!(up.get("/api/v1/experiments/broken").code(), "bad-experiment");
    assert_eq!(up.get("/api/v1/experiments/small?variant=half").code(), "bad-query");
    assert_eq!(up.post("/api/v1/experiments/small/run", &json!({ "variant": "half" })).status, 422);
    assert_eq!(
        up.post("/api/v1/experiments/small/stop", &json!({ "variant": "full" })).code(),
        "not-running"
    );
    let without = Up::new();
    assert_eq!(without.get("/api/v1/experiments").json(), json!({ "folder": false, "experiments": [] }));
    assert_eq!(
        without.post("/api/v1/experiments/small/run", &json!({ "variant": "full" })).code(),
        "no-store"
    );
}
