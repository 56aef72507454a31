//! Sheets that are being written.

use serde_json::{Value, json};

use crate::client::{Up, asked};

const SHEET: &str = "(role x) (role o) (init (control x))
(<= (legal x go) (true (control x))) (<= (legal x stay) (true (control x)))
(<= (legal o noop) (true (control x)))
(<= (next done) (does x go)) (<= (next lost) (does x stay))
(<= terminal (true done)) (<= terminal (true lost))
(<= (legal x noop) (true done)) (<= (legal x noop) (true lost))
(<= (legal o noop) (true done)) (<= (legal o noop) (true lost))
(<= (goal x 100) (true done)) (<= (goal x 0) (true lost)) (<= (goal x 50) (true (control x)))
(<= (goal o 0) (true done)) (<= (goal o 100) (true lost)) (<= (goal o 50) (true (control x)))";

fn sheet(text: &str) -> Value {
    json!({ "text": text, "language": "kif" })
}

#[test]
fn a_broken_sheet_is_told_where_and_a_mended_one_is_played() {
    let up = Up::new();
    let broken = up.post("/api/v1/workshop/check", &sheet("(role x)\n(<= (goal x ?y)\n  (true ä))")).json();
    assert_eq!(broken["ok"], false);
    let found = broken["diagnostics"].as_array().unwrap();
    let unsafe_variable =
        found.iter().find(|found| found["message"].as_str().unwrap().contains("?y")).unwrap();
    assert_eq!(unsafe_variable["severity"], "error");
    assert_eq!(unsafe_variable["start"]["line"], 2);
    assert!(unsafe_variable["end"]["offset"].as_u64() > unsafe_variable["start"]["offset"].as_u64());
    let good = up.post("/api/v1/workshop/check", &sheet(SHEET)).json();
    assert_eq!((good["ok"].as_bool(), &good["roles"]), (Some(true), &json!(["x", "o"])), "{good}");
    let mut body = asked("", &[("x", "human"), ("o", "random")]);
    body.as_object_mut().unwrap().remove("game");
    body["sheet"] = sheet(SHEET);
    let (id, keys) = up.play(&body);
    let mut seat = up.seat(&id, &keys[0]);
    let step = seat.turn("x").unwrap();
    seat.make(&step, "go");
    assert_eq!(seat.hear_of("end")["goals"], json!({ "x": 100, "o": 0 }));
    body["sheet"] = sheet("(role x) (role o) (<= (goal x ?y) (true a))");
    assert_eq!(up.post("/api/v1/matches", &body).status, 422);
}

#[test]
fn sheets_are_converted_stepped_played_out_and_profiled() {
    let up = Up::new();
    let infix =
        up.post("/api/v1/workshop/convert", &json!({ "text": SHEET, "from": "kif", "to": "hrf" })).json();
    let text = infix["text"].as_str().unwrap();
    assert!(text.contains(":-"));
    let back =
        up.post("/api/v1/workshop/convert", &json!({ "text": text, "from": "hrf", "to": "kif" })).json();
    assert!(back["text"].as_str().unwrap().contains("(<= "));
    assert_eq!(
        up.post("/api/v1/workshop/convert", &json!({ "text": "(", "from": "kif", "to": "hrf" })).status,
        422
    );

    let mut body = sheet(SHEET);
    let start = up.post("/api/v1/workshop/position", &body).json();
    assert_eq!(start["step"]["turn"], json!(["x"]));
    assert_eq!(start["step"]["legal"]["x"].as_array().unwrap().len(), 2);
    body["moves"] = json!([["stay", "noop"]]);
    let end = up.post("/api/v1/workshop/position", &body).json();
    assert_eq!((end["step"]["terminal"].as_bool(), &end["facts"]), (Some(true), &json!(["lost"])));
    assert_eq!(end["step"]["goals"], json!({ "x": 0, "o": 100 }));
    for moves in [json!([["fly", "noop"]]), json!([["stay"]]), json!([["stay", "noop"], ["noop", "noop"]])] {
        body["moves"] = moves;
        assert_eq!(up.post("/api/v1/workshop/position", &body).code(), "illegal-move");
    }
    let mut body = sheet(SHEET);
    body["playouts"] = json!(200);
    let played = up.post("/api/v1/workshop/playouts", &body).json();
    assert_eq!((played["playouts"].as_u64(), played["mean_length"].as_f64()), (Some(200), Some(1.0)));
    let mean = played["goals"]["x"]["mean"].as_f64().unwrap();
    assert!((30.0..70.0).contains(&mean) && played["goals"]["x"]["low"].as_f64().unwrap() < mean);
    body["playouts"] = json!(1_000_000_000u32);
    assert_eq!(up.post("/api/v1/workshop/playouts", &body).code(), "bad-count");
    let profile = up.post("/api/v1/workshop/profile", &sheet(SHEET)).json();
    assert!(profile["rules"][0]["share"].is_number(), "{profile}");
}

#[test]
fn hostile_symbols_are_shown_harmlessly() {
    let up = Up::new();
    let evil = "<script>alert</script>\"onload='x'&";
    let text = SHEET.replace("(control x)", &format!("(cell 1 2 {evil})"));
    let text =
        text.replace("(legal x go)", "(legal x <img/src=x>)").replace("(does x go)", "(does x <img/src=x>)");
    let check = up.post("/api/v1/workshop/check", &sheet(&text)).json();
    assert_eq!(check["ok"], true, "{check}");
    let step = up.post("/api/v1/workshop/position", &sheet(&text)).json();
    let board = step["step"]["board"].as_str().unwrap();
    assert!(board.starts_with("<svg") && !board.contains("<script") && !board.contains("<img"), "{board}");
    assert!(!board.contains(" style=") && !board.contains("\u{0}"));
    let mut body = asked("", &[("x", "human"), ("o", "random")]);
    body.as_object_mut().unwrap().remove("game");
    body["sheet"] = sheet(&text);
    let (id, _) = up.play(&body);
    let picture = up.get(&format!("/api/v1/matches/{id}/steps/0.svg")).text();
    assert!(!picture.contains("<script") && picture.contains("&lt;script&gt;"), "{picture}");
}

#[test]
fn sheets_that_cost_too_much_are_refused_in_time() {
    let up = Up::new();
    let digits: String = (0..10).map(|digit| format!("(digit d{digit}) ")).collect();
    let arguments: Vec<String> = (0..9).map(|number| format!("?v{number}")).collect();
    let body: String = arguments.iter().map(|name| format!(" (digit {name})")).collect();
    let text = format!(
        "(role x) {digits} (init (n d0)) (<= (legal x (go {all})) {body} (true (n ?v0))) \
         (<= (next (n ?v1)) (does x (go {all}))) (<= terminal (true (n d9))) (goal x 100)",
        all = arguments.join(" ")
    );
    let begun = std::time::Instant::now();
    let answer = up.post("/api/v1/workshop/position", &sheet(&text));
    assert!((400..500).contains(&answer.status), "{}", answer.status);
    assert!(begun.elapsed().as_secs() < 40, "{:?}", begun.elapsed());
    assert_eq!(up.get("/health").status, 200);
}
