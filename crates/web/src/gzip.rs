//! Compresses responses with gzip if the client accepts it.
//!
//! Event streams and sockets are not compressed, because they must not be delayed. Pages and assets
//! are the same for everyone and are compressed once.

use std::io::Write;
use std::sync::LazyLock;

use axum::body::{Body, Bytes, to_bytes};
use axum::http::StatusCode;
use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::recent::Recent;

/// Smaller responses are not compressed.
const SMALLEST: usize = 900;
/// Larger responses are not compressed.
const LARGEST: usize = 32 << 20;
/// Larger responses are compressed on another thread.
const AT_ONCE: usize = 256 << 10;

/// Compressed pages and assets, by ETag.
static KEPT: LazyLock<Recent<String, Bytes>> = LazyLock::new(|| Recent::new(128));

/// Returns `true` if the client accepts gzip.
pub(crate) fn is_wanted(headers: &HeaderMap) -> bool {
    let Some(accepted) = headers.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok()) else {
        return false;
    };
    accepted.split(',').any(|one| {
        let mut parts = one.split(';').map(str::trim);
        let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let refused = parts.any(|weight| matches!(weight, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"));
        named && !refused
    })
}

/// Says that a response depends on whether the client accepts gzip, also if this one does not: otherwise a
/// cache would give it to those who do.
pub(crate) fn tell_caches(status: StatusCode, headers: &mut HeaderMap) {
    let varies = status == StatusCode::NOT_MODIFIED || (status == StatusCode::OK && is_worth_it(headers));
    if varies {
        headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    }
}

/// Compresses a response.
pub(crate) async fn gzipped(response: Response) -> Response {
    if !is_worth_it(response.headers()) {
        return response;
    }
    let (mut parts, body) = response.into_parts();
    let tag = parts.headers.get(header::ETAG).and_then(|tag| tag.to_str().ok()).map(str::to_string);
    let kept = tag.as_ref().and_then(|tag| KEPT.get(tag));
    let (small, known) = match kept {
        Some(small) => (small, true),
        None => {
            // Bodies are complete here, and their size is bounded by whatever created them.
            let Ok(bytes) = to_bytes(body, usize::MAX).await else {
                return Response::from_parts(parts, Body::empty());
            };
            if !(SMALLEST..LARGEST).contains(&bytes.len()) {
                return Response::from_parts(parts, Body::from(bytes));
            }
            let whole = bytes.clone();
            let made = match bytes.len() > AT_ONCE {
                true => tokio::task::spawn_blocking(move || gzip(&whole, 4)).await.ok().flatten(),
                // Pages are compressed only once, so a higher level pays off.
                false => gzip(&whole, if tag.is_some() { 8 } else { 3 }),
            };
            match made {
                Some(small) => (Bytes::from(small), false),
                None => return Response::from_parts(parts, Body::from(bytes)),
            }
        }
    };
    if let Some(tag) = tag.filter(|_| !known) {
        KEPT.put(tag, small.clone());
    }
    parts.headers.remove(header::CONTENT_LENGTH);
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    Response::from_parts(parts, Body::from(small))
}

fn is_worth_it(headers: &HeaderMap) -> bool {
    let kind = headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim();
    let text = kind.starts_with("text/") && kind != "text/event-stream";
    (text || matches!(kind, "application/json" | "image/svg+xml"))
        && !headers.contains_key(header::CONTENT_ENCODING)
}

fn gzip(bytes: &[u8], level: u32) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::with_capacity(bytes.len() / 3), Compression::new(level));
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(accepted: &'static str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted));
        is_wanted(&headers)
    }

    #[test]
    fn gzip_is_sent_to_those_who_name_it() {
        assert!(wanted("gzip, deflate, br") && wanted("br;q=1.0, GZIP;q=0.5") && wanted("gzip"));
        assert!(!wanted("br") && !wanted("gzip;q=0") && !wanted("identity, gzip; q=0.0") && !wanted(""));
    }
}
