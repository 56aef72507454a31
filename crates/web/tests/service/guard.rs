//! Who may come in.

use std::net::TcpStream;

use serde_json::json;
use web::Limits;

use crate::client::{Up, With, asked};

#[test]
fn with_a_token_everything_that_changes_something_needs_it() {
    let up = Up::with(With { token: Some("secret-token".to_string()), ..With::default() });
    let body = asked("tic_tac_toe", &[("x", "random"), ("o", "random")]).to_string();
    let kind = ("content-type", "application/json");
    let post = |headers: &[(&str, &str)]| {
        let headers: Vec<(&str, &str)> = [kind].into_iter().chain(headers.iter().copied()).collect();
        up.send("POST", "/api/v1/matches", &headers, body.as_bytes()).status
    };
    assert_eq!(up.get("/api/v1/games").status, 200);
    assert_eq!(up.get("/api/v1/config").json()["token_required"], true);
    assert_eq!(post(&[]), 401);
    assert_eq!(post(&[("authorization", "Bearer wrong-token")]), 401);
    assert_eq!(post(&[("authorization", "Bearer secret-token")]), 201);
    assert_eq!(up.get("/?token=wrong-token").status, 401);
    let exchanged = up.get("/play?game=chess&token=secret-token");
    assert_eq!((exchanged.status, exchanged.header("location")), (303, Some("/play?game=chess")));
    let cookie = exchanged.header("set-cookie").unwrap();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    assert_eq!(post(&[("cookie", cookie.split(';').next().unwrap())]), 201);
    assert_eq!(
        up.send("POST", "/api/v1/workshop/check", &[kind], b"{\"text\":\"\",\"language\":\"kif\"}").status,
        401
    );
    assert_eq!(up.get("//evil.example/?token=secret-token").header("location"), Some("/evil.example/"));
}

#[test]
fn other_pages_and_other_names_are_kept_out() {
    let up = Up::new();
    assert_eq!(up.send("GET", "/api/v1/games", &[("host", "evil.example")], b"").code(), "strange-host");
    let body = asked("tic_tac_toe", &[("x", "random"), ("o", "random")]).to_string();
    let from = |origin: &str| {
        let headers = [("content-type", "application/json"), ("origin", origin)];
        up.send("POST", "/api/v1/matches", &headers, body.as_bytes()).status
    };
    assert_eq!(from("http://evil.example"), 403);
    assert_eq!(from("null"), 403);
    assert_eq!(from(&format!("http://{}", up.address)), 201);
    let upgrade = [
        ("origin", "http://evil.example"),
        ("connection", "upgrade"),
        ("upgrade", "websocket"),
        ("sec-websocket-version", "13"),
        ("sec-websocket-key", "AAAAAAAAAAAAAAAAAAAAAA=="),
    ];
    assert_eq!(up.send("GET", "/api/v1/matches/x/socket?key=y", &upgrade, b"").status, 403);
    let plain = [("content-type", "text/plain")];
    assert_eq!(up.send("POST", "/api/v1/matches", &plain, body.as_bytes()).code(), "not-json");
}

#[test]
fn requests_are_bounded_in_number_and_size() {
    let limits = Limits { rate: 0.001, burst: 20.0, body: 1000, ..Limits::default() };
    let up = Up::with(With { limits, ..With::default() });
    let large = json!({ "text": "x".repeat(5000), "language": "kif" });
    let answer = up.post("/api/v1/workshop/check", &large);
    assert_eq!((answer.status, answer.code().as_str()), (413, "too-large"));
    let mut refused = 0;
    for _ in 0..30 {
        refused += u32::from(up.get("/api/v1/config").status == 429);
    }
    assert_eq!(refused, 11);
}

#[test]
fn no_more_matches_are_played_than_allowed() {
    let limits = Limits { matches: 2, ..With::default().limits };
    let up = Up::with(With { limits, ..With::default() });
    let body = asked("tic_tac_toe", &[("x", "human"), ("o", "human")]);
    up.play(&body);
    up.play(&body);
    assert_eq!(up.post("/api/v1/matches", &body).code(), "too-many-matches");
}

#[test]
fn connections_are_bounded() {
    let limits = Limits { connections: 3, ..With::default().limits };
    let up = Up::with(With { limits, ..With::default() });
    let held: Vec<TcpStream> = (0..3).map(|_| TcpStream::connect(up.address).unwrap()).collect();
    // The fourth waits until one of the others has gone.
    std::thread::scope(|scope| {
        let fourth = scope.spawn(|| up.get("/health").status);
        std::thread::sleep(std::time::Duration::from_millis(300));
        assert!(!fourth.is_finished());
        drop(held);
        assert_eq!(fourth.join().unwrap(), 200);
    });
}
