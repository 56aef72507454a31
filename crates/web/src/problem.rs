//! The errors of the service: a status, a stable code, and a message.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// An error response.
#[derive(Debug, Clone)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Problem {
        Problem { status, code, message: message.into() }
    }

    pub(crate) fn bad(code: &'static str, message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, code, message)
    }

    pub(crate) fn missing(code: &'static str, message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, code, message)
    }

    pub(crate) fn forbidden(code: &'static str, message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::FORBIDDEN, code, message)
    }

    pub(crate) fn conflict(code: &'static str, message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, code, message)
    }

    pub(crate) fn busy(code: &'static str, message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, code, message)
    }

    /// The request is well-formed but cannot be processed.
    pub(crate) fn useless(code: &'static str, message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    /// Something failed in the service. The cause is logged and not sent to the client.
    pub(crate) fn internal(cause: impl std::fmt::Display) -> Problem {
        tracing::error!(%cause, "a request failed");
        let message = "The service failed to do this; see its log.";
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }
}

impl From<store::StoreError> for Problem {
    fn from(error: store::StoreError) -> Problem {
        Problem::internal(error)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = json!({ "error": { "code": self.code, "message": self.message } });
        (self.status, Json(body)).into_response()
    }
}
