//! Matches: creating them, their steps, their records.

use std::sync::Arc;

use arena::MatchRecord;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

use super::ask::{Asked, Body};
use crate::hall::Request;
use crate::metrics::count;
use crate::problem::Problem;
use crate::service::Service;

/// The default number of matches in a list, and the maximum.
const LISTED: usize = 50;
const MOST: usize = 500;

#[derive(Debug, Deserialize)]
pub(crate) struct Which {
    state: Option<String>,
    limit: Option<usize>,
}

pub(crate) async fn list(
    State(service): State<Arc<Service>>,
    Asked(asked): Asked<Which>,
) -> Result<Json<Value>, Problem> {
    if asked.state.as_deref().is_some_and(|state| !matches!(state, "live" | "done")) {
        return Err(Problem::bad("bad-query", "`state` must be `live` or `done`."));
    }
    service
        .clone()
        .work(move || {
            let limit = asked.limit.unwrap_or(LISTED).min(MOST);
            Ok(Json(json!({ "matches": service.hall.list(asked.state.as_deref(), limit)? })))
        })
        .await
}

pub(crate) async fn create(
    State(service): State<Arc<Service>>,
    Body(request): Body<Request>,
) -> Result<Response, Problem> {
    service
        .clone()
        .work(move || {
            let table = service.hall.create(request)?;
            count(&service.metrics.matches);
            let course = table.course();
            let own = course.kept.seats.iter().zip(table.roles()).filter_map(|(seat, role)| {
                let seat = seat.as_ref().filter(|seat| seat.player != "open")?;
                Some(json!({ "role": role, "key": seat.key.as_ref()? }))
            });
            let seats: Vec<Value> = own.collect();
            let place = format!("/match/{}", table.id);
            let body = json!({ "id": table.id, "url": place, "seats": seats });
            Ok((StatusCode::CREATED, [(header::LOCATION, place)], Json(body)).into_response())
        })
        .await
}

/// The requested view, and the key of the seat that requests it.
#[derive(Debug, Deserialize)]
pub(crate) struct View {
    pub(crate) view: Option<String>,
    pub(crate) key: Option<String>,
    /// For pictures: `stylesheet` for the game's own drawing, if it has a stylesheet.
    pub(crate) look: Option<String>,
}

pub(crate) async fn one(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    Asked(asked): Asked<View>,
) -> Result<Json<Value>, Problem> {
    service
        .clone()
        .work(move || {
            let table = service.hall.find(&id)?;
            let own = asked.key.as_deref().and_then(|key| table.keyed(key));
            let mut told = table.summary();
            told["views"] = json!(table.views(own));
            told["replaced"] = json!(table.replaced(own));
            told["yours"] = json!(own.map(|role| &table.roles()[role]));
            let course = table.course();
            told["clocks"] = json!({
                "start": course.kept.start_clock_ms as f64 / 1000.0, "play": course.kept.play_clock_ms as f64 / 1000.0,
            });
            let grace = course.kept.is_on_the_wire().then_some(arena::GRACE.as_millis() as u64);
            told["grace_ms"] = json!(grace);
            told["casual"] = json!(course.kept.casual);
            told["board"] = json!(table.shown.drawing.kind());
            told["stylesheet"] = json!(table.shown.drawing.has_stylesheet());
            let over = course.record.as_ref().filter(|_| course.standing.is_over());
            told["ending"] = json!(over.map(|record| &record.ending));
            Ok(Json(told))
        })
        .await
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Take {
    role: String,
}

pub(crate) async fn take(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    Body(take): Body<Take>,
) -> Result<Json<Value>, Problem> {
    service
        .clone()
        .work(move || {
            let table = service.hall.find(&id)?;
            let key = service.hall.take(&table, &take.role)?;
            Ok(Json(json!({ "role": take.role, "key": key })))
        })
        .await
}

pub(crate) async fn abort(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
    Asked(asked): Asked<View>,
) -> Result<Json<Value>, Problem> {
    service
        .clone()
        .work(move || {
            let table = service.hall.find(&id)?;
            let outside = table.course().kept.seats.iter().flatten().any(|seat| seat.is_outside());
            if outside && asked.key.as_deref().and_then(|key| table.keyed(key)).is_none() {
                let text = "Only its players can abort this match; give the key of a seat with `?key=`.";
                return Err(Problem::forbidden("not-your-match", text));
            }
            service.hall.abort(&table)?;
            Ok(Json(json!({ "id": table.id, "state": "aborted" })))
        })
        .await
}

pub(crate) async fn record(
    State(service): State<Arc<Service>>,
    Path(id): Path<String>,
) -> Result<Json<MatchRecord>, Problem> {
    service
        .clone()
        .work(move || {
            let table = service.hall.find(&id)?;
            let course = table.course();
            let over = course.standing.is_over();
            if table.shown.hides() && !over {
                let text = "The record of a match with hidden information is shown when it is over.";
                return Err(Problem::forbidden("hidden-information", text));
            }
            let missing = || Problem::conflict("not-begun", "The match has not begun.");
            let mut record = course.record.clone().ok_or_else(missing)?;
            if !over {
                // Anyone who knew the seed could predict what chance does.
                (record.seed, record.random_token) = (0, String::new());
                if !course.kept.casual {
                    record.thoughts.clear();
                }
            }
            if let Some(sheet) = table.shown.loaded.wire_text() {
                record.rule_sheet = Some(sheet.to_string());
            }
            Ok(Json(record))
        })
        .await
}

pub(crate) async fn step(
    State(service): State<Arc<Service>>,
    Path((id, step)): Path<(String, String)>,
    Asked(asked): Asked<View>,
) -> Result<Response, Problem> {
    service
        .clone()
        .work(move || {
            let table = service.hall.find(&id)?;
            let (number, picture) = match step.strip_suffix(".svg") {
                Some(number) => (number, true),
                None => (step.as_str(), false),
            };
            let number = match number {
                "last" => Some(table.course().moments.len() - 1),
                number => number.parse::<usize>().ok(),
            };
            let sight = table.sight(asked.view.as_deref(), asked.key.as_deref())?;
            let moment = number.and_then(|number| table.course().moments.get(number).cloned());
            let missing = || {
                let last = table.course().moments.len() - 1;
                Problem::missing("unknown-step", format!("The steps of this match are 0 to {last}."))
            };
            let moment = moment.ok_or_else(missing)?;
            if let Some(look) = asked.look.as_deref().filter(|look| !look.is_empty()) {
                if !picture || look != "stylesheet" {
                    return Err(Problem::bad(
                        "bad-query",
                        "`look` applies only to pictures, and must be `stylesheet`.",
                    ));
                }
                return Ok(foreign_picture(table.styled(&moment, sight)?));
            }
            if picture {
                let kind = [(header::CONTENT_TYPE, "image/svg+xml")];
                return Ok((kind, table.drawn(&moment, sight)).into_response());
            }
            let kind = [(header::CONTENT_TYPE, "application/json")];
            Ok((kind, table.told(&moment, sight).to_string()).into_response())
        })
        .await
}

/// Returns a picture with styles of its own, which a page shows as an image: nothing in it can act,
/// fetch anything, or access the page.
pub(crate) fn foreign_picture(svg: String) -> Response {
    let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; base-uri 'none'; \
                  form-action 'none'; frame-ancestors 'none'";
    let headers = [(header::CONTENT_TYPE, "image/svg+xml"), (header::CONTENT_SECURITY_POLICY, policy)];
    (headers, svg).into_response()
}
