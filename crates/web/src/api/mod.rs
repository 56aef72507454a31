//! The JSON API, one file per subject.

mod ask;
mod experiments;
mod games;
mod health;
mod lab;
mod live;
mod matches;
mod socket;
mod workshop;

use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn_with_state;
use axum::routing::{any, get, post};
use axum::{Router, http};

use crate::problem::Problem;
use crate::service::Service;
use crate::{guard, pages};

/// Returns the routes of the service.
pub(crate) fn router(service: Arc<Service>) -> Router {
    let api = Router::new()
        .route("/games", get(games::list))
        .route("/games/{name}", get(games::one))
        .route("/games/{name}/thumbnail.svg", get(games::thumbnail))
        .route("/players", get(games::players))
        .route("/config", get(health::config))
        .route("/matches", get(matches::list).post(matches::create))
        .route("/matches/{id}", get(matches::one))
        .route("/matches/{id}/take", post(matches::take))
        .route("/matches/{id}/abort", post(matches::abort))
        .route("/matches/{id}/record", get(matches::record))
        .route("/matches/{id}/steps/{step}", get(matches::step))
        .route("/matches/{id}/events", get(live::events))
        .route("/matches/{id}/socket", any(socket::socket))
        .route("/workshop/check", post(workshop::check))
        .route("/workshop/convert", post(workshop::convert))
        .route("/workshop/position", post(workshop::position))
        .route("/workshop/playouts", post(workshop::playouts))
        .route("/workshop/profile", post(workshop::profile))
        .route("/tournaments", get(lab::list).post(lab::begin))
        .route("/tournaments/{id}", get(lab::one))
        .route("/tournaments/{id}/stop", post(lab::stop))
        .route("/tournaments/{id}/resume", post(lab::go_on))
        .route("/tournaments/{id}/events", get(lab::events))
        .route("/tournaments/{id}/{file}", get(lab::file))
        .route("/experiments", get(experiments::list))
        .route("/experiments/{name}", get(experiments::one))
        .route("/experiments/{name}/run", post(experiments::run))
        .route("/experiments/{name}/stop", post(experiments::stop))
        .route("/experiments/{name}/events", get(experiments::events))
        .route("/experiments/{name}/{file}", get(experiments::file))
        .route("/openapi.json", get(health::openapi))
        .route("/metrics", get(health::metrics))
        .route("/health", get(health::health))
        .fallback(nothing);
    let limit = service.limits.body;
    Router::new()
        .nest("/api/v1", api)
        .route("/api/{*rest}", any(nothing))
        .route("/openapi.json", get(health::openapi))
        .route("/metrics", get(health::metrics))
        .route("/health", get(health::health))
        .fallback(pages::page)
        .layer(DefaultBodyLimit::max(limit))
        .layer(from_fn_with_state(Arc::clone(&service), guard::around))
        .with_state(service)
}

async fn nothing(uri: http::Uri) -> Problem {
    let path: String = uri.path().chars().take(80).collect();
    Problem::missing("not-found", format!("There is nothing at {path}."))
}
