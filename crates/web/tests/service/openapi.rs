//! The description of the API against the service.

use serde_json::{Value, json};

use crate::client::{Up, With, asked, fresh_file};

/// Holds a value against a schema; gives what is wrong, and where.
fn check(document: &Value, schema: &Value, value: &Value, place: &str) -> Result<(), String> {
    if let Some(name) = schema["$ref"].as_str() {
        let schema =
            document.pointer(name.trim_start_matches('#')).ok_or(format!("{name} is not described"))?;
        return check(document, schema, value, place);
    }
    if let Some(any) = schema["anyOf"].as_array() {
        let tried: Vec<_> = any.iter().map(|schema| check(document, schema, value, place)).collect();
        return if tried.iter().any(Result::is_ok) { Ok(()) } else { tried[0].clone() };
    }
    if let Some(values) = schema["enum"].as_array()
        && !values.contains(value)
    {
        return Err(format!("{place}: {value} is none of {values:?}"));
    }
    let fits = match schema["type"].as_str() {
        None => true,
        Some("string") => value.is_string(),
        Some("integer") => value.is_u64() || value.is_i64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("array") => value.is_array(),
        Some("object") => value.is_object(),
        Some(other) => return Err(format!("{place}: no type {other}")),
    };
    if !fits {
        return Err(format!("{place}: {value} is not {}", schema["type"]));
    }
    for (at, item) in value.as_array().into_iter().flatten().enumerate() {
        check(document, &schema["items"], item, &format!("{place}/{at}"))?;
    }
    if let Some(object) = value.as_object() {
        for name in schema["required"].as_array().into_iter().flatten() {
            object.get(name.as_str().unwrap()).ok_or(format!("{place}: {name} is missing"))?;
        }
        for (name, value) in object {
            let inner = &schema["properties"][name];
            let rest = &schema["additionalProperties"];
            match (inner.is_null(), rest) {
                (false, _) => check(document, inner, value, &format!("{place}/{name}"))?,
                (true, Value::Bool(false)) => return Err(format!("{place}: {name} is not described")),
                (true, Value::Object(_)) => check(document, rest, value, &format!("{place}/{name}"))?,
                (true, _) => {}
            }
        }
    }
    Ok(())
}

const SHEET: &str = "(role x) (init a) (legal x go) (legal x wait) (<= (next b) (does x go)) (<= (next a) (does x wait)) (<= terminal (true b)) (goal x 100)";

/// What an operation is asked with.
fn body_of(operation: &str) -> Value {
    match operation {
        "post /matches" => asked("tic_tac_toe", &[("x", "human"), ("o", "mcts(playouts=30)")]),
        "post /matches/{id}/take" => json!({ "role": "x" }),
        "post /workshop/convert" => json!({ "text": SHEET, "from": "kif", "to": "hrf" }),
        "post /workshop/position" => json!({ "text": SHEET, "language": "kif", "moves": [["go"]] }),
        "post /workshop/playouts" => json!({ "text": SHEET, "language": "kif", "playouts": 20, "seed": 3 }),
        "post /matches/{id}/abort" => Value::Null,
        "post /experiments/{name}/run" => json!({ "variant": "quick" }),
        "post /tournaments" => {
            json!({ "spec": "name = \"described\"\ngames = [\"tic_tac_toe\"]\nplayers = [\"random\", \"legal\"]\nmatches = 4" })
        }
        _ => json!({ "text": SHEET, "language": "kif" }),
    }
}

#[test]
fn everything_described_is_there_and_is_as_described() {
    let (store, experiments) = (Some(fresh_file("described.db")), Some(crate::experiments::folder()));
    let up = Up::with(With { store, experiments, ..With::default() });
    let document = up.get("/openapi.json").json();
    let (running, keys) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "mcts(playouts=30)")]));
    let mut seat = up.seat(&running, &keys[0]);
    let step = seat.turn("x").unwrap();
    seat.make(&step, "(mark 1 1)");
    seat.turn("x").unwrap();
    let (open, _) = up.play(&asked("tic_tac_toe", &[("x", "open"), ("o", "random")]));
    up.post("/api/v1/experiments/small/run", &json!({ "variant": "quick" }));
    up.events("/api/v1/experiments/small/events?variant=quick", &[], |_, told| told["state"] != "running");
    let mut count = 0;
    for (place, operations) in document["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let name = format!("{method} {place}");
            let id = match name.as_str() {
                "post /matches/{id}/take" => &open,
                _ => &running,
            };
            let id = if place.starts_with("/tournaments") { "described" } else { id };
            let path = place
                .replace("{file}", "report.md")
                .replace("{id}", id)
                .replace("{name}", if place.starts_with("/experiments") { "small" } else { "connect_four" })
                .replace("{step}", "2");
            let quick = if place.starts_with("/experiments/") { "?variant=quick" } else { "" };
            let path = format!("/api/v1{path}{quick}");
            let (status, described) = operation["responses"].as_object().unwrap().iter().next().unwrap();
            count += 1;
            if ["/events", "/socket", "/stop", "/resume"].iter().any(|end| place.ends_with(end)) {
                continue;
            }
            if name == "post /matches/{id}/abort" {
                let answer = up.post(&format!("{path}?key={}", keys[0]), &Value::Null);
                assert_eq!(answer.status, 200, "{name}: {}", answer.text());
                continue;
            }
            let answer = if method == "get" { up.get(&path) } else { up.post(&path, &body_of(&name)) };
            assert_eq!(answer.status.to_string(), *status, "{name}: {}", answer.text());
            let (kind, content) = described["content"].as_object().unwrap().iter().next().unwrap();
            assert!(answer.header("content-type").unwrap().starts_with(kind.as_str()), "{name}");
            if kind == "application/json" {
                check(&document, &content["schema"], &answer.json(), &name).unwrap();
            }
            if let Some(schema) = operation["requestBody"]["content"]["application/json"].get("schema") {
                check(&document, schema, &body_of(&name), &format!("{name}, asked")).unwrap();
                let wrong = up.post(&path, &json!({ "nonsense": [] }));
                assert!((400..500).contains(&wrong.status), "{name}");
                check(
                    &document,
                    &operation["responses"]["4XX"]["content"]["application/json"]["schema"],
                    &wrong.json(),
                    &name,
                )
                .unwrap();
            }
        }
    }
    assert_eq!(count, 35);
}

#[test]
fn what_is_not_described_is_not_there() {
    let up = Up::new();
    let document = up.get("/api/v1/openapi.json").json();
    for place in ["/game", "/matches/x/moves", "/workshop", "/admin", "/v2"] {
        assert!(document["paths"].get(place).is_none());
        let answer = up.get(&format!("/api/v1{place}"));
        assert_eq!((answer.status, answer.code().as_str()), (404, "not-found"), "{place}");
    }
    assert_eq!(up.send("DELETE", "/api/v1/games", &[], b"").code(), "wrong-method");
}
