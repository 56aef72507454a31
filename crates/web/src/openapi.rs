//! The description of the API.

use serde_json::{Value, json};

/// The OpenAPI document.
pub(crate) fn document() -> Value {
    json!({ "openapi": "3.1.0", "info": { "title": "tafl", "version": env!("CARGO_PKG_VERSION") }, "paths": {} })
}
