//! Experiments.

use std::convert::Infallible;
use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, State};
use axum::response::sse::Event;
use axum::response::{Response, Sse};
use futures_util::stream::Stream;
use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::{Asked, Body};
use super::lab::{saved, told_of};
use crate::experiments::Size;
use crate::problem::Problem;
use crate::service::Service;

/// The requested variant of an experiment; full by default.
#[derive(Debug, Deserialize)]
pub(crate) struct HowMuch {
    variant: Option<Size>,
}

impl HowMuch {
    fn size(&self) -> Size {
        self.variant.unwrap_or(Size::Full)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    variant: Size,
}

pub(crate) async fn list(State(service): State<Arc<Service>>) -> Result<Json<Value>, Problem> {
    service.clone().work(move || Ok(Json(service.experiments.list()?))).await
}

pub(crate) async fn one(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    Asked(asked): Asked<HowMuch>,
) -> Result<Json<Value>, Problem> {
    service.clone().work(move || service.experiments.one(&name, asked.size()).map(Json)).await
}

pub(crate) async fn run(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    Body(asked): Body<Run>,
) -> Result<Json<Value>, Problem> {
    service
        .clone()
        .work(move || {
            service.experiments.run(&name, asked.variant)?;
            Ok(Json(json!({ "id": name, "state": "running" })))
        })
        .await
}

pub(crate) async fn stop(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    Body(asked): Body<Run>,
) -> Result<Json<Value>, Problem> {
    service
        .clone()
        .work(move || {
            service.experiments.stop(&name, asked.variant)?;
            Ok(Json(json!({ "id": name, "state": "stopped" })))
        })
        .await
}

pub(crate) async fn events(
    State(service): State<Arc<Service>>,
    Path(name): Path<String>,
    Asked(asked): Asked<HowMuch>,
) -> Result<Sse<impl Stream<Item = Result<Event, Infallible>>>, Problem> {
    let size = asked.size();
    let unknown = || Problem::missing("unknown-experiment", "This experiment is not running.");
    let changes = service.experiments.changes(&name, size).ok_or_else(unknown)?;
    Ok(told_of(&service, changes, move |service| service.experiments.progress(&name, size)))
}

pub(crate) async fn file(
    State(service): State<Arc<Service>>,
    Path((name, file)): Path<(String, String)>,
    Asked(asked): Asked<HowMuch>,
) -> Result<Response, Problem> {
    service
        .clone()
        .work(move || {
            let kind = match file.as_str() {
                "report.md" => "text/markdown; charset=utf-8",
                "report.html" => "text/html; charset=utf-8",
                "figures.json" => "application/json",
                _ => return Err(Problem::missing("not-found", "There is no such file.")),
            };
            Ok(saved(&file, kind, service.experiments.file(&name, asked.size(), &file)?))
        })
        .await
}
