//! Games, players, pages.

use crate::client::Up;

#[test]
fn games_are_listed_searched_and_shown() {
    let up = Up::new();
    let all = up.get("/api/v1/games").json();
    let games = all["games"].as_array().unwrap();
    assert!(games.len() > 50);
    let four = games.iter().find(|game| game["name"] == "connect_four").unwrap();
    assert_eq!(four["title"], "Connect Four");
    assert_eq!(four["roles"][0], "red");
    assert_eq!(four["kind"]["hidden"], false);
    let hidden = up.get("/api/v1/games?kind=hidden&search=monty").json();
    let hidden = hidden["games"].as_array().unwrap();
    assert!(!hidden.is_empty() && hidden.iter().all(|game| game["kind"]["hidden"] == true));
    let one = up.get("/api/v1/games/tic_tac_toe").json();
    assert!(one["sheet"].as_str().unwrap().contains("role"));
    assert_eq!((one["language"].as_str(), one["board"].as_str()), (Some("kif"), Some("grid")));
    let graph = up.get("/api/v1/games/tic_tac_toe_graph").json();
    assert_eq!(graph["language"], "graph");
    let picture = up.get(four["thumbnail"].as_str().unwrap());
    assert_eq!(picture.header("content-type"), Some("image/svg+xml"));
    assert!(picture.text().starts_with("<svg"));
    let unknown = up.get("/api/v1/games/conect_four");
    assert_eq!((unknown.status, unknown.code().as_str()), (404, "unknown-game"));
    let players = up.get("/api/v1/players").json();
    assert!(
        players["players"]
            .as_array()
            .unwrap()
            .iter()
            .any(|player| player["usage"].as_str().unwrap().starts_with("mcts"))
    );
}

#[test]
fn names_of_games_are_no_paths() {
    let up = Up::new();
    for name in
        ["..%2f..%2fCargo.toml", "%2fetc%2fpasswd", "games%2fchess%2frules.kif", ".", "..", "chess%00"]
    {
        let answer = up.get(&format!("/api/v1/games/{name}"));
        assert!(answer.status == 404 || answer.status == 400, "{name}: {}", answer.status);
        let body = serde_json::json!({ "game": name.replace("%2f", "/"), "seats": [] });
        assert_eq!(up.post("/api/v1/matches", &body).status, 404, "{name}");
    }
    for path in [
        "/assets/../Cargo.toml",
        "/assets/..%2f..%2fCargo.toml",
        "/..%2fCargo.toml",
        "/assets/%2e%2e/src/lib.rs",
        "//etc/passwd",
    ] {
        let answer = up.get(path);
        assert!((400..500).contains(&answer.status), "{path}: {}", answer.status);
        assert!(!answer.text().contains("[package]"));
    }
}

#[test]
fn pages_have_a_strict_policy_and_are_not_sent_twice() {
    let up = Up::new();
    for path in
        ["/", "/play?game=chess", "/match/mabc", "/matches", "/workshop", "/lab", "/experiments/x", "/help"]
    {
        let answer = up.get(path);
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.header("content-type").unwrap().starts_with("text/html"));
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'none'; script-src 'self'") && !policy.contains("unsafe"));
        assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    }
    let page = up.get("/");
    assert!(page.body.len() < 150_000);
    let again = up.send("GET", "/", &[("if-none-match", page.header("etag").unwrap())], b"");
    assert_eq!((again.status, again.body.len()), (304, 0));
    assert_eq!(up.get("/nothing").status, 404);
}

#[test]
fn health_metrics_and_configuration_are_told() {
    let up = Up::new();
    assert_eq!(up.get("/health").json()["status"], "ok");
    assert_eq!(up.get("/api/v1/config").json()["token_required"], false);
    let metrics = up.get("/metrics").text();
    assert!(
        metrics.contains("tafl_requests_total{status=\"2xx\"}") && metrics.contains("tafl_matches_live 0")
    );
}
