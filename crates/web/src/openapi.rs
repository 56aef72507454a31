//! The OpenAPI description of the API. The tests query everything that is described here and check the
//! responses against it.

use serde_json::{Map, Value, json};

use crate::shelf::other_languages;

/// The OpenAPI document.
pub(crate) fn document() -> Value {
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "tafl", "version": env!("CARGO_PKG_VERSION"),
            "description": "Play, watch and write games. If the service is not on loopback, everything but GET requires `Authorization: Bearer TOKEN`.",
        },
        "servers": [{ "url": "/api/v1" }],
        "paths": paths(),
        "components": {
            "schemas": schemas(),
            "securitySchemes": { "token": { "type": "http", "scheme": "bearer" } },
        },
    })
}

fn paths() -> Value {
    let operations = [
        ("/games", "get", "The games", vec![query("search"), query("kind")], None, reply(200, "GameList")),
        (
            "/games/{name}",
            "get",
            "One game with its rules",
            vec![path("name")],
            None,
            reply(200, "GameDetail"),
        ),
        (
            "/games/{name}/thumbnail.svg",
            "get",
            "The initial state as a picture",
            vec![path("name")],
            None,
            picture(),
        ),
        ("/players", "get", "The players", vec![], None, reply(200, "PlayerList")),
        ("/config", "get", "The service", vec![], None, reply(200, "Config")),
        (
            "/matches",
            "get",
            "The matches, latest first",
            vec![query("state"), query("limit")],
            None,
            reply(200, "MatchList"),
        ),
        ("/matches", "post", "Create a match", vec![], Some("MatchRequest"), reply(201, "MatchCreated")),
        (
            "/matches/{id}",
            "get",
            "One match",
            vec![path("id"), query("key")],
            None,
            reply(200, "MatchDetail"),
        ),
        (
            "/matches/{id}/take",
            "post",
            "Take an open seat",
            vec![path("id")],
            Some("Take"),
            reply(200, "SeatKey"),
        ),
        (
            "/matches/{id}/abort",
            "post",
            "Abort a match",
            vec![path("id"), query("key")],
            None,
            reply(200, "Aborted"),
        ),
        ("/matches/{id}/record", "get", "The match record", vec![path("id")], None, reply(200, "Record")),
        (
            "/matches/{id}/steps/{step}",
            "get",
            "One step in a view; with `.svg` after its number only the board, with `look=stylesheet` drawn by the game's own stylesheet",
            vec![path("id"), path("step"), query("view"), query("key"), query("look")],
            None,
            reply(200, "Step"),
        ),
        (
            "/matches/{id}/events",
            "get",
            "Server-Sent Events: step, clock, end",
            vec![path("id"), query("view"), query("key")],
            None,
            stream(),
        ),
        (
            "/matches/{id}/socket",
            "get",
            "The WebSocket of a seat",
            vec![path("id"), query("key")],
            None,
            socket(),
        ),
        ("/workshop/check", "post", "Check a sheet", vec![], Some("Sheet"), reply(200, "Checked")),
        (
            "/workshop/convert",
            "post",
            "Convert a sheet to the other form",
            vec![],
            Some("ConvertRequest"),
            reply(200, "Text"),
        ),
        (
            "/workshop/position",
            "post",
            "A position of a sheet",
            vec![],
            Some("PositionRequest"),
            reply(200, "Position"),
        ),
        (
            "/workshop/playouts",
            "post",
            "Random games from a position",
            vec![],
            Some("PlayoutsRequest"),
            reply(200, "Playouts"),
        ),
        ("/workshop/profile", "post", "The cost of each rule", vec![], Some("Sheet"), reply(200, "Profile")),
        ("/tournaments", "get", "The tournaments, latest first", vec![], None, reply(200, "TournamentList")),
        ("/tournaments", "post", "Start a tournament", vec![], Some("Spec"), reply(201, "TournamentCreated")),
        ("/tournaments/{id}", "get", "One tournament", vec![path("id")], None, reply(200, "Tournament")),
        (
            "/tournaments/{id}/stop",
            "post",
            "Stop a tournament",
            vec![path("id")],
            None,
            reply(200, "Aborted"),
        ),
        (
            "/tournaments/{id}/resume",
            "post",
            "Resume a tournament that was stopped",
            vec![path("id")],
            None,
            reply(200, "Aborted"),
        ),
        ("/tournaments/{id}/events", "get", "Server-Sent Events: progress", vec![path("id")], None, stream()),
        (
            "/tournaments/{id}/{file}",
            "get",
            "report.md, report.html, results.csv or results.json",
            vec![path("id"), path("file")],
            None,
            report(),
        ),
        ("/experiments", "get", "The experiments", vec![], None, reply(200, "ExperimentList")),
        (
            "/experiments/{name}",
            "get",
            "One experiment: parts, figures, report",
            vec![path("name"), variant()],
            None,
            reply(200, "Experiment"),
        ),
        (
            "/experiments/{name}/run",
            "post",
            "Run or resume an experiment",
            vec![path("name")],
            Some("Variant"),
            reply(200, "Aborted"),
        ),
        (
            "/experiments/{name}/stop",
            "post",
            "Stop an experiment",
            vec![path("name")],
            Some("Variant"),
            reply(200, "Aborted"),
        ),
        (
            "/experiments/{name}/events",
            "get",
            "Server-Sent Events: progress",
            vec![path("name"), variant()],
            None,
            stream(),
        ),
        (
            "/experiments/{name}/{file}",
            "get",
            "report.md, report.html or figures.json",
            vec![path("name"), path("file"), variant()],
            None,
            report(),
        ),
        ("/openapi.json", "get", "This document", vec![], None, reply(200, "Anything")),
        ("/metrics", "get", "Metrics in the Prometheus format", vec![], None, plain()),
        ("/health", "get", "Whether the service is up", vec![], None, reply(200, "Health")),
    ];
    let mut paths: Map<String, Value> = Map::new();
    for (place, method, summary, parameters, body, mut responses) in operations {
        responses["4XX"] = json!({ "description": "An error", "content": { "application/json": { "schema": named("Error") } } });
        let mut operation = json!({ "summary": summary, "parameters": parameters, "responses": responses });
        if let Some(body) = body {
            operation["requestBody"] =
                json!({ "required": true, "content": { "application/json": { "schema": named(body) } } });
        }
        if method != "get" {
            operation["security"] = json!([{ "token": [] }, {}]);
        }
        paths.entry(place).or_insert_with(|| json!({}))[method] = operation;
    }
    Value::Object(paths)
}

fn schemas() -> Value {
    let text = || json!({ "type": "string" });
    let whole = || json!({ "type": "integer" });
    let number = || json!({ "type": "number" });
    let truth = || json!({ "type": "boolean" });
    let tournaments = || json!({ "enum": ["running", "done", "stopped"] });
    let language = || json!({ "enum": ["kif", "hrf"] });
    let kinds = ["hidden", "simultaneous", "puzzle", "random"].into_iter().chain(other_languages());
    let kinds: Map<String, Value> = kinds.map(|kind| (kind.to_string(), truth())).collect();
    let kind = json!({ "type": "object", "properties": kinds });
    let languages: Vec<&str> = library::languages().iter().map(|language| language.name()).collect();
    let game = [
        ("name", text()),
        ("title", text()),
        ("about", text()),
        ("roles", list(text())),
        ("kind", kind),
        ("thumbnail", text()),
        ("folder", or_null(text())),
    ];
    let detail = [
        ("stylesheet", truth()),
        ("sheet", text()),
        ("language", json!({ "enum": languages })),
        ("board", json!({ "enum": ["grid", "hex", "cards", "table", "graph"] })),
    ];
    let goals = || or_null(by_role(or_null(whole())));
    let listed = [
        ("id", text()),
        ("game", text()),
        ("title", text()),
        ("roles", list(text())),
        ("players", list(text())),
        ("state", json!({ "enum": ["live", "done", "aborted"] })),
        ("steps", whole()),
        ("started", whole()),
        ("goals", goals()),
        ("hidden", truth()),
        ("waiting", list(text())),
    ];
    let more = [
        ("views", list(text())),
        ("yours", or_null(text())),
        ("clocks", object(&[("start", number()), ("play", number())])),
        ("casual", truth()),
        ("grace_ms", or_null(whole())),
        ("replaced", by_role(whole())),
        ("board", text()),
        ("stylesheet", truth()),
        ("ending", or_null(named("Anything"))),
    ];
    let place = || object(&[("line", whole()), ("column", whole()), ("offset", whole())]);
    let evaluation = object(&[
        ("value", number()),
        ("visits", or_null(number())),
        ("line", list(text())),
        ("entries", list(list(text()))),
    ]);
    let replaced = object(&[("code", json!({ "enum": ["TO", "IL move", "CE"] })), ("text", text())]);
    let step = [
        ("number", whole()),
        ("board", text()),
        ("facts", list(text())),
        ("turn", list(text())),
        ("terminal", truth()),
        ("goals", goals()),
        ("moves", or_null(by_role(text()))),
        ("replaced", by_role(replaced)),
        ("percepts", list(text())),
        ("legal", by_role(list(named("LegalMove")))),
        ("changed", list(text())),
        ("evaluation", or_null(by_role(evaluation))),
    ];
    let tried = [step.as_slice(), &[("seen", or_null(by_role(list(text()))))]].concat();
    let cost = object(&[
        ("line", whole()),
        ("text", text()),
        ("share", number()),
        ("instances", whole()),
        ("gates", number()),
        ("advice", or_null(text())),
    ]);
    let mean =
        object(&[("mean", or_null(number())), ("low", or_null(number())), ("high", or_null(number()))]);
    let size = || json!({ "enum": ["quick", "full"] });
    let underway = || json!({ "enum": ["new", "running", "stopped", "done", "failed"] });
    let verdict = || {
        or_null(object(&[
            ("agree", whole()),
            ("differ", whole()),
            ("missing", whole()),
            ("unclear", whole()),
            ("as_expected", truth()),
        ]))
    };
    let figure = [
        ("table", text()),
        ("label", text()),
        ("published", text()),
        ("ours", text()),
        ("matches", whole()),
        ("test", or_null(text())),
        ("raw_p", or_null(number())),
        ("p", or_null(number())),
        ("could_show", or_null(text())),
        ("verdict", json!({ "enum": ["agrees", "differs", "fitted", "shown", "missing", "unclear"] })),
        ("expected", truth()),
        ("claimed", truth()),
        ("foreseen", json!({ "enum": ["before", "later", "unknown"] })),
        ("origin", json!({ "enum": ["published", "derived", "claim", "fitted"] })),
        ("why", text()),
    ];
    let figure = optional(&figure, &["could_show"]);
    let block = [
        ("kind", json!({ "enum": ["heading", "text", "list", "table", "plot"] })),
        ("level", whole()),
        ("text", text()),
        ("entries", list(text())),
        ("head", list(text())),
        ("rows", list(list(text()))),
        ("words", list(whole())),
        ("title", text()),
        ("svg", text()),
    ];
    let block = optional(&block, &["level", "text", "entries", "head", "rows", "words", "title", "svg"]);
    let sheet = [("text", text()), ("language", language())];
    let line = [sheet.as_slice(), &[("moves", list(list(text())))]].concat();
    json!({
        "Error": object(&[("error", object(&[("code", text()), ("message", text())]))]),
        "Anything": {},
        "GameList": object(&[("games", list(object(&game)))]),
        "GameDetail": object(&[game.as_slice(), &detail].concat()),
        "PlayerList": object(&[("players", list(object(&[("usage", text()), ("about", text())])))]),
        "Config": object(&[("version", text()), ("token_required", truth()), ("grace_ms", whole())]),
        "Health": object(&[("status", text())]),
        "MatchRequest": {
            "type": "object", "required": ["seats"],
            "properties": {
                "game": text(), "sheet": named("Sheet"), "start_clock": number(), "play_clock": number(), "seed": whole(), "casual": truth(),
                "seats": list(object(&[("role", text()), ("player", text())])),
            },
        },
        "MatchCreated": object(&[("id", text()), ("url", text()), ("seats", list(named("SeatKey")))]),
        "MatchList": object(&[("matches", list(object(&listed)))]),
        "MatchDetail": object(&[listed.as_slice(), &more].concat()),
        "Take": object(&[("role", text())]),
        "SeatKey": object(&[("role", text()), ("key", text())]),
        "Aborted": object(&[("id", text()), ("state", text())]),
        "Record": { "type": "object", "required": ["matchId", "states", "moves"], "additionalProperties": true },
        "LegalMove": object(&[("move", text()), ("label", text()), ("cells", list(text()))]),
        "Step": object(&step),
        "Sheet": object(&sheet),
        "ConvertRequest": object(&[("text", text()), ("from", language()), ("to", language())]),
        "Text": object(&[("text", text())]),
        "PositionRequest": optional(&line, &["moves"]),
        "PlayoutsRequest": optional(&[line.as_slice(), &[("playouts", whole()), ("seed", whole())]].concat(), &["moves", "playouts", "seed"]),
        "Diagnostic": object(&[
            ("severity", json!({ "enum": ["error", "warning"] })), ("code", text()), ("message", text()), ("help", or_null(text())),
            ("start", place()), ("end", place()),
        ]),
        "Checked": object(&[("diagnostics", list(named("Diagnostic"))), ("ok", truth()), ("roles", list(text())), ("converted", or_null(text()))]),
        "Position": object(&[("facts", list(text())), ("step", object(&tried))]),
        "Playouts": object(&[
            ("playouts", whole()), ("mean_length", number()), ("goals", by_role(mean)),
            ("ends", object(&[("goals", whole()), ("dead_end", whole()), ("no_goal", whole()), ("cut_off", whole())])),
        ]),
        "Spec": object(&[("spec", text())]),
        "TournamentCreated": object(&[("id", text())]),
        "TournamentList": object(&[("tournaments", list(object(&[
            ("id", text()), ("name", text()), ("done", whole()), ("total", whole()), ("state", tournaments()),
        ])))]),
        "Tournament": object(&[
            ("id", text()), ("name", text()), ("state", tournaments()), ("done", whole()), ("total", whole()),
            ("standings", list(object(&[
                ("player", text()), ("games", whole()), ("score", number()), ("low", number()), ("high", number()),
                ("won", or_null(whole())), ("drawn", or_null(whole())), ("lost", or_null(whole())), ("rating", or_null(number())),
                ("rating_low", or_null(number())), ("rating_high", or_null(number())),
            ]))),
            ("pairings", list(object(&[
                ("player", text()), ("against", text()), ("games", whole()), ("score", number()), ("low", number()), ("high", number()),
            ]))),
            ("matches", list(object(&[
                ("id", text()), ("game", text()), ("players", list(text())), ("goals", list(or_null(whole()))), ("steps", whole()),
            ]))),
            ("plots", list(object(&[("title", text()), ("svg", text())]))),
        ]),
        "Variant": object(&[("variant", size())]),
        "ExperimentList": object(&[("folder", truth()), ("experiments", list(object(&[
            ("name", text()), ("title", text()), ("source", text()),
            ("quick", object(&[("state", underway()), ("verdict", verdict())])),
            ("full", object(&[("state", underway()), ("verdict", verdict())])),
        ])))]),
        "Experiment": object(&[
            ("name", text()), ("title", text()), ("source", text()), ("question", text()), ("variant", size()),
            ("state", underway()), ("part", whole()), ("done", whole()), ("total", whole()),
            ("parts", list(object(&[
                ("name", text()), ("kind", json!({ "enum": ["tournament", "playouts", "command", "turns"] })), ("what", text()),
                ("done", whole()), ("total", whole()), ("tournament", or_null(text())),
            ]))),
            ("figures", list(figure)), ("verdict", verdict()), ("trouble", or_null(text())), ("report", list(block)),
        ]),
        "Profile": object(&[("basis", text()), ("note", or_null(text())), ("rules", list(cost))]),
    })
}

fn named(schema: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{schema}") })
}

fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

fn by_role(value: Value) -> Value {
    json!({ "type": "object", "additionalProperties": value })
}

fn or_null(schema: Value) -> Value {
    json!({ "anyOf": [schema, { "type": "null" }] })
}

/// Returns the schema of an object with exactly these properties.
fn object(properties: &[(&str, Value)]) -> Value {
    optional(properties, &[])
}

/// Returns the schema of an object with exactly these properties, some of which may be omitted.
fn optional(properties: &[(&str, Value)], left_out: &[&str]) -> Value {
    let required: Vec<&str> =
        properties.iter().map(|(name, _)| *name).filter(|name| !left_out.contains(name)).collect();
    let properties: Map<String, Value> =
        properties.iter().map(|(name, schema)| ((*name).to_string(), schema.clone())).collect();
    json!({ "type": "object", "required": required, "properties": properties, "additionalProperties": false })
}

fn path(name: &str) -> Value {
    json!({ "name": name, "in": "path", "required": true, "schema": { "type": "string" } })
}

fn query(name: &str) -> Value {
    json!({ "name": name, "in": "query", "schema": { "type": "string" } })
}

fn variant() -> Value {
    json!({ "name": "variant", "in": "query", "schema": { "enum": ["quick", "full"] } })
}

fn reply(status: u16, schema: &str) -> Value {
    json!({ status.to_string(): { "description": "Done", "content": { "application/json": { "schema": named(schema) } } } })
}

fn picture() -> Value {
    json!({ "200": { "description": "A picture", "content": { "image/svg+xml": {} } } })
}

fn stream() -> Value {
    json!({ "200": { "description": "Events", "content": { "text/event-stream": {} } } })
}

fn report() -> Value {
    let kinds = ["text/markdown", "text/html", "text/csv", "application/json"];
    let content: Map<String, Value> = kinds.iter().map(|kind| ((*kind).to_string(), json!({}))).collect();
    json!({ "200": { "description": "A file", "content": content } })
}

fn plain() -> Value {
    json!({ "200": { "description": "Text", "content": { "text/plain": {} } } })
}

fn socket() -> Value {
    json!({ "101": { "description": "A WebSocket. The service sends messages of the types step, clock, end, hint and error; a player sends move, hint, undo and resign." } })
}
