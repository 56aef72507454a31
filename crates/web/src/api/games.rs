//! Games and players.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::Asked;
use super::matches::foreign_picture;
use crate::problem::Problem;
use crate::service::Service;
use crate::shelf::Listed;

#[derive(Debug, Deserialize)]
pub(crate) struct Search {
    search: Option<String>,
    kind: Option<String>,
}

pub(crate) async fn list(
    State(service): State<Arc<Service>>,
    Asked(asked): Asked<Search>,
) -> Result<Response, Problem> {
    let whole =
        asked.search.as_deref().unwrap_or("").is_empty() && asked.kind.as_deref().unwrap_or("").is_empty();
    // The first page needs this, so it must not wait for other work.
    if let Some(told) = service.shelf.told().filter(|_| whole) {
        return Ok(([(header::CONTENT_TYPE, "application/json")], told.to_string()).into_response());
    }
    service
        .clone()
        .work(move || {
            let words = asked.search.unwrap_or_default().to_lowercase();
            let kind = asked.kind.filter(|kind| !kind.is_empty());
            let fits = |listed: &&Listed| {
                let text = format!("{} {} {}", listed.name, listed.title, listed.about).to_lowercase();
                words.split_whitespace().all(|word| text.contains(word))
                    && kind.as_deref().is_none_or(|kind| is_of(listed, kind))
            };
            let games: Vec<&Listed> = service.shelf.list().iter().filter(fits).collect();
            Ok(Json(json!({ "games": games })).into_response())
        })
        .await
}

fn is_of(listed: &Listed, kind: &str) -> bool {
    match kind {
        "hidden" => listed.kind.hidden,
        "simultaneous" => listed.kind.simultaneous,
        "puzzle" => listed.kind.puzzle,
        "random" => listed.kind.random,
        other => listed.kind.language == Some(other),
    }
}

pub(crate) async fn one(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
) -> Result<Json<Value>, Problem> {
    service
        .clone()
        .work(move || {
            let shown = service.shelf.named(&name)?;
            let mut game = serde_json::to_value(&shown.listed).map_err(Problem::internal)?;
            game["sheet"] = json!(&*shown.loaded.source.text);
            game["language"] = json!(shown.language());
            game["board"] = json!(shown.drawing.kind());
            game["stylesheet"] = json!(shown.drawing.has_stylesheet());
            Ok(Json(game))
        })
        .await
}

pub(crate) async fn thumbnail(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
) -> Result<Response, Problem> {
    service
        .clone()
        .paint(move || {
            let mut answer = foreign_picture(service.shelf.thumbnail(&name)?.to_string());
            answer.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("max-age=3600"));
            Ok(answer)
        })
        .await
}

pub(crate) async fn players() -> Json<Value> {
    let players: Vec<Value> = cast::player_list()
        .into_iter()
        .map(|(usage, about)| json!({ "usage": usage, "about": about }))
        .collect();
    Json(json!({ "players": players }))
}
