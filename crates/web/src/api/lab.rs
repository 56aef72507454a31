//! Tournaments.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::stream::{Stream, unfold};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use super::ask::Body;
use super::live::Present;
use crate::problem::Problem;
use crate::service::Service;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Spec {
    spec: String,
}

pub(crate) async fn list(State(service): State<Arc<Service>>) -> Result<Json<Value>, Problem> {
    service.clone().work(move || Ok(Json(json!({ "tournaments": service.tournaments.list()? })))).await
}

pub(crate) async fn begin(
    State(service): State<Arc<Service>>,
    Body(asked): Body<Spec>,
) -> Result<Response, Problem> {
    service
        .clone()
        .work(move || {
            let id = service.tournaments.begin(&asked.spec)?;
            Ok((StatusCode::CREATED, Json(json!({ "id": id }))).into_response())
        })
        .await
}

pub(crate) async fn one(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    service.clone().work(move || service.tournaments.one(&id).map(Json)).await
}

pub(crate) async fn stop(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    service
        .clone()
        .work(move || {
            service.tournaments.stop(&id)?;
            Ok(Json(json!({ "id": id, "state": "stopped" })))
        })
        .await
}

pub(crate) async fn file(
    State(service): State<Arc<Service>>,
    Path((id, name)): Path<(String, String)>,
) -> Result<Response, Problem> {
    service
        .clone()
        .work(move || {
            let kind = match name.as_str() {
                "report.md" => "text/markdown; charset=utf-8",
                "report.html" => "text/html; charset=utf-8",
                "results.csv" => "text/csv; charset=utf-8",
                "results.json" => "application/json",
                _ => return Err(Problem::missing("not-found", "There is no such file.")),
            };
            Ok(saved(&name, kind, service.tournaments.file(&id, &name)?))
        })
        .await
}

/// Returns a file for download. Its pages have inline styles, for reading them outside the service.
pub(super) fn saved(name: &str, kind: &str, text: String) -> Response {
    let file = format!("attachment; filename=\"{name}\"");
    ([(header::CONTENT_TYPE, kind.to_string()), (header::CONTENT_DISPOSITION, file)], text).into_response()
}

pub(crate) async fn go_on(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    service
        .clone()
        .work(move || {
            service.tournaments.go_on(&id)?;
            Ok(Json(json!({ "id": id, "state": "running" })))
        })
        .await
}

pub(crate) async fn events(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let unknown = || Problem::missing("unknown-tournament", "This tournament is not running.");
    let changes = service.tournaments.changes(&id).ok_or_else(unknown)?;
    Ok(told_of(&service, changes, move |service| service.tournaments.progress(&id)))
}

/// Sends progress until it is over.
pub(super) fn told_of<P: Fn(&Service) -> Value + Send + 'static>(
    service: &Arc<Service>,
    changes: watch::Receiver<u64>,
    progress: P,
) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<P>> {
    let closing = service.closing.subscribe();
    let present = Present::new(service, |metrics| &metrics.streams);
    let begin = (changes, closing, present, progress, false);
    let stream = unfold(begin, |(mut changes, mut closing, present, progress, over)| async move {
        if over || *closing.borrow() {
            return None;
        }
        changes.borrow_and_update();
        let told = progress(&present.service);
        let over = told["state"] != "running";
        let event = Event::default().event("progress").data(told.to_string());
        if !over {
            // It may end without a notification, so it is also polled.
            tokio::select! {
                _ = changes.changed() => {}
                _ = closing.changed() => {}
                () = tokio::time::sleep(Duration::from_millis(500)) => {}
            }
        }
        Some((Ok(event), (changes, closing, present, progress, over)))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}
