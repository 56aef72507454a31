//! The service itself.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::service::Service;

pub(crate) async fn config(State(service): State<Arc<Service>>) -> Json<Value> {
    Json(json!({
        "version": env!("CARGO_PKG_VERSION"), "token_required": service.guard.wants_token(),
        "grace_ms": arena::GRACE.as_millis() as u64,
    }))
}

pub(crate) async fn health() -> Json<Value> {
    Json(json!({ "status": "ok" }))
}

pub(crate) async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")];
    (kind, service.metrics.text(service.hall.live())).into_response()
}

pub(crate) async fn openapi() -> Json<Value> {
    Json(crate::openapi::document())
}
