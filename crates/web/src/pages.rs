//! The pages: files embedded in the program. A debug build reads them from their folder, so that
//! changes show when a page is reloaded.

use std::hash::{Hash, Hasher};

use axum::extract::Request;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::{EmbeddedFile, RustEmbed};

#[derive(RustEmbed)]
#[folder = "pages/"]
struct Files;

/// Returns the file for a path, or `None` if there is no such page.
fn file_of(path: &str) -> Option<String> {
    let path = path.trim_start_matches('/');
    if let Some(asset) = path.strip_prefix("assets/") {
        let plain = !asset.contains("..") && !asset.contains(['\\', '\0', '%']) && !asset.starts_with('/');
        return plain.then(|| format!("assets/{asset}"));
    }
    let (first, rest) = path.split_once('/').unwrap_or((path, ""));
    let page = match (first, rest) {
        ("", "") => "index",
        ("play" | "matches" | "workshop" | "help", "") => first,
        ("lab", rest) if !rest.contains('/') => "lab",
        ("experiments", name) if !name.contains('/') => "experiments",
        ("match", id) if !id.is_empty() && !id.contains('/') => "match",
        ("favicon.ico", "") => return Some("assets/favicon.svg".to_string()),
        _ => return None,
    };
    Some(format!("{page}.html"))
}

/// Serves a page or an asset.
pub(crate) async fn page(request: Request) -> Response {
    let missing = || {
        let page = Files::get("missing.html").map(|file| file.data.into_owned()).unwrap_or_default();
        (StatusCode::NOT_FOUND, [(header::CONTENT_TYPE, kind("missing.html"))], page).into_response()
    };
    if !matches!(request.method().as_str(), "GET" | "HEAD") {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let Some(name) = file_of(request.uri().path()) else { return missing() };
    // A page without a file of its own is shown by index.html.
    let own = Files::get(&name).map(|file| (name.clone(), file));
    let shared = || name.ends_with(".html").then(|| Files::get("index.html")).flatten();
    let Some((name, file)) = own.or_else(|| shared().map(|file| ("index.html".to_string(), file))) else {
        return missing();
    };
    let tag = tag(&file);
    let known = request.headers().get(header::IF_NONE_MATCH).and_then(|value| value.to_str().ok());
    let headers = [
        (header::CONTENT_TYPE, kind(&name).to_string()),
        (header::CACHE_CONTROL, "no-cache".to_string()),
        (header::ETAG, tag.clone()),
    ];
    if known == Some(tag.as_str()) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    (headers, file.data.into_owned()).into_response()
}

fn tag(file: &EmbeddedFile) -> String {
    let mut hash = rustc_hash::FxHasher::default();
    file.data.hash(&mut hash);
    // Weak, because the file may be sent compressed or not.
    format!("W/\"{:016x}-{:x}\"", hash.finish(), file.data.len())
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or("") {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "json" | "webmanifest" => "application/json",
        "woff2" => "font/woff2",
        "txt" | "md" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_to_files_and_nowhere_else() {
        assert_eq!(file_of("/").as_deref(), Some("index.html"));
        assert_eq!(file_of("/match/mabc").as_deref(), Some("match.html"));
        assert_eq!(file_of("/lab/x").as_deref(), Some("lab.html"));
        assert_eq!(file_of("/assets/js/board.js").as_deref(), Some("assets/js/board.js"));
        for path in [
            "/assets/../Cargo.toml",
            "/assets/..\\x",
            "/assets//etc/passwd",
            "/assets/%2e%2e/x",
            "/src/lib.rs",
            "/match/",
            "/match/a/b",
            "/etc",
        ] {
            assert_eq!(file_of(path), None, "{path}");
        }
    }
}
