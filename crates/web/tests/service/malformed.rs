//! Ten thousand requests that nobody should send: each is refused, none breaks anything.

use game::{Rng, Seed};
use serde_json::{Value, json};

use crate::client::{Up, asked};

const METHODS: [&str; 7] = ["GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "BREW"];

const PLACES: [&str; 28] = [
    "/games",
    "/games/",
    "/games/chess/thumbnail",
    "/matches",
    "/matches/ID",
    "/matches/ID/steps/0",
    "/matches/ID/steps/x",
    "/matches/ID/steps/-1.svg",
    "/matches/ID/take",
    "/matches/ID/abort",
    "/matches/ID/record",
    "/matches/ID/events",
    "/matches/ID/socket",
    "/tournaments",
    "/tournaments/x/resume",
    "/tournaments/x/report.md",
    "/experiments/x",
    "/experiments/x/run",
    "/experiments/x/events",
    "/workshop/check",
    "/workshop/convert",
    "/workshop/position",
    "/workshop/playouts",
    "/workshop/profile",
    "/players/x",
    "/config/y",
    "/../x",
    "/openapi",
];

const WORDS: [&str; 18] = [
    "",
    "null",
    "x",
    "o",
    "human",
    "tic_tac_toe",
    "\u{0}",
    "<script>",
    "../../etc/passwd",
    "(((((((((",
    "mcts(",
    "-1",
    "99999999999999999999",
    "%zz",
    "ä\u{202e}ö",
    "http://[::1",
    "process(process(x))",
    "\"'\\",
];

struct Generator {
    chance: Rng,
    id: String,
}

impl Generator {
    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[self.chance.below(from.len())]
    }

    fn value(&mut self, depth: usize) -> Value {
        match self.chance.below(if depth > 3 { 6 } else { 8 }) {
            0 => Value::Null,
            1 => json!(self.chance.below(2) == 0),
            2 => json!(self.pick(&[0i64, -1, 1, i64::MAX, i64::MIN, 1 << 53])),
            3 => json!(self.pick(&[0.5, -0.0, 1e308, 1e-308])),
            4 | 5 => json!(self.pick(&WORDS)),
            6 => (0..self.chance.below(4)).map(|_| self.value(depth + 1)).collect(),
            _ => {
                let names =
                    ["game", "seats", "role", "player", "text", "language", "moves", "sheet", "seed", "x"];
                let entries =
                    (0..self.chance.below(5)).map(|_| (self.pick(&names).to_string(), self.value(depth + 1)));
                Value::Object(entries.collect())
            }
        }
    }

    /// A proper body with one thing changed, or anything at all.
    fn body(&mut self) -> Vec<u8> {
        let proper = [
            asked("tic_tac_toe", &[("x", "human"), ("o", "random")]),
            json!({ "text": "(role x)", "language": "kif" }),
            json!({ "text": "(role x)", "from": "kif", "to": "hrf" }),
            json!({ "text": "(role x)", "language": "kif", "moves": [["x"]], "playouts": 5, "seed": 1 }),
            json!({ "role": "x" }),
        ];
        let mut body = proper[self.chance.below(proper.len())].clone();
        let names: Vec<String> = body.as_object().unwrap().keys().cloned().collect();
        let name = names[self.chance.below(names.len())].clone();
        match self.chance.below(5) {
            0 => body = self.value(0),
            1 => {
                body.as_object_mut().unwrap().remove(&name);
            }
            2 => body["surplus"] = self.value(1),
            _ => body[&name] = self.value(1),
        }
        let mut bytes = body.to_string().into_bytes();
        match self.chance.below(8) {
            0 => bytes.truncate(bytes.len() / 2),
            1 => {
                let at = self.chance.below(bytes.len().max(1));
                bytes.insert(at, self.pick(&[0u8, 0xff, b'"', b'{', b'\\']));
            }
            2 => bytes = vec![b'['; 5000],
            _ => {}
        }
        bytes
    }

    /// A request, and whether all of it is there.
    fn request(&mut self) -> (Vec<u8>, bool) {
        let mut path = format!("/api/v1{}", self.pick(&PLACES)).replace("ID", &self.id.clone());
        if self.chance.below(4) == 0 {
            path = path.replace(&self.id.clone(), self.pick(&["m", "%00", "%ff%fe", "..", "m%2fm", "a.b~2"]));
        }
        if self.chance.below(2) == 0 {
            let names = ["view", "key", "state", "limit", "search", "kind", "x"];
            let value: String = self.pick(&WORDS).bytes().map(|byte| format!("%{byte:02x}")).collect();
            path.push_str(&format!("?{}={value}", self.pick(&names)));
        }
        let method = self.pick(&METHODS);
        let body = if method == "GET" { Vec::new() } else { self.body() };
        let kind = self.pick(&[
            "application/json",
            "application/json",
            "application/json",
            "text/plain",
            "",
            "multipart/form-data",
        ]);
        let length = match self.chance.below(40) {
            0 => body.len() + 10,
            1 => 1 << 40,
            _ => body.len(),
        };
        let mut text = format!(
            "{method} {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n"
        );
        let strange = self.chance.below(30);
        match strange {
            0 => text.push_str("transfer-encoding: chunked\r\n"),
            1 => text.push_str("x: \u{1}\r\n"),
            2 => text.push_str("upgrade: websocket\r\nconnection: upgrade\r\n"),
            3 => text.push_str("last-event-id: \u{e4}\r\n"),
            _ => {}
        }
        text.push_str("\r\n");
        let whole = length == body.len() && strange != 0;
        let mut bytes = text.into_bytes();
        bytes.extend(body);
        (bytes, whole)
    }
}

#[test]
fn ten_thousand_malformed_requests_give_no_error_of_the_service() {
    let up = Up::new();
    let (id, _) = up.play(&asked("tic_tac_toe", &[("x", "human"), ("o", "human")]));
    std::thread::scope(|scope| {
        for thread in 0..4 {
            let (up, id) = (&up, id.clone());
            scope.spawn(move || {
                let mut generator = Generator { chance: Seed(9).derive(thread).rng(), id };
                for _ in 0..2_500 {
                    let (request, whole) = generator.request();
                    let shown = || String::from_utf8_lossy(&request).into_owned();
                    let status = up.status_of(&request, whole);
                    // A request that promises more than it sends may get no answer.
                    assert!(status.is_some() || !whole, "no answer to {}", shown());
                    let Some(status) = status else { continue };
                    assert!(status < 500, "{status} for {}", shown());
                }
            });
        }
    });
    assert_eq!(up.get("/health").status, 200);
    let metrics = up.get("/metrics").text();
    assert!(metrics.contains("tafl_requests_total{status=\"5xx\"} 0"), "{metrics}");
    let told = up.get(&format!("/api/v1/matches/{id}")).json();
    assert_eq!(told["state"], "live");
}
